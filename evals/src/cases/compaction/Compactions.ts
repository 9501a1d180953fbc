import {
  agent,
  edit,
  harness,
  mode,
  notice,
  read,
  run,
  shell,
  todos,
  tool,
  typed,
  user,
  write
} from "../../case/Case.ts"
import type { CompactionCase } from "../../watch/CompactionCase.ts"

const compacted = notice("compacted", "auto")
const summary = harness("This session is being continued from a previous conversation. The summary is below.")

const green = run("npm test", 0, "Tests:       32 passed, 32 total\n")
const red = run("npm test", 1, "  ● uploads large files\n\nTests:       1 failed, 31 passed, 32 total\n")
const commit = (message: string) => run(`git commit -am "${message}"`, 0, `[fix 1234567] ${message}\n 2 files changed`)
const push = (branch: string) =>
  run(`git push -u origin ${branch}`, 0, `To github.com:acme/shop.git\n * [new branch]      ${branch} -> ${branch}`)
const opened = (number: number) =>
  run('gh pr create --title "Fix" --body "…"', 0, `https://github.com/acme/shop/pull/${number}`)

/** What a session goes on with after its context was compacted. */
export const compactions: ReadonlyArray<CompactionCase> = [
  {
    id: "compaction/middle-of-the-work",
    why: "Two of five screens are ported and nothing else happened: the task goes on.",
    events: [
      user("Port the five screens to the new navigation: Home, Profile, Settings, Search and Inbox."),
      todos("[x] Home", "[x] Profile", "[ ] Settings", "[ ] Search", "[ ] Inbox"),
      edit("src/Home.tsx"),
      edit("src/Profile.tsx"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["Port the five screens", "Settings", "Search", "Inbox"] }
  },
  {
    id: "compaction/tests-red",
    why: "The tests were to pass, and one of them fails: that is open, by its name.",
    events: [user("Make the upload tests pass."), edit("src/upload.ts"), red, compacted, summary],
    expect: { action: "continue_task", git: false, says: ["Make the upload tests pass", "uploads large files"] }
  },
  {
    id: "compaction/pr-open-and-worked-on",
    why: "A pull request is open, two commits were pushed to it, and nobody was told what they do.",
    events: [
      user("Address the review comments on https://github.com/acme/shop/pull/12."),
      run("gh pr view 12 --comments", 0, "anna: please split this function"),
      run("gh pr checkout 12", 0, "Switched to branch 'split-cart'"),
      edit("src/cart.ts"),
      green,
      commit("Split the cart"),
      run("git push", 0, "   1234567..89abcde  split-cart -> split-cart"),
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["12", "split-cart", "review comments"] }
  },
  {
    id: "compaction/issue-worked-on",
    why: "The issue has a fix on a branch that was pushed, and it knows nothing of it.",
    events: [
      user("Fix issue #42."),
      run("gh issue view 42", 0, "title: Cart total is wrong\nstate: OPEN"),
      run("git checkout -b fix/cart-total", 0, "Switched to a new branch 'fix/cart-total'"),
      edit("src/cart.ts"),
      green,
      commit("Fix the cart's total"),
      push("fix/cart-total"),
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["42", "fix/cart-total"] }
  },
  {
    id: "compaction/issue-only-read",
    why: "The issue was read and nothing was done yet: there is nothing to report.",
    events: [
      user("Fix issue #42."),
      run("gh issue view 42", 0, "title: Cart total is wrong\nstate: OPEN"),
      read("src/cart.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["42"] }
  },
  {
    id: "compaction/pr-just-opened",
    why: "Opening the pull request was the report; there is nothing newer to tell. CI is still to be watched.",
    events: [
      user("Fix the cart's total, open a PR and make sure CI is green."),
      edit("src/cart.ts"),
      commit("Fix the cart's total"),
      push("fix/total"),
      opened(31),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["31", "CI"] }
  },
  {
    id: "compaction/pr-opened-then-ci-fixed",
    why: "CI was red, two fixes were pushed since the pull request was opened, and it says nothing of them.",
    events: [
      user("Fix the cart's total, open a PR and make sure CI is green."),
      edit("src/cart.ts"),
      commit("Fix the cart's total"),
      push("fix/total"),
      opened(31),
      run("gh pr checks 31", 1, "build\tfail\t1m2s\thttps://github.com/acme/shop/actions/runs/1"),
      edit("src/cart.ts", "after", "later"),
      commit("Mend the build"),
      run("git push", 0, "   1234567..89abcde  fix/total -> fix/total"),
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["31", "fix/total"] }
  },
  {
    id: "compaction/commented",
    why: "The pushed fix was reported on the pull request; the rest of the task goes on.",
    events: [
      user("Address the review comments on PR #12, then update the changelog."),
      run("gh pr checkout 12", 0, "Switched to branch 'split-cart'"),
      edit("src/cart.ts"),
      commit("Split the cart"),
      run("git push", 0, "   1234567..89abcde  split-cart -> split-cart"),
      run(
        'gh pr comment 12 --body "Split as asked in 89abcde"',
        0,
        "https://github.com/acme/shop/pull/12#issuecomment-1"
      ),
      read("CHANGELOG.md"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["12", "changelog"] }
  },
  {
    id: "compaction/question-open",
    why: "The agent asked and has no answer yet: it must not go on without one.",
    events: [
      user("Add persistence to the todo app."),
      read("src/app.ts"),
      agent("Which database would you like me to use, PostgreSQL or SQLite?"),
      compacted
    ],
    expect: { action: "needs_clarification", git: false, says: ["Which database"] }
  },
  {
    id: "compaction/question-answered",
    why: "The question was answered: the answer is part of the task now.",
    events: [
      user("Add persistence to the todo app."),
      agent("Which database would you like me to use, PostgreSQL or SQLite?"),
      user("SQLite."),
      write("src/db.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["persistence", "SQLite"] }
  },
  {
    id: "compaction/done",
    why: "Everything that was asked for is done and proved.",
    events: [
      user("Fix the rounding in src/tax.ts and run npm test."),
      edit("src/tax.ts"),
      green,
      agent("The rounding is fixed, and all 32 tests pass."),
      compacted
    ],
    expect: { action: "task_complete", git: false, says: ["rounding"] }
  },
  {
    id: "compaction/answered",
    why: "A question was answered; nothing goes on by itself.",
    events: [
      user("How does the cache decide what to evict?"),
      read("src/cache.ts"),
      agent("It evicts the entry that was used least recently, once there are more than 500."),
      compacted
    ],
    expect: { action: "task_complete", git: false }
  },
  {
    id: "compaction/claimed-but-red",
    why: "The agent said that it was done; the last run says that it is not.",
    events: [user("Make the upload tests pass."), edit("src/upload.ts"), red, agent("All tests pass now."), compacted],
    expect: { action: "continue_task", git: false, says: ["uploads large files"] }
  },
  {
    id: "compaction/pr-merged",
    why: "The pull request is merged: nothing on it is open any more.",
    events: [
      user("Merge PR #12 once it is green, then delete the branch."),
      run("gh pr checks 12", 0, "build\tpass\t1m2s\thttps://github.com/acme/shop/actions/runs/1"),
      run("gh pr merge 12 --squash --delete-branch", 0, "✓ Squashed and merged pull request #12"),
      agent("PR #12 is merged and its branch is deleted."),
      compacted
    ],
    expect: { action: "task_complete", git: false }
  },
  {
    id: "compaction/no-task",
    why: "Nobody asked for anything yet.",
    events: [harness("SessionStart: the repository is on branch main."), compacted],
    expect: { action: "continue_task", git: false, confidenceAtMost: 0.4 }
  },
  {
    id: "compaction/secret-in-the-task",
    why: "What is said to the agent never has a secret in it.",
    events: [
      user("Deploy with the token ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo to staging."),
      run("make deploy-staging", 1, "Error: connection refused"),
      compacted
    ],
    expect: { action: "continue_task", says: ["staging"], never: ["ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo"] }
  },
  {
    id: "compaction/plan-mode",
    why: "In plan mode nothing may be edited after the compaction either.",
    events: [mode("plan"), user("Plan the move to Postgres."), read("src/db.ts"), read("src/queries.ts"), compacted],
    expect: { action: "continue_task", git: false, says: ["plan"] }
  },
  {
    id: "compaction/branch-only",
    why: "A branch was pushed as asked, and its tests are still to be run; there is no pull request to write on.",
    events: [
      user("Move the mailer to its own package on a branch mailer-package, push it and run the tests."),
      run("git switch -c mailer-package", 0, "Switched to a new branch 'mailer-package'"),
      edit("packages/mailer/index.ts"),
      commit("Move the mailer"),
      push("mailer-package"),
      compacted
    ],
    expect: { action: ["continue_task", "needs_github_update"], git: true, says: ["mailer-package", "tests"] }
  },
  {
    id: "compaction/mentioned-in-passing",
    why: "The number belongs to the history of the code; nobody works on that issue.",
    events: [
      user("Explain why parse() trims twice. I think it came with #214 years ago."),
      run("git log -S'trim().trim()' --oneline src/parse.ts", 0, "abc1234 Trim twice (#214)"),
      agent("It was introduced in #214 so that a trailing carriage return goes away as well."),
      compacted
    ],
    expect: { action: "task_complete" }
  },
  {
    id: "compaction/typed-while-working",
    why: "What the user typed meanwhile belongs to the task.",
    events: [
      user("Port the importer to streams."),
      edit("src/import.ts"),
      typed("Also keep the old flag working, please."),
      edit("src/cli.ts"),
      compacted
    ],
    expect: { action: "continue_task", says: ["importer to streams", "old flag"] }
  },
  {
    id: "compaction/second-task",
    why: "The first task is over; only the second is the task.",
    events: [
      user("Fix the footer."),
      edit("src/Footer.tsx"),
      agent("Fixed."),
      user("Now translate the landing page to French."),
      edit("src/landing.fr.json"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["French"] }
  },
  {
    id: "compaction/gitlab",
    why: "A merge request is a pull request by another name.",
    events: [
      user("Address the comments on !77 and push."),
      run("glab mr checkout 77", 0, "Switched to branch 'retry-uploads'"),
      edit("src/upload.go"),
      commit("Retry uploads"),
      run("git push", 0, "   1234567..89abcde  retry-uploads -> retry-uploads"),
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["77", "retry-uploads"] }
  },
  {
    id: "compaction/mcp-comment",
    why: "The report was made through a tool of the host's.",
    events: [
      user("Fix issue #42 and tell them on the issue."),
      edit("src/cart.ts"),
      commit("Fix the total"),
      push("fix/total"),
      tool("mcp__github__add_issue_comment", {
        owner: "acme",
        repo: "shop",
        issue_number: 42,
        body: "Fixed in 1234567"
      }),
      read("CHANGELOG.md"),
      compacted
    ],
    expect: { action: ["continue_task", "task_complete"], git: true }
  },
  {
    id: "compaction/running",
    why: "The build was still running when the context was compacted: its result is to be waited for.",
    events: [
      user("Build the image and push it to the registry."),
      shell("docker build -t registry.acme.dev/web .", { status: "running" }),
      compacted
    ],
    expect: { action: "continue_task", says: ["docker build"] }
  }
]
