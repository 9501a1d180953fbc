/** A source that answers the test's own input with the test's own value, or asks whether a test is running. */
import { shown } from "./differences.ts"
import type { Delta } from "./model.ts"
import { literalsOf, more, plainValue, statements } from "./statements.ts"

/** `if (total === 50)`, `case 50:`, `50 => 45`, `x == "abc" ? 1`, `when 50` */
const asks =
  /(?:^|\b(?:if|elif|elsif|unless|when|case|cond|switch|return|guard)\b.{0,120}|[\w)\]]\s?)(?:===?|\.equals\(|\beql?\b|\bis\b)(?:'[^']{2,80}'|-?\d)|^(?:case|when|\|)\b.{0,80}|^-?[\d.]{1,12}(?:=>|->|:)/

const answers = /\b(?:return|then|yield|break|throw|result|=>|->|\?)|=>|->|:|\?|=(?!=)/

const isTelling = (value: string): boolean => {
  const plain = plainValue(value)
  const number = Number(plain)
  return !Number.isNaN(number) && plain !== "" && (Math.abs(number) > 2 || !Number.isInteger(number))
}

/** Whether a test is running, which no product needs to know. */
const knowsTests =
  /\b(?:process\.env\.(?:JEST_WORKER_ID|VITEST\w{0,10}|NODE_ENV\s?[!=]==?\s?["'`]test)|(?:JEST_WORKER_ID|VITEST_WORKER_ID|PYTEST_CURRENT_TEST|RUNNING_TESTS?)\b|["']pytest["'] in sys\.modules|sys\.modules\[["']pytest|import\.meta\.(?:env\.)?vitest|cfg!\(test\)|testing\.Testing\(\)|defined\?\(RSpec|Rails\.env\.test\?|NSClassFromString\(["']XCTest|XCTestConfigurationFilePath)/

const found = (by: 1 | -1, id: string, was: string, now: string): Delta => ({
  kind: "special",
  id: id.slice(0, 160),
  name: null,
  was: shown(was),
  now: shown(now),
  by,
  fits: true
})

/** Of an edit of a source, while the tests fail: `wanted` are the values that the failing run expected. */
export const ofSpecial = (before: string, after: string, wanted: ReadonlySet<string>): ReadonlyArray<Delta> => {
  const come = more(statements(after), statements(before))
  const gone = more(statements(before), statements(after))
  const tests = more(
    after.split("\n").filter((line) => knowsTests.test(line)),
    before.split("\n")
  )
  if (tests.length > 0) return [found(1, "knows-tests", gone[0] ?? "", (tests[0] ?? "").trim())]
  if (knowsTests.test(before) && !knowsTests.test(after)) return [found(-1, "knows-tests", "", "")]
  const at = come.findIndex((statement) => asks.test(statement) && literalsOf(statement).some(isTelling))
  if (at < 0) return []
  // The answer stands in the condition's own line or in the next statement.
  const reply = come.slice(at, at + 2).find((one) => {
    const values = literalsOf(one).filter(isTelling)
    const own = one === come[at] ? values.slice(1) : values
    return answers.test(one) && own.some((value) => wanted.has(plainValue(value)))
  })
  return reply === undefined
    ? []
    : [found(1, `answers:${come[at]}`, gone[0] ?? "", reply === come[at] ? reply : `${come[at]} ${reply}`)]
}
