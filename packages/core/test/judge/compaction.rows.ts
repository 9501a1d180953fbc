/** What is said when the context is compacted: "action | git | says TEXTS | never TEXTS". */
import { agent, call, edit, mode, notice, run, todos, user } from "../support/events.ts"
import { row, type Row } from "../support/sessionRows.ts"
import { alnum, join } from "../support/secrets.ts"

const token = join("gh", "p_", alnum(36))

export const rows: ReadonlyArray<Row> = [
  row(
    "in the middle of the work",
    "continue_task | says Port the five screens; Settings; Search; Inbox",
    user("Port the five screens to the new navigation: Home, Profile, Settings, Search and Inbox."),
    todos(
      ["Home", "completed"],
      ["Profile", "completed"],
      ["Settings", "pending"],
      ["Search", "pending"],
      ["Inbox", "pending"]
    ),
    edit("src/Home.tsx"),
    edit("src/Profile.tsx"),
    notice("compacted", "auto")
  ),
  row(
    "the tests are red",
    "continue_task | says Make the upload tests pass; uploads large files",
    user("Make the upload tests pass."),
    edit("src/upload.ts"),
    run("npm test", 1, "  ● uploads large files\n\nTests: 1 failed, 31 passed, 32 total"),
    notice("compacted", "auto"),
    user("This session is being continued from a previous conversation. The summary is below.", { synthetic: true })
  ),
  row(
    "pushed to an open pull request",
    "needs_github_update | git | says 12; split-cart; review comments",
    user("Address the review comments on https://github.com/acme/shop/pull/12."),
    run("gh pr view 12 --comments", 0, "anna: please split this function"),
    run("gh pr checkout 12", 0, "Switched to branch 'split-cart'"),
    edit("src/cart.ts"),
    run("npm test", 0, "Tests: 32 passed, 32 total"),
    run('git commit -am "Split the cart"', 0, "[fix 1234567] Split the cart\n 2 files changed"),
    run("git push", 0, " 1234567..89abcde  split-cart -> split-cart"),
    notice("compacted", "auto")
  ),
  row(
    "pushed a fix of an issue",
    "needs_github_update | git | says 42; fix/cart-total",
    user("Fix issue #42."),
    run("gh issue view 42", 0, "title: Cart total is wrong\nstate: OPEN"),
    run("git checkout -b fix/cart-total", 0, "Switched to a new branch 'fix/cart-total'"),
    edit("src/cart.ts"),
    run("npm test", 0, "Tests: 32 passed, 32 total"),
    run('git commit -am "Fix the cart\'s total"', 0, "[fix 1234567] Fix the cart's total\n 2 files changed"),
    run("git push -u origin fix/cart-total", 0, "To github.com:acme/shop.git"),
    notice("compacted", "auto")
  ),
  row(
    "an issue was only read",
    "continue_task | git | says 42",
    user("Fix issue #42."),
    run("gh issue view 42", 0, "title: Cart total is wrong\nstate: OPEN"),
    call("read", { file_path: "src/cart.ts" }),
    notice("compacted", "auto")
  ),
  row(
    "a pull request has just been opened",
    "continue_task | git | says 31; CI",
    user("Fix the cart's total, open a PR and make sure CI is green."),
    edit("src/cart.ts"),
    run('git commit -am "Fix the cart\'s total"', 0, "[fix 1234567] Fix the cart's total\n 2 files changed"),
    run("git push -u origin fix/total", 0, "To github.com:acme/shop.git"),
    run('gh pr create --title "Fix" --body "…"', 0, "https://github.com/acme/shop/pull/31"),
    notice("compacted", "auto")
  ),
  row(
    "it was told already",
    "continue_task | git | says 12; changelog",
    user("Address the review comments on PR #12, then update the changelog."),
    run("gh pr checkout 12", 0, "Switched to branch 'split-cart'"),
    edit("src/cart.ts"),
    run('git commit -am "Split the cart"', 0, "[fix 1234567] Split the cart\n 2 files changed"),
    run("git push", 0, " 1234567..89abcde  split-cart -> split-cart"),
    run('gh pr comment 12 --body "Split as asked in 89abcde"', 0),
    call("read", { file_path: "CHANGELOG.md" }),
    notice("compacted", "auto")
  ),
  row(
    "a question is open",
    "needs_clarification | says Which database",
    user("Add persistence to the todo app."),
    call("read", { file_path: "src/app.ts" }),
    agent("Which database would you like me to use, PostgreSQL or SQLite?"),
    notice("compacted", "auto")
  ),
  row(
    "a question was answered",
    "continue_task | says persistence; SQLite",
    user("Add persistence to the todo app."),
    agent("Which database would you like me to use, PostgreSQL or SQLite?"),
    user("SQLite."),
    call("write", { file_path: "src/db.ts", content: "content\n" }),
    notice("compacted", "auto")
  ),
  row(
    "done and proved",
    "task_complete | says rounding",
    user("Fix the rounding in src/tax.ts and run npm test."),
    edit("src/tax.ts"),
    run("npm test", 0, "Tests: 32 passed, 32 total"),
    agent("The rounding is fixed, and all 32 tests pass."),
    notice("compacted", "auto")
  ),
  row(
    "called done and red",
    "continue_task | says uploads large files",
    user("Make the upload tests pass."),
    edit("src/upload.ts"),
    run("npm test", 1, "  ● uploads large files\n\nTests: 1 failed, 31 passed, 32 total"),
    agent("All tests pass now."),
    notice("compacted", "auto")
  ),
  row(
    "merged",
    "task_complete",
    user("Merge PR #12 once it is green, then delete the branch."),
    run("gh pr checks 12", 0, "build\tpass\t1m2s\thttps://github.com/acme/shop/actions/runs/1"),
    run("gh pr merge 12 --squash --delete-branch", 0, "✓ Squashed and merged pull request #12"),
    agent("PR #12 is merged and its branch is deleted."),
    notice("compacted", "auto")
  ),
  row(
    "a secret in the order",
    `continue_task | says staging | never ${token}`,
    user(`Deploy with the token ${token} to staging.`),
    run("make deploy-staging", 1, "Error: connection refused"),
    notice("compacted", "auto")
  ),
  row(
    "in plan mode",
    "continue_task | says plan",
    mode("plan"),
    user("Plan the move to Postgres."),
    call("read", { file_path: "src/db.ts" }),
    call("read", { file_path: "src/queries.ts" }),
    notice("compacted", "auto")
  ),
  row(
    "the second task",
    "continue_task | says French",
    user("Fix the footer."),
    edit("src/Footer.tsx"),
    agent("Fixed."),
    user("Now translate the landing page to French."),
    edit("src/landing.fr.json"),
    notice("compacted", "auto")
  ),
  row(
    "a build still runs",
    "continue_task | says docker build",
    user("Build the image and push it to the registry."),
    run("docker build -t registry.acme.dev/web .", null, "", { status: "running", output: null }),
    notice("compacted", "auto")
  )
]
