import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Compaction from "../../src/judge/compaction/Compaction.ts"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import { addressed, asked } from "../../src/judge/compaction/forgeRefs.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, mode, notice, run, todos, transcript, user } from "../support/events.ts"

const assess = (...events: ReadonlyArray<TranscriptEvent>): Compaction.CompactionAssessment =>
  Compaction.assess(transcript([...events, notice("compacted", "auto")]))

const commit = run("git commit -am 'Split the cart'", 0, "[fix 1234567] Split the cart\n 1 file changed")
const push = run("git push -u origin fix/cart", 0, " * [new branch]      fix/cart -> fix/cart")
const created = run("gh pr create --fill", 0, "https://github.com/acme/shop/pull/31")
const opened = (number: number, repo = "acme/shop") =>
  run(`gh pr create --repo ${repo} --fill`, 0, `https://github.com/${repo}/pull/${number}`)
const source = edit("/repo/src/cart.ts")

describe("the action", () => {
  it.each<readonly [string, ReadonlyArray<TranscriptEvent>, Compaction.Action, boolean]>([
    ["goes on in the middle of the work", [user("Port the cart."), source], "continue_task", false],
    ["goes on after an issue was only read", [user("Fix #42."), run("gh issue view 42", 0)], "continue_task", true],
    ["goes on where a commit is no issue's", [user("Port the cart."), source, commit], "continue_task", false],
    ["reports on an issue", [user("Fix #42."), source, commit, push], "needs_github_update", true],
    ["reports on a pull request", [user("Address PR #12."), source, commit, push], "needs_github_update", true],
    ["leaves a new pull request", [user("Fix #42, open a PR."), source, commit, push, created], "continue_task", true],
    [
      "reports what came after it",
      [user("Open a PR."), commit, push, created, source, commit, run("git push", 0, "1..2  fix -> fix")],
      "needs_github_update",
      true
    ],
    [
      "leaves what was reported",
      [user("Fix #42."), source, commit, push, run("gh issue comment 42 -b done", 0)],
      "continue_task",
      true
    ],
    [
      "leaves what the API reported",
      [user("Fix #42."), commit, push, run("gh api repos/a/b/issues/42/comments -f body=done", 0)],
      "continue_task",
      true
    ],
    [
      "is none for a report that failed",
      [user("Fix #42."), source, commit, push, run("gh issue comment 42 -b done", 1, "HTTP 403")],
      "needs_github_update",
      true
    ],
    [
      "leaves out what the user forbids",
      [user("Fix #42, but don't open a pull request and don't push."), source, commit],
      "continue_task",
      true
    ],
    [
      "is none of a closed issue's",
      [user("Fix #42."), commit, push, run("gh issue close 42", 0)],
      "continue_task",
      false
    ],
    [
      "owes nothing to what is worked around",
      [user("Work around https://github.com/facebook/react/issues/1234 in our code."), source, commit],
      "continue_task",
      false
    ],
    [
      "owes nothing to an example",
      [user("Do it like https://github.com/other/lib/pull/88 does."), source, commit],
      "continue_task",
      false
    ],
    [
      "owes nothing to what is blamed",
      [user("PR 300 introduced a regression. Find and fix it."), run("gh pr view 300", 0, "merged"), source, commit],
      "continue_task",
      false
    ],
    [
      "owes nothing to what was looked up elsewhere",
      [user("Fix the flaky login."), run("gh pr view 300 --repo up/stream", 0, "closed"), source, commit],
      "continue_task",
      false
    ],
    [
      "owes nothing to another repository than it pushes to",
      [
        user("Fix https://github.com/facebook/react/issues/1234 on our side."),
        source,
        commit,
        run("git push", 0, "To github.com:acme/shop.git\n   1..2  main -> main")
      ],
      "continue_task",
      true
    ],
    [
      "reports upstream of a fork",
      [
        user("Fix https://github.com/acme/shop/issues/42."),
        source,
        commit,
        run("git push", 0, "To github.com:me/shop.git\n   1..2  main -> main")
      ],
      "needs_github_update",
      true
    ],
    [
      "reports on what was checked out",
      [user("Have a go at it."), run("gh pr checkout 45", 0, "Switched to branch 'x'"), source, commit, push],
      "needs_github_update",
      true
    ],
    ["waits for an answer", [user("Add a cart."), agent("Which database should I use?")], "needs_clarification", false],
    ["waits after Escape", [user("Add a cart."), source, notice("aborted")], "needs_clarification", false],
    ["waits after a stop", [user("Add a cart."), source, user("stop")], "needs_clarification", false],
    [
      "asks before it reports",
      [user("Fix #42."), commit, push, agent("Which API should it use?")],
      "needs_clarification",
      true
    ],
    ["is done", [user("What does it do?"), agent("It adds up the prices in the cart.")], "task_complete", false],
    ["goes on where there is no task", [], "continue_task", false]
  ])("%s", (_, events, action, git) => {
    const assessment = assess(...events)
    assert.deepStrictEqual([assessment.action, assessment.hasActiveGitWork], [action, git])
  })

  it("is sure of none where it cannot tell", () => {
    assert.isAtMost(assess().confidence, 0.3)
    assert.isAtMost(
      assess(user("Behebe es."), source, agent("Der Parser ist jetzt behoben und die Prüfung auch.")).confidence,
      0.5
    )
  })

  it("counts no work of an earlier task", () => {
    const before = [user("Fix #42."), source, commit, push]
    const { action, text } = assess(
      ...before,
      agent("Fixed and pushed."),
      user("Now translate the landing page."),
      edit("/repo/fr.json")
    )
    assert.strictEqual(action, "continue_task")
    assert.notInclude(text, "issue #42")
  })
})

