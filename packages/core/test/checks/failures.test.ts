import { assert, describe, it } from "@effect/vitest"
import * as Failures from "../../src/checks/failures.ts"
import { checkResult } from "../support/checkResult.ts"

type Failing = readonly [name: string, file: string, line?: number]

const ran = (printed: string, ...failing: ReadonlyArray<Failing>): Failures.CheckRun => ({
  ...checkResult({ failing: failing.map(([name, file, line = 1]) => ({ name, file, line })) }),
  printed
})

const passed: Failures.CheckRun = { ...checkResult({ result: "passed", exitCode: 0, failing: [] }), printed: "" }

const names = ({ before, failing, result }: Failures.CheckRun) => [result, before, failing.map(({ name }) => name)]

const line = (at: number) => `src/a.ts(${at},14): error TS2322: Not a number.\n`

describe("since: what failed before the task", () => {
  const printed = "not ok 1 - old\n  error: 'x'\n"

  it("is old where its file was moved, and new where another of that name fails otherwise", () => {
    const before = ran(printed, ["old", "test/p.test.js"])
    assert.deepStrictEqual(names(Failures.since(ran(printed, ["old", "src/p.test.js"]), before)), [
      "failed_before",
      "failed",
      []
    ])
    const other = ran("not ok 1 - old\n  error: 'y'\n", ["old", "src/p.test.js"])
    assert.deepStrictEqual(names(Failures.since(other, before)), ["failed", "failed", ["old"]])
  })

  it("does not hide a second failure with the same words in the same file", () => {
    const one = ran(line(1), ["TS2322: Not a number.", "src/a.ts", 1])
    const two = ran(
      line(1) + line(3),
      ["TS2322: Not a number.", "src/a.ts", 1],
      ["TS2322: Not a number.", "src/a.ts", 3]
    )
    assert.strictEqual(Failures.since(two, one).failing.length, 2)
    assert.strictEqual(Failures.since(one, one).result, "failed_before")
    assert.strictEqual(Failures.since(one, two).result, "failed_before")
  })
})

describe("controlled: what is new by the files of before", () => {
  const two = { ...ran("a\nb\n", ["a", "a.test.js"], ["b", "b.test.js"]), before: "passed" } as const

  it("is known as new only where a work tree with the files of now fails at it too", () => {
    assert.deepStrictEqual(names(Failures.controlled(two, ran("", ["a", "a.test.js"]))), ["failed", "passed", ["a"]])
    for (const control of [null, passed, ran("", ["a.test.js", "a.test.js"])])
      assert.strictEqual(Failures.controlled(two, control).before, "unknown")
  })

  it("is compared by what was printed where nothing is named, and by the number of tests where there are none", () => {
    const unnamed = { ...ran("error: no such file\n"), before: "passed" } as const
    assert.strictEqual(Failures.controlled(unnamed, ran("error: no such file\n")).before, "passed")
    assert.strictEqual(Failures.controlled(unnamed, ran("error: something else\n")).before, "unknown")
    const none = { ...unnamed, tests: 0 }
    assert.strictEqual(Failures.controlled(none, { ...passed, tests: 0 }).before, "passed")
    assert.strictEqual(Failures.controlled(none, { ...passed, tests: 3 }).before, "unknown")
  })
})
