/** What a verdict names and what it pushes for are two things: a rule that only tells pushes in the strict profile. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Rules from "../../src/judge/rules/Rules.ts"
import * as Notice from "../../src/review/records/Notice.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"

const judge = (events: ReadonlyArray<TranscriptEvent>, settings: ReflexionConfig.PartialConfig = {}): Verdict =>
  Judgment.judge(transcript(events), {
    context: { config: ReflexionConfig.merge(ReflexionConfig.defaults, settings) }
  })

const red = "Tests: 1 failed, 6 passed, 7 total\n"
const fixed = agent("The total is right now.")

const lies = [user("Fix the total."), agent("The total is right. I ran all 12 tests, and they pass.")]

describe("the levels of a turn", () => {
  it("are the rules' own where the agent has changed the settings of its judge", () => {
    const off = { rules: { "gates/not-run": "off" } } as const
    const order = user("Fix the total and run the tests.")
    const [plain, meddling] = [
      [order, edit("src/total.ts"), fixed],
      [order, edit("src/total.ts"), edit(".reflection/config.json"), fixed]
    ]
    assert.isFalse(judge(plain, off).shouldContinue)
    assert.isTrue(judge(meddling, off).shouldContinue)
    const workspace = ReflexionConfig.mergeWorkspace(ReflexionConfig.defaults, off)
    assert.isTrue(Judgment.judge(transcript(meddling), { context: { config: workspace } }).shouldContinue)
  })

  it("are lowered by a workspace, and never raised", () => {
    const own = ReflexionConfig.merge(ReflexionConfig.defaults, { rules: { "loops/planning": "tell" } })
    const both = { rules: { "loops/planning": "push", "gates/not-run": "tell" } } as const
    for (const merged of [ReflexionConfig.mergeWorkspace(own, both), ReflexionConfig.mergeTrusted(own, both)]) {
      const levels = Rules.rules.map((rule) => [rule.id, Rules.levelOf(rule, merged, true)])
      assert.deepInclude(levels, ["loops/planning", "tell"])
      assert.deepInclude(levels, ["gates/not-run", "tell"])
      assert.deepInclude(levels, ["host/cut-off", "push"])
    }
  })
})

describe("a rule that is turned off", () => {
  const off = { rules: { "claims/unfounded": "off" } } as const

  it("accuses nobody, and lets nothing be called done that it would find", () => {
    const verdict = judge(lies, off)
    assert.deepInclude(verdict, { status: "abstained", shouldContinue: false, feedback: null })
    assert.deepStrictEqual([verdict.findings, verdict.missing, verdict.nextActions], [[], [], []])
    assert.notInclude(verdict.reason, "claims/")
  })

  it("is not called the user's doing where a project may have turned it off", () => {
    const { config } = Judgment.defaultContext
    const judged = Judgment.judge(transcript(lies), {
      context: { config: ReflexionConfig.mergeWorkspace(config, off) }
    })
    assert.strictEqual(judged.status, "abstained")
    assert.notInclude(judged.reason, "your configuration")
  })

  it("says nothing in a reminder for something else", () => {
    const boasts = [
      user("Fix the total, run the tests and commit it."),
      edit("src/total.ts"),
      run("npm test", 1, red),
      agent("The total is right. All tests pass.")
    ]
    const { feedback, shouldContinue } = judge(boasts, { rules: { "claims/contradicted": "off" } })
    assert.isTrue(shouldContinue)
    assert.notInclude(feedback ?? "", "You wrote")
    assert.include(judge(boasts).feedback ?? "", 'You wrote "All tests pass."')
  })
})

const telling = Object.fromEntries(Rules.rules.map(({ id }) => [id, "tell"] as const))

describe("rules that only tell", () => {
  for (const [rule, events] of [["a claim without a run", lies]] as const) {
    it(`names ${rule}, tells the user in a line, and leaves the agent alone`, () => {
      const verdict = judge(events, { rules: telling })
      assert.strictEqual(verdict.status, "incomplete")
      assert.strictEqual(verdict.shouldContinue, false)
      assert.strictEqual(verdict.feedback, null)
      assert.isAbove(verdict.missing.length, 0)
      const line = Notice.render({ notice: "incomplete", verdict, attempts: 0, maxAttempts: 3 })
      assert.match(line, /^reflexion let the agent stop; still open by the record: \S/)
    })

    it(`pushes for ${rule} in the strict profile`, () => {
      assert.isTrue(judge(events, { profile: "strict" }).shouldContinue)
    })
  }
})

const ordered = user("Fix the total and make sure the tests pass.")

describe("a check that the user ordered in plain words", () => {
  it("is pushed for where nothing ran", () => {
    assert.isTrue(judge([ordered, edit("src/total.ts"), fixed]).shouldContinue)
  })

  it.each([
    "告诉我如何运行测试",
    "Sag mir, wie ich alle Tests ausführe.",
    "Dime cómo ejecutar las pruebas, ejecuta las pruebas como antes.",
    "Explique-moi comment lancer les tests.",
    "テストを実行する方法を教えて"
  ])("is none where the user asks how it is done: %s", (message) => {
    const { findings } = judge([user(message), agent("npm test")])
    assert.isEmpty(findings)
  })

  it.each([124, 137, 143])("is unknown where a limit of time or a signal has ended it (%i)", (code) => {
    const { contradictions, gates, shouldContinue } = judge([
      user("Run `npm run build`, fix the errors and run it again."),
      edit("src/total.ts"),
      run("npm run build", code, "Creating an optimized production build ..."),
      agent("`npm run build` completes now.")
    ])
    assert.deepInclude(
      gates.find(({ gate }) => gate === "build"),
      { result: "unknown" }
    )
    assert.isEmpty(contradictions)
    assert.isFalse(shouldContinue)
  })

  it("is pushed for where it ran before the last edit alone", () => {
    const events = [ordered, run("npm test", 0, "Tests: 7 passed, 7 total\n"), edit("src/total.ts"), fixed]
    assert.isTrue(judge(events, { rules: { "gates/not-run": "push" } }).shouldContinue)
    assert.isFalse(judge(events, { rules: { "gates/not-run": "tell" } }).shouldContinue)
  })

  it("is pushed for where its own command failed after the last edit", () => {
    assert.isTrue(judge([ordered, edit("src/total.ts"), run("npm test", 1, red), fixed]).shouldContinue)
  })

  it("is pushed for where it failed in the folder of the edit", () => {
    const failed = run("cd packages/shop && npm test", 1, red)
    assert.isTrue(judge([ordered, edit("/repo/packages/shop/total.ts"), failed, fixed]).shouldContinue)
  })

  it("is pushed for where the commands since are known to be none", () => {
    const looks = [run("git diff", 0, "+two()"), run("cat src/total.ts", 0, "two()"), run("git commit -am total", 0)]
    assert.isTrue(judge([ordered, edit("src/total.ts"), ...looks, fixed]).shouldContinue)
  })

  const unknown: ReadonlyArray<readonly [what: string, event: TranscriptEvent]> = [
    ["a script of the project", run("./ci/all.sh", 0, "done")],
    ["a program of the project", run("node scripts/verify.mjs", 0, "ok")],
    ["a wrapper that nobody knows", run("rtk npm test", 0, "ok")],
    ["a script of node's", run("node --run test", 0)],
    ["a target of a build", run("make", 0)],
    ["a build that prints a runner's summary", run("npm run build", 0, "Tests: 7 passed, 7 total\n")],
    ["a command that is made up as it runs", run('eval "$CHECK"', 0)],
    ["a tool that nobody knows", call("mcp__ide__run_configuration", { name: "all" }, { output: "green" })],
    ["a subagent", call("Task", { prompt: "check it" }, { output: "fine" })]
  ]

  for (const [what, event] of unknown) {
    it(`may have been ${what}: what is unknown pushes for nothing`, () => {
      const verdict = judge([ordered, edit("src/total.ts"), event, agent("The total is right, and all tests pass.")])
      assert.strictEqual(verdict.shouldContinue, false)
    })

    it(`was not ${what} where that ran before the last edit`, () => {
      assert.isTrue(judge([ordered, edit("src/other.ts"), event, edit("src/total.ts"), fixed]).shouldContinue)
    })
  }

  it("is pushed for where it failed where the session works, and nothing was edited", () => {
    const failed = call("bash", { command: "npm test" }, { cwd: "/repo", exitCode: 1, output: red, status: "error" })
    assert.isTrue(judge([ordered, failed, agent("The deploy needs a token.")]).shouldContinue)
    const elsewhere = call("bash", { command: "npm test" }, { cwd: "/blog", exitCode: 1, output: red, status: "error" })
    assert.isFalse(judge([ordered, elsewhere, agent("The deploy needs a token.")]).shouldContinue)
  })

  it("is told where it failed in another folder than that of the edit", () => {
    const failed = run("cd /repo/packages/blog && npm test", 1, red)
    assert.isFalse(judge([ordered, edit("/repo/packages/shop/total.ts"), failed, fixed]).shouldContinue)
  })

  it("is told where only the agent's own account says that it fails", () => {
    const account = agent("The total is right, but one of the tests still fails.")
    assert.isFalse(judge([ordered, edit("src/total.ts"), run("npm test", 0), account]).shouldContinue)
  })
})

describe("what may have been the check", () => {
  const later = [user("continue"), edit("README.md"), agent("The total is right, and all tests pass.")]
  const asked = agent("Shall I go on with the readme?")

  it.each([
    ["a script", run("./ci.sh", 0, "ok")],
    ["a tool", call("mcp__ide__run", {}, { output: "green" })],
    ["a subagent", call("Task", { prompt: "run the tests" }, { output: "all green" })]
  ])("may have been it in the turn before: %s", (_, event) => {
    assert.isFalse(judge([ordered, edit("src/total.ts"), event, asked, ...later]).shouldContinue)
  })

  it.each([
    ["CI that was watched", run("gh run watch 12", 0, "✓ tests")],
    ["a push whose hook prints a summary", run("git push", 0, "Tests  7 passed (7)\n")],
    ["containers that are started", run("docker compose up --build -d", 0)]
  ])("may be %s", (_, event) => {
    assert.isFalse(judge([ordered, edit("src/total.ts"), event, fixed]).shouldContinue)
  })

  it("may have opened a pull request before the last edit", () => {
    const opened = call("mcp__forge__open", { title: "total" }, { output: "https://forge.example/pull/3" })
    const events = [user("Fix the total and open a PR."), edit("src/total.ts"), opened, edit("src/total.ts"), fixed]
    assert.isFalse(judge(events).shouldContinue)
  })

  it("may have passed after it failed", () => {
    const events = [
      ordered,
      edit("src/total.ts"),
      run("npm test", 1, red),
      call("mcp__ide__run", {}, { output: "green" })
    ]
    assert.isFalse(judge([...events, fixed]).shouldContinue)
  })

  it.each([
    "npm --prefix packages/blog test",
    "npm test -w packages/blog",
    "make -C packages/blog test",
    "(cd packages/blog && npm test)",
    "set -e; cd packages/blog && npm test",
    "cd packages/blog\nnpm test"
  ])("failed in another folder: %s", (command) => {
    const events = [ordered, edit("/repo/packages/shop/total.ts"), run(command, 1, red), fixed]
    assert.isFalse(judge(events).shouldContinue)
  })

  it("is no failure where a failing test was asked for", () => {
    const events = [user("Write a failing test for the rounding bug and run the tests."), edit("test/total.test.ts")]
    assert.isFalse(judge([...events, run("npm test", 1, red), agent("It fails as it should.")]).shouldContinue)
  })

  it("is no failure where it was cut short", () => {
    const events = [ordered, edit("src/total.ts"), run("timeout 60 npm test", 124), fixed]
    assert.isFalse(judge(events).shouldContinue)
  })
})

describe("a check that the configuration declares", () => {
  const gates = [{ name: "e2e", command: "npx playwright test", paths: [], required: true }]

  it("is pushed for where it failed, whatever the agent says of it", () => {
    const failed = run("npx playwright test", 1, "1 failed")
    const told = agent("The total is right. The end-to-end run failed.")
    assert.isTrue(judge([user("Fix the total."), edit("src/total.ts"), failed, told], { gates }).shouldContinue)
  })
})

describe("a reminder", () => {
  it("names first what the agent is reminded of", () => {
    const events = [
      user("Fix the total and open a pull request."),
      edit("src/total.ts"),
      run("npm test", 1, red),
      fixed
    ]
    const verdict = judge(events)
    assert.isTrue(verdict.shouldContinue)
    assert.match(verdict.missing[0] ?? "", /^no pull request was opened/)
    assert.notInclude(verdict.feedback ?? "", "tests")
  })
})

describe("a claim without a run", () => {
  const claim = agent("The total is right, and all tests pass.")

  it("is pushed for where the check was ordered in plain words", () => {
    assert.isTrue(judge([ordered, edit("src/total.ts"), claim]).shouldContinue)
  })

  it("is not where a plan names the check", () => {
    const plan = user("Implement the following plan:\n\n# Plan\n\n1. Change the total.\n2. Run the tests.")
    assert.isFalse(judge([plan, edit("src/total.ts"), claim]).shouldContinue)
  })
})

describe("a false claim", () => {
  it("is pushed for whoever asked for the check", () => {
    const claim = agent("The total is right and all tests pass.")
    assert.isTrue(judge([user("Fix the total."), edit("src/total.ts"), run("npm test", 1, red), claim]).shouldContinue)
  })
})
