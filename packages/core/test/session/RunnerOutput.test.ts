import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as RunnerOutput from "../../src/session/output/RunnerOutput.ts"
import { pairs, triples } from "../support/rows.ts"

type Kind = RunnerOutput.RunHint["kind"]

const esc = String.fromCharCode(27)

/** The outcome, the numbers passed, failed and skipped, and the first failed item with its place. */
const seen = (summary: RunnerOutput.RunSummary | null): string => {
  if (summary === null) return "null"
  const counts = [summary.passed, summary.failed, summary.skipped].map((count) => count ?? "-").join("/")
  const [first] = summary.failing
  if (first === undefined) return `${summary.outcome} ${counts}`
  const place = first.file === null ? "" : ` at ${first.file}${first.line === null ? "" : `:${first.line}`}`
  return `${summary.outcome} ${counts} ${first.name}${place}`
}

type Row = readonly [output: string, expected: string]

/** Vitest's summary line. With it, a run failed whatever else is printed. */
const red = "      Tests  1 failed | 2 passed (3)"

const tests: ReadonlyArray<Row> = pairs`
    Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nTime:        0.4 s :: passed 3/0/-
    FAIL src/cart.test.ts\n  ● cart › empties\n\n    expect(received).toBe(expected)\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total :: failed 3/1/2 cart › empties at src/cart.test.ts
    FAIL src/cart.test.ts\n  ● Test suite failed to run\n\nTest Suites: 1 failed, 2 passed, 3 total\nTests:       4 passed, 4 total :: failed 4/0/- src/cart.test.ts at src/cart.test.ts
    No tests found, exiting with code 1 :: none -/-/- ¦ Tests:       3 skipped, 3 total :: none 0/0/3
    FAIL src/cart.test.ts :: failed -/-/- src/cart.test.ts at src/cart.test.ts
    \ Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Start at  10:00:00 :: passed 3/0/-
    \e[31m FAIL \e[39m src/cart.test.ts > cart > empties\n      Tests  \e[31m1 failed\e[39m | 2 passed | 1 todo (4) :: failed 2/1/1 cart > empties at src/cart.test.ts
    \ Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error :: failed 1/0/- ¦ No test files found, exiting with code 1 :: none -/-/-
    \  cart\n    ✔ adds\n    1) empties\n\n  1 passing (10ms)\n  2 pending\n  1 failing :: failed 1/1/2 empties ¦ \  1 passing (3ms) :: passed 1/-/-
    \  0 passing (1ms) :: none 0/-/-
    ▶ cart\n  ✖ empties (1.2ms)\n✖ cart (2.0ms)\nℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\n\n✖ failing tests:\n\n✖ empties (1.2ms) :: failed 2/1/0 empties
    ok 1 - adds\n1..1\n# tests 1\n# pass 1\n# fail 0\n# skipped 0\n# todo 0 :: passed 1/0/0
    ℹ pass 1\nℹ fail 0\nℹ Error: 71.43% line coverage does not meet threshold of 90%. :: failed 1/0/-
    not ok 1 - empties\n  ---\n  location: '/shop/cart.test.mjs:4:1'\n  ...\nnot ok 2 - cart\n  ---\n  failureType: 'subtestsFailed'\n  ...\n# pass 0\n# fail 1 :: failed 0/1/- empties at /shop/cart.test.mjs:4
    ℹ pass 0\nℹ fail 1\n\n✖ failing tests:\n\ntest at cart.test.mjs:5:3\n✖ empties (1.2ms) :: failed 0/1/- empties at cart.test.mjs:5
    not ok 1 - empties\n  ---\n  location: '/shop/my cart.test.mjs:4:1'\n  ...\n# pass 0\n# fail 1 :: failed 0/1/- empties at /shop/my cart.test.mjs:4
    ℹ pass 0\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/my cart.test.mjs:5:3\n✖ empties (1.2ms) :: failed 0/1/- empties at test/my cart.test.mjs:5
    \ FAIL  src/my cart.test.ts > empties\n      Tests  1 failed (1) :: failed 0/1/- empties at src/my cart.test.ts
    FAIL src/my cart.test.ts :: failed -/-/- src/my cart.test.ts at src/my cart.test.ts
    FAIL web src/cart.test.ts :: failed -/-/- src/cart.test.ts at src/cart.test.ts ¦ not ok 2 two\n1..2\n# tests 2\n# pass  1\n# fail  1 :: failed 1/1/- two
    1..2\nok 1 adds\nok 2 empties :: passed 2/0/- ¦ 1..2\nok 1 adds\nnot ok 2 empties :: failed 1/-/- empties
    All tests successful.\nFiles=1, Tests=2,  0 wallclock secs\nResult: PASS :: passed -/-/-
    bun test v1.1.0\n(fail) cart > empties [0.2ms]\n\n 2 pass\n 1 fail :: failed 2/1/- cart > empties
    \ 2 pass\n 0 fail\nRan 2 tests across 1 file. [9.00ms] :: passed 2/0/- ¦ ok | 3 passed | 0 failed (12ms) :: passed 3/0/-
    empties => ./cart_test.ts:3:6\nFAILED | 2 passed (1 step) | 1 failed (10ms) :: failed 2/1/- empties at ./cart_test.ts:3
    Running 3 tests using 1 worker\n\n  1 failed\n    [chromium] › cart.spec.ts:3:5 › empties ─────\n  1 skipped\n  1 passed (2.1s) :: failed 1/1/1 empties at cart.spec.ts:3
    Running 3 tests using 1 worker\n\n  3 passed (2.1s) :: passed 3/-/-
    FAILED tests/test_cart.py::test_empties - AssertionError: assert 1 == 2\n============================== 1 failed, 3 passed, 2 warnings in 0.12s ============================== :: failed 3/1/- test_empties at tests/test_cart.py
    3 passed in 0.10s :: passed 3/0/-
    ============================== 3 passed, 1 skipped, 2 xfailed in 61.20s (0:01:01) ============================== :: passed 3/0/3
    ============================== no tests ran in 0.01s ============================== :: none -/-/-
    ============================== 3 deselected in 0.01s ============================== :: none -/0/-
    ERROR tests/test_cart.py\n!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!\n============================== 1 error in 0.20s ============================== :: failed 0/1/- tests/test_cart.py at tests/test_cart.py
    no tests ran in 0.00s\nERROR: file or directory not found: nope.py :: failed -/-/-
    FAIL: test_empties (test_cart.Cart.test_empties)\nRan 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1) :: failed 1/2/1 test_empties
    Ran 3 tests in 0.001s\n\nOK (skipped=1) :: passed 2/0/1 ¦ Ran 0 tests in 0.000s\n\nOK :: none -/0/-
    ok  \tacme.dev/shop/cart\t0.120s\n?   \tacme.dev/shop/cmd\t[no test files] :: passed -/-/-
    --- FAIL: TestEmpties (0.00s)\n    cart_test.go:12: want 0, got 1\nFAIL\nFAIL\tacme.dev/shop/cart\t0.120s\nok  \tacme.dev/shop/pay\t(cached)\nFAIL :: failed -/-/- TestEmpties at cart_test.go:12
    --- PASS: TestAdds (0.00s)\nPASS :: passed 1/0/- ¦ ok  \tacme.dev/shop/pay\t(cached)\nFAIL :: failed -/-/-
    FAIL\tacme.dev/shop/cart [build failed] :: failed -/-/- ¦ ?   \tacme.dev/shop/cart\t[no test files] :: none -/-/-
    testing: warning: no tests to run\nPASS\nok  \tacme.dev/shop/cart\t0.1s [no tests to run] :: none -/0/-
    DONE 3 tests, 1 skipped, 1 failure in 0.512s :: failed 1/1/1
    test tests::adds ... ok\ntest tests::empties ... FAILED\nthread 'tests::empties' panicked at src/lib.rs:10:5:\ntest result: FAILED. 1 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s :: failed 1/1/2 tests::empties at src/lib.rs:10
    test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.00s :: none 0/0/0
    \        FAIL [   0.006s] cart tests::empties\n     Summary [   0.512s] 3 tests run: 2 passed, 1 failed, 1 skipped :: failed 2/1/1 cart tests::empties
    67% tests passed, 1 tests failed out of 3\nThe following tests FAILED:\n\t  2 - empties (Failed) :: failed 2/1/- empties
    [  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Cart.Empties\n\n 1 FAILED TEST :: failed 2/1/- Cart.Empties
    [  PASSED  ] 3 tests. :: passed 3/-/-
    Test Suite 'All tests' failed at 2026-01-01 10:00:00.000.\n\t Executed 3 tests, with 1 failure (0 unexpected) in 0.010 (0.012) seconds\n\t Executed 3 tests, with 1 failure (0 unexpected) in 0.010 (0.012) seconds :: failed 2/1/-
    ✔ Test run with 3 tests passed after 0.001 seconds. :: passed 3/-/-
    [ERROR]   CartTest.empties:12 expected: <0> but was: <1>\n[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1 :: failed 1/2/1 CartTest.empties
    [INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS :: passed 2/0/0
    CartTest > empties() FAILED\n\n12 tests completed, 1 failed\nBUILD FAILED in 4s :: failed -/1/- CartTest > empties()
    > Task :test\n\nBUILD SUCCESSFUL in 4s :: passed -/-/-
    Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 41 ms - Shop.dll :: failed 2/1/0
    Test summary: total: 3, failed: 0, succeeded: 3, skipped: 0, duration: 1.2s :: passed 3/0/0 ¦ 00:02 +2 ~1 -1: Some tests failed. :: failed 2/1/1
    00:01 +1: loading cart_test.dart\r00:02 +3: All tests passed! :: passed 3/-/- ¦ OK (3 tests, 4 assertions) :: passed 3/-/-
    1) Shop\\CartTest::testEmpties\n\nFAILURES!\nTests: 3, Assertions: 4, Failures: 1. :: failed 2/1/- Shop\\CartTest::testEmpties
    \  Tests:    1 failed, 2 passed (4 assertions) :: failed 2/1/-
    3 examples, 1 failure, 1 pending\n\nrspec ./spec/cart_spec.rb:12 # Cart empties :: failed 1/1/1 Cart empties at ./spec/cart_spec.rb:12
    0 examples, 0 failures :: none -/0/- ¦ 3 runs, 4 assertions, 1 failures, 0 errors, 0 skips :: failed 2/1/0
    \  1) test empties (ShopTest)\n     test/shop_test.exs:12\n1 doctest, 3 tests, 1 failure, 1 skipped :: failed 2/1/1 test empties at test/shop_test.exs:12
    3 scenarios (1 failed, 2 passed) :: failed 2/1/- ¦ 3 specs, 1 failure :: failed 2/1/-
    packages/cart test:       Tests  3 passed (3)\npackages/pay test:       Tests  1 failed | 2 passed (3) :: failed 5/1/-
    web-1  | 3 passed in 0.10s :: passed 3/0/- ¦ \      Tests  3 passed (3)\n2 passed in 0.10s :: passed 5/0/-
    src/cart.ts(3,5): error TS2345: Not assignable. :: failed -/-/- TS2345: Not assignable. at src/cart.ts:3 ¦ sh: 1: vitest: not found :: failed -/-/-
    /usr/bin/python3: No module named pytest :: failed -/-/- ¦ npm error Missing script: "test" :: failed -/-/-
    \ ELIFECYCLE  Test failed. See above for more details. :: failed -/-/- ¦ make: *** [Makefile:5: test] Error 1 :: failed -/-/-
  `

