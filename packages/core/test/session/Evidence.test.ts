import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, user } from "../support/events.ts"
import { list } from "../support/rows.ts"

const context: Evidence.EvidenceContext = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }

const gathered = (...events: ReadonlyArray<TranscriptEvent>): Evidence.Evidence =>
  events.reduce((state, event) => Evidence.step(state, event, context), Evidence.beginTurn(Evidence.initial, 0))

const results = (self: Evidence.Evidence): ReadonlyArray<string> =>
  self.runs.map((each) => `${each.gate} ${each.result}`)

const passing = "Tests:  5 passed, 5 total"
const failing = "FAIL test/total.test.ts\n  ● total › rounds\n\nTests:  1 failed, 4 passed, 5 total"

describe("what a call proves", () => {
  it.each([
    ["an exit code", run("npm test", 0, passing), ["tests passed"]],
    ["a failing exit code", run("npm test", 1, failing), ["tests failed"]],
    ["a masked exit code with output", run("npm test | tail -n 3", 0, failing), ["tests failed"]],
    ["a masked exit code without output", run("npm test | tail -n 3", 0), ["tests unknown"]],
    ["a status that is swallowed", run("npm test || true", 0), ["tests unknown"]],
    ["a status that is echoed", run("npm test; echo $?", 0, "…\n1\n"), ["tests failed"]],
    [
      "several gates at once",
      run("npm run build && npm run lint && npm test", 0),
      ["build passed", "lint passed", "tests passed"]
    ],
    ["the first of a chain that fails", run("npm run build && npm test", 1, "error TS2322: no"), []],
    ["a command in words only", run("echo 'npm test'", 0), []],
    ["a comment", run("# npm test", 0), []],
    ["a dry run", run("git push --dry-run", 0), []],
    ["help", run("npm test --help", 0), []],
    ["a subagent's run", run("npm test", 0, passing, { agentId: "a" }), ["tests passed"]],
    ["no host's word at all", run("npm test", null, "", { status: null, output: null }), ["tests unknown"]],
    ["a pull request by a tool", call("mcp__github__create_pull_request", {}), ["pr passed"]],
    [
      "a pull request that a tool could not open",
      call("mcp__github__create_pull_request", {}, { status: "error" }),
      ["pr failed"]
    ],
    [
      "a rejected push",
      run("git push", 1, " ! [rejected] main -> main\nerror: failed to push some refs"),
      ["push failed"]
    ],
    [
      "a rejected push with only its hints kept",
      run("git push origin main 2>&1 | tail -n 2", 0, "hint: Updates were rejected because the remote contains work"),
      ["push failed"]
    ],
    [
      "a commit with nothing to commit",
      run("git commit -am Fix", 1, "On branch main\nnothing to commit, working tree clean"),
      ["commit unknown"]
    ],
    [
      "a commit with nothing added, though there is something",
      run("git commit -m Fix", 1, "no changes added to commit"),
      ["commit failed"]
    ],
    ["a push without a remote", run("git push", 128, "fatal: No configured push destination."), ["push unknown"]],
    [
      "a pull request that is there",
      run(
        "gh pr create --fill",
        1,
        'a pull request for branch "fix" into branch "main" already exists:\nhttps://github.com/o/r/pull/7'
      ),
      ["pr passed"]
    ],
    ["a push of nothing", run("git push", 0, "Everything up-to-date"), ["push passed"]]
  ])("%s", (_, made, proved: ReadonlyArray<string>) => {
    const found = results(gathered(made))
    if (proved.length > 0) assert.includeMembers([...found], [...proved])
    else assert.notInclude(found.join(" "), "passed")
  })

  it.each(["denied", "interrupted", "pending", "running"] as const)("nothing, when it is %s", (status) => {
    assert.deepStrictEqual(gathered(run("npm test", null, passing, { status })).runs, [])
    assert.deepStrictEqual(gathered(edit("/repo/src/a.ts", { status })).edits, [])
  })

  it("nothing, while it runs in the background: it is only on record as issued", () => {
    const started = gathered(run("npm test", null, "", { status: "running", background: true }))
    assert.deepStrictEqual(started.runs, [])
    assert.deepStrictEqual(
      started.issued.map((each) => each.gate),
      ["tests"]
    )
  })

  it("what was asked of the user and refused", () => {
    const self = gathered(run("npm test", null, "", { id: "a", status: "denied" }))
    assert.deepStrictEqual(self.denied, [{ callId: "a", gates: ["tests"] }])
  })

  it("the tests that failed, by name", () => {
    const [found] = gathered(run("npm test", 1, failing)).runs
    assert.deepStrictEqual(
      found?.failing.map((each) => each.name),
      ["total › rounds"]
    )
  })
})

