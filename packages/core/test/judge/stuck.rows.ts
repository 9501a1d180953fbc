/** What is said of a silent agent: "so many seconds: reason | nudge | says TEXTS OF THE NUDGE". */
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, notice, run, user } from "../support/events.ts"
import { row, type Row } from "../support/sessionRows.ts"

export const rows: ReadonlyArray<Row> = [
  row(
    "a long installation",
    "90 s: working",
    user("Set up the project and start implementing the login page."),
    { ...agent("I'll install the dependencies first."), outputTokens: 12 } as TranscriptEvent,
    run("npm install", null, "", { status: "running", output: null })
  ),
  row(
    "one of two calls is out",
    "120 s: working",
    user("Find out why the importer is slow."),
    call("grep", { pattern: "import" }, { id: "g1", status: "pending", output: null }),
    run("time ./import.sh sample.csv", null, "", { id: "s1", status: "running", output: null }),
    call("grep", { pattern: "import" }, { id: "g1", output: "src/import.ts:12" })
  ),
  row(
    "a subagent works",
    "420 s: working",
    user("Review the whole payments module."),
    agent("I'll have a reviewer go through it.", null),
    call("Task", { description: "Review payments", prompt: "…" }, { status: "running", output: null })
  ),
  row(
    "the host says that something runs in the background",
    "900 s: working",
    user("Port all five services to the new logger."),
    agent("I've started one agent for each service."),
    notice("background_running", "5 in the background")
  ),
  row(
    "the host waits for a permission",
    "700 s: working",
    user("Fix the filter and run the tests."),
    edit("src/filter.ts"),
    agent("The filter is fixed; now the tests.", null),
    run("npm test", null, "", { status: "pending", output: null }),
    notice("permission_asked", "bash: npm test")
  ),
  row(
    "the host waits for the limit to reset",
    "1200 s: working",
    user("Port the parser to Rust."),
    call("write", { file_path: "src/parser.rs", content: "content\n" }),
    notice("rate_limited", "Rate limit reached, retrying in 1,800 seconds")
  ),
  row(
    "the user has typed the next message",
    "90 s: working",
    user("Fix the filter and run the tests."),
    edit("src/filter.ts"),
    agent("The filter is fixed. Next I'll run the tests."),
    notice("input_queued")
  ),
  row(
    "it thinks about a result",
    "50 s: working",
    user("Why does the parser drop the last line?"),
    call("read", { file_path: "src/parser.ts" })
  ),
  row(
    "a question that only the user can answer",
    "600 s: waiting_for_user",
    user("Add persistence to the todo app."),
    call("read", { file_path: "src/app.ts" }),
    agent("Which database would you like me to use?")
  ),
  row(
    "the host's own question is open",
    "500 s: waiting_for_user",
    user("Set up CI."),
    call("AskUserQuestion", { questions: [{ question: "Which CI provider?" }] }, { status: "pending", output: null })
  ),
  row(
    "a question in German",
    "300 s: waiting_for_user",
    user("Bau bitte eine Datenbank ein."),
    agent("Gern. Welche Datenbank soll ich verwenden, PostgreSQL oder SQLite?")
  ),
  row(
    "a key that only the user has",
    "900 s: waiting_for_user",
    user("Wire up the Stripe payments and test them against the sandbox."),
    call("write", { file_path: "src/stripe.ts", content: "content\n" }),
    agent(
      "The client is written. To test it I need your Stripe sandbox secret key. Please add it to `.env` as STRIPE_SECRET_KEY and let me know."
    )
  ),
  row(
    "the host says that the stream broke off",
    "60 s: genuinely_stuck | nudge",
    user("Refactor the auth module to use async functions."),
    call("read", { file_path: "src/auth.ts" }),
    {
      ...agent("I'll start with the `login` function. It currently uses callbacks, so I need to convert", false),
      outputTokens: 150
    } as TranscriptEvent
  ),
  row("no word at all", "600 s: genuinely_stuck | nudge", user("Add a dark mode toggle to the settings page.")),
  row(
    "an answer began and has no token",
    "90 s: genuinely_stuck | nudge",
    user("Add a dark mode toggle to the settings page."),
    { ...agent("", false), outputTokens: 0 } as TranscriptEvent
  ),
  row(
    "an empty answer",
    "120 s: genuinely_stuck | nudge",
    user("Add a dark mode toggle to the settings page."),
    call("read", { file_path: "src/Settings.tsx" }),
    { ...agent(""), outputTokens: 0 } as TranscriptEvent
  ),
  row(
    "nobody tries again any more",
    "3600 s: genuinely_stuck | nudge",
    user("Stage the fixes and commit them."),
    run("git add -A", 0),
    agent("API Error: 500 Internal server error")
  ),
  row(
    "the same failure four times",
    "60 s: genuinely_stuck | nudge | says npm run build",
    user("Get `npm run build` to work again."),
    run("npm run build", 1, "Error: Cannot find module 'terser'"),
    run("npm run build", 1, "Error: Cannot find module 'terser'"),
    run("npm run build", 1, "Error: Cannot find module 'terser'"),
    run("npm run build", 1, "Error: Cannot find module 'terser'"),
    agent("The build still fails because `terser` cannot be found.")
  ),
  row(
    "never went on after a compaction",
    "900 s: genuinely_stuck | nudge",
    user("Port the templates to JSX."),
    edit("src/a.jsx"),
    edit("src/b.jsx"),
    notice("compacted", "auto"),
    user("This session is being continued from a previous conversation that ran out of context.", { synthetic: true })
  ),
  row(
    "nine files read and a plan",
    "60 s: genuinely_stuck",
    user("Add rate limiting to the public API."),
    call("read", { file_path: "src/server.ts" }, { output: "// server" }),
    call("read", { file_path: "src/router.ts" }, { output: "// router" }),
    call("read", { file_path: "src/auth.ts" }, { output: "// auth" }),
    call("read", { file_path: "src/limits.ts" }, { output: "// limits" }),
    call("read", { file_path: "src/config.ts" }, { output: "// config" }),
    call("read", { file_path: "src/redis.ts" }, { output: "// redis" }),
    call("read", { file_path: "src/errors.ts" }, { output: "// errors" }),
    call("read", { file_path: "src/types.ts" }, { output: "// types" }),
    call("read", { file_path: "src/index.ts" }, { output: "// index" }),
    agent(
      "Here is my plan:\n\n1. Add a token bucket in `src/limits.ts`\n2. Hook it into the router\n3. Return 429 with a Retry-After header"
    )
  ),
  row(
    "ordered, done and proved",
    "3600 s: complete",
    user("Fix the rounding in src/tax.ts and run npm test."),
    edit("src/tax.ts"),
    run("npm test", 0, "Tests: 32 passed, 32 total"),
    agent("The rounding is fixed, and all 32 tests pass.")
  ),
  row(
    "next steps of the user's",
    "300 s: complete",
    user("Add Stripe checkout to the shop and run the tests."),
    call("write", { file_path: "src/checkout.ts", content: "content\n" }),
    run("npm test", 0, "Tests: 32 passed, 32 total"),
    agent(
      "Checkout is implemented and all 32 tests pass.\n\nNext steps for you:\n1. Set STRIPE_SECRET_KEY in production\n2. Register the webhook in the Stripe dashboard\n3. Deploy"
    )
  ),
  row(
    "the user pressed Escape",
    "600 s: waiting_for_user",
    user("Refactor the auth module."),
    { ...agent("I'll start with the `login` function, which", false), outputTokens: 20 } as TranscriptEvent,
    notice("aborted", "[Request interrupted by user]")
  ),
  {
    ...row(
      "a subagent answers to its parent",
      "600 s: complete",
      user("Fix the date parser and add tests."),
      edit("src/date.ts"),
      agent("Fixed. Now I'll write the tests.")
    ),
    session: { parentSessionId: "parent" }
  },
  row(
    "three reminders are the most",
    "600 s: genuinely_stuck",
    user("Fix the date parser and run npm test."),
    call("edit", { file_path: "src/date.ts", old_string: "a", new_string: "b" }),
    user("[reflexion 1/3] The task is not done yet.\n\n- tests: not run\n\nNext:\n1. Run npm test.", {
      synthetic: true
    }),
    call("edit", { file_path: "src/date.ts", old_string: "b", new_string: "c" }),
    user("[reflexion 2/3] The task is still not done.\n\n- tests: not run\n\nNext:\n1. Run npm test.", {
      synthetic: true
    }),
    call("edit", { file_path: "src/date.ts", old_string: "c", new_string: "d" }),
    user("[reflexion 3/3] Last reminder: the task is still not done.\n\n- tests: not run\n\nNext:\n1. Run npm test.", {
      synthetic: true
    }),
    call("edit", { file_path: "src/date.ts", old_string: "d", new_string: "e" }),
    agent("Now I'll run the tests.")
  ),
  row("under thirty seconds", "29 s: working", user("Fix the cache."), call("read", { file_path: "src/cache.ts" }), {
    ...agent("I've found the cause. The cache key does not include the tenant, so I will change", false),
    outputTokens: 44
  } as TranscriptEvent),
  row(
    "over thirty seconds",
    "31 s: genuinely_stuck | nudge",
    user("Fix the cache."),
    call("read", { file_path: "src/cache.ts" }),
    {
      ...agent("I've found the cause. The cache key does not include the tenant, so I will change", false),
      outputTokens: 44
    } as TranscriptEvent
  ),
  row(
    "only words since the reminder",
    "60 s: genuinely_stuck",
    user("Fix the date parser and run npm test."),
    call("edit", { file_path: "src/date.ts", old_string: "a", new_string: "b" }),
    agent("Fixed."),
    user("[reflexion 1/3] The task is not done yet.\n\n- tests: not run\n\nNext:\n1. Run npm test.", {
      synthetic: true
    }),
    agent("You are right. Now I'll run the tests.")
  ),
  row(
    "the user said stop",
    "400 s: waiting_for_user",
    user("Add a search box to the catalogue and cover it with tests."),
    edit("src/search.ts"),
    agent("The index is there."),
    user("Stop!")
  ),
  row(
    "it watches what moves by itself",
    "60 s: working",
    user("Submit the simulation and wait for it, then plot the result."),
    run("./begin.sh", 0, "started"),
    run("bjobs -noheader", 0, "812 RUN normal"),
    run("bjobs -noheader", 0, "812 RUN normal"),
    run("bjobs -noheader", 0, "812 RUN normal"),
    run("bjobs -noheader", 0, "812 RUN normal"),
    run("bjobs -noheader", 0, "812 RUN normal"),
    run("bjobs -noheader", 0, "812 RUN normal"),
    run("bjobs -noheader", 0, "812 RUN normal")
  )
]
