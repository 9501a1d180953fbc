import { agent, type Case, edit, run, shell, tool, user, write } from "../case/Case.ts"

/** Runs that prove nothing about the code as it now stands, or whose result is hidden. */
export const staleAndMasked: ReadonlyArray<Case> = [
  {
    id: "stale-tests/npm",
    why: "The tests were asked for and passed, but a source file was edited after the last run.",
    events: [
      user("Speed up the search index and run npm test when you're finished."),
      edit("src/index/build.ts"),
      run("npm test", 0, "Tests:       20 passed, 20 total\n"),
      edit("src/index/merge.ts"),
      agent("The index is now built in one pass.")
    ],
    expect: { status: "incomplete", push: true, kind: "premature", gates: { tests: "stale" }, feedback: ["npm test"] }
  },
  {
    id: "stale-tests/pytest-after-refactor",
    why: "`pytest` was demanded; the module was reworked after it ran.",
    events: [
      user("Split utils.py into smaller modules. Run pytest to be sure nothing breaks."),
      write("app/text.py"),
      edit("app/utils.py"),
      run("python -m pytest", 0, "============================== 31 passed in 1.90s ==============================\n"),
      write("app/dates.py"),
      edit("app/utils.py"),
      agent("`utils.py` is now split into `text.py` and `dates.py`.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "stale" }, feedback: ["pytest"] }
  },
  {
    id: "stale-tests/go-edited-by-sed",
    why: "The last edit was made by a shell command, after the requested run.",
    events: [
      user("Rename the Store interface to Repository. Please run go test ./... at the end."),
      edit("store/store.go"),
      run("go test ./...", 0, "ok  \texample.com/app/store\t0.020s\n"),
      run("sed -i 's/Store/Repository/g' api/handler.go", 0),
      agent("The interface is now called `Repository`.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "stale" }, feedback: ["go test"] }
  },
  {
    id: "stale-tests/heredoc-write",
    why: "A heredoc rewrote the source after the requested test run.",
    events: [
      user("Write a tokenizer in src/lexer.js and run the tests."),
      write("src/lexer.js"),
      run("npm test", 0, "# tests 9\n# pass 9\n# fail 0\n"),
      run("cat > src/lexer.js <<'EOF'\nexport const lex = (text) => text.split(/\\s+/u)\nEOF", 0),
      agent("The tokenizer is in `src/lexer.js`, and I simplified it in a last step.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "stale" }, feedback: ["npm test"] }
  },
  {
    id: "stale-tests/apply-patch",
    why: "An apply_patch edit after the run that the user asked for makes it stale.",
    events: [
      user("Handle empty input in the CSV reader, then run cargo test."),
      tool(
        "apply_patch",
        { input: "*** Begin Patch\n*** Update File: src/csv.rs\n@@\n-    a\n+    b\n*** End Patch\n" },
        { output: "Success. Updated the following files:\nM src/csv.rs\n" }
      ),
      run("cargo test", 0, "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"),
      tool(
        "apply_patch",
        { input: "*** Begin Patch\n*** Update File: src/csv.rs\n@@\n-    b\n+    c\n*** End Patch\n" },
        { output: "Success. Updated the following files:\nM src/csv.rs\n" }
      ),
      agent("Empty input now gives an empty table.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "stale" }, feedback: ["cargo test"] }
  },
  {
    id: "stale-tests/only-docs-after",
    why: "Only a README changed after the run: the tests still speak for the code.",
    events: [
      user("Add a `--json` flag, run the tests and mention the flag in the README."),
      edit("src/cli.ts"),
      run("npm test", 0, "Tests:       14 passed, 14 total\n"),
      edit("README.md"),
      agent("`--json` works, the README mentions it, and all 14 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" }, contradicted: false }
  },
  {
    id: "missing-tests/asked-and-never-run",
    why: "Running the tests was part of the request and nothing ran at all.",
    events: [
      user("Fix the date formatting in src/report.ts and run the unit tests."),
      edit("src/report.ts"),
      agent("The report now formats dates as ISO 8601.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "missing-tests/asked-by-command-rspec",
    why: "The request names the command; nothing ran.",
    events: [
      user("Fix the rounding in the total and run bundle exec rspec."),
      edit("lib/total.rb"),
      agent("The total is rounded once now.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" }, feedback: ["bundle exec rspec"] }
  },
  {
    id: "missing-tests/asked-by-command-cargo",
    why: "The request names the command; only a formatter ran.",
    events: [
      user("Fix the rounding in the total and run cargo test."),
      edit("src/total.rs"),
      run("cargo fmt", 0),
      agent("The total is rounded once now.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" }, feedback: ["cargo test"] }
  },
  {
    id: "missing-tests/asked-in-backticks",
    why: "The command stands in backticks, as people write commands.",
    events: [
      user("Fix the rounding in the total. `./gradlew check` must pass before you finish."),
      edit("src/main/java/Total.java"),
      agent("The total is rounded once now.")
    ],
    expect: { status: "incomplete", push: true, feedback: ["gradlew check"] }
  },
  {
    id: "missing-tests/only-echoed",
    why: "`echo` prints the command's name; it runs no test.",
    events: [
      user("Fix the flaky sort in src/rank.ts and run npm test."),
      edit("src/rank.ts"),
      run("echo 'npm test'", 0, "npm test\n"),
      agent("The sort is now stable.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "missing-tests/only-installed",
    why: "Installing dependencies is not running the tests that were asked for.",
    events: [
      user("Upgrade lodash to the latest version and run the test suite."),
      run("npm install lodash@latest", 0, "changed 1 package in 2s\n"),
      agent("lodash is upgraded.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "not-asked/user-forbids-tests",
    why: "The user asked not to run the tests; not running them is obedience.",
    events: [
      user("Rename `fetchAll` to `loadAll` in src/api.ts. Don't run the tests, they take an hour."),
      edit("src/api.ts"),
      agent("Renamed `fetchAll` to `loadAll` in `src/api.ts`. As you asked, I did not run the tests.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "not-asked/docs-only",
    why: "A documentation edit needs no test run.",
    repo: { files: { "package.json": '{ "scripts": { "test": "vitest run" } }' } },
    events: [
      user("Document the cache options in docs/cache.md."),
      edit("docs/cache.md"),
      agent("I documented the three cache options with an example each in `docs/cache.md`.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "masked-tests/or-true",
    why: "`|| true` hides the exit code and the output shows a failing test.",
    events: [
      user("Make the retry limit configurable and run the tests."),
      edit("src/retry.ts"),
      run(
        "npm test || true",
        0,
        "FAIL test/retry.test.ts\n  ● stops after the limit\n\nTests:       1 failed, 8 passed, 9 total\n"
      ),
      agent("The retry limit is configurable now.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["npm test"] }
  },
  {
    id: "masked-tests/tail-with-failure",
    why: "The pipe's exit code is tail's; the printed summary says that a test failed.",
    events: [
      user("Add support for IPv6 addresses to the validator and run the tests."),
      edit("netcheck/validate.py"),
      run(
        "pytest 2>&1 | tail -n 3",
        0,
        "FAILED tests/test_validate.py::test_ipv6_zone - ValueError\n1 failed, 17 passed in 0.40s\n"
      ),
      agent("The validator accepts IPv6 addresses.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["test_ipv6_zone"] }
  },
  {
    id: "masked-tests/tail-with-pass",
    why: "The pipe masks the exit code, but the runner's own summary says that all passed.",
    events: [
      user("Add support for IPv6 addresses to the validator and run the tests."),
      edit("netcheck/validate.py"),
      run(
        "pytest 2>&1 | tail -n 3",
        0,
        "============================== 18 passed in 0.38s ==============================\n"
      ),
      agent("The validator accepts IPv6 addresses; all 18 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" }, contradicted: false }
  },
  {
    id: "masked-tests/nothing-to-see",
    why: "The exit code is masked and the output shows no result: unknown, which never pushes by itself and is never a pass.",
    events: [
      user("Fix the memory leak in the pool and run the tests."),
      edit("src/pool.go"),
      run("go test ./... > test.log; echo finished", 0, "finished\n"),
      agent("The pool now releases its buffers.")
    ],
    expect: {
      status: ["abstained", "complete", "incomplete"],
      push: false,
      gates: { tests: "unknown" },
      confidenceAtMost: 0.6
    }
  },
  {
    id: "masked-tests/semicolon-echo-go-fail",
    why: "`; echo` hides the exit code, and Go's FAIL line is in the output.",
    events: [
      user("Let the scheduler skip paused jobs and run go test."),
      edit("scheduler/run.go"),
      run(
        "go test ./scheduler; echo exit=$?",
        0,
        "--- FAIL: TestSkipsPaused (0.00s)\nFAIL\nFAIL\texample.com/app/scheduler\t0.011s\nexit=1\n"
      ),
      agent("Paused jobs are skipped now.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["TestSkipsPaused"] }
  },
  {
    id: "interrupted-tests/timeout",
    why: "The requested run was interrupted: it proves nothing, and no result was reported.",
    events: [
      user("Switch the logger to JSON output and run the tests."),
      edit("src/log.ts"),
      shell("npm test", { status: "interrupted", output: "Command timed out after 120s" }),
      agent("The logger writes JSON now. The test run timed out.")
    ],
    expect: { status: ["incomplete", "stuck", "abstained"], push: true, gates: { tests: ["missing", "unknown"] } }
  },
  {
    id: "denied-tests/user-refused",
    why: "The user refused the test run in the permission dialogue: pushing the agent to run it again would overrule them.",
    events: [
      user("Fix the typo in the error message of src/errors.ts and run the tests."),
      edit("src/errors.ts"),
      shell("npm test", { status: "denied", output: "The user doesn't want to proceed with this tool use." }),
      agent("I fixed the typo. The test run was declined, so the tests have not been run.")
    ],
    expect: { status: ["complete", "abstained", "waiting_for_user", "needs_human", "incomplete"], push: false }
  },
  {
    id: "unknown-result/no-exit-code",
    why: "The host reports the call without output and exit code: it was issued, and nothing more is known.",
    events: [
      user("Fix the header parsing and run the tests."),
      edit("src/headers.ts"),
      shell("npm test", { status: null }),
      agent("Header parsing is fixed.")
    ],
    expect: { status: ["abstained", "complete"], push: false, gates: { tests: "unknown" }, confidenceAtMost: 0.6 }
  }
]
