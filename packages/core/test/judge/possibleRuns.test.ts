import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Gate } from "../../src/judge/verdict/Verdict.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"

const asked = user("Round the invoice total down and run the tests.")
const code = (): TranscriptEvent => edit("/repo/lib/invoice.rb")

const judged = (...events: ReadonlyArray<TranscriptEvent>) =>
  Judgment.judge(transcript([asked, ...events, agent("Rounded down. I ran the tests, all of them pass.")]), {
    context: { ...Judgment.defaultContext, cwd: "/repo" }
  })

const tests = (...events: ReadonlyArray<TranscriptEvent>): Gate => {
  const gate = judged(...events).gates.find((each) => each.gate === "tests")
  assert(gate !== undefined && gate.required)
  return gate
}

const could = (what: string): string => `something ran that could have been it: ${what}`

describe("what ran after the edit and is not understood", () => {
  it.each([
    ["./check-all", "`./check-all`"],
    ["scl enable devtoolset-9 'make test-all'", "`scl enable devtoolset-9 'make test-all'`"],
    ["lein with-profile dev midje", "`lein with-profile dev midje`"],
    ["cmake --build out --target unittests", "`cmake --build out --target unittests`"],
    ["make", "`make`"],
    ["npm run everything", "`npm run everything`"],
    ["python tools/verify.py", "`python tools/verify.py`"],
    ["ssh ci-box 'cd app && rspec'", "`ssh ci-box 'cd app && rspec'`"],
    ["$RUNNER", "`$RUNNER`"],
    ["cd lib && ./all.sh && echo done", "`./all.sh`"],
    ["sed -i s/ceil/floor/ lib/invoice.rb && ./check-all", "`./check-all`"]
  ])("may have been the tests: %s", (command, what) => {
    const gate = tests(code(), run(command, 0, "done"))
    assert.deepStrictEqual([gate.result, gate.detail], ["unknown", could(what)])
    assert.isFalse(judged(code(), run(command, 0, "done")).shouldContinue)
  })

  it.each([
    ["mcp__gradle__check", "the tool `mcp__gradle__check`"],
    ["mcp__terminal__send_keys", "the tool `mcp__terminal__send_keys`"],
    ["Task", "a subagent"]
  ])("may be a tool or a subagent: %s", (tool, what) => {
    const gate = tests(code(), call(tool, { text: "go" }, { output: "ok" }))
    assert.deepStrictEqual([gate.result, gate.detail], ["unknown", could(what)])
  })

  it("makes a run from before the edit unknown, not stale", () => {
    const gate = tests(run("rspec", 0, "3 examples, 0 failures"), code(), run("./check-all", 0))
    assert.deepStrictEqual([gate.result, gate.detail], ["unknown", could("`./check-all`")])
  })

  it.each([
    run("./check-all", null, "", { status: "running", background: true }),
    run("rspec > out.log 2>&1 &", 0),
    run("nohup npm test > out.log & sleep 1; echo started", 0)
  ])("may still run in the background", (started) => {
    assert.strictEqual(tests(code(), started).result, "unknown")
  })

  it.each([
    ["before the edit", [run("./check-all", 0), code()]],
    ["refused", [code(), run("./check-all", null, "", { status: "denied" })]],
    ["cut off", [code(), run("./check-all", null, "", { status: "interrupted" })]],
    ["behind which the same command edits", [code(), run("./check-all && sed -i s/a/b/ lib/invoice.rb", 0)]],
    ["only help", [code(), run("bundle exec rspec --help", 0)]],
    ["never reached", [code(), run("exit 0; ./check-all", 0)]]
  ])("was not the tests where it was %s", (_, events) => {
    assert.include(["missing", "stale"], tests(...events).result)
  })

  it.each([
    "ls lib; exit 0",
    "[[ -f lib/invoice.rb ]] && cat lib/invoice.rb",
    "[ -d spec ]",
    "kill 4711",
    "git diff --stat",
    "bundle install",
    "rubocop lib",
    "curl -s localhost:3000/health"
  ])("is nothing that is known to be something else: %s", (command) => {
    assert.strictEqual(tests(code(), run(command, 0)).result, "missing")
  })
})

