import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Compaction from "../../src/judge/compaction/Compaction.ts"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, mode, notice, run, todos, transcript, user } from "../support/events.ts"

const assess = (...events: ReadonlyArray<TranscriptEvent>): Compaction.CompactionAssessment =>
  Compaction.assess(transcript([...events, notice("compacted", "auto")]))

const commit = run("git commit -am 'Split the cart'", 0, "[fix 1234567] Split the cart\n 1 file changed")
const push = run("git push -u origin fix/cart", 0, " * [new branch]      fix/cart -> fix/cart")
const pushTo = (repo: string) => run("git push", 0, `To github.com:${repo}.git\n   1..2  fix/cart -> fix/cart`)
const opened = (number: number) => run("gh pr create --fill", 0, `https://github.com/acme/shop/pull/${number}`)
const source = edit("/repo/src/cart.ts")
const comment = (exit: number) => run("gh issue comment 42 -b done", exit, exit === 0 ? "" : "HTTP 403")

type Row = readonly [string, ReadonlyArray<TranscriptEvent>, Compaction.Action, boolean]

describe("the action", () => {
  it.each<Row>([
    ["goes on in the middle of the work", [user("Port the cart."), source], "continue_task", false],
    ["goes on after an issue was only read", [user("Fix #42."), run("gh issue view 42", 0)], "continue_task", true],
    ["goes on where nothing was pushed", [user("Fix #42."), source, commit], "continue_task", true],
    ["reports on an issue", [user("Fix #42."), source, commit, push], "needs_github_update", true],
    ["reports on a pull request", [user("Address PR #12."), source, commit, push], "needs_github_update", true],
    ["reports on a merge request", [user("Rebase !12."), push], "needs_github_update", true],
    ["leaves a new pull request", [user("Fix #42, open a PR."), commit, push, opened(31)], "continue_task", true],
    ["reports what came after it", [user("Open a PR."), push, opened(31), source, push], "needs_github_update", true],
    ["leaves what was reported", [user("Fix #42."), commit, push, comment(0)], "continue_task", true],
    ["does not count a report that failed", [user("Fix #42."), commit, push, comment(1)], "needs_github_update", true],
    [
      "leaves what a tool reported",
      [user("Fix #42."), commit, push, call("mcp__github__add_issue_comment", { issue_number: 42, body: "done" })],
      "continue_task",
      true
    ],
    [
      "leaves out what the user forbids",
      [user("Fix #42, but don't push."), source, commit, push],
      "continue_task",
      true
    ],
    ["leaves a closed issue", [user("Fix #42."), commit, push, run("gh issue close 42", 0)], "continue_task", false],
    [
      "owes nothing to another repository than it pushes to",
      [user("Work around https://github.com/facebook/react/issues/1234."), source, commit, pushTo("acme/shop")],
      "continue_task",
      true
    ],
    [
      "reports upstream of a fork",
      [user("Fix https://github.com/acme/shop/issues/42."), source, commit, pushTo("me/shop")],
      "needs_github_update",
      true
    ],
    ["waits for an answer", [user("Add a cart."), agent("Which database should I use?")], "needs_clarification", false],
    ["waits after Escape", [user("Add a cart."), source, notice("aborted")], "needs_clarification", false],
    ["waits after a stop", [user("Add a cart."), source, user("stop")], "needs_clarification", false],
    [
      "asks before it reports",
      [user("Fix #42."), push, agent("Which API should it use?")],
      "needs_clarification",
      true
    ],
    ["is done", [user("What does it do?"), agent("It adds up the prices in the cart.")], "task_complete", false],
    ["goes on where there is no task", [], "continue_task", false]
  ])("%s", (_, events, action, git) => {
    const assessment = assess(...events)
    assert.deepStrictEqual([assessment.action, assessment.hasActiveGitWork], [action, git])
  })

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>, ReadonlyArray<Compaction.Action>]>([
    [
      "a branch is pushed, the pull request is not open yet",
      [
        user("Fix the login bug reported in issue #42 and create a PR"),
        source,
        run("git checkout -b fix/login-42", 0, "ok"),
        run("git commit -am fix", 0, "ok"),
        run("git push -u origin fix/login-42", 0, "ok"),
        agent("The token check is fixed and pushed.\n\nNext I need to:\n- Add tests\n- Create the PR")
      ],
      ["needs_github_update"]
    ],
    [
      "a component is there and not wired up",
      [user("Add a dark mode"), source, agent("I've added the toggle.\n\nNow I need to add the CSS variables.")],
      ["continue_task"]
    ],
    [
      "a list of the agent's own is half done",
      [
        user("Move the client to axios"),
        source,
        agent("In progress:\n\n- [x] Install\n- [ ] Migrate\n\nWorking on it now...")
      ],
      ["continue_task"]
    ],
    ["the state is unclear", [user("Set up the pipeline"), source, agent("Working on it.")], ["continue_task"]],
    [
      "the pull request is merged",
      [user("Create a PR for the fix"), opened(92), run("gh pr merge 92", 0, "Merged"), agent("PR #92 is merged.")],
      ["task_complete"]
    ],
    [
      "it was only to be looked up",
      [
        user("Research the best libraries - do not implement anything"),
        call("webfetch", {}),
        agent("1. A\n2. B\n\nTake A.")
      ],
      ["task_complete"]
    ],
    [
      "history was rewritten, and there is no pull request",
      [user("Squash the commits"), run("git push --force", 0, "ok"), agent("15 commits are 3 now.")],
      ["task_complete", "continue_task"]
    ],
    [
      "one of two pull requests was worked on",
      [user("Address the review on PR #92 and PR #95"), source, push, agent("#92 is done. Now moving on to #95.")],
      ["needs_github_update"]
    ],
    [
      "credentials are missing",
      [
        user("Deploy it to AWS"),
        run("npx cdk deploy", 1, "Error: Unable to resolve AWS account to use."),
        agent(
          "I cannot proceed without the user providing AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n\nStopping here until credentials are provided."
        )
      ],
      ["needs_clarification"]
    ],
    ["a pull request was rebased", [user("Rebase PR #78"), push, agent("It is rebased.")], ["needs_github_update"]]
  ])("is right where %s", (_, events, actions) => {
    assert.include(actions, assess(...events).action)
  })

  it("is sure of nothing where it cannot tell", () => {
    assert.isAtMost(assess().confidence, 0.3)
    assert.isAtMost(assess(user("Behebe es."), source, agent("Der Parser ist jetzt behoben.")).confidence, 0.5)
  })

  it("counts no work of an earlier task", () => {
    const before = [user("Fix #42."), source, commit, push, agent("Fixed and pushed.")]
    const { action, text } = assess(...before, user("Now translate the landing page."), edit("/repo/fr.json"))
    assert.strictEqual(action, "continue_task")
    assert.notInclude(text, "issue #42")
  })
})

