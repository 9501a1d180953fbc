import { agent, type Case, edit, harness, notice, read, run, shell, user, write } from "../case/Case.ts"

const failingRun = (): ReturnType<typeof run> =>
  run(
    "npm test -- upload",
    1,
    "  ● uploads large files\n\n    Timeout - Async callback was not invoked within 5000 ms\n\nTests:       1 failed, 3 passed, 4 total\n"
  )

/** Loops, host errors, and states of the session in which nobody may push. */
export const stuckAndStates: ReadonlyArray<Case> = [
  {
    id: "loop/same-failing-command",
    why: "The same command failed five times with the same result and nothing was changed between the runs.",
    events: [
      user("Make the upload test pass."),
      failingRun(),
      failingRun(),
      failingRun(),
      failingRun(),
      failingRun(),
      agent("The upload test still times out.")
    ],
    expect: {
      status: ["stuck", "incomplete"],
      push: true,
      gates: { tests: "failed" },
      feedback: ["uploads large files"]
    }
  },
  {
    id: "loop/edit-and-test-is-work",
    why: "Edit, test, edit, test until it is green is how work looks; it is no loop.",
    events: [
      user("Make the upload test pass."),
      failingRun(),
      edit("src/upload.ts", "a", "b"),
      failingRun(),
      edit("src/upload.ts", "b", "c"),
      failingRun(),
      edit("src/upload.ts", "c", "d"),
      failingRun(),
      edit("src/stream.ts", "d", "e"),
      run("npm test -- upload", 0, "Tests:       4 passed, 4 total\n"),
      agent("The stream was never closed; with that fixed, the upload test passes.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" } }
  },
  {
    id: "loop/gives-up",
    why: "The agent gives up after failing in the same way; the task is not done.",
    events: [
      user("Get `npm run build` to work again."),
      run("npm run build", 1, "Error: Cannot find module 'terser'\n"),
      run("npm run build", 1, "Error: Cannot find module 'terser'\n"),
      run("npm run build", 1, "Error: Cannot find module 'terser'\n"),
      agent("I was not able to get the build to work. It keeps failing because the module `terser` cannot be found.")
    ],
    expect: { status: ["stuck", "incomplete"], push: true, gates: { build: "failed" }, feedback: ["npm run build"] }
  },
  {
    id: "host-error/api-500",
    why: "The model's service failed in the middle of the work; trying again is right.",
    events: [
      user("Stage the fixes and commit them."),
      run("git add -A", 0),
      notice("api_error", "API Error: 500 Internal server error"),
      agent("API Error: 500 Internal server error")
    ],
    expect: { status: "stuck", push: true, kind: "stuck" }
  },
  {
    id: "host-error/overloaded",
    why: "The service was overloaded before the agent could start.",
    events: [user("Add a footer to the landing page."), notice("api_error", "Overloaded")],
    expect: { status: "stuck", push: true, kind: "stuck" }
  },
  {
    id: "host-error/usage-limit",
    why: "The usage limit is reached: the agent is stuck, and pushing it before the limit resets is useless.",
    events: [
      user("Port the parser to Rust."),
      write("src/parser.rs"),
      notice("rate_limited", "usage limit reached, resets at 15:00"),
      agent("You've reached your usage limit. It resets at 15:00.")
    ],
    expect: { status: "stuck", push: false, kind: "stuck" }
  },
  {
    id: "state/aborted",
    why: "The user pressed Escape: whatever is missing, nobody may revive the agent.",
    events: [
      user("Fix the importer and run npm test."),
      edit("src/importer.ts"),
      shell("npm test", { status: "interrupted" }),
      notice("aborted")
    ],
    expect: { status: "aborted", push: false, kind: "aborted" }
  },
  {
    id: "state/aborted-before-anything",
    why: "Aborted before the agent said anything.",
    events: [user("Rewrite everything in Go."), notice("aborted", "[Request interrupted by user]")],
    expect: { status: "aborted", push: false, kind: "aborted" }
  },
  {
    id: "state/background-running",
    why: "A background shell still runs; the agent waits for it.",
    events: [
      user("Run the full end-to-end suite and tell me the result."),
      shell("npm run test:e2e", {
        background: true,
        status: "running",
        output: "Command running in background with ID: b1"
      }),
      notice("background_running", "npm run test:e2e"),
      agent("The end-to-end suite is running in the background. I'll report as soon as it has finished.")
    ],
    expect: { status: "working", push: false, kind: "working" }
  },
  {
    id: "state/input-queued",
    why: "The user has already typed the next message; it will be read next.",
    events: [
      user("Fix the filter and run the tests."),
      edit("src/filter.ts"),
      agent("The filter is fixed."),
      notice("input_queued")
    ],
    expect: { status: ["incomplete", "complete", "abstained", "working"], push: false }
  },
  {
    id: "state/permission-asked",
    why: "The host itself waits for the user's permission.",
    events: [
      user("Fix the filter and run the tests."),
      edit("src/filter.ts"),
      shell("npm test", { status: "pending" }),
      notice("permission_asked", "bash: npm test")
    ],
    expect: { status: ["waiting_for_user", "working"], push: false }
  },
  {
    id: "state/subagent",
    why: "A subagent answers to its parent; nobody else pushes it.",
    session: { parentSessionId: "parent" },
    events: [
      user("Fix the failing test in test/date.test.ts and run npm test."),
      edit("src/date.ts"),
      run("npm test", 1, "Tests:       1 failed, 2 passed, 3 total\n"),
      agent("I changed the date parsing.")
    ],
    expect: { status: ["incomplete", "abstained"], push: false, gates: { tests: "failed" } }
  },
  {
    id: "state/advisory",
    why: "The advisory profile reports and never pushes.",
    profile: "advisory",
    events: [
      user("Fix the failing test in test/date.test.ts and run npm test."),
      edit("src/date.ts"),
      run("npm test", 1, "Tests:       1 failed, 2 passed, 3 total\n"),
      agent("All tests pass.")
    ],
    expect: { status: "incomplete", push: false, gates: { tests: "failed" }, contradicted: true }
  },
  {
    id: "state/synthetic-message-is-no-task",
    why: "What a harness injects is no task: the turn is still the user's question, and it is answered.",
    events: [
      user("What does the `--frozen` flag do?"),
      harness("<system-reminder>Run npm test before you stop. Implement all open TODOs.</system-reminder>"),
      read("docs/cli.md"),
      agent("`--frozen` refuses to install when the lock file does not match package.json.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "state/compacted",
    why: "A compaction in the middle does not lose the task: the tests that were asked for are still missing.",
    events: [
      user("Rework the cache module and run the tests when you're done."),
      edit("src/cache.ts"),
      notice("compacted"),
      harness("This session is being continued from a previous conversation. Summary: the cache module is reworked."),
      edit("src/cache.ts"),
      agent("The cache module is reworked.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "state/earlier-turn-was-red",
    why: "The red run and the edits belong to an earlier turn; this turn asks a question and gets its answer.",
    events: [
      user("Fix the calendar and run npm test."),
      edit("src/calendar.ts"),
      run("npm test", 1, "Tests:       1 failed, 2 passed, 3 total\n"),
      agent("One test fails."),
      user("Leave it. What is the ISO week of the first of January 2027?"),
      agent("The first of January 2027 is a Friday and belongs to ISO week 53 of 2026.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "state/earlier-turns-edits",
    why: "The edits are of an earlier turn; committing them now needs no test that was not asked for.",
    repo: { files: { "package.json": '{ "scripts": { "test": "vitest run" } }' } },
    events: [
      user("Rename `Foo` to `Bar` in src/foo.ts."),
      edit("src/foo.ts"),
      agent("Renamed."),
      user("Now commit it."),
      run("git commit -am 'Rename Foo to Bar'", 0, "[main 4e4e4e4] Rename Foo to Bar\n"),
      agent("Committed as 4e4e4e4.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "state/no-message-yet",
    why: "A session with a prompt and nothing after it: still working, or nothing happened; never pushed as incomplete with certainty.",
    events: [user("Add a logo to the header.")],
    expect: { status: ["working", "abstained", "incomplete", "stuck"] }
  }
]
