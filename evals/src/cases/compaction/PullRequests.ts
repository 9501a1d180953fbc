import { edit, notice, read, run, user, write } from "../../case/Case.ts"
import type { CompactionCase } from "../../watch/CompactionCase.ts"

const compacted = notice("compacted", "auto")

const commit = run("git commit -am 'Work'", 0, "[faster 1234567] Work\n 2 files changed")
const push = run("git push", 0, "To github.com:acme/shop.git\n   1a2b3c4..1234567  faster -> faster")
const merge = run("gh pr merge 61 --squash", 0, "✓ Squashed and merged pull request acme/shop#61 (Faster search)")
const created = run("gh pr create --fill", 0, "https://github.com/acme/shop/pull/61")

/** Whose a pull request is: the branch's own, one that is only read, one that is merged. */
export const pullRequests: ReadonlyArray<CompactionCase> = [
  {
    id: "pulls/known-by-status",
    why: "Nobody said its number, but the status shows it, and what was pushed since is not told.",
    events: [
      user("Go on with my pull request."),
      run("gh pr status", 0, "Current branch\n  #61  Faster search [faster]\n   - Checks passing\n"),
      edit("src/search.ts"),
      commit,
      push,
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["pull request #61"] }
  },
  {
    id: "pulls/known-by-view",
    why: "The number is looked up after the push; after the compaction it would have to be looked up again.",
    events: [
      user("Speed up the search on this branch."),
      edit("src/search.ts"),
      commit,
      push,
      run(
        "gh pr view --json number,state,url",
        0,
        '{"number":61,"state":"OPEN","url":"https://github.com/acme/shop/pull/61"}'
      ),
      read("src/search.ts"),
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["https://github.com/acme/shop/pull/61"] }
  },
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
    expect: { action: "needs_github_update", git: true, says: ["Bring pull request #61 up to date"] }
  },
  {
    id: "pulls/reviewed-with-notes",
    why: "The pull request is what is read; what was committed are notes elsewhere, and no business of its.",
    events: [
      user("Review PR #45 for me. Keep notes on it in docs/reviews.md and push them."),
      run("gh pr diff 45", 0, "diff --git a/src/a.ts b/src/a.ts"),
      write("docs/reviews.md", "- a.ts: an empty cart is not handled\n"),
      commit,
      push,
      read("src/a.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["pull request #45, to be reviewed", "docs/reviews.md"] }
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
    expect: { action: "needs_github_update", git: true, says: ["Bring pull request #45 up to date"] }
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
    id: "pulls/seen-merged",
    why: "Somebody else merged it, as a look at it shows: there is nothing to bring up to date.",
    events: [
      user("Open a pull request for the faster search, and then write the migration guide."),
      edit("src/search.ts"),
      commit,
      push,
      created,
      run("gh pr view 61 --json state,mergedAt", 0, '{"mergedAt":"2026-03-02T09:00:00Z","state":"MERGED"}'),
      read("docs/migration.md"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["migration guide"] }
  },
  {
    id: "pulls/one-of-two-merged",
    why: "The second issue has no pull request yet.",
    events: [
      user("Fix #12 and #13, each in a pull request of its own."),
      edit("src/search.ts"),
      commit,
      push,
      created,
      merge,
      read("src/cart.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["issue #13"] }
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
  },
  {
    id: "pulls/no-comment-wanted",
    why: "The user wants nothing written there: nothing is owed to it.",
    events: [
      user("Go on with my pull request. Do not comment on it, I'll do that myself."),
      run("gh pr status", 0, "Current branch\n  #61  Faster search [faster]\n   - Checks passing\n"),
      edit("src/search.ts"),
      commit,
      push,
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["pull request #61"] }
  },
  {
    id: "pulls/no-comments-in-the-code",
    why: "Comments of code are another thing than one on the pull request.",
    events: [
      user("Go on with my pull request, and don't add comments to the code."),
      run("gh pr status", 0, "Current branch\n  #61  Faster search [faster]\n   - Checks passing\n"),
      edit("src/search.ts"),
      commit,
      push,
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["pull request #61"] }
  }
]