describe("the text", () => {
  it("has the user's words, what they added, what is open and what runs", () => {
    const { text } = assess(
      user("Port the five screens to the new navigation."),
      todos(["Home", "completed"], ["Search", "pending"]),
      source,
      run("npm test", 1, "  ● uploads large files\n\nTests: 1 failed, 3 passed, 4 total"),
      user("Keep the old flag working.", { turn: 0 }),
      call("Bash", { command: "npm run build" }, { status: "running", output: null })
    )
    for (const part of [
      "the newest last:\n> Port the five screens to the new navigation.\n\n> Keep the old flag working.",
      "Search",
      "- tests: ",
      "- Bash: npm run build"
    ])
      assert.include(text, part)
  })

  it("quotes the last five messages, and the long one at length", () => {
    const said = ["one", "two", "three", "four", "five"].map((word) => user(`Then do ${word}.`))
    const { text } = assess(user("Begin."), ...said.slice(0, 4), user(`Move it all. ${"Keep every name. ".repeat(90)}`))
    assert.notInclude(text, "Begin.")
    for (const word of ["one", "two", "three", "four"]) assert.include(text, `> Then do ${word}.`)
    assert.isAbove(text.length, 1600)
  })

  it("quotes what a short message refers to", () => {
    const plan = agent("There are two ways:\n\n1. A pool of workers\n2. A stream\n\nBoth are small.")
    const { text } = assess(user("How could the importer be faster?"), plan, user("do the second one"), source)
    assert.include(text, "> 2. A stream")
    assert.include(text, "> do the second one")
  })

  it("names issue, pull request and branch", () => {
    const { text } = assess(user("Fix https://github.com/acme/shop/issues/42."), commit, push, opened(31), commit)
    for (const line of [
      "- issue #42: https://github.com/acme/shop/issues/42",
      "- pull request #31: https://github.com/acme/shop/pull/31",
      "- branch fix/cart, with commits that are not pushed"
    ])
      assert.include(text, line)
  })

  const queued = "✓ Pull request #31 will be automatically merged via squash when all requirements are met"

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>, boolean]>([
    ["waits for its checks to be merged", [run("gh pr merge 31 --auto --squash", 0, queued)], true],
    ["was merged", [run("gh pr merge 31 --squash", 0, "✓ Squashed and merged pull request #31")], false],
    ["was merged in silence", [run("gh pr merge --squash", 0)], false],
    ["is not mergeable", [run("gh pr merge 31 || true", 0, "X Pull request #31 is not mergeable.")], true],
    ["was merged by a tool", [call("mcp__github__merge_pull_request", { pull_number: 31 })], false],
    ["was only looked at", [call("mcp__github__get_pull_request_merge_status", { pull_number: 31 })], true]
  ])("has the pull request unless it is over: it %s", (_, events, open) => {
    const { text } = assess(user("Fix it, then write the docs."), opened(31), ...events)
    assert.strictEqual(text.includes("pull request #31"), open)
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
    const { text } = Compaction.assess(transcript([source]), { task: "Port the cart to streams." })
    assert.include(text, "> Port the cart to streams.")
  })
})

