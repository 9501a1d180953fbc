/** The tests that failed, each with what its own part of the output says. */
import type { FailingItem } from "../RunnerOutput.ts"
import { type Difference, type Found as FoundDifference, telling } from "./assertions.ts"
import { firstPlaceIn } from "./NodeFailures.ts"
import { type Found as FoundThrown, type Place, placesIn, type Thrown, thrownAt } from "./FailurePlaces.ts"
import type { TapFailure } from "./tap.ts"

export interface FailingTest extends FailingItem {
  readonly difference: Difference | null
  readonly thrown: Thrown | null
}

/** What the whole output says, each with the number of its line. */
export interface Told {
  readonly differences: ReadonlyArray<FoundDifference>
  readonly thrown: ReadonlyArray<FoundThrown>
}

const isPart = (character: string | undefined): boolean => character !== undefined && /[\w-]/.test(character)

/** Not as a part of another word: "deep" is not named by "strictly deep-equal". */
const names = (line: string, name: string): boolean => {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    if (!isPart(line[at - 1]) && !isPart(line[at + name.length])) return true
  }
  return false
}

/** What the program printed itself, in a passing test as well. */
const printedItself = /^(?:std(?:err|out) \| | {2}● Console$)/u

/** For each line the test that was named last, at it or before; a name has single spaces, whatever is printed. */
const ownersOf = (lines: ReadonlyArray<string>, all: ReadonlyArray<string>): ReadonlyArray<string | null> => {
  const longestFirst = all.filter((name) => name !== "").toSorted((left, right) => right.length - left.length)
  let owner: string | null = null
  return lines.map((line) => {
    const text = line.replace(/\s{2,200}/g, " ")
    owner = printedItself.test(line) ? null : (longestFirst.find((name) => names(text, name)) ?? owner)
    return owner
  })
}

const goLine = /^\s{4,40}(?<file>[\w./-]{1,200}\.go):(?<at>\d{1,7}):/

/** Where a runner says no place of a test, the stack of what it threw does. */
const placed = ({ file, line, name }: FailingItem, own: ReadonlyArray<string>, thrown: Thrown | null): FailingItem => {
  if (file !== null) return { name, file, line }
  const place = firstPlaceIn(own) ?? placesIn(own, goLine)[0] ?? thrown
  return { name, file: place?.file ?? null, line: place?.line ?? line }
}

export const ofTap = ({ difference, name, thrown }: TapFailure): FailingTest => ({
  name,
  file: thrown.file,
  line: thrown.line,
  difference,
  thrown
})

/** How runners say in their own words why a test failed. */
const reasons: ReadonlyArray<RegExp> = [
  // pytest
  /^E {1,10}(?<message>\S.{0,300})$/,
  /^FAILED \S{1,300} - (?<message>\S.{0,300})$/,
  // node:test
  /^\s{2,30}'(?<message>test .{1,200})'$/,
  // Go, and testify
  /^\s{4,40}[\w./-]{1,200}\.go:\d{1,7}: (?<message>\S.{0,300})$/,
  /^\s{4,40}Error:\s{1,12}(?<message>\S.{0,300})$/,
  // Rust
  /^Error: (?<message>.{1,300})$/,
  /^note: (?<message>test did not panic as expected)\b/
]
const codeFrame = /^\s{0,12}(?:>|\d{1,6} \||\||at )/

/** Jest shows the message of an error without its name, below that of the test. */
const ofJest = (own: ReadonlyArray<string>): string | undefined => {
  const head = own.findIndex((line) => line.startsWith("  ● "))
  const said = head === -1 ? undefined : own.slice(head + 1, head + 4).find((line) => line.trim() !== "")
  return said === undefined || codeFrame.test(said) ? undefined : said.trim()
}

const reasonAt = (own: ReadonlyArray<string>, at: number): string | null => {
  const match = reasons.map((reason) => reason.exec(own[at] ?? "")).find((found) => found !== null)
  const message = match?.groups?.["message"]
  if (message === undefined) return null
  // What it introduces stands on the next line.
  return message.endsWith(":") ? `${message} ${(own[at + 1] ?? "").trim()}`.trim() : message
}

const reasonIn = (own: ReadonlyArray<string>, place: Place | null): Thrown | null => {
  const said = own.flatMap((_, at) => reasonAt(own, at) ?? [])
  const message = said[0] ?? ofJest(own)
  return message === undefined ? null : thrownAt("", message, place)
}

const plain = ({ file, line, message, type }: Thrown): Thrown => ({ type, message, file, line })

/** Each example of a docstring is told by its place, and by the name of what it is an example of. */
const example = /^File "(?<file>[^"]{1,300})", line (?<line>\d{1,7}), in (?<name>\S{1,200})$/

/** The examples of doctest that failed. */
export const examplesIn = (lines: ReadonlyArray<string>, found: Told): ReadonlyArray<FailingTest> => {
  const heads = lines.flatMap((line, at) => {
    const { file, line: number, name } = example.exec(line)?.groups ?? {}
    const isHead = file !== undefined && name !== undefined && lines[at + 1] === "Failed example:"
    return isHead ? [{ at, name, file, line: Number(number) }] : []
  })
  return heads.map(({ at, ...item }, index) => {
    const end = heads[index + 1]?.at ?? lines.length
    const isWithin = (one: { readonly at: number }): boolean => one.at > at && one.at < end
    const threw = found.thrown.find(isWithin)
    const difference = telling(found.differences.filter(isWithin))
    return { ...item, difference, thrown: threw === undefined ? null : plain(threw) }
  })
}

/** Where the output names no test before it, what it says belongs to the only one there is. */
export const withDetails = (
  lines: ReadonlyArray<string>,
  items: ReadonlyArray<FailingItem>,
  found: Told
): ReadonlyArray<FailingTest> => {
  const owners = ownersOf(
    lines,
    items.map(({ name }) => name)
  )
  const isOf =
    (item: FailingItem) =>
    ({ at }: { readonly at: number }): boolean =>
      (owners[at] ?? (items.length === 1 ? item.name : null)) === item.name
  return items.map((item) => {
    const own = lines.filter((_, at) => owners[at] === item.name)
    const difference = telling(found.differences.filter(isOf(item)))
    const threw = found.thrown.find(isOf(item))
    const thrown = threw === undefined ? reasonIn(own, firstPlaceIn(own)) : plain(threw)
    return { ...placed(item, own, thrown), difference, thrown }
  })
}

/**
 * A subtest fails its parent, which says nothing of its own, and Go names both; Maven names a test again without its
 * package.
 */
export const withoutRepeats = (items: ReadonlyArray<FailingItem>): ReadonlyArray<FailingItem> =>
  items.filter(
    ({ name }) =>
      !/^\[\w{1,10}\]$/.test(name) &&
      !items.some((other) => other.name.startsWith(`${name}/`) || other.name.endsWith(`.${name}`))
  )

/** A file of tests that could not be loaded stands in place of its tests. */
export const isFile = ({ file, name }: FailingItem): boolean =>
  name === file || /^\S{1,300}\.(?:[cm]?[jt]sx?|py|rb|php)$/.test(name)