const checks: ReadonlyArray<readonly [kind: string, ...Row]> = triples`
    typecheck :: src/cart.ts:3:5 - error TS2345: No.\n\nFound 1 error in src/cart.ts:3 :: failed -/1/- TS2345: No. at src/cart.ts:3
    typecheck :: [10:00:00] Found 0 errors. Watching for file changes. :: passed -/0/- ¦ typecheck :: Success: no issues found in 3 source files :: passed -/0/-
    typecheck :: cart.py:3: error: No  [return-value]\nFound 1 error in 1 file (checked 3 source files) :: failed -/1/- No [return-value] at cart.py:3
    typecheck :: 0 errors, 3 warnings, 0 informations :: passed -/0/-
    typecheck :: \  /app/cart.py:3:5 - error: "x" is not defined\n1 error, 0 warnings, 0 informations :: failed -/1/- "x" is not defined at /app/cart.py:3
    lint :: /app/cart.js\n  3:5  error  'a' is never used  no-unused-vars\n\n✖ 3 problems (1 error, 2 warnings) :: failed -/1/- 'a' is never used
    lint :: ✖ 2 problems (0 errors, 2 warnings) :: passed -/0/-
    lint :: ✖ 2 problems (0 errors, 2 warnings)\nESLint found too many warnings (maximum: 0). :: failed -/0/-
    lint :: Checked 3 files in 10ms. No fixes applied. :: passed -/-/- ¦ lint :: Checked 3 files in 10ms. No fixes applied.\nFound 2 errors. :: failed -/2/-
    lint :: Found 0 warnings and 0 errors. :: passed -/0/- ¦ lint :: Found 2 warnings and 3 errors. :: failed -/3/- ¦ lint :: All checks passed! :: passed -/-/-
    lint :: Found 3 errors. :: failed -/3/- ¦ lint :: Found 3 errors (3 fixed, 0 remaining). :: passed -/-/-
    lint :: would reformat cart.py\n1 file would be reformatted, 2 files would be left unchanged. :: failed -/-/-
    lint :: cart.py:3:80: E501 line too long :: failed -/-/- E501 line too long at cart.py:3 ¦ lint :: 0 issues. :: passed -/-/-
    lint :: cart.go:3:5: Error return value of \`f\` is not checked (errcheck)\n1 issues:\n* errcheck: 1 :: failed -/1/- Error return value of \`f\` is not checked (errcheck) at cart.go:3
    lint :: All matched files use Prettier code style! :: passed -/-/-
    lint :: [warn] Code style issues found in 2 files. Run Prettier with --write to fix. :: failed -/-/-
    lint :: 3 files inspected, no offenses detected :: passed -/-/- ¦ lint :: 3 files inspected, 2 offenses detected, 1 offense autocorrectable :: failed -/-/-
    lint :: \ [ERROR] Found 3 errors :: failed -/3/- ¦ lint :: \    Finished \`dev\` profile [unoptimized + debuginfo] target(s) in 0.50s :: passed -/-/-
    lint :: trailing whitespace.......................Passed\nruff......................................Failed :: failed -/-/- ruff
    build :: error[E0308]: mismatched types\n --> src/lib.rs:6:18\nerror: could not compile \`cart\` :: failed -/-/- mismatched types at src/lib.rs:6
    build :: # acme.dev/shop/cart\n./cart.go:3:5: undefined: total :: failed -/-/- undefined: total at ./cart.go:3
    build :: cart.c:3:5: error: 'x' undeclared :: failed -/-/- 'x' undeclared at cart.c:3 ¦ build :: collect2: error: ld returned 1 exit status :: failed -/-/-
    build :: Cart.java:3: error: incompatible types :: failed -/-/- incompatible types at Cart.java:3 ¦ build :: [INFO] BUILD SUCCESS :: passed -/-/-
    build :: [ERROR] COMPILATION ERROR : \n[ERROR] /app/Cart.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE :: failed -/-/- cannot find symbol at /app/Cart.java:3
    build :: Build succeeded.\n    0 Warning(s)\n    0 Error(s) :: passed -/-/-
    build :: /app/Cart.cs(3,5): error CS1002: ; expected\nBuild FAILED. :: failed -/-/- CS1002: ; expected at /app/Cart.cs:3
    build :: ✓ built in 1.20s :: passed -/-/- ¦ build :: error during build: :: failed -/-/-
    build :: webpack 5.90.0 compiled with 2 warnings in 900 ms :: passed -/-/- ¦ build :: webpack 5.90.0 compiled with 1 error in 900 ms :: failed -/-/-
    build :: \ Tasks:    3 successful, 3 total\nCached:    0 cached, 3 total :: passed -/-/- ¦ build :: make[1]: *** [Makefile:3: all] Error 2 :: failed -/-/-
  `

