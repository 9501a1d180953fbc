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
  /\bgot:? (?<received>.{1,120}?)[,;] (?:want|expected):? (?<expected>.{1,120})$/,
  /\b(?:want|expected):? (?<expected>.{1,120}?)[,;] got:? (?<received>.{1,120})$/,
  // unittest
  /^AssertionError: (?<received>.{1,120}?) != (?<expected>.{1,120})$/,
  // pytest
  /^E {3,10}(?:AssertionError: )?assert (?<received>.{1,120}?) == (?<expected>.{1,120})$/
]

/** A line for each, within a few lines of each other. */
const inTwoLines: ReadonlyArray<readonly [expected: RegExp, received: RegExp]> = [
  [/^\s{0,12}Expected: (.{1,200})$/, /^\s{0,12}Received: (.{1,200})$/],
  [/^\s{0,12}expected\s{0,4}: (.{1,200})$/, /^\s{0,12}actual\s{0,4}: (.{1,200})$/],
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

const most = 10

/** In their order. */
export const differencesIn = (lines: ReadonlyArray<string>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (let at = 0; at < lines.length && found.length < most; at++) {
    const difference = differenceIn(lines[at] ?? "") ?? below(lines, at) ?? paired(lines, at)
    if (difference !== null) found.push({ ...difference, at })
  }
  return found
}
