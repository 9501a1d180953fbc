import { agent, edit, harness, notice, read, run, shell, todos, tool, user, write } from "../../case/Case.ts"
import type { CompactionCase } from "../../watch/CompactionCase.ts"

const compacted = notice("compacted", "auto")

const commit = run("git commit -am 'Work'", 0, "[work 1234567] Work\n 3 files changed")

/** Other hosts, other forges, other languages, and work that is half told. */
export const moreCompactions: ReadonlyArray<CompactionCase> = [
  {
    id: "more/german-task",
    why: "The user's words stay in the user's language.",
    events: [
      user("Baue die Importfunktion auf Streams um und lass die Tests laufen."),
      edit("src/import.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["Baue die Importfunktion auf Streams um"] }
  },
  {
    id: "more/issue-url",
    why: "The issue is named by its address, and a fix was pushed that it knows nothing of.",
    events: [
      user("Please work on https://github.com/acme/shop/issues/208 and keep the thread informed."),
      run("gh issue view https://github.com/acme/shop/issues/208", 0, "title: Slow search"),
      run("git switch -c faster-search", 0, "Switched to a new branch 'faster-search'"),
      edit("src/search.ts"),
      commit,
      run("git push -u origin HEAD", 0, " * [new branch]      HEAD -> faster-search"),
      compacted
    ],
    expect: {
      action: "needs_github_update",
      git: true,
      says: ["https://github.com/acme/shop/issues/208", "faster-search"]
    }
  },
  {
    id: "more/reviewed-others-pr",
    why: "A review was written and posted: the pull request knows.",
    events: [
      user("Review PR #88 and post your findings on it."),
      run("gh pr diff 88", 0, "diff --git a/a.ts b/a.ts"),
      read("src/a.ts"),
      run("gh pr review 88 --comment --body 'Two findings …'", 0),
      agent("I posted two findings on PR #88."),
      compacted
    ],
    expect: { action: "task_complete", git: true }
  },
  {
    id: "more/review-not-posted",
    why: "The review is under way; nothing was changed, so there is nothing to report yet.",
    events: [
      user("Review PR #88 and post your findings on it."),
      run("gh pr diff 88", 0, "diff --git a/a.ts b/a.ts"),
      read("src/a.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["88", "post your findings"] }
  },
  {
    id: "more/pr-by-tool",
    why: "The host's own tool opened the pull request after the last commit: it knows everything.",
    events: [
      user("Fix the typo on the landing page and open a pull request."),
      edit("src/landing.html"),
      commit,
      run("git push -u origin fix-typo", 0, " * [new branch]      fix-typo -> fix-typo"),
      tool(
        "mcp__github__create_pull_request",
        { title: "Fix typo" },
        { output: "https://github.com/acme/site/pull/5" }
      ),
      agent("I opened https://github.com/acme/site/pull/5."),
      compacted
    ],
    expect: { action: "task_complete", git: true }
  },
  {
    id: "more/failed-comment",
    why: "The comment was refused, so the issue still knows nothing.",
    events: [
      user("Fix #311 and comment on it."),
      edit("src/a.ts"),
      commit,
      run("git push", 0, "   1..2  fix -> fix"),
      run("gh issue comment 311 --body 'Fixed'", 1, "HTTP 401: Bad credentials"),
      compacted
    ],
    expect: { action: "needs_github_update", git: true, says: ["311"] }
  },
  {
    id: "more/consent-open",
    why: "Before something irreversible the user was asked, and has not answered.",
    events: [
      user("Clean up the old schema."),
      shell("psql -c '\\dt'", { output: "users_old" }),
      agent("`users_old` has 1.2 million rows. Dropping it cannot be undone. Should I drop it?"),
      compacted
    ],
    expect: { action: "needs_clarification", git: false, says: ["drop it", "1.2 million"] }
  },
  {
    id: "more/question-tool-open",
    why: "The question stands in the host's own dialogue.",
    events: [
      user("Set up CI."),
      read("package.json"),
      tool("AskUserQuestion", { questions: [{ question: "Which CI provider?" }] }, { status: "pending" }),
      compacted
    ],
    expect: { action: "needs_clarification", git: false }
  },
  {
    id: "more/needs-a-key",
    why: "Only the user has the key.",
    events: [
      user("Test the payment against the sandbox."),
      write("src/pay.ts"),
      agent("To test it I need your Stripe sandbox secret key. Please add it to `.env` and let me know."),
      compacted
    ],
    expect: { action: "needs_clarification", says: ["sandbox"] }
  },
  {
    id: "more/short-order-after-a-plan",
    why: '"Do it" means the plan that stands before it.',
    events: [
      user("How could the search be faster?"),
      read("src/search.ts"),
      agent(
        "I'd build an inverted index at startup and keep it current on writes. That makes a search O(1) for each word."
      ),
      user("ok do it"),
      edit("src/search.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["ok do it", "inverted index"] }
  },
  {
    id: "more/second-compaction",
    why: "It was compacted before; the task is still the user's first words.",
    events: [
      user("Migrate all controllers to the new router: users, orders, carts, invoices."),
      edit("src/users.ts"),
      notice("compacted", "auto"),
      harness("This session is being continued from a previous conversation that ran out of context."),
      edit("src/orders.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["users, orders, carts, invoices"] }
  },
  {
    id: "more/list-done-but-one",
    why: "One point of the list is open.",
    events: [
      user("Do the release chores."),
      todos("[x] changelog", "[x] version", "[~] announce in the docs"),
      edit("CHANGELOG.md"),
      compacted
    ],
    expect: { action: "continue_task", says: ["announce in the docs"], never: ["todo: changelog"] }
  },
  {
    id: "more/local-commits",
    why: "Commits on a branch that nobody asked to push: there is nothing on a forge to tell.",
    events: [
      user("Split the commit into two on a branch called split."),
      run("git switch -c split", 0, "Switched to a new branch 'split'"),
      commit,
      compacted
    ],
    expect: { action: "continue_task", says: ["split"] }
  },
  {
    id: "more/ops",
    why: "No repository at all, and the work goes on.",
    session: { host: "goose" },
    events: [
      user("Find out why the disk of web-3 fills up and clean it."),
      run("ssh web-3 df -h", 0, "/dev/sda1 98%"),
      run("ssh web-3 du -sh /var/log", 0, "41G /var/log"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["web-3"] }
  },
  {
    id: "more/finished-and-merged-before",
    why: "The pull request of the task before is merged; the new task has none.",
    events: [
      user("Merge PR #12."),
      run("gh pr merge 12 --squash", 0, "✓ Merged pull request #12"),
      agent("PR #12 is merged."),
      user("Now rewrite the README's install section."),
      edit("README.md"),
      compacted
    ],
    expect: { action: "continue_task", git: false, says: ["install section"], never: ["pull request #12"] }
  },
  {
    id: "more/steered-after-escape",
    why: "The user stopped it to say how; what it was to do stands.",
    events: [
      user("Fix #12 and open a pull request."),
      run("git switch -c fix-12", 0, "Switched to a new branch 'fix-12'"),
      edit("src/a.ts"),
      notice("aborted"),
      user("use vitest"),
      edit("src/a.test.ts"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["Fix #12 and open a pull request", "use vitest"] }
  },
  {
    id: "more/go-on-in-german",
    why: "A word to go on sets no other task, in whatever language.",
    events: [
      user("Stelle alle 12 Modelle auf die neue Basisklasse um."),
      edit("src/m1.py"),
      agent("Die Modelle 1 bis 4 sind umgestellt."),
      user("mach weiter"),
      edit("src/m5.py"),
      compacted
    ],
    expect: { action: "continue_task", says: ["Stelle alle 12 Modelle", "mach weiter"] }
  },
  {
    id: "more/correction",
    why: "A correction belongs to what it corrects.",
    events: [
      user("Migrate all 12 models to the new base class."),
      edit("src/m1.py"),
      agent("All 12 models are migrated."),
      user("no, you forgot model 7"),
      read("src/m7.py"),
      compacted
    ],
    expect: { action: "continue_task", says: ["Migrate all 12 models", "you forgot model 7"] }
  },
  {
    id: "more/typed-without-a-turn",
    why: "The host does not say that it was typed in the middle of the work; the record shows it.",
    events: [
      user("Build a todo app."),
      edit("src/app.ts"),
      user("Use tabs, never spaces."),
      edit("src/app.ts", "after", "later"),
      compacted
    ],
    expect: { action: "continue_task", says: ["Build a todo app", "Use tabs"] }
  },
  {
    id: "more/auto-merge",
    why: "It is merged once its checks are green: until then it is open.",
    events: [
      user("Fix the total, let it merge by itself, then write the docs."),
      commit,
      run("gh pr create --fill", 0, "https://github.com/acme/shop/pull/95"),
      run("gh pr merge 95 --auto --squash", 0, "✓ Pull request #95 will be automatically merged via squash"),
      edit("docs/total.md"),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["pull request #95"] }
  },
  {
    id: "more/merge-refused",
    why: "The merge was refused, and only the shell called it a success.",
    events: [
      user("Fix the total and merge it."),
      commit,
      run("gh pr create --fill", 0, "https://github.com/acme/shop/pull/96"),
      run(
        "gh pr merge 96 --squash || true",
        0,
        "X Pull request #96 is not mergeable: the base branch policy prohibits it."
      ),
      compacted
    ],
    expect: { action: "continue_task", git: true, says: ["pull request #96"] }
  }
]
