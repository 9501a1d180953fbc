import { NodeContext } from "@effect/platform-node"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ClaudeCodeContract from "../src/hosts/ClaudeCodeContract.ts"
import * as HostContractTiers from "../src/contract/HostContractTiers.ts"

describe.concurrent("the host contract beyond evidence: Claude Code", () => {
  for (const { name, run } of HostContractTiers.cases) {
    it.scopedLive(name, () => run(ClaudeCodeContract.host).pipe(Effect.provide(NodeContext.layer)))
  }
})
