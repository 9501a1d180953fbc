/** What was expected and what came instead, in the words of test runners. */

export interface Difference {
  readonly expected: string
  readonly received: string
}

/** With the number of its line, from 0. */
export interface Found extends Difference {
  readonly at: number
}

/** The same in one line; `swapped` where the received value stands first. */
const inOneLine: ReadonlyArray<RegExp> = [
  // chai, as in Vitest and Mocha
  /\bexpected (?<received>.{1,160}?) to (?:strictly |deeply |loosely )?(?:be(?! called )|equal|eql|have|include|match(?: object)?|contain)(?: |$)(?<expected>.{0,160}?)(?: \/\/ .{0,60})?$/,
  // JUnit
  /\bexpected: <(?<expected>.{0,160}?)> but was: <(?<received>.{0,160}?)>/,
  // what people write in Go
  /(?:^|: |\s)\w{1,60}(?:\(.{0,60}\))? = (?<received>.{1,120}?)[,;] (?:want|expected|wanted):? (?<expected>.{1,120})$/,
  /\b(?:got|have):? (?<received>.{1,120}?)(?:[,;] | )(?:want|expected|wanted):? (?<expected>.{1,120})$/,
  /\b(?:want|expected):? (?<expected>.{1,120}?)[,;] got:? (?<received>.{1,120})$/,
  // node:assert, where it is not strict
  /^\s{0,12}AssertionError \[ERR_ASSERTION\]: (?<received>.{1,120}?) == (?<expected>.{1,120})$/,
  // unittest
  /^AssertionError: (?<received>.{1,120}?) != (?<expected>.{1,120})$/,
  // pytest
  /^E {3,10}(?:AssertionError: )?assert (?<received>.{1,120}?) == (?<expected>.{1,120})$/
]

