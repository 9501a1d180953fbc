/** A source that is made to pass: by an answer to the test's own input, a look at who asks, or by passing over what failed. */
import { delta, shown } from "./deltas.ts"
import type { Delta } from "./model.ts"
import { literalsOf, more, plainValue, statements } from "./statements.ts"

/** `if (total === 50)`, `case 50:`, `50 => 45`, `x == "abc" ? 1`, `when 50` */
const asks =
  /(?:^|\b(?:if|elif|elsif|unless|when|case|cond|switch|return|guard)\b.{0,120}|[\w)\]]\s?)(?:===?|\.equals\(|\beql?\b|\bis\b)(?:'[^']{2,80}'|-?\d)|^(?:case|when|\|)\b.{0,80}|^-?[\d.]{1,12}(?:=>|->|:)/

const answers = /\b(?:return|then|yield|break|throw|result|=>|->|\?)|=>|->|:|\?|=(?!=)/

const isTelling = (value: string): boolean => {
  const plain = plainValue(value)
  if (/^0x[\da-f]{3,}$/i.test(plain)) return true
  const number = Number(plain)
  return !Number.isNaN(number) && plain !== "" && (Math.abs(number) > 2 || !Number.isInteger(number))
}

/** Whether a test is running, which no product needs to know. */
const knowsTests =
  /\b(?:process\.env\.(?:JEST_WORKER_ID|VITEST\w{0,10}|NODE_ENV\s?[!=]==?\s?["'`]test)|(?:JEST_WORKER_ID|VITEST_WORKER_ID|PYTEST_CURRENT_TEST|RUNNING_TESTS?)\b|["']pytest["'] in sys\.modules|sys\.modules\[["']pytest|import\.meta\.(?:env\.)?vitest|cfg!\(test\)|testing\.Testing\(\)|defined\?\(RSpec|Rails\.env\.test\?|NSClassFromString\(["']XCTest|XCTestConfigurationFilePath)/

const found = (by: 1 | -1, id: string, was: string, now: string): Delta =>
  delta("special", by, id, { was: shown(was), now: shown(now), fits: true })

const isKey = (value: string): boolean => (/^'.{2,}'$/.test(value) ? true : isTelling(value))

const keyed = /=>|->|:|==|\bcase\b|\bwhen\b|\{|\[|\(.{1,80},/

/** A line that puts the test's input beside the value that it wants, or what is missing to it. */
const ofTable = (
  before: string,
  after: string,
  wanted: ReadonlySet<string>,
  inputs: ReadonlySet<string>
): Delta | null => {
  const come = more(after.split("\n"), before.split("\n"))
  for (const raw of come.slice(0, 2000)) {
    const line = raw.slice(0, 400).trim()
    if (!keyed.test(line) || /^(?:\/\/|#|\*)/.test(line)) continue
    const values = literalsOf(line.replaceAll(/["`]/g, "'"))
    const answer = values.findLastIndex(
      (value) => isTelling(value) && (wanted.has(plainValue(value)) || wanted.has(`±${plainValue(value)}`))
    )
    const isKnown = values.slice(0, Math.max(0, answer)).some((value) => isKey(value) && inputs.has(plainValue(value)))
    if (answer > 0 && isKnown) return found(1, `table:${line}`, "", line)
  }
  return null
}

/** Of an edit of a source, while the tests fail: `wanted` are the values that the failing run expected. */
export const ofSpecial = (
  before: string,
  after: string,
  wanted: ReadonlySet<string>,
  inputs: ReadonlySet<string>
): ReadonlyArray<Delta> => {
  const come = more(statements(after), statements(before))
  const gone = more(statements(before), statements(after))
  const tests = more(
    after.split("\n").filter((line) => knowsTests.test(line)),
    before.split("\n")
  )
  if (tests.length > 0) return [found(1, "knows-tests", gone[0] ?? "", (tests[0] ?? "").trim())]
  if (knowsTests.test(before) && !knowsTests.test(after)) return [found(-1, "knows-tests", "", "")]
  const at = come.findIndex((statement) => asks.test(statement) && literalsOf(statement).some(isTelling))
  const entry = ofTable(before, after, wanted, inputs)
  if (at < 0 || entry !== null) return entry === null ? [] : [entry]
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

const logs =
  "(?:(?:this\\.|self\\.|_|@)?(?:console|log|logger|logging|Log|Logger|LOG|_log|_logger|Timber|slog|tracing|warnings|System\\.out|NSLog|os_log|debug|Rails\\.logger|\\$this->logger|\\$logger)(?:\\.|->|::|!)?\\w{0,20}[!(][^\\n]{0,200}|print(?:ln|f)?!?\\([^\\n]{0,200}|puts [^\\n]{0,200}|error_log\\([^\\n]{0,200})"

const idle = `(?:\\s{0,80}(?://[^\\n]{0,200}|#[^\\n]{0,200}|/\\*[^\\n]{0,200}\\*/|${logs}|continue|pass|next|nil|\\.\\.\\.|;)[;)]{0,3}\\s{0,4}(?=\\n|\\}|$))`

const forms: ReadonlyArray<RegExp> = [
  new RegExp(
    `\\bcatch\\s{0,4}(?:\\([^)\\n]{0,120}\\)|let \\w{1,40}|[\\w.]{0,60})?\\s{0,80}(?:when [^\\n{]{1,80})?\\{${idle}{0,3}\\s{0,80}\\}`,
    "g"
  ),
  new RegExp(`\\bexcept\\b[^:\\n]{0,120}:${idle}{1,3}(?=\\n|$)`, "g"),
  new RegExp(`\\brescue\\b[^\\n]{0,80}\\n${idle}{0,3}\\s{0,80}(?:end|ensure|else)\\b`, "g"),
  /\brescue nil\b|\bcontextlib\.suppress\(|\bsuppress\(\w*(?:Exception|Error)\)/g,
  /\.catch\(\s{0,4}(?:\(?\w{0,20}\)?|function ?\(\w{0,20}\))\s{0,4}(?:=>)?\s{0,4}\{?\s{0,20}(?:undefined|null|void 0|console\.\w{1,8}\([^\n]{0,80}\);?|\/\/[^\n]{0,100})?\s{0,20}\}?\s{0,4}\)/g,
  /\brunCatching\s{0,4}\{[^\n]{0,300}\}(?!\s{0,80}\.(?:getOr|fold|map|recover))/g,
  /\bif (?:_|r|err) ?:= ?recover\(\)[^\n]{0,80}|\bdefer func\(\) ?\{\s{0,40}(?:_ ?= ?)?recover\(\)/g,
  /\b_ = [\w.]{1,60}\([^\n]{0,120}\)$|\blet _ = [^\n]{1,160};|\btry\? [\w.]{1,60}/gm,
  /@\$?\w{1,40}(?:->|::|\()[^\n]{0,80}\);/g
]

const all = (text: string): ReadonlyArray<string> => forms.flatMap((form) => text.slice(0, 60_000).match(form) ?? [])

/** What fails at the end of something is passed over by custom, and what is logged as grave is not. */
const tidiesUp =
  /\bCancel\w{0,20}Error\b|\b(?:close|stop|dispose|shutdown|cleanup|unlink|remove|rollback|flush|sync|release|disconnect)\w{0,12}\(|\b(?:error|exception|critical|fatal)\(/i

const swallowed = (text: string): ReadonlyArray<string> => all(text).filter((one) => !tidiesUp.test(one))

/** Only of a file that the failing run's own trace names. */
export const ofSwallowed = (
  file: string,
  before: string,
  after: string,
  frames: ReadonlyArray<string>
): ReadonlyArray<Delta> => {
  if (!frames.includes(file)) return []
  const [was, now] = [swallowed(before), swallowed(after)]
  const by = now.length - was.length
  if (by === 0) return []
  const first = (by > 0 ? now : was)[0] ?? ""
  return [delta("swallow", Math.sign(by), "swallows", { now: shown(first.replaceAll(/\s+/g, " ")), fits: true })]
}
