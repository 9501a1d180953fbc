import { edit, notice, read, run, user } from "../../case/Case.ts"
import type { CompactionCase } from "../../watch/CompactionCase.ts"

const compacted = notice("compacted", "auto")

const commit = run("git commit -am 'Work'", 0, "[faster 1234567] Work\n 2 files changed")
const push = run("git push", 0, "To github.com:acme/shop.git\n   1a2b3c4..1234567  faster -> faster")
const merge = run("gh pr merge 61 --squash", 0, "✓ Squashed and merged pull request acme/shop#61 (Faster search)")
const created = run("gh pr create --fill", 0, "https://github.com/acme/shop/pull/61")

/** What becomes of a pull request that is named, opened or merged. */
export const pullRequests: ReadonlyArray<CompactionCase> = [
  {
    id: "pulls/another-was-looked-at",
    why: "It looked at somebody's pull request to see how it is done there: nothing is owed to that.",
    events: [
      user("Speed up the search. Someone did the same for the cart lately."),
      run("gh pr view 58", 0, "title:\tFaster cart\nstate:\tOPEN\nnumber:\t58\n--\nStreams."),
      edit("src/search.ts"),
      commit,
      push,
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["branch faster"] }
  },
  {
    id: "pulls/worked-in",
    why: "Working a review in is work on that pull request, in whatever words it is ordered.",
    events: [
      user("Please incorporate the review on PR #61."),
      run("gh pr view 61 --comments", 0, "title:\tFaster search\nstate:\tOPEN\nnumber:\t61\n--\nRename foo."),
      edit("src/search.ts"),
      commit,
      push,
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["If pull request #61 is what you work on"] }
  },
  {
    id: "pulls/reviewed-and-fixed",
    why: "What was found is to be fixed, so that it is work on the pull request.",
    events: [
      user("Review PR #45 and fix what you find."),
      run("gh pr checkout 45", 0, "Switched to branch 'faster'"),
      edit("src/a.ts"),
      commit,
      push,
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["If pull request #45 is what you work on"] }
  },
  {
    id: "pulls/merged-before-the-rest",
    why: "Issue and pull request are through; what is left is on no forge.",
    events: [
      user("Fix #12, merge the pull request when it is green, then update the docs site."),
      edit("src/search.ts"),
      commit,
      push,
      created,
      merge,
      read("docs/index.md"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["docs site"] }
  },
  {
    id: "pulls/merge-is-waited-for",
    why: "It is merged once its checks are through, and until then it is open.",
    events: [
      user("Open a pull request for the faster search and let it merge by itself. Then write the migration guide."),
      edit("src/search.ts"),
      commit,
      push,
      created,
      run("gh pr merge 61 --auto --squash", 0, "✓ Pull request acme/shop#61 will be automatically merged via squash"),
      read("docs/migration.md"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["pull request #61"] }
  }
]
