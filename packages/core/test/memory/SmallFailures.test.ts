/** What is learned of failures as runners print them, a line or two of it, or all: the test, the place, both values. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { FailureType } from "../../src/memory/lessons/FailureContext.ts"
import * as ReflectionHeuristic from "../../src/memory/lessons/ReflectionHeuristic.ts"
import * as RetryPrompt from "../../src/memory/lessons/RetryPrompt.ts"
import { failure } from "../support/failures.ts"
import { list, pairs, triples } from "../support/rows.ts"

const analysisOf = (errorOutput: string): string =>
  ReflectionHeuristic.reflect(failure({ errorOutput, filesModified: [] })).analysis

describe("a lesson of a small output", () => {
  it.each(triples`
    FAIL test/price.test.js > adds the tax\nexpected 7 to be 8 :: adds the tax :: expected 8, received 7
    \ FAIL  test/price.test.ts > price > adds the tax\nError: no rate :: price > adds the tax :: no rate
    \ × test/price.test.ts > adds the tax 3ms\n   → expected 7 to be 8 :: adds the tax :: expected 8, received 7
    \   × adds the tax 3ms\n     → expected 7 to be 8 :: adds the tax :: expected 8, received 7
    \  ● price › adds the tax\n    Expected: 8\n    Received: 7 :: price › adds the tax :: expected 8, received 7
    FAIL test/price.test.js\n  ✕ adds the tax (2 ms) :: adds the tax ::
    \    ✕ adds the tax (2 ms)\nTests:       1 failed, 2 passed, 3 total :: adds the tax ::
    \  1) adds the tax:\n     AssertionError: expected 7 to equal 8 :: adds the tax :: expected 8, received 7
    ✖ adds the tax (0.9ms)\n  AssertionError [ERR_ASSERTION]: 7 == 8 :: adds the tax :: expected 8, received 7
    not ok 3 - adds the tax\n  error: 'no rate' :: adds the tax ::
    (fail) price > adds the tax [0.4ms]\nerror: no rate :: price > adds the tax :: no rate
    adds the tax ... FAILED (2ms)\nerror: Values are not equal. :: adds the tax :: Values are not equal
    ✘ [fail]: adds the tax\n  7 !== 8 :: adds the tax :: 7 !== 8
    \  1) [firefox] › price.spec.ts:4:3 › adds the tax ──\n    Error: no rate :: adds the tax :: no rate
    FAILED tests/test_price.py::test_tax - assert 7 == 8 :: test_tax :: assert 7 == 8
    E       assert 7 == 8\nFAILED tests/test_price.py::test_tax :: test_tax :: expected 8, received 7
    FAIL: test_tax (tests.test_price.PriceTest.test_tax)\nAssertionError: 7 != 8 :: test_tax :: expected 8, received 7
    --- FAIL: TestTax (0.00s)\n    price_test.go:9: got 7, want 8 :: TestTax :: expected 8, received 7
    ---- price::tax stdout ----\nthread 'price::tax' panicked at src/price.rs:7:9:\nno rate :: price::tax :: no rate
    rspec ./spec/price_spec.rb:4 # Price adds the tax :: Price adds the tax ::
    \  1) Price adds the tax\n     Failure/Error: expect(total).to eq(8) :: Price adds the tax :: expect(total).to eq(8)
    PriceTest#test_tax [test/price_test.rb:8]:\nExpected: 8\n  Actual: 7 :: PriceTest#test_tax :: Expected: 8, Actual: 7
    1) PriceTest::testTax\nFailed asserting that 7 matches expected 8. :: PriceTest::testTax :: asserting that 7 matches expected 8
    PriceTest > tax() FAILED\n    java.lang.IllegalStateException: no rate :: PriceTest > tax() :: no rate
    [ERROR] PriceTest.tax:12 expected: <8> but was: <7> :: PriceTest.tax :: expected 8, received 7
    \  Failed Shop.PriceTests.Tax [12 ms]\n   Assert.Equal() Failure :: Shop.PriceTests.Tax :: Assert.Equal() Failure
    \  1) test adds the tax (PriceTest)\n     Assertion with == failed :: adds the tax (PriceTest) :: Assertion with == failed
    00:01 +3 -1: adds the tax [E]\n  Expected: <8>\n  Actual: <7> :: adds the tax :: Expected: <8>, Actual: <7>
    FAIL adds the tax: expected 8, got 7 :: adds the tax :: expected 8, received 7
    ❌ adds the tax\nno rate :: adds the tax :: no rate
    ✗ error is shown where there is no rate :: error is shown where there is no rate ::
  `)("names the test: %j", (output, test, why) => {
    const analysis = analysisOf(output)
    assert.include(analysis.split("\n", 3).join("\n"), test)
    for (const value of why.match(/\d+/gu) ?? []) assert.include(analysis, value)
  })

  it.each(pairs`
    FAIL\nexit status 1 :: FAIL / exit status 1
    ❌ Build failed\nexit 1 :: ❌ Build failed / exit 1
    ✖ 3 problems (3 errors, 0 warnings) :: ✖ 3 problems
    FAILED (failures=1) :: FAILED (failures=1)
    FAIL\tshop/price\t0.012s :: FAIL shop/price 0.012s
    adds the tax: NOK\n7 in place of 8 :: adds the tax: NOK / 7 in place of 8
  `)("names none, and is told: %j", (output, told) => {
    const analysis = analysisOf(output)
    assert.notInclude(analysis, "The test ")
    for (const part of told.split(" / ")) assert.include(analysis.replaceAll(/[ \t]+/gu, " "), part)
  })
})

describe("the next attempt's prompt", () => {
  it.each<readonly [string, FailureType, ReadonlyArray<string>]>([
    ["node-spec", "test_failure", list`takes the discount as a share ¦ cart.test.mjs:12 ¦ 4999.9 ¦ 4500`],
    ["vitest-object", "test_failure", list`takes the quotes off ¦ parse.test.js:10 ¦ "quoted": true ¦ "quoted": false`],
    ["jest-object", "test_failure", list`counts its items ¦ order.test.js:10 ¦ "distinct": 2 ¦ "distinct": 3`],
    ["pytest-equal", "test_failure", list`test_punctuation_is_dropped ¦ test_text.py:10 ¦ tea-green ¦ tea,-green`],
    ["unittest-lists", "test_failure", list`test_urgent_jobs_come_first ¦ line 9 ¦ ['urgent:c', 'a', 'b']`],
    ["cargo-test", "test_failure", list`takes_a_share_off ¦ src/lib.rs:17 ¦ 4500 ¦ 4990`],
    ["tsc-one", "typecheck_failure", list`src/account.ts(6 ¦ Property 'name' does not exist on type 'Account'`],
    ["java-exception", "runtime_error", list`Last.java:5 ¦ Index: 2 Size: 2`]
  ])("names what %s printed", (name, failureType, facts) => {
    const errorOutput = readFileSync(new URL(`printed/${name}.txt`, import.meta.url), "utf8")
    const given = failure({ failureType, errorOutput, filesModified: [], subtaskDescription: name })
    const lesson = ReflectionHeuristic.make(given, { id: "lesson", createdAt: "2026-03-02T09:01:00.000Z" })
    const prompt = RetryPrompt.render([lesson]).replaceAll(/\s+/gu, " ")
    for (const fact of facts) assert.include(prompt, fact)
  })
})
