import { NodeContext } from "@effect/platform-node"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as HostContractCases from "../src/contract/HostContractCases.ts"
import * as OpenCodeContract from "../src/hosts/OpenCodeContract.ts"

describe.concurrent("the host contract: OpenCode", () => {
  for (const { name, run } of HostContractCases.casesOf(OpenCodeContract.host)) {
    it.scopedLive(name, () => run.pipe(Effect.provide(NodeContext.layer)))
  }
})
