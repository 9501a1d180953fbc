import { assert, it } from "@effect/vitest"
import * as Failures from "../../src/checks/failures.ts"
import { checkResult } from "../support/checkResult.ts"

type Failing = readonly [name: string, file: string, line?: number]

const ran = (printed: string, ...failing: ReadonlyArray<Failing>): Failures.CheckRun => ({
  ...checkResult({ failing: failing.map(([name, file, line = 1]) => ({ name, file, line })) }),
  printed
})

const passed: Failures.CheckRun = { ...checkResult({ result: "passed", exitCode: 0, failing: [] }), printed: "" }

const told = ({ before, failing, result }: Failures.CheckRun) =>
  `${result} ${before} ${failing.map(({ name }) => name).join()}`

const line = (at: number) => `src/a.ts(${at},14): error TS2322: No.\n`
const one = ran(line(1), ["TS2322: No.", "src/a.ts", 1])
const two = ran(line(1) + line(3), ["TS2322: No.", "src/a.ts", 1], ["TS2322: No.", "src/a.ts", 3])

const old = (word: string, folder: string) =>
  ran(`not ok 1 - old\n  error: '${word}'\n`, ["old", `${folder}/p.test.js`])

it.each<readonly [string, Failures.CheckRun, Failures.CheckRun, string]>([
  ["is old where its file was moved", old("x", "src"), old("x", "test"), "failed_before failed "],
  ["is new where another of that name fails", old("y", "src"), old("x", "test"), "failed failed old"],
  ["hides no second one with the same words in the same file", two, one, "failed failed TS2322: No.,TS2322: No."],
  ["is old with the same words in the same file", one, one, "failed_before failed "],
  ["is old where one of two is left", one, two, "failed_before failed "]
])("what failed before the task %s", (_, now, before, expected) =>
  assert.strictEqual(told(Failures.since(now, before)), expected)
)

const both = { ...ran("a\nb\n", ["a", "a.test.js"], ["b", "b.test.js"]), before: "passed" } as const
const unnamed = { ...ran("error: no such file\n"), before: "passed" } as const
const none = { ...unnamed, tests: 0 }

it.each<readonly [string, Failures.CheckRun, Failures.CheckRun | null, string]>([
  ["fails at it too", both, ran("", ["a", "a.test.js"]), "failed passed a"],
  ["prints the same without a name", unnamed, ran("error: no such file\n"), "failed passed "],
  ["has as few tests", none, { ...passed, tests: 0 }, "failed passed "],
  ["does not exist", both, null, "failed unknown a,b"],
  ["passes", both, passed, "failed unknown a,b"],
  ["can't load the file", both, ran("", ["a.test.js", "a.test.js"]), "failed unknown a,b"],
  ["prints something else without a name", unnamed, ran("error: something else\n"), "failed unknown "],
  ["has tests", none, { ...passed, tests: 3 }, "failed unknown "]
])("what is new by the files of before is known as new by a work tree of now: %s", (_, found, control, expected) =>
  assert.strictEqual(told(Failures.controlled(found, control)), expected)
)
