import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Compaction from "../../src/judge/compaction/Compaction.ts"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { edit, notice, run, transcript, user } from "../support/events.ts"
import { session, table } from "../support/sessions.ts"

const words = {
  S: String.raw`edit /repo/src/cart.ts`,
  commit: String.raw`$ git commit -am 'Split the cart' => [fix 1234567] Split the cart\n 1 file changed`,
  push: String.raw`$ git push -u origin fix/cart =>  * [new branch]      fix/cart -> fix/cart`,
  opened: String.raw`$ gh pr create --fill => https://github.com/acme/shop/pull/31`
}

const assess = (line: string): Compaction.CompactionAssessment =>
  Compaction.assess(transcript([...(line === "" ? [] : session(line, words)), notice("compacted", "auto")]))

/** `git`: there is an issue, a pull request or a branch to report on. The last field is what the text contains. */
const actions = String.raw`
  goes on in the middle of the work :: > Port the cart. / S :: continue_task
  goes on with what is red, and says what :: > Make the tests pass. / S / $1 npm test =>   ● uploads large files\n\nTests: 1 failed, 31 passed, 32 total / All tests pass now. :: continue_task :: uploads large files
  goes on after an issue was only read :: > Fix #42. / $ gh issue view 42 :: continue_task git :: 42
  goes on where nothing was pushed :: > Fix #42. / S / commit :: continue_task git
  goes on after an answer :: > Add a cart. / Which database, PostgreSQL or SQLite? / > SQLite. / S :: continue_task :: Add a cart; SQLite
  goes on with the second task :: > Fix the footer. / S / Fixed. / > Now translate it to French. / S :: continue_task :: French
  reports on an issue :: > Fix #42. / S / commit / push :: needs_github_update git :: 42; fix/cart
  reports on a pull request :: > Address PR #12. / S / commit / push :: needs_github_update git
  reports on a merge request :: > Rebase !12. / push :: needs_github_update git
  reports on one of two :: > Address the review on PR #92 and PR #95 / S / push / \#92 is done. Now moving on to #95. :: needs_github_update git
  leaves a new pull request :: > Fix #42, open a PR and make sure CI is green. / commit / push / opened :: continue_task git :: 31; CI
  reports what came after it :: > Open a PR. / push / opened / S / push :: needs_github_update git
  leaves what was reported :: > Fix #42. / commit / push / $ gh issue comment 42 -b done :: continue_task git
  does not count a report that failed :: > Fix #42. / commit / push / $1 gh issue comment 42 -b done => HTTP 403 :: needs_github_update git
  leaves what a tool reported :: > Fix #42. / commit / push / call mcp__github__add_issue_comment {"issue_number":42,"body":"done"} :: continue_task git
  leaves out what the user forbids :: > Fix #42, but don't push. / S / commit / push :: continue_task git
  leaves a closed issue :: > Fix #42. / commit / push / $ gh issue close 42 :: continue_task
  owes nothing to another repository than it pushes to :: > Work around https://github.com/facebook/react/issues/1234. / S / commit / $ git push => To github.com:acme/shop.git\n   1..2  fix/cart -> fix/cart :: continue_task git
  reports upstream of a fork :: > Fix https://github.com/acme/shop/issues/42. / S / commit / $ git push => To github.com:me/shop.git\n   1..2  fix/cart -> fix/cart :: needs_github_update git
  waits for an answer :: > Add a cart. / Which database should I use? :: needs_clarification :: Which database
  waits after Escape :: > Add a cart. / S / notice aborted :: needs_clarification
  waits after a stop :: > Add a cart. / S / > stop :: needs_clarification
  waits for credentials :: > Deploy it to AWS / $1 npx cdk deploy => Error: Unable to resolve AWS account to use. / I cannot proceed without the user providing AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n\nStopping here until credentials are provided. :: needs_clarification
  asks before it reports :: > Fix #42. / push / Which API should it use? :: needs_clarification git
  is done :: > What does it do? / It adds up the prices in the cart. :: task_complete
  is done and proved :: > Fix the rounding and run the tests. / S / $ npm test => Tests: 5 passed, 5 total / Fixed. :: task_complete :: rounding
  is done that was merged :: > Create a PR for the fix / $ gh pr create --fill => https://github.com/acme/shop/pull/92 / $ gh pr merge 92 => Merged / PR #92 is merged. :: task_complete
  goes on with its own list :: > Move the client to axios / S / In progress:\n\n- [x] Install\n- [ ] Migrate\n\nWorking on it now... :: continue_task
  goes on where there is no task ::  :: continue_task
`

const merges = String.raw`
  waits for its checks to be merged :: $ gh pr merge 31 --auto --squash => ✓ Pull request #31 will be automatically merged via squash when all requirements are met :: open
  was merged :: $ gh pr merge 31 --squash => ✓ Squashed and merged pull request #31 :: over ¦ was merged in silence :: $ gh pr merge --squash :: over
  is not mergeable :: $ gh pr merge 31 || true => X Pull request #31 is not mergeable. :: open
  was merged by a tool :: call mcp__github__merge_pull_request {"pull_number":31} :: over
  was only looked at :: call mcp__github__get_pull_request_merge_status {"pull_number":31} :: open
`

