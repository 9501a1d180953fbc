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
  /\bexpected (?<received>.{1,160}?) to (?:strictly |deeply |loosely )?(?:be|equal|eql|have|include|match|contain)(?: |$)(?<expected>.{0,160}?)(?: \/\/ .{0,60})?$/,
  // JUnit
  /\bexpected: <(?<expected>.{0,160}?)> but was: <(?<received>.{0,160}?)>/,
  // what people write in Go
  /(?:^|: |\s)\w{1,60}(?:\(.{0,60}\))? = (?<received>.{1,120}?)[,;] (?:want|expected|wanted):? (?<expected>.{1,120})$/,
  /\b(?:got|have):? (?<received>.{1,120}?)(?:[,;] | )(?:want|expected|wanted):? (?<expected>.{1,120})$/,
  /\b(?:want|expected):? (?<expected>.{1,120}?)[,;] got:? (?<received>.{1,120})$/,
  // unittest
  /^AssertionError: (?<received>.{1,120}?) != (?<expected>.{1,120})$/,
  // pytest
  /^E {3,10}(?:AssertionError: )?assert (?<received>.{1,120}?) == (?<expected>.{1,120})$/
]

/** A line for each, within a few lines of each other. */
const inTwoLines: ReadonlyArray<readonly [expected: RegExp, received: RegExp]> = [
  [/^\s{0,12}Expected: (.{1,200})$/, /^\s{0,12}Received: (.{1,200})$/],
  [/^\s{0,40}expected\s{0,4}: (.{1,200})$/, /^\s{0,40}actual\s{0,4}: (.{1,200})$/],
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
    const [expected, received] = first === expectedOn ? [one, other] : [other, one]
    return { expected: expected.trim(), received: received.trim() }
  }
  return null
}

/** A block of lines that only one side has, below a line that says which sign is whose. */
const heads: ReadonlyArray<readonly [head: RegExp, expected: "+" | "-"]> = [
  [/^\s{0,12}- Expected(?: {1,4}- \d{1,6})?$/, "-"],
  [/^\s{0,12}\+ actual - expected\b/, "-"],
  [/^\s{0,12}\+ expected - actual$/, "+"]
]
const changed =
  /^\s{0,12}(?<sign>[+-])(?!\+|-| (?:Received|Expected)(?: {1,4}[+-] \d{1,6})?:?$)\s{0,40}(?<value>\S.{0,160})$/
const endOfDiff = /^\s{0,12}(?:at |❯ |code: )/
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
  return expected === undefined || received === undefined ? null : { expected, received }
}

const most = 20

/** In their order. */
export const differencesIn = (lines: ReadonlyArray<string>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (let at = 0; at < lines.length && found.length < most; at++) {
    const difference = differenceIn(lines[at] ?? "") ?? below(lines, at) ?? paired(lines, at) ?? diffed(lines, at)
    if (difference !== null) found.push({ ...difference, at })
  }
  return found
}
