import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as RunnerOutput from "../../src/session/output/RunnerOutput.ts"
import { nodeTests } from "../support/nodeTests.ts"

type Kind = RunnerOutput.RunHint["kind"]
type Expected = readonly [
  outcome: RunnerOutput.RunSummary["outcome"],
  passed?: number | null,
  failed?: number | null,
  skipped?: number | null,
  failing?: string
]

const lines = (...parts: ReadonlyArray<string>): string => parts.join("\n")
const rule = "=".repeat(30)
const esc = String.fromCharCode(27)

type Row = readonly [title: string, runner: string, output: string, expected: Expected]

const tests: ReadonlyArray<Row> = [
  [
    "jest, all passed",
    "jest",
    lines(
      "PASS src/cart.test.ts",
      "",
      "Test Suites: 1 passed, 1 total",
      "Tests:       3 passed, 3 total",
      "Time:        0.4 s"
    ),
    ["passed", 3, 0]
  ],
  [
    "jest, one failed",
    "jest",
    lines(
      "FAIL src/cart.test.ts",
      "  ● cart › empties",
      "",
      "    expect(received).toBe(expected)",
      "",
      "      at Object.<anonymous> (src/cart.test.ts:12:5)",
      "",
      "Test Suites: 1 failed, 1 total",
      "Tests:       1 failed, 2 skipped, 3 passed, 6 total"
    ),
    ["failed", 3, 1, 2, "cart › empties@src/cart.test.ts:12"]
  ],
  [
    "jest, a suite that cannot load",
    "jest",
    lines(
      "FAIL src/cart.test.ts",
      "  ● Test suite failed to run",
      "",
      "    Cannot find module './nope'",
      "",
      "Test Suites: 1 failed, 2 passed, 3 total",
      "Tests:       4 passed, 4 total"
    ),
    ["failed", 4, 0, null, "src/cart.test.ts@src/cart.test.ts:-"]
  ],
  [
    "jest, nothing matched",
    "jest",
    lines("No tests found, exiting with code 1", "Run with `--passWithNoTests` to exit with code 0"),
    ["none"]
  ],
  ["jest, all skipped", "jest", "Tests:       3 skipped, 3 total", ["none", 0, 0, 3]],
  [
    "jest, the summary cut away",
    "jest",
    "FAIL src/cart.test.ts",
    ["failed", null, null, null, "src/cart.test.ts@src/cart.test.ts:-"]
  ],
  [
    "vitest, all passed",
    "vitest",
    lines(
      " ✓ src/cart.test.ts (3 tests) 4ms",
      "",
      " Test Files  1 passed (1)",
      "      Tests  3 passed (3)",
      "   Start at  10:00:00"
    ),
    ["passed", 3, 0]
  ],
  [
    "vitest, one failed, coloured",
    "vitest",
    lines(
      `${esc}[31m FAIL ${esc}[39m src/cart.test.ts > cart > empties`,
      " ❯ src/cart.test.ts:7:20",
      ` Test Files  ${esc}[31m1 failed${esc}[39m (1)`,
      `      Tests  ${esc}[31m1 failed${esc}[39m | 2 passed | 1 todo (4)`
    ),
    ["failed", 2, 1, 1, "cart > empties@src/cart.test.ts:7"]
  ],
  [
    "vitest, an unhandled error",
    "vitest",
    lines(" Test Files  1 passed (1)", "      Tests  1 passed (1)", "     Errors  1 error"),
    ["failed", 1, 0]
  ],
  ["vitest, no test files", "vitest", "No test files found, exiting with code 1", ["none"]],
  [
    "mocha",
    "mocha",
    lines(
      "  cart",
      "    ✔ adds",
      "    1) empties",
      "",
      "  1 passing (10ms)",
      "  2 pending",
      "  1 failing",
      "",
      "  1) cart",
      "       empties:"
    ),
    ["failed", 1, 1, 2, "empties@-:-"]
  ],
  ["mocha, passed", "mocha", lines("  cart", "    ✔ adds", "", "  1 passing (3ms)"), ["passed", 1, 0]],
  ["mocha, nothing", "mocha", "  0 passing (1ms)", ["none", 0, 0]],
  [
    "node:test, spec",
    "node:test",
    lines(
      "✖ empties (1.2ms)",
      "ℹ tests 3",
      "ℹ suites 0",
      "ℹ pass 2",
      "ℹ fail 1",
      "ℹ cancelled 0",
      "ℹ skipped 0",
      "ℹ todo 0"
    ),
    ["failed", 2, 1, 0, "empties@-:-"]
  ],
  [
    "node:test, tap",
    "node:test",
    lines("ok 1 - adds", "1..1", "# tests 1", "# pass 1", "# fail 0", "# skipped 0", "# todo 0"),
    ["passed", 1, 0, 0]
  ],
  [
    "node:test, a test that is to fail and does not",
    "node:test",
    lines(
      "✔ known to fail (1.5ms) # EXPECTED FAILURE",
      "✖ was to fail (0.3ms) # EXPECTED FAILURE",
      "ℹ pass 1",
      "ℹ fail 1"
    ),
    ["failed", 1, 1, null, "was to fail@-:-"]
  ],
  ...["ℹ", "#"].map((mark): Row => [
    `node:test, too little covered: ${mark}`,
    "node:test",
    lines(
      `${mark} tests 1`,
      `${mark} pass 1`,
      `${mark} fail 0`,
      `${mark} Error: 71.43% line coverage does not meet threshold of 90%.`,
      `${mark} start of coverage report`
    ),
    ["failed", 1, 0]
  ]),
  [
    "node:test, too little covered: dot",
    "node:test",
    lines(".", "ℹ Error: 50.00% function coverage does not meet threshold of 99%.", "ℹ start of coverage report"),
    ["failed"]
  ],
  [
    "tape",
    "node:test",
    lines("# adds", "not ok 2 two", "1..2", "# tests 2", "# pass  1", "# fail  1"),
    ["failed", 1, 1, null, "two@-:-"]
  ],
  ["bats", "TAP", lines("1..2", "ok 1 adds", "ok 2 empties"), ["passed", 2, 0]],
  [
    "bats, failed",
    "TAP",
    lines("1..2", "ok 1 adds", "not ok 2 empties", "# (in test file cart.bats, line 3)"),
    ["failed", 1, null, null, "empties@-:-"]
  ],
  [
    "prove",
    "TAP",
    lines("a.t .. ok", "All tests successful.", "Files=1, Tests=2,  0 wallclock secs", "Result: PASS"),
    ["passed"]
  ],
  ["ava", "ava", lines("  ✘ [fail]: empties", "  ─", "", "  1 test failed"), ["failed", null, 1, null, "empties@-:-"]],
  ["ava, passed", "ava", lines("  ✔ adds", "  ─", "", "  2 tests passed"), ["passed", 2]],
  [
    "bun",
    "bun test",
    lines(
      "bun test v1.1.0",
      "(fail) cart > empties [0.2ms]",
      "",
      " 2 pass",
      " 1 fail",
      " 3 expect() calls",
      "Ran 3 tests across 1 file. [9.00ms]"
    ),
    ["failed", 2, 1, null, "cart > empties@-:-"]
  ],
  ["bun, passed", "bun test", lines(" 2 pass", " 0 fail", "Ran 2 tests across 1 file. [9.00ms]"), ["passed", 2, 0]],
  ["deno", "deno test", lines("adds ... ok (1ms)", "", "ok | 3 passed | 0 failed (12ms)"), ["passed", 3, 0]],
  [
    "deno, failed",
    "deno test",
    lines("empties => ./cart_test.ts:3:6", "FAILED | 2 passed (1 step) | 1 failed (10ms)"),
    ["failed", 2, 1, null, "empties@./cart_test.ts:3"]
  ],
  [
    "playwright, failed",
    "playwright",
    lines(
      "Running 3 tests using 1 worker",
      "",
      "  1 failed",
      "    [chromium] › cart.spec.ts:3:5 › empties ─────",
      "  1 skipped",
      "  1 passed (2.1s)"
    ),
    ["failed", 1, 1, 1, "empties@cart.spec.ts:3"]
  ],
  ["playwright, passed", "playwright", lines("Running 3 tests using 1 worker", "", "  3 passed (2.1s)"), ["passed", 3]],
  ["jasmine", "karma", "3 specs, 1 failure", ["failed", 2, 1]],
  [
    "pytest",
    "pytest",
    lines(
      "FAILED tests/test_cart.py::test_empties - AssertionError: assert 1 == 2",
      `${rule} 1 failed, 3 passed, 2 warnings in 0.12s ${rule}`
    ),
    ["failed", 3, 1, null, "test_empties@tests/test_cart.py:-"]
  ],
  ["pytest, quiet", "pytest", lines("...                          [100%]", "3 passed in 0.10s"), ["passed", 3, 0]],
  [
    "pytest, xfail and skip",
    "pytest",
    `${rule} 3 passed, 1 skipped, 2 xfailed in 61.20s (0:01:01) ${rule}`,
    ["passed", 3, 0, 3]
  ],
  ["pytest, nothing ran", "pytest", `${rule} no tests ran in 0.01s ${rule}`, ["none"]],
  ["pytest, all deselected", "pytest", `${rule} 3 deselected in 0.01s ${rule}`, ["none"]],
  [
    "pytest, a collection error",
    "pytest",
    lines(
      `${rule} ERRORS ${rule}`,
      "ERROR tests/test_cart.py",
      "!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!",
      `${rule} 1 error in 0.20s ${rule}`
    ),
    ["failed", 0, 1, null, "tests/test_cart.py@tests/test_cart.py:-"]
  ],
  [
    "pytest, no such file",
    "pytest",
    lines("no tests ran in 0.00s", "ERROR: file or directory not found: nope.py"),
    ["failed"]
  ],
  [
    "unittest",
    "unittest",
    lines(
      "FAIL: test_empties (test_cart.Cart.test_empties)",
      "Traceback (most recent call last):",
      '  File "/app/test_cart.py", line 8, in test_empties',
      "Ran 4 tests in 0.001s",
      "",
      "FAILED (failures=1, errors=1, skipped=1)"
    ),
    ["failed", 1, 2, 1, "test_empties@/app/test_cart.py:8"]
  ],
  ["unittest, passed", "unittest", lines("Ran 3 tests in 0.001s", "", "OK (skipped=1)"), ["passed", 2, 0, 1]],
  ["unittest, nothing", "unittest", lines("Ran 0 tests in 0.000s", "", "OK"), ["none", 0, 0]],
  ["go", "go test", lines("ok  \tacme.dev/shop/cart\t0.120s", "?   \tacme.dev/shop/cmd\t[no test files]"), ["passed"]],
  [
    "go, failed",
    "go test",
    lines(
      "--- FAIL: TestEmpties (0.00s)",
      "    cart_test.go:12: want 0, got 1",
      "FAIL",
      "FAIL\tacme.dev/shop/cart\t0.120s",
      "ok  \tacme.dev/shop/pay\t(cached)",
      "FAIL"
    ),
    ["failed", null, null, null, "TestEmpties@cart_test.go:12"]
  ],
  [
    "go, does not build",
    "go test",
    lines(
      "# acme.dev/shop/cart [acme.dev/shop/cart.test]",
      "./cart_test.go:3:5: undefined: total",
      "FAIL\tacme.dev/shop/cart [build failed]"
    ),
    ["failed"]
  ],
  ["go, no test files", "go test", "?   \tacme.dev/shop/cart\t[no test files]", ["none"]],
  [
    "go, nothing matched",
    "go test",
    lines("testing: warning: no tests to run", "PASS", "ok  \tacme.dev/shop/cart\t0.1s [no tests to run]"),
    ["none"]
  ],
  [
    "gotestsum",
    "gotestsum",
    lines("=== FAIL: cart TestEmpties (0.00s)", "DONE 3 tests, 1 skipped, 1 failure in 0.512s"),
    ["failed", 1, 1, 1, "TestEmpties@-:-"]
  ],
  [
    "cargo",
    "cargo test",
    lines(
      "test tests::adds ... ok",
      "test tests::empties ... FAILED",
      "thread 'tests::empties' panicked at src/lib.rs:10:5:",
      "test result: FAILED. 1 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s"
    ),
    ["failed", 1, 1, 2, "tests::empties@src/lib.rs:10"]
  ],
  [
    "cargo, several binaries",
    "cargo test",
    lines(
      "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
      "   Doc-tests cart",
      "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
    ),
    ["passed", 3, 0, 0]
  ],
  [
    "cargo, all filtered out",
    "cargo test",
    "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.00s",
    ["none", 0, 0, 0]
  ],
  [
    "nextest",
    "cargo nextest",
    lines(
      "        FAIL [   0.006s] cart tests::empties",
      "     Summary [   0.512s] 3 tests run: 2 passed, 1 failed, 1 skipped"
    ),
    ["failed", 2, 1, 1, "cart tests::empties@-:-"]
  ],
  [
    "ctest",
    "ctest",
    lines("67% tests passed, 1 tests failed out of 3", "The following tests FAILED:", "\t  2 - empties (Failed)"),
    ["failed", 2, 1, null, "empties@-:-"]
  ],
  [
    "googletest",
    "googletest",
    lines(
      "[  PASSED  ] 2 tests.",
      "[  FAILED  ] 1 test, listed below:",
      "[  FAILED  ] Cart.Empties",
      "",
      " 1 FAILED TEST"
    ),
    ["failed", 2, 1, null, "Cart.Empties@-:-"]
  ],
  [
    "googletest, passed",
    "googletest",
    lines("[==========] 3 tests from 1 test suite ran. (0 ms total)", "[  PASSED  ] 3 tests."),
    ["passed", 3]
  ],
  ["catch2", "catch2", "All tests passed (4 assertions in 3 test cases)", ["passed", 3]],
  ["doctest", "catch2", "[doctest] test cases: 3 | 2 passed | 1 failed | 0 skipped", ["failed", 2, 1, 0]],
  ["zig", "zig test", "All 3 tests passed.", ["passed", 3]],
  ["bazel", "bazel test", "Executed 1 out of 3 tests: 3 tests pass.", ["passed", 3]],
  [
    "bazel, failed",
    "bazel test",
    lines(
      "//cart:empties_test                    FAILED in 0.3s",
      "Executed 3 out of 3 tests: 2 tests pass and 1 fails locally."
    ),
    ["failed", null, null, null, "//cart:empties_test@-:-"]
  ],
  [
    "swift",
    "swift test",
    lines(
      "/app/Tests/CartTests.swift:12: error: -[CartTests.Cart testEmpties] : XCTAssertEqual failed",
      "Test Suite 'All tests' failed at 2026-01-01 10:00:00.000.",
      "\t Executed 3 tests, with 1 failure (0 unexpected) in 0.010 (0.012) seconds",
      "\t Executed 3 tests, with 1 failure (0 unexpected) in 0.010 (0.012) seconds"
    ),
    ["failed", 2, 1, null, "-[CartTests.Cart testEmpties]@/app/Tests/CartTests.swift:12"]
  ],
  ["swift-testing", "swift-testing", "✔ Test run with 3 tests passed after 0.001 seconds.", ["passed", 3]],
  ["xcodebuild", "xcodebuild", "** TEST SUCCEEDED **", ["passed"]],
  [
    "surefire",
    "surefire",
    lines(
      "[ERROR]   CartTest.empties:12 expected: <0> but was: <1>",
      "[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1",
      "[INFO] BUILD FAILURE"
    ),
    ["failed", 1, 2, 1, "CartTest.empties@-:12"]
  ],
  [
    "surefire, passed",
    "surefire",
    lines(
      "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in shop.CartTest",
      "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0",
      "[INFO] BUILD SUCCESS"
    ),
    ["passed", 2, 0, 0]
  ],
  ["gradle", "gradle", lines("> Task :test", "BUILD SUCCESSFUL in 3s"), ["passed"]],
  [
    "gradle, failed",
    "gradle",
    lines(
      "CartTest > empties() FAILED",
      "    java.lang.AssertionError at CartTest.java:12",
      "3 tests completed, 1 failed",
      "> Task :test FAILED",
      "BUILD FAILED in 2s"
    ),
    ["failed", null, 1, null, "CartTest > empties()@CartTest.java:12"]
  ],
  ["sbt", "sbt", "[info] Tests: succeeded 2, failed 1, canceled 0, ignored 0, pending 0", ["failed", 2, 1, 0]],
  [
    "dotnet",
    "dotnet test",
    "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 12 ms - Cart.Tests.dll (net8.0)",
    ["passed", 3, 0, 1]
  ],
  [
    "dotnet, failed",
    "dotnet test",
    lines(
      "  Failed Cart.Tests.Empties [12 ms]",
      "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - Cart.Tests.dll"
    ),
    ["failed", 2, 1, 0, "Cart.Tests.Empties@-:-"]
  ],
  [
    "rspec",
    "rspec",
    lines("3 examples, 1 failure, 1 pending", "", "rspec ./spec/cart_spec.rb:12 # Cart empties"),
    ["failed", 1, 1, 1, "Cart empties@./spec/cart_spec.rb:12"]
  ],
  ["rspec, nothing", "rspec", "0 examples, 0 failures", ["none", 0, 0]],
  [
    "minitest",
    "minitest",
    lines("CartTest#test_empties [test/cart_test.rb:12]:", "3 runs, 4 assertions, 1 failures, 0 errors, 0 skips"),
    ["failed", 2, 1, 0, "CartTest#test_empties@test/cart_test.rb:12"]
  ],
  ["cucumber", "cucumber", "3 scenarios (1 failed, 2 passed)", ["failed", 2, 1]],
  ["phpunit", "phpunit", "OK (3 tests, 4 assertions)", ["passed", 3]],
  [
    "phpunit, failed",
    "phpunit",
    lines(
      "1) Shop\\CartTest::testEmpties",
      "",
      "/app/tests/CartTest.php:12",
      "",
      "FAILURES!",
      "Tests: 3, Assertions: 4, Failures: 1."
    ),
    ["failed", 2, 1, null, "Shop\\CartTest::testEmpties@/app/tests/CartTest.php:12"]
  ],
  ["pest", "pest", "  Tests:    1 failed, 2 passed (4 assertions)", ["failed", 2, 1]],
  [
    "ExUnit",
    "ExUnit",
    lines(
      "  1) test empties (ShopTest)",
      "     test/shop_test.exs:12",
      "Finished in 0.03 seconds",
      "1 doctest, 3 tests, 1 failure, 1 skipped"
    ),
    ["failed", 2, 1, 1, "test empties@test/shop_test.exs:12"]
  ],
  ["flutter", "flutter test", "00:02 +2 ~1 -1: Some tests failed.", ["failed", 2, 1, 1]],
  ["flutter, passed", "flutter test", "00:01 +1: loading cart_test.dart\r00:02 +3: All tests passed!", ["passed", 3]],
  ["busted", "busted", "3 successes / 1 failure / 0 errors / 0 pending : 0.01 seconds", ["failed", 3, 1, 0]],
  ["testthat", "testthat", "[ FAIL 0 | WARN 0 | SKIP 1 | PASS 3 ]", ["passed", 3, 0, 1]],
  [
    "forge",
    "forge test",
    "Suite result: FAILED. 2 passed; 1 failed; 0 skipped; finished in 1.00ms",
    ["failed", 2, 1, 0]
  ],
  ["tox", "tox", "  congratulations :) (1.20 seconds)", ["passed"]],
  [
    "a monorepo run, prefixed",
    "vitest",
    lines("packages/cart test:       Tests  3 passed (3)", "packages/pay test:       Tests  1 failed | 2 passed (3)"),
    ["failed", 5, 1]
  ],
  ["a compose service", "pytest", "web-1  | 3 passed in 0.10s", ["passed", 3, 0]],
  ["two runners", "vitest", lines("      Tests  3 passed (3)", "2 passed in 0.10s"), ["passed", 5, 0]],
  [
    "compile errors stop the tests",
    "tsc",
    "src/cart.ts(3,5): error TS2345: Argument of type 'string' is not assignable.",
    ["failed"]
  ],
  ["the runner is not installed", "shell", "sh: 1: vitest: not found", ["failed"]],
  ["the module is not installed", "python", "/usr/bin/python3: No module named pytest", ["failed"]],
  ["no such script", "npm", 'npm error Missing script: "test"', ["failed"]],
  ["only the script's failure is left", "pnpm", " ELIFECYCLE  Test failed. See above for more details.", ["failed"]],
  ["make", "make", "make: *** [Makefile:5: test] Error 1", ["failed"]]
]