describe("CI", () => {
  it.each([
    ["build\tpass\t1m\thttps://x\nlint\tpass\t5s\thttps://x", 0, "passed"],
    ["build\tfail\t1m\thttps://x\nlint\tpass\t5s\thttps://x", 1, "failed"],
    ["build\tpending\t0\thttps://x\nlint\tpass\t5s\thttps://x", 8, "unknown"],
    ["build\tpending\t0\thttps://x\nlint\tfail\t5s\thttps://x", 1, "failed"],
    ["", 0, "unknown"],
    ["All checks were successful", 0, "passed"]
  ] as const)("%j with %i: %s", (output, exitCode, result) => {
    assert.strictEqual(
      gathered(run("gh pr checks 12", exitCode, output)).runs.find((each) => each.gate === "ci")?.result,
      result
    )
  })
})

describe("a call that is settled", () => {
  const pending = run("npm test", null, "", { id: "a", status: "pending" })
  const settled = run("npm test", 0, passing, { id: "a" })

  it("counts once", () => {
    assert.strictEqual(gathered(pending, settled).calls, 1)
    assert.deepStrictEqual(results(gathered(pending, settled)), ["tests passed"])
  })

  it("supersedes what was said of it before", () => {
    assert.deepStrictEqual(results(gathered(settled, run("npm test", 1, failing, { id: "a" }))), ["tests failed"])
  })
})

describe("edits", () => {
  it("keep their order, their kind and the last of each file", () => {
    const self = gathered(edit("/repo/src/a.ts"), run("npm test", 0), edit("/repo/README.md"), edit("/repo/src/a.ts"))
    assert.deepStrictEqual(
      self.edits.map(({ kind, order, path }) => [path, kind, order]),
      [
        ["/repo/README.md", "docs", 3],
        ["/repo/src/a.ts", "source", 4]
      ]
    )
    assert.strictEqual(Evidence.lastEdit(self, ["source"]), 4)
    assert.strictEqual(Evidence.lastEdit(self, ["docs"]), 3)
    assert.strictEqual(Evidence.lastEdit(self, ["test", "conflict"]), 0)
  })

  it.each([
    ["sed -i s/a/b/ src/a.ts", "source"],
    ["rm src/a.ts", "source"],
    ["tee src/a.test.ts < x", "test"],
    ["echo x >> README.md", "docs"]
  ] as const)("%s edits %s", (command, kind) => {
    assert.isAbove(Evidence.lastEdit(gathered(run(command, 0)), [kind]), 0)
  })

  it("of earlier turns are forgotten, their runs are not", () => {
    const later = Evidence.beginTurn(gathered(edit("/repo/src/a.ts"), run("npm test", 0)), 1)
    assert.deepStrictEqual(later.edits, [])
    assert.strictEqual(Evidence.lastEdit(later, ["source"]), 0)
    assert.deepStrictEqual(results(later), ["tests passed"])
    assert.strictEqual(later.turn, 1)
    assert.strictEqual(later.calls, 0)
  })
})

