import { agent, edit, read, run, tool, user, write } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const stuck: StuckExpectation = { reason: "genuinely_stuck", nudge: true }
const quiet: StuckExpectation = { reason: ["complete", "working", "waiting_for_user"], nudge: false }

const fixed = [user("Fix the date parser and cover it with tests."), edit("src/date.ts")]

/** Steps that are announced in passing, failures that nobody mentions, plans by other names, and what only sounds like them. */
export const wordings: ReadonlyArray<StuckCase> = [
  ...[
    "The parser is fixed, and now I'll write the tests.",
    "That was the time zone. The fix is in place, so next I will add the tests for it.",
    "Good, the parser handles leap days; now let me cover them with tests.",
    "The parser works, but I still need to write the tests"
  ].map((text, index): StuckCase => ({
    id: `wording/in-passing/${index + 1}`,
    why: "The second half of the order is announced in the second half of a sentence.",
    events: [...fixed, agent(text, { completed: null })],
    expect: stuck
  })),
  ...[
    "The parser is fixed and covered by tests, and I'll leave the old helper in place.",
    "Fixed and tested. Once you have released it, I'll remove the old helper.",
    "The parser is fixed and has tests; if another format turns up, I'll add it.",
    "The parser and its tests are done, and let me know if you need anything else."
  ].map((text, index): StuckCase => ({
    id: `wording/only-sounds-so/${index + 1}`,
    why: "Nothing is announced that is still to be done now.",
    events: [...fixed, write("test/date.test.ts"), run("npm test", 0, "Tests:       9 passed, 9 total\n"), agent(text)],
    expect: quiet
  })),
  {
    id: "wording/install-failed-unsaid",
    why: "The install failed, and the text speaks as if it had not.",
    events: [
      user("Add zod to the project and validate the form with it."),
      edit("src/form.ts"),
      run("npm install zod", 1, "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE could not resolve"),
      agent("The form is validated with zod now.")
    ],
    expect: { ...stuck, says: ["npm install zod"] }
  },
  {
    id: "wording/install-failed-said",
    why: "The failure is said, with its reason, and the question is open.",
    events: [
      user("Add zod to the project and validate the form with it."),
      edit("src/form.ts"),
      run("npm install zod", 1, "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE could not resolve"),
      agent(
        "`npm install zod` fails with ERESOLVE: react-hook-form 6 wants zod 2. Should I upgrade react-hook-form, or use zod 2?"
      )
    ],
    expect: { reason: "waiting_for_user", nudge: false }
  },
  {
    id: "wording/edit-failed-unsaid",
    why: "The last edit did not apply, and the text says that it did.",
    session: { host: "opencode" },
    events: [
      user("Rename `fetchAll` to `list` in the API client."),
      read("src/api.ts"),
      tool(
        "edit",
        { filePath: "src/api.ts", oldString: "fetchAll", newString: "list" },
        { status: "error", output: "oldString not found in content" }
      ),
      agent("I renamed `fetchAll` to `list` in the API client.")
    ],
    expect: stuck
  },
  {
    id: "wording/grep-failed",
    why: "A search without a hit is no failure.",
    events: [
      user("Remove the last uses of `legacyFetch`."),
      edit("src/a.ts"),
      run("grep -rn legacyFetch src", 1),
      agent("The last use of `legacyFetch` is gone.")
    ],
    expect: quiet
  },
  {
    id: "wording/nothing-to-commit",
    why: "There was nothing to commit; that is no failure.",
    events: [
      user("Commit whatever is left."),
      run("git add -A && git commit -m 'Rest'", 1, "On branch main\nnothing to commit, working tree clean\n"),
      agent("The working tree is clean; everything is committed.")
    ],
    expect: quiet
  },
  ...[
    "I'll do the following:",
    "To add the limit, I will:",
    "Here's what I'm going to do:",
    "Implementation plan:"
  ].map((head, index): StuckCase => ({
    id: `wording/plan/${index + 1}`,
    why: "A change was ordered; a plan by any name is none.",
    events: [
      user("Add rate limiting to the public API."),
      read("src/router.ts"),
      agent(`${head}\n\n1. Add a token bucket in \`src/limits.ts\`\n2. Hook it into the router\n3. Answer with 429`)
    ],
    expect: stuck
  })),
  {
    id: "wording/what-was-done",
    why: "The list says what was done, not what will be.",
    events: [
      user("Add rate limiting to the public API."),
      write("src/limits.ts"),
      edit("src/router.ts"),
      agent(
        "Here's what I did:\n\n1. Added a token bucket in `src/limits.ts`\n2. Hooked it into the router\n3. Answer with 429"
      )
    ],
    expect: quiet
  }
]