describe("the fold", () => {
  const happening: fc.Arbitrary<TranscriptEvent> = fc.oneof(
    fc.constantFrom("Fix #42.", "Address PR #12.", "yes", "stop").map((text) => user(text)),
    fc.string().map((text) => user(text)),
    fc.constantFrom("Which one?", "Done.", "Opened https://github.com/a/b/pull/3").map((text) => agent(text)),
    fc
      .constantFrom("gh pr create", "gh issue comment 42 -b x", "git push", "git checkout -b y", "gh pr merge 12")
      .map((command) => run(command, 0, " * [new branch]  y -> y\nhttps://github.com/a/b/pull/3")),
    fc.constantFrom("a", "b").map((name) => edit(`/repo/${name}.ts`)),
    fc.string().map((command) => run(command, 0))
  )

  it("is bounded", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (events) => {
        const context = Judgment.defaultContext
        const whole = events.reduce((state, event) => Compaction.step(state, event, context), Compaction.initial)
        assert.isAtMost(whole.forge.refs.length, 4)
        assert.isAtMost(whole.words.length, 5)
        const assessment = Compaction.assess(transcript(events))
        assert.isAtMost(assessment.text.length, 6000)
        assert.deepStrictEqual(Schema.decodeSync(Compaction.CompactionAssessment)(assessment), assessment)
      }),
      { numRuns: 30 }
    )
  })

  it("reads any text soon", () => {
    for (const unit of ["https://a", "https://github.com/a/b/pull/", "/issues/1", "PR #1 ", "#1 "])
      assert.isAtMost(assess(user(unit.repeat(20_000))).text.length, 6000)
  })
})
