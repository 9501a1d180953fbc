/** Stops that a rule was once wrong about, each of a kind that its page's near misses do not show. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { agent, background, edited, ran, read, user } from "../../src/judge/rules/example.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { call, transcript } from "../support/events.ts"

/** What it finds is looked at, whatever it has earned. */
const heard = ReflexionConfig.merge(ReflexionConfig.defaults, { rules: { "stop/announced-step": "ask" } })

const judge = (events: ReadonlyArray<TranscriptEvent>, files: Record<string, string> = {}): Verdict =>
  Judgment.judge(transcript(events), {
    context: { config: heard, repo: RepoSignals.fromFiles(files) }
  })

const found = (verdict: Verdict): ReadonlyArray<string> => verdict.findings.map(({ rule }) => rule)

const failing = ran("npm test", 1, "Tests:  1 failed, 4 passed, 5 total")
const passing = ran("npm test", 0, "Tests:  5 passed, 5 total")
const total = edited("src/total.ts")

describe("no push", () => {
  it.each<[string, ...Array<TranscriptEvent>]>([
    ["thanks", user("Thanks, that's all for today."), agent("I'll see you tomorrow.")],
    ["a wish for another time", user("Use tabs next time please."), agent("Will do. I'll use tabs.")],
    ["a prohibition", user("Don't push without asking again."), agent("Understood. I'll ask first.")],
    ["a question", user("What will you do next?"), agent("First I'll read the code. Then I'll fix it.")],
    [
      "a question after work",
      user("Fix the total."),
      total,
      agent("The total is fixed."),
      user("What comes after that?"),
      agent("Next, I'll add a test of it.")
    ],
    [
      "an act elsewhere",
      user("Set the title of the page in Notion."),
      call("mcp__notion__update_page", { id: 1 }),
      agent("I updated the title of the page.")
    ],
    [
      "a text in the answer",
      user("Add a title to this: we sell bread."),
      agent("I added a title:\n\n# Bread\n\nWe sell bread.")
    ],
    [
      "push when the tests pass",
      user("Fix the total and push when the tests pass."),
      total,
      failing,
      agent("One test fails, so I did not push.")
    ],
    [
      "commit once it works",
      user("Fix the total, and commit it once it works."),
      total,
      failing,
      agent("One test fails still, so I did not commit.")
    ],
    [
      "what the page does meanwhile",
      user("Show a spinner while it loads."),
      total,
      agent("A spinner is shown where the data are not there yet.")
    ]
  ])("%s", (_, ...events) => {
    assert.isFalse(judge(events).shouldContinue)
  })
})

describe("not found", () => {
  it.each<[string, string, ...Array<TranscriptEvent>]>([
    [
      "stop/waits-for-nothing",
      "of a worker",
      user("Explain the queue and fix it."),
      total,
      agent("Fixed. The worker is still waiting for the lock in the old path.")
    ],
    [
      "stop/waits-for-nothing",
      "of a folder",
      user("Watch the parent."),
      total,
      agent("With this change I'm watching the parent folder.")
    ],
    [
      "stop/waits-for-nothing",
      "for other people",
      user("Fix it and open a PR."),
      total,
      ran("gh pr create", 0, "https://github.test/a/b/pull/1"),
      agent("The PR is open. Waiting for review.")
    ],
    ["work/says-in-progress", "nothing left", user("Check the code."), total, agent("COMPLETED: No issues found")],
    [
      "work/error-explained",
      "explain",
      user("Explain this error to me: error TS2304: cannot find name x"),
      agent("You need to declare `x` first.")
    ],
    [
      "work/open-plan",
      "a phase",
      user("Do phase 1 of plan.md."),
      ran("cat plan.md", 0, "- [x] one\n- [ ] two"),
      total,
      agent("Phase 1 is done. Everything in it is done.")
    ],
    [
      "work/called-flaky",
      "it is not",
      user("Fix the failing test."),
      ran("npm test"),
      agent("It is not a flaky test: the fixture is missing, which I cannot add.")
    ],
    [
      "work/tests-not-run",
      "don't run them",
      user("Add tests for it. Don't run them, they take an hour."),
      edited("test/a.test.ts"),
      agent("The tests are there.")
    ],
    [
      "work/rest-untouched",
      "an edit that may be it",
      user("Bump the version and publish."),
      edited("package.json"),
      ran("npm publish", 1, "npm ERR! code ENEEDAUTH"),
      agent("It is 1.2.0 now. You need to run `npm login` first.")
    ],
    [
      "gates/ci-pending",
      "it is watched",
      user("Push and make sure CI is green."),
      total,
      ran("git push", 0, ""),
      ran("gh pr checks", 8, "build\tpending\t0\thttps://ci.test/1"),
      background("gh pr checks --watch"),
      agent("CI is running; I'll report back when it is done.")
    ]
  ])("%s: %s", (rule, _, ...events) => {
    assert.notInclude(found(judge(events)), rule)
  })

  it("CI that instructions want green before a merge, where nothing was pushed", () => {
    const verdict = judge([user("Fix the total."), total, agent("Fixed.")], {
      "CLAUDE.md": "CI must be green before merge."
    })
    assert.strictEqual(verdict.status, "complete")
  })
})

describe("an agent that can do nothing", () => {
  const question = user("The files have to go into the database. Can you get all of them into a clean table?")
  const offer = "If you can provide an environment that runs commands, I can carry out the import."

  it("waits for what it asks for", () => {
    const text = `Every command is blocked before it starts. Because I cannot execute any I cannot load the files. ${offer}`
    assert.strictEqual(judge([question, agent(text)]).status, "waiting_for_user")
  })

  it("and one that has answered do not say the same", () => {
    assert.notStrictEqual(
      judge([question, agent(`Yes, all five fit into one table. ${offer}`)]).status,
      "waiting_for_user"
    )
  })
})

describe("found", () => {
  it("no push without running the tests", () => {
    const verdict = judge([
      user("Fix it and push. No push without running the tests."),
      total,
      ran("git push", 0, ""),
      agent("Pushed.")
    ])
    assert.deepInclude(verdict.gates[0], { gate: "tests", required: true, result: "missing" })
  })

  it.each<[string, string, Record<string, string>]>([
    ["the user's word", "Fix the total and commit it, but don't push to main.", {}],
    ["the user's word, with a pull request", "Fix it. Never push directly to main.", {}],
    ["the project's word", "Fix the total.", { "CLAUDE.md": "Do not push to main." }]
  ])("a direct push against %s", (_, text, files) => {
    const verdict = judge(
      [user(text), total, passing, ran("git push origin main", 0, "To x\n   a..b  main -> main"), agent("Pushed.")],
      files
    )
    assert.include(found(verdict), "policy/direct-push")
  })

  it("an announced step where work was begun, and where it was ordered", () => {
    assert.include(
      found(judge([user("Port the parsers."), total, agent("One is ported. Now I'll port the second.")])),
      "stop/announced-step"
    )
    assert.include(
      found(judge([user("Fix the bug in src/total.ts."), read("src/total.ts"), agent("I'll fix it now.")])),
      "stop/announced-step"
    )
  })
})
