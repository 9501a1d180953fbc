import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import type { FailureType } from "../../src/memory/lessons/FailureContext.ts"
import * as Reflection from "../../src/memory/lessons/Reflection.ts"
import * as ReflectionHeuristic from "../../src/memory/lessons/ReflectionHeuristic.ts"
import * as RetryPrompt from "../../src/memory/lessons/RetryPrompt.ts"
import { tellingLines } from "../../src/session/output/TellingLines.ts"
import { failure, files, printed } from "../support/failures.ts"
import { list, pairs, triples } from "../support/rows.ts"
import { alnum } from "../support/secretKinds.ts"

const of = (name: string): string => files[name] ?? assert.fail(name)

const tsc = of("tsc-one")

const lesson = (failureType: FailureType, errorOutput: string) =>
  ReflectionHeuristic.reflect(failure({ failureType, errorOutput }))

const made = (
  failureType: FailureType,
  errorOutput: string,
  attemptNumber: number,
  previous: ReadonlyArray<Reflection.Reflection> = []
) => {
  const createdAt = `2026-01-01T10:0${attemptNumber}:00.000Z`
  const given = failure({ failureType, errorOutput, attemptNumber })
  return ReflectionHeuristic.make(given, { id: `r${attemptNumber}`, createdAt, previous })
}

