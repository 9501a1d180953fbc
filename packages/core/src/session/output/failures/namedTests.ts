/**
 * Tests that failed, in an output that has none of its runner's totals, as `| tail -2` or a `grep` leaves it: the marks that
 * runners set before or behind a name.
 */
import type { FailingItem } from "../RunnerOutput.ts"

/** A test by its name and, where the output tells it, why it failed. */
export interface NamedTest {
  readonly item: FailingItem
  readonly said: string | null
}

/** The marks, those that say most first. */
const marks: ReadonlyArray<RegExp> = [
  // Vitest, pytest
  /^\s{0,8}(?:FAIL(?:ED)?|×|✗|ERROR) {1,3}(?:\|[\w -]{1,60}\| )?(?<file>[^\s:]{1,300}\.\w{1,5})(?: > |::)(?<name>\S.{0,400})$/,
  // Playwright
  /^\s{0,8}(?:\d{1,4}\) )?\[[\w -]{1,60}\] › (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} › (?<name>\S.{0,400})$/,
  // RSpec
  /^rspec (?<file>[^\s:]{1,300}):(?<line>\d{1,7}) # (?<name>\S.{0,400})$/,
  // Minitest
  /^\s{0,4}(?<name>[\w:]{1,200}#\w{1,200}) \[(?<file>[^\]:]{1,300}):(?<line>\d{1,7})\]:$/,
  // Deno
  /^(?<name>\S.{0,300}?) => (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/,
  // Maven
  /^\[ERROR\]\s{1,8}(?<name>[\w$]{1,200}\.[\w$]{1,200}):(?<line>\d{1,7})\b(?<said>.{0,300})$/,
  // Rust
  /^---- (?<name>\S{1,300}) stdout ----$/,
  // Dart
  /^\d\d:\d\d \+\d{1,6}(?: ~\d{1,6})? -\d{1,6}: (?<name>\S.{0,400}?) \[E\]$/,
  // Swift
  /^Test Case '(?<name>[^']{1,300})' failed\b/,
  // CTest
  /^\s{1,10}\d{1,6} - (?<name>\S{1,300}) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)$/,
  // Python's unittest
  /^(?:FAIL|ERROR): (?<name>test\w{0,200}) \([\w.]{1,300}\)$/,
  // Numbered lists of Mocha, PHPUnit, RSpec and ExUnit
  /^\s{0,8}\d{1,4}\) (?!(?:Failure|Error):)(?:test )?(?<name>[A-Za-z_$"'].{0,400})$/,
  /^\s{0,8}●\s(?<name>\S.{0,400})$/,
  /^\s{0,40}(?:--- FAIL:|\(fail\)|\[fail(?:ed)?\]:?|✘ \[fail\]:|not ok(?: \d{1,7})?(?: -)?|FAIL(?:ED)?:?|Failed|[✗✘✖✕×❌])\s{1,3}(?<name>\S.{0,400})$/i,
  /^\s{0,8}(?:test )?(?<name>[^\s.].{0,300}?)(?: \.\.\.| \.{3,80}|:)? FAIL(?:ED|URE)?!?(?: \([\d.]{1,12} ?m?s\))?$/
]

/** What a tool calls when it speaks of its own run. */
const ownWords =
  "(?:the |some |all )?(?:tests?(?: suites?| files?| runs?)?|suites?|console|build|compilation|commands?|errors?|failures?|scripts?|process|checks?)"

/** A count, a status, a file, a word of a tool about its own run: no name of a test. */
const noName: ReadonlyArray<RegExp> = [
  /^(?:[\d(<]|exit\b|asserting\b|to \w|(?:could|can) ?not\b|because\b|in \d)/i,
  new RegExp(
    `^${ownWords}(?:\\s{0,3}[:!.]|\\s{0,3}$|\\s\\d| (?:failed|failures?|exited|ended|to|code|found|did|in)\\b)`,
    "i"
  ),
  /^\S{1,300}[/\\]\S{0,300}$/,
  /^\S{1,300}\.(?:[cm]?[jt]sx?|py|rb|php|go|rs)$/,
  /^\S{1,300}\s{1,8}(?:\d{1,9}\.\d{1,6}s|\(cached\)|\[.{1,40}\])$/
]

const took = /\s{1,20}(?:\(\d{1,9}(?:\.\d{1,9})?\s?m?s\)|\[\d{1,9}(?:\.\d{1,9})?\s?m?s\]|\d{1,9}(?:\.\d{1,9})?\s?ms)$/

/** What stands behind a name in its line. */
const behind = /^(?<name>.{1,300}?)(?:: (?=\S)| - | \((?=expected|got|wanted|assert))(?<said>.{1,300}?)\)?$/

const isOfName = (said: string): boolean =>
  !/\b(?:expected|wanted?|got|received|actual|assert\w*|error|exception|!=)\b/i.test(said)

const tallies =
  /\b\d{1,9} (?:failed|failures?|fail|failing|errors?|passed|passing|FAILED TESTS?|tests?|examples?)\b|^(?:ℹ|#) |\bTests run:|^FAILED \(/

const unmarked = /^(?:→|E(?= {2})|error:|Failure\/Error:|Error Message:|>)\s{0,20}/

const isHalf = /^expected:? \S/i
const isOtherHalf = /^(?:actual|received|got|but was):? \S/i

/** The first line below a name that says something. */
const below = (lines: ReadonlyArray<string>, at: number): string | null => {
  const [next, after] = lines
    .slice(at + 1, at + 6)
    .map((line) => line.trim())
    .filter((line) => line !== "")
  if (next === undefined || tallies.test(next) || itemAt(next) !== null) return null
  const said = next.replace(unmarked, "").trim()
  return isHalf.test(said) && after !== undefined && isOtherHalf.test(after) ? `${said}, ${after}` : said || null
}

const itemAt = (line: string): NamedTest | null => {
  const groups = marks.map((mark) => mark.exec(line)?.groups).find((found) => found !== undefined)
  const whole = groups?.["name"]?.replace(took, "").replace(/[\s─]{1,200}$/, "")
  if (groups === undefined || whole === undefined) return null
  const split = behind.exec(whole)?.groups
  const isSplit = split?.["said"] !== undefined && !isOfName(split["said"])
  const name = ((isSplit ? split?.["name"] : whole) ?? whole).replace(/:$/, "").trim()
  if (name === "" || noName.some((words) => words.test(name))) return null
  const said = (isSplit ? split?.["said"] : groups["said"])?.trim()
  const { file = null, line: number } = groups
  const item = { name, file, line: number === undefined ? null : Number(number) }
  return { item, said: said === undefined || said === "" ? null : said }
}

const most = 10

/** In their order, each once. */
export const namedTestsIn = (lines: ReadonlyArray<string>): ReadonlyArray<NamedTest> => {
  const found = new Map<string, NamedTest>()
  for (let at = 0; at < lines.length && found.size < most; at++) {
    const named = itemAt(lines[at] ?? "")
    if (named === null || found.has(named.item.name)) continue
    found.set(named.item.name, { ...named, said: named.said ?? below(lines, at) })
  }
  return [...found.values()]
}