describe("Compaction: the action", () => {
  it.each(table(actions))("%s", (_, line = "", expected, parts = "") => {
    const { action, hasActiveGitWork, text } = assess(line)
    assert.strictEqual(`${action}${hasActiveGitWork ? " git" : ""}`, expected)
    for (const part of parts.split("; ")) assert.include(text, part)
  })

  it("the confidence is low if the action is unclear", () => {
    assert.isAtMost(assess("").confidence, 0.3)
    assert.isAtMost(assess("> Behebe es. / S / Der Parser ist jetzt behoben.").confidence, 0.5)
  })

  it("work of an earlier task does not count", () => {
    const before = "> Fix #42. / S / commit / push / Fixed and pushed."
    const { action, text } = assess(`${before} / > Now translate the landing page. / edit /repo/fr.json`)
    assert.strictEqual(action, "continue_task")
    assert.notInclude(text, "issue #42")
  })
})

describe("Compaction: the text", () => {
  it.each(
    table(String.raw`
    the user's words, what they added, what is open and runs :: > Port the five screens. / todo [x] Home; [ ] Search / S / $1 npm test =>   ● uploads large files\n\nTests: 1 failed / >+ Keep the old flag. / $running npm run build :: in their words, newest last:\n> Port the five screens.\n\n> Keep the old flag.; Search; - tests: ; - Bash: npm run build
    what a short message refers to :: > How could it be faster? / There are two ways:\n\n1. A pool\n2. A stream\n\nBoth are small. / > do the second one / S :: > 2. A stream; > do the second one
    issue, pull request and branch :: > Fix https://github.com/acme/shop/issues/42. / commit / push / opened / commit :: - issue #42: https://github.com/acme/shop/issues/42; - pull request #31: https://github.com/acme/shop/pull/31; - branch fix/cart, with commits that are not pushed
    that nothing may change in plan mode :: mode plan / > Plan the move. / $ ls :: change nothing
  `)
  )("has %s", (_, line = "", parts = "") => {
    const { text } = assess(line)
    for (const part of parts.split("; ")) assert.include(text, part.replaceAll("\\n", "\n"))
  })

  it("quotes the last five messages, and a long one at length", () => {
    const said = ["one", "two", "three", "four"].map((word) => `> Then do ${word}.`)
    const { text } = assess(["> Begin.", ...said, `> Move it all. ${"Keep every name. ".repeat(90)}`].join(" / "))
    assert.notInclude(text, "Begin.")
    for (const one of said) assert.include(text, one)
    assert.isAbove(text.length, 1600)
  })

  it.each(table(merges))("names a pull request unless it is merged: it %s", (_, line = "", state) => {
    const { text } = assess(`> Fix it, then write the docs. / opened / ${line}`)
    assert.strictEqual(text.includes("pull request #31"), state === "open")
  })

  it("holds no secret, no escape sequence and no mark of a nudge, and stays short", () => {
    const secret = "ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo"
    const { text } = assess(
      `> Deploy with ${secret}\\e[31m. ${"All of it, please. ".repeat(2000)} / $running curl -H 'Authorization: Bearer ${secret}' x`
    )
    for (const part of [secret, "\u001b"]) assert.notInclude(text, part)
    assert.isNull(Feedback.attemptOf(text))
    assert.isAtMost(text.length, 6000)
  })

  it("a task given by the caller replaces the record's", () => {
    const { text } = Compaction.assess(transcript(session("S", words)), { task: "Port the cart to streams." })
    assert.include(text, "> Port the cart to streams.")
  })
})

const happening: fc.Arbitrary<TranscriptEvent> = fc.oneof(
  fc
    .constantFrom("> Fix #42.", "> Address PR #12.", "> stop", "Which one?", "Opened https://github.com/a/b/pull/3")
    .map((line) => session(line)[0] ?? user("x")),
  fc.string().map((text) => user(text)),
  fc
    .constantFrom("gh pr create", "gh issue comment 42 -b x", "git push", "git checkout -b y", "gh pr merge 12")
    .map((command) => run(command, 0, " * [new branch]  y -> y\nhttps://github.com/a/b/pull/3")),
  fc.constantFrom("a", "b").map((name) => edit(`/repo/${name}.ts`)),
  fc.string().map((command) => run(command, 0))
)

it("Compaction's state and text stay within their limits for any events", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (events) => {
      const context = Judgment.defaultContext
      const whole = events.reduce((state, event) => Compaction.step(state, event, context), Compaction.initial)
      assert.isAtMost(whole.forge.refs.length, 4)
      assert.isAtMost(whole.words.length, 5)
      const assessment = Compaction.assess(transcript(events))
      assert.isAtMost(assessment.text.length, 6000)
      assert.deepStrictEqual(Schema.decodeSync(Compaction.CompactionAssessment)(assessment), assessment)
    })
  )
  for (const unit of ["https://a", "https://github.com/a/b/pull/", "/issues/1", "PR #1 ", "#1 "])
    assert.isAtMost(Compaction.assess(transcript([user(unit.repeat(20_000))])).text.length, 6000)
})