describe("ReflectionHeuristic.reflect", () => {
  it.each<[FailureType, string, Reflection.Category, RegExp]>([
    ["test_failure", printed.nodeTest, "root_cause", /^The test "takes ten percent off" failed:\n/],
    ["test_failure", printed.nodeTest, "root_cause", /\/shop\/t\/a\.test\.mjs:4:1[^]*expected: 45[^]*actual: 40/],
    ["typecheck_failure", tsc, "misconception", /^The type check failed:\nsrc\/account\.ts\(6,61\): error TS2339/],
    ["build_failure", printed.javac, "root_cause", /A\.java:1: error/],
    ["runtime_error", printed.node, "root_cause", /e\.mjs:2[\s\S]*TypeError/],
    ["test_failure", of("pytest-equal"), "root_cause", /^The test "test_punctuation_is_dropped" failed/],
    ["test_failure", of("cargo-test"), "root_cause", /^The test "tests::takes_a_share_off" failed[\s\S]*left: 4990/],
    ["test_failure", printed.pythonModule, "missing_context", /nothere/],
    ["build_failure", printed.command, "environment", /frobnicate: command not found/],
    ["build_failure", 'npm error Missing script: "bild"', "tool_misuse", /./],
    ["test_failure", "No tests found, exiting with code 1", "test_gap", /No tests found/],
    ["verification_failed", of("unittest-lists"), "verification", /test_urgent_jobs_come_first/],
    ["timeout", "Error: Test timed out in 5000ms.", "approach_flaw", /5000ms/],
    ["test_failure", "✖ takes ten percent off (1.2ms)\nℹ fail 1", "root_cause", /^The test "takes ten/],
    ["test_failure", "Error: connect ECONNREFUSED 127.0.0.1:5432", "environment", /127\.0\.0\.1:5432/]
  ])("learns from %s: %j", (type, output, category, analysis) => {
    const learned = lesson(type, output)
    assert.strictEqual(learned.category, category)
    assert.match(learned.analysis, analysis)
  })

  it("says so if the output gives no reason, or says that nothing failed", () => {
    const empty = lesson("build_failure", "")
    assert.include(empty.analysis, "the output does not say why")
    assert.strictEqual(empty.confidence, 0.3)
    assert.include(lesson("test_failure", "ok  \tacme.dev/shop\t0.1s").analysis, "No test failed")
  })

  it("calls for another approach if a cause repeats, even with other times and lines", () => {
    const first = made("test_failure", printed.nodeTest, 1)
    const later = printed.nodeTest.replaceAll("2.984683", "3.1").replaceAll("a.test.mjs:4:1", "a.test.mjs:9:1")
    const second = made("test_failure", later, 2, [first])
    assert.strictEqual(second.category, "approach_flaw")
    assert.include(second.analysis, "in the same way as attempt 1")
    assert.strictEqual(made("test_failure", of("cargo-test"), 2, [first]).category, "root_cause")
    assert.notInclude(made("test_failure", printed.nodeTest.replaceAll("40", "41"), 2, [first]).analysis, "same way")
    const back = made("test_failure", printed.nodeTest, 2, [RetryPrompt.resolve(first)])
    assert.notInclude(back.analysis, "same way")
  })

  it("any output: the lesson keeps the length limits and has no secret", () => {
    const types = fc.constantFrom<FailureType>("test_failure", "typecheck_failure", "runtime_error", "timeout")
    const lines = [...Object.values(printed), ...Object.values(files)].flatMap((text) => text.split("\n"))
    const secret = `ghp_${alnum(36)}`
    const line = fc.oneof(fc.constantFrom(...lines), fc.string(), fc.constant(`Error: token ${secret} was refused`))
    fc.assert(
      fc.property(types, fc.array(line, { maxLength: 40 }), (type, output) => {
        const learned = made(type, output.join("\n"), 1)
        assert.deepStrictEqual(Schema.decodeUnknownSync(Reflection.Reflection)(learned), learned)
        assert.notInclude(JSON.stringify(learned), secret)
        assert.isAtMost(learned.analysis.length, Reflection.limits.analysis)
        assert.isAtMost(learned.suggestion.length, Reflection.limits.text)
        assert.isAtMost(learned.actionItems.length, Reflection.limits.items)
        for (const item of learned.actionItems) assert.isAtMost(item.length, Reflection.limits.item)
      }),
      { numRuns: 30 }
    )
  })
})

describe("tellingLines", () => {
  it("a short output keeps every line but the uninformative ones", () => {
    const output = "> shop test\n\n    at node:internal/x:1\nAssertionError: 1 != 2\nnpm error code 1\nℹ fail 0"
    assert.deepStrictEqual(tellingLines(output), ["> shop test", "AssertionError: 1 != 2"])
  })

  it("a long output keeps its telling lines and their neighbours, in order, within the limit", () => {
    const noise = Array.from({ length: 400 }, (_, at) => `step ${at} of the build`)
    const output = [...noise, "src/cart.js:4", "Error: no price", "for this thing", ...noise].join("\n")
    const lines = tellingLines(output)
    assert.deepStrictEqual(lines, ["src/cart.js:4", "Error: no price", "for this thing", "step 0 of the build"])
    const errors = Array.from({ length: 400 }, (_, at) => `Error: number ${at}`)
    assert.isAtMost(tellingLines(errors.join("\n")).join("\n").length, 1500)
  })
})

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
    ERROR: test_tax (tests.test_price.PriceTest.test_tax)\n  File "/repo/tests/test_price.py", line 6, in test_tax\nKeyError: 'rate' :: test_tax ::
    _____ PriceTest.test_tax _____\n\nE       KeyError: 'rate'\n\ntests/test_price.py:6: KeyError :: PriceTest.test_tax :: KeyError
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
  `)("names no test, but quotes the output: %j", (output, told) => {
    const analysis = analysisOf(output)
    assert.notInclude(analysis, "The test ")
    for (const part of told.split(" / ")) assert.include(analysis.replaceAll(/[ \t]+/gu, " "), part)
  })
})

it.each<readonly [string, FailureType, ReadonlyArray<string>]>([
  ["node-spec", "test_failure", list`takes the discount as a share ¦ cart.test.mjs:12 ¦ 4999.9 ¦ 4500`],
  ["vitest-object", "test_failure", list`takes the quotes off ¦ parse.test.js:10 ¦ "quoted": true ¦ "quoted": false`],
  ["jest-object", "test_failure", list`counts its items ¦ order.test.js:10 ¦ "distinct": 2 ¦ "distinct": 3`],
  ["pytest-equal", "test_failure", list`test_punctuation_is_dropped ¦ test_text.py:10 ¦ tea-green ¦ tea,-green`],
  ["unittest-lists", "test_failure", list`test_urgent_jobs_come_first ¦ line 9 ¦ ['urgent:c', 'a', 'b']`],
  ["cargo-test", "test_failure", list`takes_a_share_off ¦ src/lib.rs:17 ¦ 4500 ¦ 4990`],
  ["tsc-one", "typecheck_failure", list`src/account.ts(6 ¦ Property 'name' does not exist on type 'Account'`],
  ["java-exception", "runtime_error", list`Last.java:5 ¦ Index: 2 Size: 2`]
])("the next attempt's prompt names what %s printed", (name, failureType, facts) => {
  const given = failure({ failureType, errorOutput: of(name), filesModified: [], subtaskDescription: name })
  const lesson = ReflectionHeuristic.make(given, { id: "lesson", createdAt: "2026-03-02T09:01:00.000Z" })
  const prompt = RetryPrompt.render([lesson]).replaceAll(/\s+/gu, " ")
  for (const fact of facts) assert.include(prompt, fact)
})
