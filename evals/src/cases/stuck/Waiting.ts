import { agent, edit, mode, read, run, shell, tool, user, write } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const waiting: StuckExpectation = { reason: "waiting_for_user", nudge: false }

/** The user has the next word, however long it takes. */
export const waitingSessions: ReadonlyArray<StuckCase> = [
  {
    id: "waiting/which-database",
    why: "Nobody but the user knows which database it is to be.",
    silence: 600,
    events: [
      user("Add persistence to the todo app."),
      read("src/app.ts"),
      agent("Which database would you like me to use?")
    ],
    expect: waiting
  },
  {
    id: "waiting/which-database-short",
    why: "The same question, in two words.",
    silence: 7200,
    events: [user("Add persistence to the todo app."), agent("Which database?", { outputTokens: 4 })],
    expect: waiting
  },
  {
    id: "waiting/options",
    why: "Two ways are laid out and the choice is left to the user.",
    silence: 300,
    events: [
      user("The sync is flaky. Fix it."),
      read("src/sync.ts"),
      agent(
        "I found two ways to fix this:\n\n1. Retry with a back-off inside the client: small, keeps the API.\n2. A queue in front of the client: larger, survives restarts.\n\nWhich one do you prefer?"
      )
    ],
    expect: waiting
  },
  {
    id: "waiting/before-dropping-a-table",
    why: "Consent before something that cannot be undone.",
    silence: 240,
    events: [
      user("Clean up the old schema."),
      shell("psql -c '\\dt'", { output: "users_old\norders_old" }),
      agent("`users_old` still has 1.2 million rows. Dropping it cannot be undone. Should I drop it?")
    ],
    expect: waiting
  },
  {
    id: "waiting/confirm-without-a-question-mark",
    why: "A confirmation is asked for in a statement.",
    silence: 400,
    events: [
      user("Rebase the branch and push it."),
      run("git rebase origin/main", 0, "Successfully rebased and updated refs/heads/feature."),
      agent(
        "The branch has diverged from its remote. Please confirm before I force-push over the two commits of Anna's."
      )
    ],
    expect: waiting
  },
  {
    id: "waiting/question-tool",
    why: "The question is put through the host's own dialogue, which is open.",
    silence: 500,
    events: [
      user("Set up CI."),
      tool("AskUserQuestion", { questions: [{ question: "Which CI provider?" }] }, { status: "pending" })
    ],
    expect: waiting
  },
  {
    id: "waiting/plan-approval",
    why: "The plan lies before the user for approval.",
    silence: 500,
    session: { mode: "plan" },
    events: [
      user("Plan the move to Postgres."),
      read("src/db.ts"),
      tool("ExitPlanMode", { plan: "1. Add pg\n2. Port the queries" }, { status: "pending" })
    ],
    expect: waiting
  },
  {
    id: "waiting/key-of-the-users",
    why: "Without the key, which only the user has, there is no going on.",
    silence: 900,
    events: [
      user("Wire up the Stripe payments and test them against the sandbox."),
      write("src/stripe.ts"),
      agent(
        "The client is written. To test it I need your Stripe sandbox secret key. Please add it to `.env` as STRIPE_SECRET_KEY and let me know."
      )
    ],
    expect: waiting
  },
  {
    id: "waiting/german",
    why: "A question is a question in every language.",
    silence: 300,
    events: [
      user("Bau bitte eine Datenbank ein."),
      agent("Gern. Welche Datenbank soll ich verwenden, PostgreSQL oder SQLite?")
    ],
    expect: waiting
  },
  {
    id: "waiting/japanese",
    why: "A question is a question in every language.",
    silence: 300,
    events: [
      user("データベースを追加してください。"),
      agent("どのデータベースを使いますか？PostgreSQL と SQLite のどちらがよろしいでしょうか？")
    ],
    expect: waiting
  },
  {
    id: "waiting/asked-after-red-tests",
    why: "The tests are red, and what they should expect is for the user to say.",
    silence: 120,
    events: [
      user("Fix the rounding and run npm test."),
      edit("src/tax.ts"),
      run("npm test", 1, "Tests:       2 failed, 30 passed, 32 total\n"),
      agent(
        "Two tests expect half-to-even rounding while the specification says half up. Which of the two is right? I'll adapt the other one then."
      )
    ],
    expect: waiting
  },
  {
    id: "waiting/plan-mode-text",
    why: "In plan mode the plan is the answer.",
    silence: 600,
    events: [
      mode("plan"),
      user("How would you split the monolith?"),
      read("src/main.ts"),
      agent(
        "Here is the plan:\n\n1. Extract billing\n2. Extract mail\n3. Put a queue between them\n\nNext I'll extract billing."
      )
    ],
    expect: { reason: ["waiting_for_user", "complete", "working", "genuinely_stuck"], nudge: false }
  }
]