describe("the text", () => {
  it("has the user's words, what they added, and what is open", () => {
    const { text } = assess(
      user("Port the five screens to the new navigation."),
      todos(["Home", "completed"], ["Search", "pending"]),
      source,
      run("npm test", 1, "  ● uploads large files\n\nTests: 1 failed, 3 passed, 4 total"),
      user("Keep the old flag working.", { turn: 0 }),
      call("Bash", { command: "npm run build" }, { status: "running", output: null })
    )
    for (const part of [
      "> Port the five screens to the new navigation.",
      "> Keep the old flag working.",
      "Search",
      "uploads large files",
      "- npm run build"
    ])
      assert.include(text, part)
  })

  const migrating = [
    user("Migrate all 12 models to the new base class."),
    edit("/repo/m1.py"),
    agent("I migrated models 1 to 4, and their tests pass.")
  ]

  it.each([
    "no, you forgot model 7",
    "looks good, carry on",
    "proceed with step 2",
    "weiter",
    "mach weiter",
    "continúa",
    "继续",
    "продолжай",
    "👍",
    "and keep the old names"
  ])("keeps the task through %j", (said) => {
    const { text } = assess(...migrating, user(said), edit("/repo/m5.py"))
    assert.include(text, "in their words:\n> Migrate all 12 models")
    assert.include(text, `> ${said}`)
  })

  it.each<readonly [string, TranscriptEvent]>([
    ["was interrupted", notice("aborted")],
    ["was in the middle of its work", source],
    ["had announced a step", agent("Next I'll migrate model 5:")]
  ])("keeps the task where the agent %s", (_, event) => {
    const { text } = assess(user("Fix #12 and open a pull request."), source, event, user("Use vitest."), source)
    assert.include(text, "in their words:\n> Fix #12 and open a pull request.")
    assert.include(text, "> Use vitest.")
  })

  it("quotes the task before, shortened, where another is set", () => {
    const long = `Move the mailer to its own package. ${"Keep every name. ".repeat(200)}`
    const done = agent("The mailer is moved.")
    const { text } = assess(user(long), source, done, user("Write the release notes for 4.2."), agent("Written."))
    assert.include(text, "in their words:\n> Write the release notes for 4.2.")
    assert.include(text, "Before that, they had asked:\n> Move the mailer")
    assert.isAtMost(text.length, 1500)
  })

  it("keeps the task before behind a row of small ones", () => {
    const small = ["Commit it.", "Push it.", "Run the linter."].flatMap((said) => [user(said), agent("Done.")])
    assert.include(assess(...migrating, ...small).text, "> Migrate all 12 models")
  })

  it("quotes what a short task refers to", () => {
    const plan = agent("There are two ways:\n\n1. A pool of workers\n2. A stream\n\nBoth are small.")
    const { text } = assess(user("How could the importer be faster?"), plan, user("do the second one"), source)
    assert.include(text, "> 2. A stream")
    assert.include(text, "> do the second one")
  })

  it("names what is under way on the forge", () => {
    const { text } = assess(user("Fix https://github.com/acme/shop/issues/42."), source, commit, push)
    assert.include(text, "- issue #42: https://github.com/acme/shop/issues/42")
    assert.include(text, "- branch fix/cart")
  })

  const queued = "✓ Pull request #31 will be automatically merged via squash when all requirements are met"
  const merged = "✓ Squashed and merged pull request #31"

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>, boolean]>([
    ["waits for its checks to be merged", [run("gh pr merge 31 --auto --squash", 0, queued)], true],
    ["waits, and nothing says so", [run("gh pr merge 31 --auto --squash", 0)], true],
    ["was merged at once", [run("gh pr merge 31 --auto --squash", 0, merged)], false],
    ["waits in a queue", [run("gh pr merge 31", 0, "✓ Pull request #31 will be added to the merge queue")], true],
    [
      "was not to be merged",
      [run("gh pr merge 31 --squash || true", 0, "X Pull request #31 is not mergeable: the policy prohibits it.")],
      true
    ],
    ["was merged, whatever is behind it", [run("gh pr merge 31 --squash || true", 0, merged)], false],
    ["was merged in silence", [run("gh pr merge 31 --squash", 0)], false],
    ["was merged before", [run("gh pr merge 31 || true", 0, "! Pull request #31 was already merged")], false],
    ["is open again", [run("gh pr close 31", 0), run("gh pr reopen 31", 0)], true],
    ["was merged by a tool", [call("mcp__github__merge_pull_request", { pull_number: 31 })], false],
    ["was closed by a tool", [call("mcp__github__update_pull_request", { pull_number: 31, state: "closed" })], false],
    ["was only looked at", [call("mcp__github__get_pull_request_merge_status", { pull_number: 31 })], true]
  ])("has the pull request unless it is closed: it %s", (_, events, open) => {
    const { text } = assess(user("Fix it, then write the docs."), opened(31), ...events)
    assert.strictEqual(text.includes("pull request #31"), open)
  })

  it("keeps apart what two repositories number alike", () => {
    const merge = run("gh pr merge 12 --repo acme/api --squash", 0, "✓ Merged pull request #12")
    const { text } = assess(user("Fix both."), opened(12, "acme/api"), opened(12, "acme/web"), merge)
    assert.include(text, "- pull request #12: https://github.com/acme/web/pull/12")
    assert.notInclude(text, "acme/api/pull/12")
  })

  it("knows what hub opened, and whether a comment is a pull request's", () => {
    const hub = run("hub pull-request -m Ship", 0, "https://github.com/acme/shop/pull/61")
    const comment = call("mcp__github__add_issue_comment", { issue_number: 61, body: "done" })
    const { action, text } = assess(user("Ship it."), source, commit, push, hub, source, commit, push, comment)
    assert.strictEqual(action, "continue_task")
    assert.include(text, "- pull request #61: https://github.com/acme/shop/pull/61")
    assert.notInclude(text, "issue #61")
  })

  it("changes nothing in plan mode", () => {
    assert.include(assess(mode("plan"), user("Plan the move."), run("ls", 0)).text, "change nothing")
  })

  it("holds no secret, no escape sequence and no mark of our feedback, and stays short", () => {
    const secret = "ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo"
    const { text } = assess(
      user(`Deploy with ${secret}\u001b[31m. ${"All of it, please. ".repeat(2000)}`),
      call("Bash", { command: `curl -H 'Authorization: Bearer ${secret}' x` }, { status: "running", output: null })
    )
    assert.notInclude(text, secret)
    assert.notInclude(text, "\u001b")
    assert.isNull(Feedback.attemptOf(text))
    assert.isAtMost(text.length, 6000)
  })

  it("takes the task that is given instead", () => {
    const given = transcript([source])
    const { text } = Compaction.assess(given, { task: "Port the cart to streams." })
    assert.include(text, "> Port the cart to streams.")
  })
})

