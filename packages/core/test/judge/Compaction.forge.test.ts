import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Compaction from "../../src/judge/compaction/Compaction.ts"
import { orders } from "../../src/judge/compaction/forgeRefs.ts"
import * as Views from "../../src/judge/compaction/forgeViews.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, notice, run, transcript, user } from "../support/events.ts"

const assess = (...events: ReadonlyArray<TranscriptEvent>): Compaction.CompactionAssessment =>
  Compaction.assess(transcript([...events, notice("compacted", "auto")]))

const source = edit("/repo/src/cart.ts")
const commit = run("git commit -am 'Split the cart'", 0, "[fix-12 1234567] Split the cart\n 1 file changed")
const push = run("git push", 0, "To github.com:ada/shop.git\n   1a2b3c4..9f8e7d6  fix-12 -> fix-12")
const created = run("gh pr create --fill", 0, "https://github.com/ada/shop/pull/45")
const status = "Relevant pull requests in ada/shop\n\nCurrent branch\n  #45  Fix cart [fix-12]\n   - Checks passing\n"
const shown = '{"number":45,"state":"OPEN","headRefName":"fix-12","url":"https://github.com/ada/shop/pull/45"}'

describe("the pull request of the branch", () => {
  const looks: ReadonlyArray<readonly [what: string, look: TranscriptEvent]> = [
    ["status", run("gh pr status", 0, status)],
    ["a view", run("gh pr view", 0, "title:\tFix cart\nstate:\tOPEN\nnumber:\t45\n--\nstate: MERGED is what I want")],
    ["a view as JSON", run("gh pr view --json number,url,state", 0, shown)],
    ["a view of its number", run("gh pr view --json number -q .number", 0, "45\n")],
    ["a view of its address", run("gh pr view --json url -q .url", 0, "https://github.com/ada/shop/pull/45\n")],
    ["a view as a person sees it", run("gh pr view", 0, "Fix cart ada/shop#45\nOpen • ada wants to merge 1 commit")],
    ["one that brings this branch", run("gh pr view 45 --json headRefName", 0, '{"headRefName":"fix-12"}')],
    ["a merge request", run("glab mr view", 0, "title:\tFix cart\nstate:\topen\nnumber:\t45\n")]
  ]

  it.each(looks)("is known by %s before the work", (_, look) => {
    const { action, hasActiveGitWork, text } = assess(user("Make the cart faster."), look, source, commit, push)
    assert.deepStrictEqual([action, hasActiveGitWork], ["needs_github_update", true])
    assert.include(text, "pull request #45")
  })

  it.each(looks)("is known by %s after the work", (_, look) => {
    const { hasActiveGitWork, text } = assess(user("Make the cart faster."), source, commit, push, look)
    assert.isTrue(hasActiveGitWork)
    assert.include(text, "pull request #45")
  })

  it.each([
    ["there is none", run("gh pr status", 0, "Current branch\n  There is no pull request associated with [fix-12]\n")],
    ["others are listed", run("gh pr status", 0, "Created by you\n  #45  Fix cart [other]\n")],
    ["another was looked at", run("gh pr view 45", 0, "state:\tOPEN\nnumber:\t45\n")],
    ["another branch has it", run("gh pr view 45 --json headRefName,state", 0, '{"headRefName":"x","state":"OPEN"}')]
  ] as const)("is none where %s", (_, look) => {
    const { action, text } = assess(user("Make the cart faster."), look, source, commit, push)
    assert.strictEqual(action, "continue_task")
    assert.notInclude(text, "#45")
  })

  it.each([
    "Continue with the work on PR #45.",
    "Incorporate the review on PR #45",
    "Please work in the review of PR #45.",
    "Keep going with PR #45",
    "Mach weiter mit PR #45 und arbeite das Review ein"
  ])("is the one that is ordered: %s", (task) => {
    const { action, text } = assess(user(task), run("gh pr view 45", 0, "state:\tOPEN"), source, commit, push)
    assert.strictEqual(action, "needs_github_update")
    assert.include(text, "Bring pull request #45 up to date")
  })
})

