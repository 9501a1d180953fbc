/** What several runs in the copy say: of the old tests, of the present ones, and of the old ones again. Pure. */
import { type Row, row } from "../../ground/text/Rows.ts"
import * as FailureOutput from "../../session/output/FailureOutput.ts"
import type { CheckResult } from "../checks/CheckResult.ts"
import type { OldTests } from "./model.ts"

type Outcome = Pick<OldTests, "detail" | "failing" | "result">

const unknown = (detail: string): Outcome => ({ result: "unknown", detail, failing: [] })

/**
 * Old tests may need what was renamed, removed or given other parameters, which may have been the task: then they do not even
 * get to what they assert.
 */
const rows: ReadonlyArray<Row> = [
  row(
    "is not a function|is not a constructor",
    /\bis not a (?:function|constructor)\b/,
    "TypeError: total is not a function",
    "it is not a number"
  ),
  row(
    "has no attribute",
    /\bhas no attribute\b/,
    "AttributeError: module 'cart' has no attribute 'total'",
    "it has an attribute"
  ),
  row(
    "nameerror|nomethoderror|nosuchmethod|undefined method",
    /\b(?:NameError|NoMethodError|NoSuchMethod\w{0,20}|undefined method)\b/,
    "NoMethodError: undefined method `total'",
    "method total"
  ),
  row(
    "is not defined|undefined: |undefined (type",
    /\bis not defined\b|\bundefined: |\bundefined \(type/,
    "./cart_test.go:9:7: undefined: Total",
    "expected undefined"
  ),
  row(
    "cannot find|could not find",
    /\bcannot find (?:symbol|function|value|type|method|macro|struct|name|module|package)\b|\bcould not find symbol\b/i,
    "error: cannot find symbol",
    "cannot find the total"
  ),
  row(
    "argument",
    /\b(?:unexpected keyword argument|positional arguments?|(?:not enough|too many|wrong number of) arguments)\b/i,
    "TypeError: total() got an unexpected keyword argument 'tax'",
    "an argument"
  ),
  row(
    "error ts|error[e",
    /\berror TS\d{3,5}\b|\berror\[E\d{4}\]/,
    "error TS2339: Property 'total' does not exist",
    "error: 3"
  ),
  row(
    "suite failed to run|error collecting|could not compile|compilation",
    /\b(?:[Ss]uite failed to run|ERROR collecting|could not compile|COMPILATION ERROR|Compilation failure)\b/,
    "Test suite failed to run",
    "the suite failed"
  ),
  row(
    "[build failed]|[setup failed]",
    /\[(?:build|setup) failed\]/,
    "FAIL example.org/cart [build failed]",
    "the build passed"
  ),
  row(
    "does not provide an export|is not exported|no exported member",
    /\bdoes not provide an export|\bis not exported\b|\bno exported member\b/,
    "does not provide an export named 'total'",
    "the export"
  ),
  row("fixture", /\bfixture '[^']{1,80}' not found\b/, "fixture 'cart' not found", "the fixture cart")
]

const causes: ReadonlySet<FailureOutput.CauseKind> = new Set([
  "syntax",
  "missing_module",
  "missing_command",
  "missing_script",
  "missing_file",
  "permission",
  "connection",
  "port",
  "memory",
  "disk",
  "timeout"
])

const maxLines = 4000

/** What keeps tests from being run at all, line by line. */
const hindrances = (output: string): ReadonlySet<string> => {
  const lines = output.split("\n", maxLines).map((line) => line.trim().slice(0, 300))
  const named = FailureOutput.read(output).causes.filter(({ kind }) => causes.has(kind))
  return new Set([
    ...lines.filter((line) => rows.some(({ pattern }) => pattern.test(line))),
    ...named.map(({ kind, subject }) => `${kind} ${subject ?? ""}`)
  ])
}

/** What the first run of the old tests settles by itself; null where the present ones have to be run in the copy, too. */
export const first = (old: CheckResult): Outcome | null => {
  if (old.result === "passed") return { result: "passed", detail: old.detail, failing: [] }
  if (old.result !== "failed") return unknown(`the tests as they were gave no result: ${old.detail}`)
  if (old.failing.length === 0) return unknown("the tests as they were fail, and no test is named that does")
  return null
}

/** `present`: the present tests in the copy, where what fails for its being a copy would fail as well. */
export const second = (old: CheckResult, present: CheckResult): Outcome | null => {
  if (present.result !== "passed") return unknown(`in the copy the present tests do not pass either: ${present.detail}`)
  const there = hindrances(present.output)
  const own = [...hindrances(old.output)].filter((line) => !there.has(line))
  return own.length === 0 ? null : unknown("the tests as they were cannot be run on the present code")
}

const nameOf = ({ file, name }: CheckResult["failing"][number]): string => `${file ?? ""}\n${name}`

/** A test that fails now and then says nothing. */
export const third = (old: CheckResult, again: CheckResult): Outcome => {
  const twice = new Set(again.failing.map(nameOf))
  const failing = old.failing.filter((test) => twice.has(nameOf(test)))
  if (again.result !== "failed" || failing.length === 0)
    return unknown("the tests as they were fail, and do not fail again")
  return { result: "failed", detail: again.detail, failing }
}
