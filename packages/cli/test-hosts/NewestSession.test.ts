import { Command } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { HostBinaries, Scenario, Scenarios } from "@reflexion/testing"
import { Effect, Schema } from "effect"
import { bin } from "./support/judge.ts"

const Judged = Schema.parseJson(Schema.Struct({ file: Schema.String, host: Schema.String, status: Schema.String }))

describe("the real OpenCode", () => {
  it.scopedLive("is asked for the newest session of the directory, with what its agents did", () =>
    Effect.gen(function* () {
      const scenario = Scenarios.of("opencode").find(({ name }) => name === "subagent") ?? assert.fail("no scenario")
      const { sandbox, sessionId } = yield* Scenario.play(scenario, "opencode")
      const judge = Command.make(process.execPath, bin, "judge", "--format", "json").pipe(
        Command.workingDirectory(sandbox.workspace),
        Command.env({ HOME: sandbox.home, XDG_DATA_HOME: "", OPENCODE_BIN: yield* HostBinaries.openCodeBinary })
      )
      const verdict = yield* Schema.decode(Judged)(yield* Command.string(judge))
      assert.deepStrictEqual(verdict, { file: sessionId, host: "opencode", status: scenario.expected.status })
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