describe("a pull request that is to be reviewed", () => {
  it.each([
    "Review PR #45",
    "Please review pull request #45 and tell me what you find.",
    "Can you review the changes in https://github.com/ada/shop/pull/45?",
    "Do a code review of PR #45.",
    "review #45, then fix #12",
    "Überprüfe PR #45.",
    "Revisa el PR #45",
    "审查 PR #45",
    "PR #45 をレビューして"
  ])("is what the task is about: %s", (text) => {
    const order = orders(text).find(({ named }) => named.number === "45")
    assert.deepStrictEqual([order?.named.kind, order?.reads], ["pr", true])
  })

  it.each([
    "Review PR #45 and fix what you find",
    "Address the review of PR #45",
    "Address the review comments on PR #45.",
    "Fix PR #45",
    "Finish PR #45",
    "review and finish PR #45",
    "Review PR #45, then push the fixes.",
    "Review PR #45. Fix what you find."
  ])("is to be changed where that is ordered: %s", (text) => {
    assert.deepStrictEqual(
      orders(text).map(({ named, reads }) => [named.number, reads]),
      [["45", false]]
    )
  })

  it("is owed nothing for other work, and is not lost", () => {
    const task = user("Review PR #45. Keep notes in docs/reviews.md and commit them.")
    const { action, hasActiveGitWork, text } = assess(task, run("gh pr diff 45", 0, "+x"), source, commit, push)
    assert.deepStrictEqual([action, hasActiveGitWork], ["continue_task", true])
    assert.include(text, "pull request #45, to be reviewed")
    assert.notInclude(text, "up to date")
  })

  it("is no place for what is owed to the issue beside it", () => {
    const { text } = assess(user("Review PR #45, then fix #12 and commit."), source, commit, push)
    assert.include(text, "Bring issue #12 up to date")
  })

  it("stays one after a review of it was posted", () => {
    const posted = run("gh pr review 45 --comment --body 'Two findings'", 0)
    assert.strictEqual(assess(user("Review PR #45."), posted, source, commit, push).action, "continue_task")
  })

  it("is worked on once something is committed to its branch", () => {
    const out = run("gh pr checkout 45", 0, "Switched to branch 'fix-12'")
    assert.strictEqual(assess(user("Review PR #45."), out).action, "continue_task")
    const { action, text } = assess(user("Review PR #45."), out, source, commit, push)
    assert.strictEqual(action, "needs_github_update")
    assert.notInclude(text, "to be reviewed")
  })

  it("is worked on once the user says so", () => {
    const { action } = assess(user("Review PR #45."), agent("Two findings."), user("Fix PR #45."), source, commit, push)
    assert.strictEqual(action, "needs_github_update")
  })
})

describe("a pull request that was merged", () => {
  const merge = run("gh pr merge 45 --squash", 0, "✓ Squashed and merged pull request ada/shop#45")
  const work = [user("Fix #12, open a PR and merge it when green."), source, commit, push]

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>]>([
    ["merged", [created, merge]],
    ["merged without a word", [created, run("gh pr merge --squash --delete-branch", 0)]],
    ["merged before it was named", [run("gh pr create --fill | tail -0", 0), run("gh pr merge --squash", 0)]],
    ["merged and left", [created, merge, run("git checkout main", 0, "Switched to branch 'main'")]],
    ["shown as merged", [created, run("gh pr view 45 --json state", 0, '{"state":"MERGED"}')]],
    ["shown as merged by itself", [created, run("gh pr view --json state -q .state", 0, "MERGED\n")]],
    ["shown as merged to a person", [created, run("gh pr view", 0, "Fix cart ada/shop#45\nMerged • ada merged it")]],
    [
      "shown as merged in a list",
      [created, run("gh pr status", 0, "Current branch\n  #45  Fix cart [fix-12]\n   Merged")]
    ],
    [
      "merged later",
      [
        created,
        run("gh pr merge 45 --auto", 0, "✓ Pull request ada/shop#45 will be automatically merged"),
        run("gh pr view 45", 0, "title:\tFix cart\nstate:\tMERGED\nnumber:\t45")
      ]
    ],
    [
      "merged, as a tool shows",
      [
        created,
        call(
          "mcp__github__get_pull_request",
          { owner: "ada", repo: "shop", pullNumber: 45 },
          { output: '{"number":45,"state":"closed","merged":true}' }
        )
      ]
    ]
  ])("is no work any more: %s", (_, events) => {
    const { hasActiveGitWork, text } = assess(...work, ...events)
    assert.isFalse(hasActiveGitWork)
    assert.notInclude(text, "Under way on the forge")
  })

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>]>([
    ["it waits for its checks", [created, run("gh pr merge 45 --auto", 0, "will be automatically merged")]],
    ["it is open", [created, run("gh pr view 45 --json state", 0, '{"state":"OPEN"}')]],
    ["another one was", [created, run("gh pr view 44 --json state", 0, '{"state":"MERGED"}')]],
    ["the issue is shown as open", [created, merge, run("gh issue view 12 --json state", 0, '{"state":"OPEN"}')]],
    ["more was pushed", [created, merge, source, commit, push]]
  ])("is not where %s", (_, events) => {
    assert.isTrue(assess(...work, ...events).hasActiveGitWork)
  })

  it("leaves the other issues of the task", () => {
    const { hasActiveGitWork, text } = assess(
      user("Fix #12 and #13, one PR each."),
      source,
      commit,
      push,
      created,
      merge
    )
    assert.isTrue(hasActiveGitWork)
    assert.include(text, "issue #13")
  })
})

describe("what a forge shows", () => {
  it("is read out of any text", () => {
    fc.assert(
      fc.property(fc.constantFrom("view", "status"), fc.string(), (verb, text) => {
        assert.hasAllKeys(Views.read(verb, text), ["number", "url", "branch", "state"])
      })
    )
    for (const unit of ["Current branch\n  #1 ", "[a ", '"state":"', "Open from ", "#1 ", "a/b#"])
      assert.isDefined(Views.read("status", unit.repeat(20_000)))
  })
})
