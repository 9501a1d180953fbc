/** A test of real programs that is written as a generator: in a scope, by the real clock, with Node's services. */
import { NodeContext } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { worksWith } from "../../../core/test/support/works.ts"

export const live = worksWith(NodeContext.layer, it.scopedLive)