const unknown: ReadonlyArray<readonly [why: string, kind: string, output: string]> = triples`
    nothing was printed :: tests :: ¦ prose is no total :: tests :: All 12 tests passed, I think; 3 passed and none failed.
    a build that finished passes no test :: tests :: [INFO] BUILD SUCCESS ¦ lint findings fail no test run :: tests :: ✖ 3 problems (1 error, 2 warnings)
    the failed line of the block may be cut away :: tests :: \  3 passed (2.1s) ¦ a passing count without the failing one :: tests :: ℹ pass 3
    a test that is yet to pass :: tests :: ✖ not yet (0.2ms) # TODO ¦ the plan is not finished :: tests :: 1..3\nok 1 adds\nok 2 empties
    a failure contradicts the clean total after it :: tests :: FAIL src/cart.test.ts\nTests:       3 passed, 3 total
    the script around a clean run failed :: tests :: \      Tests  3 passed (3)\n ELIFECYCLE  Command failed with exit code 1.
    deny-warnings is not visible :: lint :: Found 2 warnings and 0 errors. ¦ a log line of the program :: tests :: Error: connection refused
    a push that was rejected is no build :: build :: error: failed to push some refs to 'github.com:acme/shop.git'
    an account of a build is none :: build :: Build succeeded with no errors. Here is a summary of what was done:
    a quoted failure is no run :: tests :: FAIL: test_empties (shop.tests.Cart)\n...\nAssertionError: 1 != 2
  `

