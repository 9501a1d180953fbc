import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import type { FailureContext, FailureType } from "../../src/learn/lessons/FailureContext.ts"
import * as Reflection from "../../src/learn/lessons/Reflection.ts"
import * as ReflectionHeuristic from "../../src/learn/lessons/ReflectionHeuristic.ts"
import { printed } from "../support/failures.ts"
import { alnum, join } from "../support/secrets.ts"

const failure = (failureType: FailureType, errorOutput: string): FailureContext => ({
  id: "f1",
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  subtaskDescription: "Mend the discount.",
  attemptNumber: 2,
  failureType,
  errorOutput,
  filesModified: ["src/cart.js"],
  previousReflections: [],
  createdAt: "2026-01-01T10:00:00.000Z"
})

const lesson = (type: FailureType, output: string) => ReflectionHeuristic.reflect(failure(type, output))

describe("ReflectionHeuristic.reflect", () => {
  it("names the failing test, its place, and what was expected and received", () => {
    const { actionItems, analysis, category, source, suggestion } = lesson("test_failure", printed.nodeTest)
    assert.strictEqual(category, "root_cause")
    assert.strictEqual(source, "heuristic")
    for (const part of ["takes ten percent off", "a.test.mjs:4", "expected 45, received 40", "2 other tests"])
      assert.include(analysis, part)
    assert.include(suggestion, "src/cart.js")
    assert.include(actionItems.join(), "keeps an empty cart")
  })

  it.each<[FailureType, string, Reflection.Category, RegExp]>([
    ["typecheck_failure", printed.tsc, "misconception", /a\.ts:1.*TS2322/],
    ["build_failure", printed.javac, "misconception", /A\.java:1/],
    ["runtime_error", printed.node, "root_cause", /TypeError \(\/shop\/e\.mjs:2\)/],
    ["runtime_error", printed.python, "root_cause", /TypeError \(\/shop\/e\.py:2\)/],
    ["test_failure", printed.pytest, "root_cause", /test_b.*expected 45/],
    ["test_failure", printed.cargo, "root_cause", /ten_percent.*src\/lib\.rs:6/],
    ["test_failure", printed.pythonModule, "missing_context", /`nothere` is imported/],
    ["build_failure", printed.command, "environment", /`frobnicate` does not exist/],
    ["verification_failed", printed.unittest, "root_cause", /test_ten/],
    ["timeout", "Error: Test timed out in 5000ms.", "approach_flaw", /not done in time \(5000ms\)/],
    ["test_failure", "Error: connect ECONNREFUSED 127.0.0.1:5432", "environment", /127\.0\.0\.1:5432/]
  ])("learns from %s", (type, output, category, analysis) => {
    const learned = lesson(type, output)
    assert.strictEqual(learned.category, category)
    assert.match(learned.analysis, analysis)
  })

  it("takes a value that is missing at run time for no error of types, and a notice for no import", () => {
    const thrown = lesson(
      "runtime_error",
      "TypeError: Cannot read properties of undefined (reading 'name')\n    at f (/shop/src/user.js:3:5)"
    )
    assert.include(thrown.analysis, "/shop/src/user.js:3")
    assert.include(thrown.suggestion, "which call gives none")
    const notice = lesson("build_failure", "important notice: the build stopped")
    assert.deepStrictEqual([notice.category, notice.confidence], ["root_cause", 0.3])
    assert.include(notice.analysis, "important notice: the build stopped")
  })

  it("says of too little covered what the runner says", () => {
    const said = "Error: 71.43% line coverage does not meet threshold of 90%."
    for (const mark of ["#", "ℹ"])
      assert.include(
        lesson("test_failure", `${mark} pass 1\n${mark} fail 0\n${mark} ${said}\n${mark} end of coverage report`)
          .analysis,
        said
      )
  })

  it("asks for another approach where the same cause is met again", () => {
    const first = lesson("test_failure", printed.nodeTest)
    const before = {
      ...first,
      id: "r1",
      sessionId: "s1",
      taskId: "t1",
      subtaskId: "t1.1",
      attemptNumber: 1,
      createdAt: "2026-01-01T09:00:00.000Z"
    }
    const second = ReflectionHeuristic.reflect(failure("test_failure", printed.nodeTest), [before])
    assert.strictEqual(second.category, "approach_flaw")
    assert.include(second.analysis, "after attempt 1")
    const other = ReflectionHeuristic.reflect(failure("test_failure", printed.cargo), [before])
    assert.strictEqual(other.category, "root_cause")
  })

  it("keeps to the lengths of a reflection and lets no secret through, whatever was printed", () => {
    const types = fc.constantFrom<FailureType>(
      "test_failure",
      "typecheck_failure",
      "build_failure",
      "runtime_error",
      "timeout",
      "verification_failed"
    )
    const lines = Object.values(printed).flatMap((text) => text.split("\n"))
    const secret = join("gh", "p_", alnum(36))
    const line = fc.oneof(fc.constantFrom(...lines), fc.string(), fc.constant(`Error: token ${secret} was refused`))
    fc.assert(
      fc.property(types, fc.array(line, { maxLength: 40 }), (type, output) => {
        const learned = lesson(type, output.join("\n"))
        const reflection = {
          ...learned,
          id: "r1",
          sessionId: "s1",
          taskId: "t1",
          subtaskId: "u1",
          attemptNumber: 1,
          createdAt: "2026-01-01T10:00:00.000Z"
        }
        assert.deepStrictEqual(Schema.decodeUnknownSync(Reflection.Reflection)(reflection), reflection)
        assert.notInclude(JSON.stringify(learned), secret)
        assert.isAtMost(learned.analysis.length, Reflection.limits.text)
        assert.isAtMost(learned.suggestion.length, Reflection.limits.text)
        assert.isAtMost(learned.actionItems.length, Reflection.limits.items)
        for (const item of learned.actionItems) assert.isAtMost(item.length, Reflection.limits.item)
      }),
      { numRuns: 30 }
    )
  })
})

describe("Reflection", () => {
  it("takes the records of other systems as they are, with the first eleven fields alone", () => {
    const record = {
      id: "r1",
      sessionId: "s1",
      taskId: "t1",
      subtaskId: "t1.1",
      attemptNumber: 1,
      category: "edge_case",
      analysis: "The cart was empty.",
      suggestion: "Look for an empty cart first.",
      actionItems: [],
      confidence: 0.8,
      createdAt: "2025-01-01T00:00:00.000Z"
    }
    const decoded = Schema.decodeUnknownSync(Reflection.Reflection)(record)
    assert.deepStrictEqual<unknown>(decoded, { ...record, source: null, model: null, tags: [] })
    for (const wrong of [{ attemptNumber: 0 }, { confidence: 2 }, { category: "luck" }, { id: "" }])
      assert.throws(() => Schema.decodeUnknownSync(Reflection.Reflection)({ ...record, ...wrong }))
  })
})
