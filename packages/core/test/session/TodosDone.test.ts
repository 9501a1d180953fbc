import { assert, describe, it } from "@effect/vitest"
import * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import * as TodosDone from "../../src/session/evidence/TodosDone.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { Schema } from "effect"
import { edit, run, todos } from "../support/events.ts"

const context: Evidence.EvidenceContext = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }

const gathered = (events: ReadonlyArray<TranscriptEvent>): Evidence.Evidence =>
  events.reduce((state, event) => Evidence.step(state, event, context), Evidence.beginTurn(Evidence.initial, 0))

const list = (...items: ReadonlyArray<string>): TranscriptEvent =>
  todos(...items.map((item) => [item, "pending"] as const))

const passing = "Tests:  5 passed, 5 total"
const failing = "Tests:  1 failed, 4 passed, 5 total"

const commit = run('git commit -am "Round totals"', 0, "[main 1a2b3c4] Round totals\n 2 files changed")
const push = run("git push origin totals", 0, "totals -> totals")
const docs = edit("/repo/docs/rounding.md")
const readme = edit("/repo/README.md")
const spec = edit("/repo/test/total.test.ts")
const source = edit("/repo/src/total.ts")
const settings = edit("/repo/settings.toml")
const green = run("npm test", 0, passing)
const red = run("npm test", 1, failing)

describe("a todo is done where what it names happened after the list moved", () => {
  it.each([
    ["Commit the rounding", [commit]],
    ["Update the changelog and commit", [edit("/repo/CHANGELOG.md"), commit]],
    ["git push", [push]],
    ["Commit and push", [commit, push]],
    ["Describe it in docs/rounding.md", [docs]],
    ["rounding.md", [docs]],
    ["Document the rounding", [docs]],
    ["Update the README", [readme]],
    ["Explain rounding in the docs", [readme]],
    ["Write tests for negative totals", [spec]],
    ["Extend the specs", [spec]],
    ["Change src/total.ts", [source]],
    ["Move the limit into `settings.toml`", [settings]],
    ["Clean up src/", [source]],
    ["Run the tests", [green]],
    ["Verify with the test suite", [red, green]]
  ])("%s", (todo, events) => {
    assert.deepStrictEqual(TodosDone.undone([todo], gathered([list(todo), ...events])), [])
  })
})

describe("a todo is open where nothing that it names happened since", () => {
  it.each([
    ["Commit the rounding", [docs]],
    ["Commit and push", [commit]],
    ["Update the changelog and commit", [commit]],
    ["Describe it in docs/rounding.md", [readme]],
    ["Update the README", [source]],
    ["Write tests for negative totals", [source, green]],
    ["Run the tests", [red]],
    ["Run the tests", [green, red, edit("/repo/docs/a.md")].slice(1)],
    ["Change src/total.ts", [edit("/repo/src/subtotal.ts")]],
    ["Round half to even", [source, spec, docs, commit]],
    ["Add the push API", [push]],
    ["Explain the commit hook", [commit]],
    ["Deploy", [commit, push]]
  ])("%s", (todo, events) => {
    assert.deepStrictEqual(TodosDone.undone([todo], gathered([list(todo), ...events])), [todo])
  })

  it("if it happened before", () => {
    const before = gathered([list("Update the README"), readme, commit, list("Update the README", "Commit")])
    assert.deepStrictEqual(TodosDone.undone(["Update the README", "Commit"], before), ["Update the README", "Commit"])
  })

  it("unless the list was only shown again", () => {
    const shown = gathered([list("Update the README"), readme, list("Update the README")])
    assert.deepStrictEqual(TodosDone.undone(["Update the README"], shown), [])
  })
})

it("a state from before the list was watched decodes", () => {
  const { list: _list, ...old } = Schema.encodeSync(Evidence.Evidence)(Evidence.initial)
  assert.deepStrictEqual(Schema.decodeUnknownSync(Evidence.Evidence)(old), Evidence.initial)
})