describe("pull requests and issues", () => {
  it.each([
    ["Fix #42 and close #43", ["issue 42", "issue 43"]],
    ["Address the review of PR #12", ["pr 12"]],
    ["Fix https://github.com/a/b/pull/7/files", ["pr 7"]],
    ["See https://github.com/a/b/pull/7/files", []],
    ["https://gitlab.com/group/sub/project/-/merge_requests/9", ["pr 9"]],
    ["rebase !77 please", ["pr 77"]],
    ["issue 1234 is back", []],
    ["work on issue 12", ["issue 12"]],
    ["address the review on PR 7", ["pr 7"]],
    ["Please address all review comments on https://github.com/a/b/pull/7.", ["pr 7"]],
    ["Fix the rounding of the total (#42).", ["issue 42"]],
    ["#42: the total is wrong", ["issue 42"]],
    ["Look at issue #42 and fix it", ["issue 42"]],
    ["merge #8", ["pr 8"]],
    ["Make CI green on PR #12", ["pr 12"]],
    ["Fix the flaky login, like in #12.", []],
    ["Why was #12 closed?", []],
    ["Behebe #44 und öffne einen Merge Request.", ["issue 44"]],
    ["修复 #12", ["issue 12"]],
    ["Work around https://github.com/facebook/react/issues/1234 in our code.", []],
    ["Do it like https://github.com/other/lib/pull/88 does.", []],
    ["PR 300 introduced a regression in the cart. Find it and fix it.", []],
    ["Fix the regression from PR 300.", []],
    ["Compare our approach with PR 300 of upstream and improve ours.", []],
    ["How did they fix #12?", []],
    ["Don't fix #12 yet.", []],
    ["pull request 512", ["pr 512"]],
    ["Branch off for PR 2 of the plan", []],
    ["it came with #214 years ago", []],
    ["fix 3 tests", []],
    ["resolve 2 conflicts and address 14 comments", []],
    ["version 4.2, port 8080", []]
  ])("in %j are %j", (text, expected) => {
    assert.deepStrictEqual(
      asked(text).map(({ kind, number }) => `${kind} ${number}`),
      expected
    )
  })

  it("are found in any text, and soon", () => {
    fc.assert(fc.property(fc.string(), (text) => assert.isArray([...asked(text), ...addressed(text)])))
    for (const unit of [
      "https://a",
      "https://github.com/a/b/pull/",
      "fix #",
      "/issues/1",
      "PR #1 ",
      "#1 ",
      "fix the issue "
    ])
      assert.isAtMost(asked(unit.repeat(20_000)).length, 40)
  })
})

