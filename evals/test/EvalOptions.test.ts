import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as EvalOptions from "../src/report/EvalOptions.ts"

const problemOf = (...argv: ReadonlyArray<string>) => Either.getOrNull(Either.flip(EvalOptions.parse(argv)))

describe("the options of the evaluation", () => {
  it("takes every suite by its name", () => {
    for (const suite of EvalOptions.suites) assert.isNull(problemOf("--suite", suite), suite)
  })

  it("refuses a suite that does not exist, which would be below no floor", () => {
    assert.strictEqual(problemOf("--suite", "case"), `--suite: "case" is none of ${EvalOptions.suites.join(", ")}`)
  })

  it("compares and records whole runs alone", () => {
    assert.isNull(problemOf("--check"))
    assert.strictEqual(problemOf("--check", "--suite", "cases"), "--check needs every suite: leave --suite out")
    assert.strictEqual(problemOf("--record", "--suite", "cases"), "--record needs every suite: leave --suite out")
  })

  it("says what it does not know in a sentence", () => {
    for (const argv of [["--bogus"], ["--suite"], ["cases"]]) {
      const problem = problemOf(...argv)
      assert.isNotNull(problem)
      assert.notInclude(problem, "\n")
    }
  })
})