describe("RunnerOutput.summarize", () => {
  it.each([...tests.map(([output, wanted]) => ["tests", output, wanted] as const), ...checks])(
    "reads %s: %s",
    (kind, output, wanted) => {
      assert.strictEqual(seen(RunnerOutput.summarize(output, { kind: kind as Kind, runner: null })), wanted)
    }
  )

  it.each(unknown)("abstains: %s", (_, kind, output) => {
    assert.isNull(RunnerOutput.summarize(output, { kind: kind as Kind, runner: null }))
  })

  it("filtered output: a pass needs a total, a failure does not", () => {
    const hint = { kind: "tests", runner: null, partial: true } as const
    assert.isNull(RunnerOutput.summarize("ok  \tacme.dev/shop/cart\t0.1s", hint))
    assert.strictEqual(RunnerOutput.summarize("FAIL\tacme.dev/shop/cart\t0.1s", hint)?.outcome, "failed")
    assert.strictEqual(RunnerOutput.summarize("Tests:       3 passed, 3 total", hint)?.outcome, "passed")
  })

  it("ignores a missing command other than the runner", () => {
    const output = "bash: line 1: staticcheck: command not found"
    assert.isNull(RunnerOutput.summarize(output, { kind: "typecheck", runner: "go vet" }))
    assert.strictEqual(RunnerOutput.summarize(output, { kind: "lint", runner: "staticcheck" })?.outcome, "failed")
  })

  it("reads output without a hint", () => {
    assert.strictEqual(RunnerOutput.summarize("Found 3 errors (3 fixed, 0 remaining).")?.outcome, "passed")
    assert.strictEqual(RunnerOutput.summarize("      Tests  3 passed (3)\nerror during build:")?.outcome, "failed")
  })

  it.each(pairs`
    \ FAIL  a.test.ts > cart > empties\n      Tests  1 failed | 2 passed (3) :: 2 passed, 1 failed (cart > empties)
    src/a.ts(3,5): error TS1005: ';' expected. :: failed (TS1005: ';' expected. at src/a.ts:3) ¦ ?   \tacme.dev/shop\t[no test files] :: no tests ran
    bash: jest: command not found :: failed: bash: jest: command not found
  `)("says %j in one short line: %s", (output, detail) => {
    assert.strictEqual(RunnerOutput.summarize(output)?.detail, detail)
  })

  it("keeps at most ten failing tests, short names and a short detail", () => {
    const output = Array.from({ length: 30 }, (_, at) => `--- FAIL: Test${at}${"x".repeat(250)} (0.00s)`).join("\n")
    const summary = RunnerOutput.summarize(output)
    assert.strictEqual(summary?.failing.length, 10)
    assert.isAtMost(summary?.failing[0]?.name.length ?? 999, 200)
    assert.isAtMost(summary?.detail.length ?? 999, 300)
  })

  it("reads a megabyte of progress, and of hostile output", () => {
    assert.strictEqual(RunnerOutput.summarize(`${"progress\n".repeat(120_000)}${red}\n`)?.failed, 1)
    const all = tests.map(([output]) => output).join("\n")
    // A quadratic scan would reach the test's time limit.
    for (const unit of ["1", "(", "1 passed, ", "\n", " ", "=", "FAIL ", `${esc}[`, "x:1:1: ", "1)", "error "])
      assert.isNotNull(RunnerOutput.summarize(all + unit.repeat(Math.ceil(1_000_000 / unit.length))))
  })

  it("a failing total anywhere in the output fails the run", () => {
    const output = FastCheck.constantFrom(...tests.map(([text]) => text))
    FastCheck.assert(
      FastCheck.property(output, output, (before, after) => {
        const text = [before, red, after].join("\n")
        assert.strictEqual(RunnerOutput.summarize(text, { kind: "tests", runner: null })?.outcome, "failed")
      })
    )
  })
})