/** A line for each, within a few lines of each other. */
const inTwoLines: ReadonlyArray<readonly [expected: RegExp, received: RegExp]> = [
  [/^\s{0,12}Expected: (.{1,200})$/, /^\s{0,12}Received: (.{1,200})$/],
  [
    /^\s{0,40}expected\s{0,4}: (?![[{]$)(.{1,200}?)(?:,| \+)?$/,
    /^\s{0,40}actual\s{0,4}: (?![[{]$)(.{1,200}?)(?:,| \+)?$/
  ],
  [/^\s{0,12}right: (.{1,200})$/, /^\s{0,12}left: (.{1,200})$/]
]

const near = 4

const differenceIn = (line: string): Difference | null => {
  for (const rule of inOneLine) {
    const { expected = "", received } = rule.exec(line)?.groups ?? {}
    if (received !== undefined) return { expected: expected.trim(), received: received.trim() }
  }
  return null
}

/** node:assert: the values stand below the sentence that says what they should have been. */
const strictly =
  /^(?:AssertionError \[ERR_ASSERTION\]: |\s{0,10}(?:error: )?)?Expected values to be (?:strictly|loosely) (?:deep-)?equal:/
const unequal = /^\s{0,12}(.{1,120}?) !==? (.{1,120})$/

const below = (lines: ReadonlyArray<string>, at: number): Difference | null => {
  if (!strictly.test((lines[at] ?? "").trimStart())) return null
  for (const line of lines.slice(at + 1, at + near + 1)) {
    const [, received, expected] = unequal.exec(line) ?? []
    if (received !== undefined && expected !== undefined)
      return { received: received.trim(), expected: expected.trim() }
  }
  return null
}

/** `assert(value)`: Node compares it with true, and quotes it in the message. */
const isOfExpression = (lines: ReadonlyArray<string>, at: number): boolean =>
  /^\s{2,40}expected: true,$/.test(lines[at + 1] ?? "") && /^\s{2,40}operator: '=='/.test(lines[at + 2] ?? "")

const paired = (lines: ReadonlyArray<string>, at: number): Difference | null => {
  const line = lines[at] ?? ""
  for (const [expectedOn, receivedOn] of inTwoLines) {
    const [first, second] = expectedOn.test(line) ? [expectedOn, receivedOn] : [receivedOn, expectedOn]
    const one = first.exec(line)?.[1]
    if (one === undefined) continue
    const other = lines
      .slice(at + 1, at + near + 1)
      .map((later) => second.exec(later)?.[1])
      .find((value) => value !== undefined)
    if (other === undefined) continue
    const [expected, received] = first === expectedOn ? [one.trim(), other.trim()] : [other.trim(), one.trim()]
    // What should have differed is no difference, and of an expression its text says more.
    if (expected !== received && !isOfExpression(lines, at)) return { expected, received }
  }
  return null
}

/** A block of lines that only one side has, below a line that says which sign is whose. */
const heads: ReadonlyArray<readonly [head: RegExp, expected: "+" | "-"]> = [
  [/^\s{0,12}- Expected(?: {1,4}- \d{1,6})?$/, "-"],
  [/^\s{0,12}\+ actual - expected\b/, "-"],
  [/^\s{0,12}\+ expected - actual$/, "+"],
  [/^Differences \(\w{1,20} ?\w{0,20} with -expected \+actual\):$/, "-"],
  [/^\s{0,12}\d{1,4}(?:st|nd|rd|th) \S.{0,60} call:$/, "-"]
]
const changed =
  /^\s{0,12}(?<sign>[+-])(?!\+|-| (?:Received|Expected)(?: {1,4}[+-] \d{1,6})?:?$)\s{0,40}(?<value>\S.{0,160})$/
const endOfDiff = /^\s{0,12}(?:at |❯ |code: |File "|\*{9}|-{9}|Number of calls: )/
const maxDiff = 60

/** What one side has first, in one line. */
const firstOf = (lines: ReadonlyArray<string>, sign: "+" | "-"): string | undefined => {
  const sides = lines.map((line) => changed.exec(line)?.groups)
  const from = sides.findIndex((side) => side?.["sign"] === sign)
  if (from === -1) return undefined
  const end = sides.findIndex((side, at) => at > from && side?.["sign"] !== sign)
  const own = sides.slice(from, end === -1 ? undefined : end).map((side) => side?.["value"] ?? "")
  return own.join(" ").slice(0, 160).replace(/,$/, "")
}

/** What each side has first: what stands around it is the same, and too long for a sentence. */
const diffed = (lines: ReadonlyArray<string>, at: number): Difference | null => {
  const [, sign] = heads.find(([head]) => head.test(lines[at] ?? "")) ?? []
  if (sign === undefined) return null
  const rest = lines.slice(at + 1, at + maxDiff)
  const end = rest.findIndex((line) => endOfDiff.test(line))
  const block = end === -1 ? rest : rest.slice(0, end)
  const [expected, received] = [firstOf(block, sign), firstOf(block, sign === "+" ? "-" : "+")]
  if (expected === undefined && received === undefined) return null
  return { expected: expected ?? "nothing", received: received ?? "nothing" }
}

const inLine = (line = ""): string => line.trim().replace(/,$/, "")

/** The old deepEqual shows both values whole, one below the other: their first line that differs. */
const shownWhole = (lines: ReadonlyArray<string>, at: number): Difference | null => {
  if (!(lines[at] ?? "").endsWith("loosely deep-equal:")) return null
  const rest = lines.slice(at + 1, at + maxDiff).filter((line) => line.trim() !== "")
  const middle = rest.findIndex((line) => line.trim() === "should loosely deep-equal")
  const from = rest.findIndex((line, index) => line !== rest[middle + 1 + index])
  if (from === -1 || from >= middle) return null
  return { received: inLine(rest[from]), expected: inLine(rest[middle + 1 + from]) }
}

/** What doctest shows stands below its word, indented. */
const indented = (lines: ReadonlyArray<string>, at: number): string => {
  const rest = lines.slice(at + 1, at + maxDiff)
  const end = rest.findIndex((line) => !/^ {4}|^$/.test(line))
  const value = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trim()).join(" ")
  return value.trim().slice(0, 160) || "nothing"
}

const inDoctest = (lines: ReadonlyArray<string>, at: number): Difference | null => {
  if (!/^Expected(?::| nothing)$/.test(lines[at] ?? "")) return null
  const got = lines.slice(at + 1, at + maxDiff).findIndex((line) => !/^ {4}|^$/.test(line)) + at + 1
  return got > at && /^Got(?::| nothing)$/.test(lines[got] ?? "")
    ? { expected: indented(lines, at), received: indented(lines, got) }
    : null
}

/** Where a runner shortens the values in its sentence, it shows them below. */
const isCut = ({ expected, received }: Difference): boolean => /…|\.\.\./.test(expected + received)

/** Of the differences of one failure the first that is whole. */
export const telling = (found: ReadonlyArray<Found>): Difference | null => {
  const one = found.find((difference) => !isCut(difference)) ?? found[0]
  return one === undefined ? null : { expected: one.expected, received: one.received }
}

const readers = [below, paired, diffed, shownWhole, inDoctest]

const most = 20

/** In their order. */
export const differencesIn = (lines: ReadonlyArray<string>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (let at = 0; at < lines.length && found.length < most; at++) {
    let difference = differenceIn(lines[at] ?? "")
    for (const read of readers) difference ??= read(lines, at)
    if (difference !== null) found.push({ ...difference, at })
  }
  return found
}
