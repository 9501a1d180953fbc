import { agent, type Case, edit, run, shell, tool, user } from "../case/Case.ts"

const api = { name: "api-tests", command: "pnpm --filter api test*", paths: ["packages/api/**"], required: true }
const web = { name: "web-tests", command: "pnpm --filter web test*", paths: ["packages/web/**"], required: true }

const shop = {
  files: { "package.json": '{ "scripts": { "test": "vitest run", "verify": "tsc --noEmit && vitest run" } }' }
}

/** Projects with scripts and gates of their own, wrapped commands, and the names that hosts give their tools. */
export const projects: ReadonlyArray<Case> = [
  {
    id: "declared/covered-and-missing",
    why: "The project declares that edits of packages/api need their tests; they did not run.",
    gates: [api, web],
    events: [
      user("Add a cursor to the list endpoint."),
      edit("packages/api/src/list.ts"),
      agent("The endpoint takes a cursor.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      gates: { "api-tests": "missing" },
      feedback: ["pnpm --filter api test"]
    }
  },
  {
    id: "declared/covered-and-run",
    why: "The declared gate of the edited package ran and passed; the other package is untouched.",
    gates: [api, web],
    events: [
      user("Add a cursor to the list endpoint."),
      edit("packages/api/src/list.ts"),
      run("pnpm --filter api test", 0, " Tests  12 passed (12)\n"),
      agent("The endpoint takes a cursor; the API's 12 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { "api-tests": "passed" } }
  },
  {
    id: "declared/not-covered",
    why: "Neither declared gate covers the documentation.",
    gates: [api, web],
    events: [
      user("Explain cursors in docs/paging.md."),
      edit("docs/paging.md"),
      agent("`docs/paging.md` explains cursors.")
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "declared/wrong-package-run",
    why: "The web tests passed; the edited package is the API.",
    gates: [api, web],
    events: [
      user("Add a cursor to the list endpoint."),
      edit("packages/api/src/list.ts"),
      run("pnpm --filter web test", 0, " Tests  40 passed (40)\n"),
      agent("The endpoint takes a cursor; tests pass.")
    ],
    expect: { status: "incomplete", push: true, gates: { "api-tests": "missing" } }
  },
  {
    id: "script/verify-runs-the-tests",
    why: "The package's own `verify` script ends with the test run, so it ran the tests.",
    repo: shop,
    events: [
      user("Sort the price list and run the tests."),
      edit("src/prices.ts"),
      run("npm run verify", 0, "> tsc --noEmit && vitest run\n\n Tests  9 passed (9)\n"),
      agent("The price list is sorted; all 9 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" }, contradicted: false }
  },
  {
    id: "wrapped/cd-env-timeout",
    why: "A directory change, an environment variable and a time limit around the runner change nothing: it failed.",
    events: [
      user("Fix the tokenizer and run the tests."),
      edit("lib/tokens.py"),
      run(
        "cd lib && PYTHONPATH=. timeout 60 pytest -x",
        1,
        "FAILED test_tokens.py::test_eof - IndexError\n1 failed, 2 passed in 0.10s\n"
      ),
      agent("The tokenizer is rewritten.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["test_eof"] }
  },
  {
    id: "wrapped/docker-compose",
    why: "The tests ran inside a container and passed.",
    events: [
      user("Fix the slug generator and run the tests in the container."),
      edit("app/slug.py"),
      run(
        "docker compose run --rm web pytest",
        0,
        "============================== 6 passed in 0.22s ==============================\n"
      ),
      agent("The slugs are right now; all 6 tests pass in the container.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" } }
  },
  {
    id: "wrapped/bash-lc",
    why: "`bash -lc` with the test command inside is a test run.",
    events: [
      user("Fix the slug generator and run the tests."),
      edit("src/slug.rs"),
      shell("bash -lc 'cargo test --quiet'", {
        exitCode: 0,
        output: "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
      }),
      agent("The slugs are right now and the 4 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" } }
  },
  {
    id: "tools/claude-code",
    why: "Claude Code's own tool names mean the same: edited, tested, red.",
    session: { host: "claude-code" },
    events: [
      user("Fix the price rounding and run npm test."),
      tool("Edit", { file_path: "/repo/src/price.ts", old_string: "a", new_string: "b" }, { output: "updated" }),
      tool(
        "Bash",
        { command: "npm test", description: "Run the tests" },
        { status: "error", exitCode: 1, output: "  ● rounds to cents\n\nTests:       1 failed, 2 passed, 3 total\n" }
      ),
      agent("Prices are rounded to cents.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["rounds to cents"] }
  },
  {
    id: "tools/codex",
    why: "Codex passes its command as a list of words.",
    session: { host: "codex" },
    events: [
      user("Fix the price rounding and run npm test."),
      tool(
        "apply_patch",
        { input: "*** Begin Patch\n*** Update File: src/price.ts\n@@\n-a\n+b\n*** End Patch\n" },
        { output: "Success. Updated the following files:\nM src/price.ts\n" }
      ),
      tool(
        "shell",
        { command: ["bash", "-lc", "npm test"] },
        { exitCode: 0, output: "Tests:       3 passed, 3 total\n" }
      ),
      agent("Prices are rounded to cents; 3 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" } }
  },
  {
    id: "tools/background-run-proves-nothing",
    why: "The run was started in the background and its end never reported.",
    events: [
      user("Fix the price rounding and run npm test."),
      edit("src/price.ts"),
      shell("npm test", { background: true, status: "running", output: "started in the background" }),
      agent("Prices are rounded to cents and all tests pass.")
    ],
    expect: { status: ["incomplete", "working", "abstained"], gates: { tests: ["missing", "unknown"] } }
  },
  {
    id: "elixir/passed",
    why: "ExUnit's summary and exit code say passed.",
    events: [
      user("Fix the changeset validation and run mix test."),
      edit("lib/shop/order.ex"),
      run("mix test", 0, "....\n\nFinished in 0.05 seconds\n4 tests, 0 failures\n"),
      agent("The validation is fixed and all 4 tests pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" }, contradicted: false }
  },
  {
    id: "swift/failed",
    why: "`swift test` fails by name.",
    events: [
      user("Make Money Codable and run swift test."),
      edit("Sources/Shop/Money.swift"),
      run(
        "swift test",
        1,
        "Test Case 'ShopTests.MoneyTests.testDecodesCents' failed (0.001 seconds)\nExecuted 5 tests, with 1 failure (0 unexpected) in 0.01 seconds\n"
      ),
      agent("`Money` is `Codable`.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      gates: { tests: "failed" },
      feedback: ["swift test", "testDecodesCents"]
    }
  },
  {
    id: "php/failed",
    why: "PHPUnit's failure is left.",
    events: [
      user("Fix the VAT calculation and run the unit tests."),
      edit("src/Vat.php"),
      run(
        "vendor/bin/phpunit",
        1,
        "There was 1 failure:\n\n1) VatTest::testReducedRate\nFailed asserting that 7.0 matches expected 19.0.\n\nFAILURES!\nTests: 6, Assertions: 9, Failures: 1.\n"
      ),
      agent("I corrected the rate table.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["phpunit", "testReducedRate"] }
  },
  {
    id: "make/failed",
    why: "`make test` failed.",
    events: [
      user("Fix the buffer overflow in parse.c and run make test."),
      edit("parse.c"),
      run("make test", 2, "./run_tests\n[  FAILED  ] parse_long_line\nmake: *** [test] Error 1\n"),
      agent("The buffer is bounded now.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["make test"] }
  }
]