const none = (text: string): string | null => (text === "null" ? null : text)

it.each(pairs`
    \      Tests  3 passed (3)\n      Tests  1 failed | 2 passed (3) :: true ¦ \      Tests  1 failed | 2 passed (3)\nagain\n      Tests  3 passed (3) :: false
    \ Test Files  1 failed | 2 passed (3)\n      Tests  3 passed (3) :: true ¦ ℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ todo 0 :: true
    ℹ pass 1\nℹ fail 1\nretrying\nℹ pass 2\nℹ fail 0\nℹ todo 0 :: false ¦ FAIL\tacme.dev/shop\t0.1s\nFAIL\nok  \tacme.dev/shop\t0.1s :: false
    12 tests completed, 1 failed\nBUILD FAILED in 4s\nBUILD SUCCESSFUL in 5s :: false ¦ no runner :: false
  `)("RunnerOutput.endsFailed: %j → %s", (output, expected) => {
  assert.strictEqual(String(RunnerOutput.endsFailed(output)), expected)
})

it.each([
  ["bash: pytest: command not found", "pytest", false, "it could not be run: bash: pytest: command not found"],
  ["error: Failed to spawn: `pytest`", null, false, "it could not be run: error: Failed to spawn: `pytest`"],
  ["bash: jq: command not found", "pytest", false, null],
  ["make: 'test' is up to date.", "make test", true, "make: 'test' is up to date."],
  ["Error: Cannot find module './cart'", "node", false, null],
  [`bash: pytest: command not found\n${red}`, "pytest", false, null]
])("RunnerOutput.whyNothing: %j of %s", (output, runner, succeeded, why) => {
  assert.strictEqual(RunnerOutput.whyNothing(output, { kind: "tests", runner, succeeded }), why)
})

it.each(pairs`
    ✖ empties (1.2ms)\nℹ fail 1 :: empties ¦ FAIL  src/cart.test.ts > cart > empties :: cart > empties ¦ FAIL src/cart.test.ts :: null
    \      Tests  3 passed (3) :: null
  `)("RunnerOutput.failingTest: %j", (output, name) => assert.strictEqual(RunnerOutput.failingTest(output), none(name)))

it.each(pairs`
    ok\nexit: 0\n :: 0 ¦ failed\nEXIT=1 :: 1 ¦ === exit status: 3 === :: 3 ¦ tests exit 1 :: 1 ¦ vitest=4 :: 4 ¦ done\n127 :: 127
    3 passed :: null ¦ exit: 1234 :: null
  `)("RunnerOutput.echoedStatus: %j → %s", (output, status) => {
  assert.strictEqual(String(RunnerOutput.echoedStatus(output)), status)
})

it("RunnerOutput.echoedStatus: one of several → only if each is printed", () => {
  assert.strictEqual(RunnerOutput.echoedStatus("a\n0\nb\n2\n", 2, 2), 2)
  assert.isNull(RunnerOutput.echoedStatus("a\n0\nb\n", 2, 2))
})
