import { assert, describe, it } from "@effect/vitest"
import * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { ToolCall } from "../../src/session/transcript/Transcript.ts"
import { call, run } from "../support/events.ts"

const context: Evidence.EvidenceContext = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }

const path = "/repo/PLAN.md"

const open = (...calls: ReadonlyArray<ToolCall>): number =>
  Evidence.openPlans(
    calls.reduce((state, event) => Evidence.step(state, event, context), Evidence.beginTurn(Evidence.initial, 0))
  ).reduce((sum, plan) => sum + plan.open, 0)

const list = "# Plan\n- [x] schema\n- [ ] reader\n- [ ] writer\n"
const read = (output: string, file = path): ToolCall => call("Read", { file_path: file }, { output })
const tick = (item: string): ToolCall =>
  call("Edit", { file_path: path, old_string: `- [ ] ${item}`, new_string: `- [x] ${item}` })

describe("the open boxes of a plan", () => {
  it.each([
    ["read", [read(list)], 2],
    ["read with line numbers", [read("     1→# Plan\n     2→- [ ] reader\n     3→1. [ ] writer")], 2],
    ["read with other line numbers", [read("00001| * [ ] reader\n00002| * [X] writer")], 1],
    ["shown by a command", [run("cat PLAN.md", 0, list)], 2],
    ["written", [call("Write", { file_path: path, content: list })], 2],
    ["one ticked", [read(list), tick("reader")], 1],
    ["all ticked", [read(list), tick("reader"), tick("writer")], 0],
    ["written anew with all ticked", [read(list), call("Write", { file_path: path, content: "- [x] reader\n" })], 0],
    ["read anew", [read(list), read("- [x] reader\n- [x] writer\n")], 0],
    ["one added", [read(list), call("Edit", { file_path: path, old_string: "x", new_string: "x\n- [ ] docs" })], 3],
    ["changed by a command", [read(list), run("sed -i 's/\\[ \\]/[x]/' PLAN.md", 0)], 0],
    ["changed in all places at once", [read(list), call("Edit", { ...Object(tick("").input), replace_all: true })], 0],
    ["perhaps changed by a subagent", [read(list), call("Task", { prompt: "tick them" })], 0],
    ["of which nothing could be read", [read(list, "/repo/other.md"), { ...read(list), status: "error" }], 2],
    ["in code", [read('const boxes = ["- [ ] a"]', "/repo/src/boxes.ts")], 0],
    ["in a text without boxes", [read("An array `[ ]` is empty.\n- see [ ](x)")], 0]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<ToolCall>, number]>)("%s", (_, calls, expected) => {
    assert.strictEqual(open(...calls), expected)
  })

  it("are those of the running turn", () => {
    const state = Evidence.step(Evidence.initial, read(list), context)
    assert.lengthOf(Evidence.openPlans(Evidence.beginTurn(state, 1)), 0)
  })

  it("are kept of a few files only", () => {
    assert.strictEqual(open(...Array.from({ length: 50 }, (_, at) => read("- [ ] a", `/repo/${at}.md`))), 8)
  })
})