describe("a runner's own summary, whatever printed it,", () => {
  const summaries = [
    "12 examples, 0 failures",
    "===== 5 passed in 2.31s =====",
    "ok  \texample.com/invoice\t0.004s",
    "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "[  PASSED  ] 7 tests.",
    " Test Files  2 passed (2)\n      Tests  8 passed (8)"
  ]
  it.each(
    summaries.flatMap((summary) =>
      [
        run("git commit -am 'Round down'", 0, `running hooks\n${summary}`),
        run("cat tmp/last.log", 0, summary),
        run("npm run build", 0, `built\n${summary}`),
        call("Read", { file_path: "/repo/tmp/last.log" }, { output: summary }),
        call("TaskOutput", { task_id: "b1" }, { output: summary }),
        call("WebFetch", { url: "https://ci.example.com/7" }, { output: summary })
      ].map((made) => [made.tool, JSON.stringify(made.input), summary, made] as const)
    )
  )("makes the tests unknown: %s %s %s", (_tool, _input, _summary, made) => {
    // What it started may still run, and have written what is read.
    const gate = tests(run("./watch-all & echo started", 0), code(), made)
    assert.strictEqual(gate.result, "unknown")
    assert.match(gate.detail, /^something ran that could have been it: /)
  })

  it.each([
    run("npm run build", 0, "built\n===== 4 passed, 1 failed in 2.31s ====="),
    call("TaskOutput", { task_id: "b1" }, { output: "===== 4 passed, 1 failed in 2.31s =====" })
  ])("is a failure where it says so: $tool", (made) => {
    assert.strictEqual(tests(code(), made).result, "failed")
  })

  it.each([
    run("git commit -am 'Round down'", 0, "running hooks\n===== 4 passed, 1 failed in 2.31s ====="),
    run("cat tmp/last.log", 0, "===== 4 passed, 1 failed in 2.31s ====="),
    call("Read", { file_path: "/repo/tmp/last.log" }, { output: "===== 4 passed, 1 failed in 2.31s =====" }),
    call("WebFetch", { url: "https://ci.example.com/7" }, { output: "===== 4 passed, 1 failed in 2.31s =====" })
  ])("is no failure where it may be an old one: $tool", (made) => {
    assert.strictEqual(tests(run("./watch-all & echo started", 0), code(), made).result, "unknown")
  })

  it.each([
    ["an old log", run("cat tmp/last.log", 0, "12 examples, 0 failures")],
    ["an old log that is read", call("Read", { file_path: "/repo/a.log" }, { output: "12 examples, 0 failures" })],
    ["an echo of one", run("echo '12 examples, 0 failures'", 0, "12 examples, 0 failures")],
    ["a text of one", run("cat <<'X'\n12 examples, 0 failures\nX", 0, "12 examples, 0 failures")],
    ["an edit that writes one", edit("/repo/spec/expected.rb", { output: "12 examples, 0 failures" })],
    ["one of no tests", run("cat tmp/last.log", 0, "no tests ran in 0.01s")],
    ["words about tests", run("cat README.md", 0, "Run the tests: 3 passed means all is well.")],
    ["a finished build", run("npm run build", 0, "webpack 5.9 compiled successfully in 320 ms")]
  ])("is not %s", (_, made) => {
    assert.strictEqual(tests(code(), made).result, "missing")
  })
})

it("leaves a run that is known as it is", () => {
  assert.strictEqual(tests(code(), run("./check-all", 0), run("rspec", 0, "3 examples, 0 failures")).result, "passed")
  assert.strictEqual(tests(code(), run("rspec", 1, "3 examples, 1 failure"), run("./check-all", 0)).result, "failed")
})

it("shows no secret of the command", () => {
  const gate = tests(code(), run("./check-all --token ghp_16C7e42F292c6912E7710c838347Ae178B4a", 0))
  assert.notInclude(gate.detail, "ghp_16C7")
})
