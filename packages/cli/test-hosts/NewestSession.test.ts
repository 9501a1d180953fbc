import { Command } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { HostBinaries, Scenario, Scenarios } from "@reflexion/testing"
import { Schema } from "effect"
import { bin } from "./support/judge.ts"
import { live } from "../../testing/test-hosts/support/live.ts"

const Judged = Schema.parseJson(Schema.Struct({ file: Schema.String, host: Schema.String, status: Schema.String }))

describe("the real OpenCode", () => {
  live("is asked for the newest session of the directory, with what its agents did", function* () {
    const scenario = Scenarios.of("opencode").find(({ name }) => name === "subagent") ?? assert.fail("no scenario")
    const { sandbox, sessionId } = yield* Scenario.play(scenario, "opencode")
    const judge = Command.make(process.execPath, bin, "judge", "--format", "json").pipe(
      Command.workingDirectory(sandbox.workspace),
      Command.env({ HOME: sandbox.home, XDG_DATA_HOME: "", OPENCODE_BIN: yield* HostBinaries.openCodeBinary })
    )
    const verdict = yield* Schema.decode(Judged)(yield* Command.string(judge))
    assert.deepStrictEqual(verdict, { file: sessionId, host: "opencode", status: scenario.expected.status })
  })
})