const checks: ReadonlyArray<readonly [kind: Kind, runner: string, output: string, expected: Expected]> = [
  [
    "typecheck",
    "tsc",
    lines(
      "src/cart.ts:3:5 - error TS2345: Argument of type 'string' is not assignable.",
      "",
      "Found 1 error in src/cart.ts:3"
    ),
    ["failed", null, 1, null, "TS2345: Argument of type 'string' is not assignable.@src/cart.ts:3"]
  ],
  ["typecheck", "tsc", "[10:00:00] Found 0 errors. Watching for file changes.", ["passed"]],
  ["typecheck", "mypy", "Success: no issues found in 3 source files", ["passed"]],
  [
    "typecheck",
    "mypy",
    lines(
      "cart.py:3: error: Incompatible return value type  [return-value]",
      "Found 1 error in 1 file (checked 3 source files)"
    ),
    ["failed", null, 1]
  ],
  ["typecheck", "pyright", "0 errors, 3 warnings, 0 informations", ["passed", null, 0]],
  [
    "typecheck",
    "pyright",
    lines('  /app/cart.py:3:5 - error: "x" is not defined', "1 error, 0 warnings, 0 informations"),
    ["failed", null, 1, null, '"x" is not defined@/app/cart.py:3']
  ],
  ["typecheck", "svelte-check", "svelte-check found 0 errors and 3 warnings", ["passed", null, 0]],
  [
    "lint",
    "eslint",
    lines("/app/cart.js", "  3:5  error  'a' is never used  no-unused-vars", "", "✖ 3 problems (1 error, 2 warnings)"),
    ["failed", null, 1, null, "'a' is never used@/app/cart.js:3"]
  ],
  ["lint", "eslint", "✖ 2 problems (0 errors, 2 warnings)", ["passed", null, 0]],
  [
    "lint",
    "eslint",
    lines("✖ 2 problems (0 errors, 2 warnings)", "ESLint found too many warnings (maximum: 0)."),
    ["failed"]
  ],
  ["lint", "biome", "Checked 3 files in 10ms. No fixes applied.", ["passed"]],
  ["lint", "biome", lines("Checked 3 files in 10ms. No fixes applied.", "Found 2 errors."), ["failed", null, 2]],
  [
    "lint",
    "oxlint",
    lines("Found 0 warnings and 0 errors.", "Finished in 5ms on 3 files with 90 rules using 2 threads."),
    ["passed", null, 0]
  ],
  ["lint", "oxlint", "Found 2 warnings and 3 errors.", ["failed", null, 3]],
  ["lint", "ruff", "All checks passed!", ["passed"]],
  ["lint", "ruff", "Found 3 errors.", ["failed"]],
  ["lint", "ruff", "Found 3 errors (3 fixed, 0 remaining).", ["passed", null, 0]],
  [
    "lint",
    "black",
    lines("would reformat cart.py", "1 file would be reformatted, 2 files would be left unchanged."),
    ["failed"]
  ],
  [
    "lint",
    "flake8",
    "cart.py:3:80: E501 line too long (90 > 79 characters)",
    ["failed", null, null, null, "E501 line too long (90 > 79 characters)@cart.py:3"]
  ],
  ["lint", "golangci-lint", "0 issues.", ["passed"]],
  [
    "lint",
    "golangci-lint",
    lines("cart.go:3:5: Error return value of `f` is not checked (errcheck)", "1 issues:", "* errcheck: 1"),
    ["failed", null, 1, null, "Error return value of `f` is not checked (errcheck)@cart.go:3"]
  ],
  ["lint", "prettier", "All matched files use Prettier code style!", ["passed"]],
  ["lint", "prettier", "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.", ["failed"]],
  ["lint", "rubocop", "3 files inspected, no offenses detected", ["passed"]],
  ["lint", "rubocop", "3 files inspected, 2 offenses detected, 1 offense autocorrectable", ["failed"]],
  ["lint", "phpstan", " [OK] No errors", ["passed"]],
  ["lint", "phpstan", " [ERROR] Found 3 errors", ["failed", null, 3]],
  [
    "lint",
    "shellcheck",
    lines("In run.sh line 3:", "echo $x", "     ^-- SC2086 (info): Double quote to prevent globbing."),
    ["failed", null, null, null, "SC2086 (info): Double quote to prevent globbing.@run.sh:3"]
  ],
  [
    "lint",
    "cargo",
    lines("warning: unused variable: `x`", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.50s"),
    ["passed"]
  ],
  [
    "lint",
    "pre-commit",
    lines("trailing whitespace.......................Passed", "ruff......................................Failed"),
    ["failed", null, null, null, "ruff@-:-"]
  ],
  [
    "build",
    "cargo",
    lines(
      "error[E0308]: mismatched types",
      " --> src/lib.rs:6:18",
      "error: could not compile `cart` (lib) due to 1 previous error"
    ),
    ["failed", null, null, null, "mismatched types@src/lib.rs:6"]
  ],
  [
    "build",
    "go",
    lines("# acme.dev/shop/cart", "./cart.go:3:5: undefined: total"),
    ["failed", null, null, null, "undefined: total@./cart.go:3"]
  ],
  [
    "build",
    "cc",
    "cart.c:3:5: error: 'x' undeclared (first use in this function)",
    ["failed", null, null, null, "'x' undeclared (first use in this function)@cart.c:3"]
  ],
  ["build", "cc", "collect2: error: ld returned 1 exit status", ["failed"]],
  ["build", "javac", "Cart.java:3: error: incompatible types", ["failed"]],
  ["build", "maven", "[INFO] BUILD SUCCESS", ["passed"]],
  [
    "build",
    "maven",
    lines("[ERROR] COMPILATION ERROR : ", "[ERROR] /app/Cart.java:[3,5] cannot find symbol", "[INFO] BUILD FAILURE"),
    ["failed", null, null, null, "cannot find symbol@/app/Cart.java:3"]
  ],
  ["build", "dotnet build", lines("Build succeeded.", "    0 Warning(s)", "    0 Error(s)"), ["passed", null, 0]],
  [
    "build",
    "dotnet build",
    lines("/app/Cart.cs(3,5): error CS1002: ; expected [/app/Cart.csproj]", "Build FAILED."),
    ["failed"]
  ],
  ["build", "gradle", "BUILD SUCCESSFUL in 3s", ["passed"]],
  ["build", "vite", "✓ built in 1.20s", ["passed"]],
  ["build", "vite", "error during build:", ["failed"]],
  ["build", "webpack", "webpack 5.90.0 compiled with 2 warnings in 900 ms", ["passed"]],
  ["build", "webpack", "webpack 5.90.0 compiled with 1 error in 900 ms", ["failed"]],
  ["build", "webpack", "Failed to compile.", ["failed"]],
  ["build", "next build", "Route (app)                              Size     First Load JS", ["passed"]],
  [
    "build",
    "esbuild",
    lines('✘ [ERROR] Could not resolve "./zip"', "", "    src/index.js:1:7:"),
    ["failed", null, null, null, 'Could not resolve "./zip"@src/index.js:1']
  ],
  ["build", "swift build", "Build complete! (3.21s)", ["passed"]],
  ["build", "bazel build", "INFO: Build completed successfully, 3 total actions", ["passed"]],
  ["build", "turbo", lines(" Tasks:    3 successful, 3 total", "Cached:    0 cached, 3 total"), ["passed"]],
  ["build", "make", "make[1]: *** [Makefile:3: all] Error 2", ["failed"]],
  ["build", "pnpm", " ELIFECYCLE  Command failed with exit code 1.", ["failed"]]
]

/** What the expectation speaks of, in its form. */
const seen = (summary: RunnerOutput.RunSummary | null, expected: Expected): ReadonlyArray<unknown> => {
  const first = summary?.failing[0]
  const item = first === undefined ? undefined : `${first.name}@${first.file ?? "-"}:${first.line ?? "-"}`
  return [summary?.outcome, summary?.passed, summary?.failed, summary?.skipped, item].map((value, index) =>
    expected[index] === undefined ? undefined : value
  )
}

const padded = (expected: Expected): ReadonlyArray<unknown> => Array.from({ length: 5 }, (_, index) => expected[index])

describe("RunnerOutput.summarize", () => {
  for (const [title, runner, output, expected] of tests) {
    it(`reads tests: ${title}`, () => {
      const summary = RunnerOutput.summarize(output, { kind: "tests", runner: null })
      assert.deepStrictEqual(seen(summary, expected), padded(expected))
      assert.strictEqual(summary?.runner, runner)
    })
  }

  for (const [kind, runner, output, expected] of checks) {
    it(`reads ${kind}: ${output.split("\n")[0]}`, () => {
      const summary = RunnerOutput.summarize(output, { kind, runner: null })
      assert.deepStrictEqual(seen(summary, expected), padded(expected))
      assert.strictEqual(summary?.runner, runner)
    })
  }

  for (const { output, reporter } of nodeTests) {
    it(`reads what node --test prints: ${reporter}`, () => {
      const summary = RunnerOutput.summarize(output, { kind: "tests", runner: null })
      assert.deepInclude(summary, { runner: "node:test", outcome: "failed" })
      assert.deepStrictEqual(
        summary?.failing.map(({ name }) => name),
        ["takes ten percent off"]
      )
      const counts = [summary?.passed, summary?.failed, summary?.skipped]
      assert.deepStrictEqual(counts, reporter.startsWith("dot") ? [null, null, null] : [1, 1, 2])
    })
  }

  const unknown: ReadonlyArray<readonly [why: string, kind: Kind, output: string]> = [
    ["nothing was printed", "tests", ""],
    ["prose is no total", "tests", "All 12 tests passed, I think; 3 passed and none failed."],
    ["a build that finished passes no test", "tests", "[INFO] BUILD SUCCESS"],
    ["lint findings fail no test run", "tests", "✖ 3 problems (1 error, 2 warnings)"],
    ["the failed line of the block may be cut away", "tests", "  3 passed (2.1s)"],
    ["a passing count without the failing one", "tests", "ℹ pass 3"],
    ["a test that is yet to pass", "tests", lines(".X", "", "Failed tests:", "", "✖ not yet (0.2ms) # TODO")],
    ["the plan is not finished", "tests", lines("1..3", "ok 1 adds", "ok 2 empties")],
    [
      "a failure contradicts the clean total after it",
      "tests",
      lines("FAIL src/cart.test.ts", "Tests:       3 passed, 3 total")
    ],
    [
      "the script around a clean run failed",
      "tests",
      lines("      Tests  3 passed (3)", " ELIFECYCLE  Command failed with exit code 1.")
    ],
    ["deny-warnings is not visible", "lint", "Found 2 warnings and 0 errors."],
    ["a log line of the program", "tests", "Error: connection refused"]
  ]
  for (const [why, kind, output] of unknown) {
    it(`abstains: ${why}`, () => assert.isNull(RunnerOutput.summarize(output, { kind, runner: null })))
  }

  it("lets a filter's gap count against itemised runners only", () => {
    const hint = { kind: "tests", runner: null, partial: true } as const
    assert.isNull(RunnerOutput.summarize("ok  \tacme.dev/shop/cart\t0.1s", hint))
    assert.strictEqual(RunnerOutput.summarize("FAIL\tacme.dev/shop/cart\t0.1s", hint)?.outcome, "failed")
    assert.strictEqual(RunnerOutput.summarize("Tests:       3 passed, 3 total", hint)?.outcome, "passed")
  })

  it("ignores a missing command that is not the run's", () => {
    const output = "bash: line 1: staticcheck: command not found"
    assert.isNull(RunnerOutput.summarize(output, { kind: "typecheck", runner: "go vet" }))
    assert.strictEqual(RunnerOutput.summarize(output, { kind: "lint", runner: "staticcheck" })?.outcome, "failed")
  })

  it("needs no hint", () => {
    assert.strictEqual(RunnerOutput.summarize("Found 3 errors (3 fixed, 0 remaining).")?.outcome, "passed")
    assert.strictEqual(
      RunnerOutput.summarize(lines("      Tests  3 passed (3)", "error during build:"))?.outcome,
      "failed"
    )
  })

  it("says it in one short line", () => {
    const output = lines(" FAIL  a.test.ts > cart > empties", "      Tests  1 failed | 2 passed (3)")
    assert.strictEqual(RunnerOutput.summarize(output)?.detail, "2 passed, 1 failed (cart > empties)")
    assert.strictEqual(
      RunnerOutput.summarize("src/a.ts(3,5): error TS1005: ';' expected.")?.detail,
      "failed (TS1005: ';' expected. at src/a.ts:3)"
    )
    assert.strictEqual(RunnerOutput.summarize("?   \tacme.dev/shop\t[no test files]")?.detail, "no tests ran")
  })

  it("keeps the first ten failing tests and clips long names", () => {
    const output = Array.from({ length: 30 }, (_, index) => `--- FAIL: Test${index}${"x".repeat(250)} (0.00s)`).join(
      "\n"
    )
    const summary = RunnerOutput.summarize(output)
    assert.strictEqual(summary?.failing.length, 10)
    assert.isAtMost(summary?.failing[0]?.name.length ?? 999, 200)
    assert.isAtMost(summary?.detail.length ?? 999, 300)
  })

  it("finds the total behind a megabyte of progress", () => {
    const output = `${"progress\n".repeat(120_000)}      Tests  1 failed | 2 passed (3)\n`
    assert.strictEqual(RunnerOutput.summarize(output)?.failed, 1)
  })

  it("reads a megabyte of hostile output", () => {
    const needles = tests.map(([, , output]) => output).join("\n")
    const units = [
      "1",
      "(",
      "1 passed, ",
      "\n",
      "a\n",
      " ",
      "=",
      "FAIL ",
      "../",
      `${esc}]`,
      `${esc}[`,
      "x:1:1: ",
      "1)",
      "at ",
      "error "
    ]
    // A quadratic scan would end at the limit of a test.
    for (const unit of units)
      assert.isNotNull(RunnerOutput.summarize(needles + unit.repeat(Math.ceil(1_000_000 / unit.length))))
  })

  it("never throws and stays within its bounds", () => {
    const word = FastCheck.constantFrom(
      ...tests.flatMap(([, , output]) => output.split("\n")),
      "passed",
      "1",
      esc,
      "\r"
    )
    const text = FastCheck.array(FastCheck.oneof(word, FastCheck.string({ maxLength: 20 })), { maxLength: 12 })
    FastCheck.assert(
      FastCheck.property(text, (parts) => {
        const summary = RunnerOutput.summarize(parts.join("\n"))
        if (summary === null) return
        assert.isAtMost(summary.failing.length, 10)
        assert.notStrictEqual(summary.detail, "")
        assert.isAtMost(summary.detail.length, 300)
      })
    )
  })

  it("lets no visible failing total pass", () => {
    const output = FastCheck.constantFrom(...tests.map(([, , text]) => text))
    FastCheck.assert(
      FastCheck.property(output, output, (before, after) => {
        const text = lines(before, "      Tests  1 failed | 2 passed (3)", after)
        assert.strictEqual(RunnerOutput.summarize(text, { kind: "tests", runner: null })?.outcome, "failed")
      })
    )
  })
})

describe("RunnerOutput.echoedStatus", () => {
  const cases: ReadonlyArray<readonly [output: string, status: number | null]> = [
    ["ok\nexit: 0\n", 0],
    ["failed\nEXIT=1", 1],
    ["exit code 2", 2],
    ["=== exit status: 3 ===", 3],
    ["rc=0", 0],
    ["tests exit 1", 1],
    ["vitest=4", 4],
    ["done\n127", 127],
    ["3 passed", null],
    ["exit: 1234", null],
    ["", null]
  ]
  for (const [output, status] of cases) {
    it(`reads ${JSON.stringify(output)}`, () => assert.strictEqual(RunnerOutput.echoedStatus(output), status))
  }
})