describe("the fold", () => {
  const happening: fc.Arbitrary<TranscriptEvent> = fc.oneof(
    fc.constantFrom("Fix #42.", "Address PR #12.", "yes", "stop").map((text) => user(text)),
    fc.constantFrom("Which one?", "Done.", "Opened https://github.com/a/b/pull/3").map((text) => agent(text)),
    fc
      .constantFrom(
        "gh pr view 12",
        "gh issue comment 42 -b x",
        "git push",
        "git commit -m x",
        "git checkout -b y",
        "gh pr merge 12"
      )
      .map((command) => run(command, 0, " * [new branch]  y -> y")),
    fc.constantFrom("a", "b").map((name) => edit(`/repo/${name}.ts`)),
    fc.constant(call("mcp__github__add_issue_comment", { issue_number: 42 })),
    fc.string().map((command) => run(command, 0))
  )

  it("is bounded, and the same after its way through JSON", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (events) => {
        const context = Judgment.defaultContext
        const whole = events.reduce((state, event) => Compaction.step(state, event, context), Compaction.initial)
        const encoded = JSON.stringify(Schema.encodeSync(Compaction.CompactionState)(whole))
        assert.deepStrictEqual(Schema.decodeSync(Compaction.CompactionState)(JSON.parse(encoded)), whole)
        assert.isAtMost(whole.forge.refs.length, 12)
        assert.isAtMost(whole.words.length, 5)
        assert.isAtMost(whole.former?.length ?? 0, 600)
        const assessment = Compaction.assess(transcript(events))
        assert.isAtMost(assessment.text.length, 6000)
        assert.deepStrictEqual(Schema.decodeSync(Compaction.CompactionAssessment)(assessment), assessment)
      }),
      { numRuns: 30 }
    )
  })
})
