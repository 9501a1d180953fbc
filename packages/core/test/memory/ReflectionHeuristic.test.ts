import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import type { FailureType } from "../../src/memory/lessons/FailureContext.ts"
import * as Reflection from "../../src/memory/lessons/Reflection.ts"
import * as ReflectionHeuristic from "../../src/memory/lessons/ReflectionHeuristic.ts"
import * as RetryPrompt from "../../src/memory/lessons/RetryPrompt.ts"
import { tellingLines } from "../../src/session/output/TellingLines.ts"
import { failure, printed } from "../support/failures.ts"
import { alnum } from "../support/secretKinds.ts"

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
    ["typecheck_failure", printed.tsc, "misconception", /^The type check failed:\na\.ts\(1,7\): error TS2322/],
    ["build_failure", printed.javac, "root_cause", /A\.java:1: error/],
    ["runtime_error", printed.node, "root_cause", /e\.mjs:2[\s\S]*TypeError/],
    ["test_failure", printed.pytest, "root_cause", /^The test "T\.test_key" failed/],
    ["test_failure", printed.cargo, "root_cause", /^The test "tests::ten_percent" failed[\s\S]*left: 40/],
    ["test_failure", printed.pythonModule, "missing_context", /nothere/],
    ["build_failure", printed.command, "environment", /frobnicate: command not found/],
    ["build_failure", 'npm error Missing script: "bild"', "tool_misuse", /./],
    ["test_failure", "No tests found, exiting with code 1", "test_gap", /No tests found/],
    ["verification_failed", printed.unittest, "verification", /test_ten/],
    ["timeout", "Error: Test timed out in 5000ms.", "approach_flaw", /5000ms/],
    ["test_failure", "✖ takes ten percent off (1.2ms)\nℹ fail 1", "root_cause", /^The test "takes ten/],
    ["test_failure", "Error: connect ECONNREFUSED 127.0.0.1:5432", "environment", /127\.0\.0\.1:5432/]
  ])("learns from %s: %j", (type, output, category, analysis) => {
    const learned = lesson(type, output)
    assert.strictEqual(learned.category, category)
    assert.match(learned.analysis, analysis)
  })

  it("says so where it knows nothing, or where the output says that nothing failed", () => {
    const empty = lesson("build_failure", "")
    assert.include(empty.analysis, "the output does not say why")
    assert.strictEqual(empty.confidence, 0.3)
    assert.include(lesson("test_failure", "ok  \tacme.dev/shop\t0.1s").analysis, "No test failed")
  })

  it("asks for another approach where the same cause is met again, whatever the times and places", () => {
    const first = made("test_failure", printed.nodeTest, 1)
    const later = printed.nodeTest.replaceAll("2.984683", "3.1").replaceAll("a.test.mjs:4:1", "a.test.mjs:9:1")
    const second = made("test_failure", later, 2, [first])
    assert.strictEqual(second.category, "approach_flaw")
    assert.include(second.analysis, "in the same way as attempt 1")
    assert.strictEqual(made("test_failure", printed.cargo, 2, [first]).category, "root_cause")
    assert.notInclude(made("test_failure", printed.nodeTest.replaceAll("40", "41"), 2, [first]).analysis, "same way")
    const back = made("test_failure", printed.nodeTest, 2, [RetryPrompt.resolve(first)])
    assert.notInclude(back.analysis, "same way")
  })

  it("keeps to the lengths of a reflection and lets no secret through, whatever was printed", () => {
    const types = fc.constantFrom<FailureType>("test_failure", "typecheck_failure", "runtime_error", "timeout")
    const lines = Object.values(printed).flatMap((text) => text.split("\n"))
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
  it("has all of a short output but what is idle", () => {
    const output = "> shop test\n\n    at node:internal/x:1\nAssertionError: 1 != 2\nnpm error code 1\nℹ fail 0"
    assert.deepStrictEqual(tellingLines(output), ["> shop test", "AssertionError: 1 != 2"])
  })

  it("has the telling lines of a long one with their neighbours, in their order and within the limit", () => {
    const noise = Array.from({ length: 400 }, (_, at) => `step ${at} of the build`)
    const output = [...noise, "src/cart.js:4", "Error: no price", "for this thing", ...noise].join("\n")
    const lines = tellingLines(output)
    assert.deepStrictEqual(lines, ["src/cart.js:4", "Error: no price", "for this thing", "step 0 of the build"])
    const errors = Array.from({ length: 400 }, (_, at) => `Error: number ${at}`)
    assert.isAtMost(tellingLines(errors.join("\n")).join("\n").length, 1500)
  })
})
