import { NodeContext } from "@effect/platform-node"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CodexContract from "../src/hosts/CodexContract.ts"
import * as HostContractCases from "../src/contract/HostContractCases.ts"

describe.concurrent("the host contract: Codex", () => {
  for (const { name, run } of HostContractCases.casesOf(CodexContract.host)) {
    it.scopedLive(name, () => run.pipe(Effect.provide(NodeContext.layer)))
  }
})
