import { NodeContext } from "@effect/platform-node"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ClaudeCodeContract from "../src/hosts/ClaudeCodeContract.ts"
import * as HostContractCases from "../src/contract/HostContractCases.ts"

describe.concurrent("the host contract: Claude Code", () => {
  for (const { name, run } of HostContractCases.casesOf(ClaudeCodeContract.host)) {
    it.scopedLive(name, () => run.pipe(Effect.provide(NodeContext.layer)))
  }
})
