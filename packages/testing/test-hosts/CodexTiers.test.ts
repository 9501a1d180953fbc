import { NodeContext } from "@effect/platform-node"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CodexContract from "../src/hosts/CodexContract.ts"
import * as HostContractTiers from "../src/contract/HostContractTiers.ts"

describe.concurrent("the host contract beyond evidence: Codex", () => {
  for (const { name, run } of HostContractTiers.cases) {
    it.scopedLive(name, () => run(CodexContract.host).pipe(Effect.provide(NodeContext.layer)))
  }
})