describe("pushes", () => {
  it.each([
    ["git push", null],
    ["git push origin HEAD:main", "main"],
    ["git push -u origin fix/a", "fix/a"],
    ["cd x && git push origin main --force", "main"]
  ] as const)("%s goes to %j", (command, branch) => {
    assert.deepStrictEqual(
      gathered(run(command, 0)).pushes.map((push) => push.branch),
      [branch]
    )
  })

  it("are none when refused, deleting or for show", () => {
    const refused = run("git push", 1, "error: failed to push some refs")
    assert.deepStrictEqual(gathered(refused, run("git push origin --delete a", 0), run("git push -n", 0)).pushes, [])
  })

  it.each(list`
    git checkout -- src/a.ts ¦ git restore . ¦ git reset --hard ¦ git checkout src/a.ts ¦ git restore src
  `)("%s takes edits back", (command) => {
    assert.deepStrictEqual(gathered(edit("/repo/src/a.ts"), run("npm test", 1), run(command, 0)).edits, [])
  })

  it("come back with the stash that they were put into", () => {
    const stashed = gathered(edit("/repo/src/a.ts"), run("git stash && npm test; git stash pop", 0))
    assert.deepStrictEqual(
      stashed.edits.map((one) => one.path),
      ["/repo/src/a.ts"]
    )
    assert.strictEqual(stashed.away, undefined)
    assert.strictEqual(gathered(edit("/repo/src/a.ts"), run("git stash", 0)).away?.kind, "stash")
  })

  it("follow the branch that was switched to", () => {
    assert.strictEqual(gathered(run("git switch -c fix/a", 0)).branch, "fix/a")
    assert.strictEqual(gathered(run("git checkout main", 0)).branch, "main")
    assert.strictEqual(gathered(run("git checkout -- src/a.ts", 0)).branch, null)
  })
})

const same = (): ToolCall => run("npm test", 1, failing)

describe("repeats", () => {
  it("count the same failing call until something is edited", () => {
    assert.strictEqual(gathered(same(), same(), same()).repeats.count, 3)
    assert.isBelow(gathered(same(), same(), edit("/repo/src/a.ts"), same()).repeats.count, 2)
    assert.isBelow(gathered(same(), run("npm test", 0, passing), same()).repeats.count, 2)
  })
})

const anyCall: fc.Arbitrary<TranscriptEvent> = fc
  .record({
    id: fc.option(
      fc.nat({ max: 200 }).map((id) => `c${id}`),
      { nil: null }
    ),
    command: fc.constantFrom(
      "npm test",
      "npm run build",
      "git push",
      "sed -i s/a/b/ src/a.ts",
      "npm run lint | cat",
      "gh pr create",
      "ls",
      `echo ${"x".repeat(5000)}`
    ),
    path: fc.nat({ max: 500 }).map((index) => `/repo/src/${"deep/".repeat(40)}${index}.ts`),
    kind: fc.constantFrom("shell", "edit", "agent"),
    status: fc.constantFrom(...(["completed", "error", "denied", "interrupted", "pending", "running"] as const)),
    exitCode: fc.constantFrom(0, 1, null),
    background: fc.boolean(),
    output: fc.constantFrom("", passing, failing, "x".repeat(50_000))
  })
  .map(({ background, command, exitCode, id, kind, output, path, status }) => {
    const rest = { id, background, exitCode, output, status }
    return kind === "shell"
      ? call("Bash", { command }, rest)
      : kind === "edit"
        ? edit(path, rest)
        : call("Task", { prompt: command }, rest)
  })

describe("the fold", () => {
  it("encodes and decodes unchanged, and never counts backwards", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (events) => {
        let state = Evidence.beginTurn(Evidence.initial, 0)
        for (const event of events) {
          const next = Evidence.step(state, event, context)
          assert.isAtLeast(next.order, state.order)
          assert.isTrue(next.runs.every((each) => each.order <= next.order))
          assert.isTrue(next.edits.every((each) => each.order <= next.order))
          state = next
        }
        const json: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(Evidence.Evidence)(state)))
        assert.deepStrictEqual(Schema.decodeUnknownSync(Evidence.Evidence)(json), state)
      }),
      { numRuns: 20 }
    )
  })

  it("forgets nothing that decides: the last run of a gate outlives a hundred others", () => {
    const others = Array.from({ length: 100 }, () => run("npm run lint", 0))
    assert.include(results(gathered(run("npm test", 1, failing), ...others)), "tests failed")
  })

  it("is left alone by what is no tool call", () => {
    const before = gathered(run("npm test", 0))
    assert.strictEqual(Evidence.step(before, agent("All tests pass."), context), before)
    assert.strictEqual(Evidence.step(before, user("Run the tests."), context), before)
  })
})
