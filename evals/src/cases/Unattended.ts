import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { agent, type Case, edit, type Expectation, harness, read, type Repo, run, user } from "../case/Case.ts"

interface Pair {
  readonly id: string
  readonly why: string
  readonly repo?: Repo
  readonly events: ReadonlyArray<TranscriptEvent>
  /** What is said with nobody there. */
  readonly away: Expectation
  /** And of the same session with a person in it. */
  readonly here: Expectation
}

const project: Repo = {
  files: { "package.json": JSON.stringify({ scripts: { test: "vitest run" } }), "src/total.ts": "", "src/csv.ts": "" }
}

const asked = ["Nobody is there", "assumed"]
const decides: Expectation = { status: "incomplete", push: true, feedback: asked }
const needed: Expectation = { status: "needs_human", push: false, human: true }
const waits: Expectation = { status: "waiting_for_user", push: false }

const pairs: ReadonlyArray<Pair> = [
  {
    id: "rounding",
    why: "Either way of rounding does; the agent can take one and say which.",
    events: [
      user("Add a function that rounds the invoice total."),
      read("src/total.ts"),
      agent("The total is a float with many digits. Should I round half up or half even?")
    ],
    away: decides,
    here: waits
  },
  {
    id: "listed-options",
    why: "The agent lists what it could do and recommends one: that is the obvious default.",
    events: [
      user("Add caching to the product lookup."),
      read("src/lookup.ts"),
      agent(
        "There are two ways:\n\n1. An in-memory map\n2. Redis\n\nI'd recommend the map, as there is one process. Which one do you want?"
      )
    ],
    away: decides,
    here: waits
  },
  {
    id: "yes-or-no",
    why: "Whether the column has a heading is the agent's to decide within the export that was ordered, before it is written.",
    events: [
      user("Export the orders as CSV."),
      read("src/orders.ts"),
      agent("An order has four fields, so the export is small. Do you want the first line to have the column names?")
    ],
    away: decides,
    here: waits
  },
  {
    id: "leave-for-the-order",
    why: "The change was ordered; the agent lays it out and asks leave for it.",
    events: [
      user("Replace moment with date-fns in the report module."),
      read("src/report.ts"),
      agent("Three calls of moment have to be replaced. Shall I?")
    ],
    away: decides,
    here: waits
  },
  {
    id: "waits-for-a-word",
    why: "Without a question mark the agent waits for a choice all the same.",
    events: [
      user("Rename the settings page to preferences."),
      read("src/settings.tsx"),
      agent("The route could be `/preferences` or `/account/preferences`. Let me know which one you prefer.")
    ],
    away: decides,
    here: waits
  },
  {
    id: "rest-of-the-order",
    why: "Four files were ordered, two are done, and leave is asked for the others.",
    events: [
      user("Migrate all four test files in test/ from Mocha to Vitest."),
      edit("test/a.test.ts"),
      edit("test/b.test.ts"),
      agent("`a.test.ts` and `b.test.ts` are migrated. Do you want me to continue with the remaining two files?")
    ],
    away: decides,
    here: waits
  },
  {
    id: "same-question-again",
    why: "It was told that nobody is there, worked on, and asks the very same: it cannot go on without an answer.",
    events: [
      user("Add a function that rounds the invoice total."),
      read("src/total.ts"),
      agent("Should I round half up or half even?"),
      harness(
        '[reflexion 1/3] The task is not done yet.\n\n- You leave it to the user: "Should I round half up or half even?"'
      ),
      edit("src/total.ts"),
      agent("I prepared the module. Should I round half up or half even?")
    ],
    away: needed,
    here: waits
  },
  {
    id: "credentials",
    why: "A key of the user's is nothing that the agent could decide.",
    events: [
      user("Set up the payment provider in the checkout."),
      edit("src/checkout.ts"),
      agent("The client is in place. What is the API key of your Stripe account?")
    ],
    away: needed,
    here: waits
  },
  {
    id: "spending",
    why: "Money is spent by nobody but its owner.",
    events: [
      user("Make the nightly import finish in time."),
      read("import.log"),
      agent("The database is at the limit of its tier. Should I upgrade the plan for $40 a month?")
    ],
    away: needed,
    here: waits
  },
  {
    id: "cannot-be-undone",
    why: "What is gone is gone; consent to it is a person's.",
    events: [
      user("Clean up the staging database."),
      run("psql -c '\\dt'", 0, "orders_old\n"),
      agent("Nothing reads `orders_old` any more. Shall I drop the table?")
    ],
    away: needed,
    here: waits
  },
  {
    id: "ask-me-before",
    why: "The user has ordered to be asked.",
    events: [
      user("Tidy up the scripts folder, and ask me before each change."),
      read("scripts/old.sh"),
      agent("`old.sh` is called by nothing. Should I move it to attic or leave it?")
    ],
    away: needed,
    here: waits
  },
  {
    id: "only-a-plan-was-asked-for",
    why: "The user wants to discuss it; what the agent asks then is theirs.",
    events: [
      user("Propose how we could split the monolith. Don't change anything yet."),
      read("src/app.ts"),
      agent("We could split it by domain or by layer. Which of the two do you prefer?")
    ],
    away: waits,
    here: waits
  },
  {
    id: "an-extra",
    why: "What was ordered is done and proved; an extra is nothing that is missing.",
    events: [
      user("Fix the total and run the tests."),
      edit("src/total.ts"),
      run("npm test", 0, " Tests  4 passed (4)\n"),
      agent("Fixed, and all 4 tests pass. Would you like me to add a changelog entry as well?")
    ],
    away: { status: "complete", push: false },
    here: { status: "complete", push: false }
  },
  {
    id: "nothing-run",
    why: "Code was changed, the project has tests, and nobody ran them: nobody else will.",
    repo: project,
    events: [
      user("Fix the rounding in src/total.ts."),
      edit("src/total.ts"),
      agent("Fixed the rounding in `src/total.ts`.")
    ],
    away: { status: "incomplete", push: true, feedback: ["npm test"] },
    here: { status: "complete", push: false }
  },
  {
    id: "tests-were-run",
    why: "The same change, tried.",
    repo: project,
    events: [
      user("Fix the rounding in src/total.ts."),
      edit("src/total.ts"),
      run("npm test", 0, " Tests  4 passed (4)\n"),
      agent("Fixed the rounding in `src/total.ts`; the tests pass.")
    ],
    away: { status: "complete", push: false },
    here: { status: "complete", push: false }
  },
  {
    id: "tests-were-forbidden",
    why: "The user runs them themselves.",
    repo: project,
    events: [
      user("Fix the rounding in src/total.ts. Don't run the tests, I'll run them myself."),
      edit("src/total.ts"),
      agent("Fixed the rounding in `src/total.ts`.")
    ],
    away: { status: "complete", push: false },
    here: { status: "complete", push: false }
  }
]

/** The same sessions with nobody there and with somebody. */
export const unattended: ReadonlyArray<Case> = pairs.flatMap(({ away, here, id, ...rest }) => [
  { ...rest, id: `unattended/${id}`, session: { attended: false }, expect: away },
  { ...rest, id: `unattended/${id}-attended`, session: { attended: true }, expect: here }
])
