/** The tests that failed, each with what its own part of the output says. */
import type { FailingItem } from "../RunnerOutput.ts"
import type { Difference, Found as FoundDifference } from "./failureAssertions.ts"
import { type Found as FoundThrown, firstPlaceIn, type Thrown } from "./failureExceptions.ts"
import type { TapFailure } from "./failureTap.ts"

export interface FailingTest extends FailingItem {
  readonly difference: Difference | null
  readonly thrown: Thrown | null
}

/** For each line the test that was named last, at it or before. */
const ownersOf = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string | null> => {
  const longestFirst = names.toSorted((left, right) => right.length - left.length)
  let owner: string | null = null
  return lines.map((line) => {
    owner = longestFirst.find((name) => line.includes(name)) ?? owner
    return owner
  })
}

/** Where a runner says no place of a test, the stack of what it threw does. */
const placed = ({ file, line, name }: FailingItem, own: () => ReadonlyArray<string>): FailingItem =>
  file === null ? { name, file, line, ...firstPlaceIn(own()) } : { name, file, line }

export const ofTap = ({ difference, name, thrown }: TapFailure): FailingTest => ({
  name,
  file: thrown.file,
  line: thrown.line,
  difference,
  thrown
})

/** Where the output names no test before it, what it says belongs to the only one there is. */
export const withDetails = (
  lines: ReadonlyArray<string>,
  items: ReadonlyArray<FailingItem>,
  found: { readonly differences: ReadonlyArray<FoundDifference>; readonly thrown: ReadonlyArray<FoundThrown> }
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
    const difference = found.differences.find(isOf(item))
    const thrown = found.thrown.find(isOf(item))
    return {
      ...placed(item, () => lines.filter((_, at) => owners[at] === item.name)),
      difference: difference === undefined ? null : { expected: difference.expected, received: difference.received },
      thrown:
        thrown === undefined
          ? null
          : { type: thrown.type, message: thrown.message, file: thrown.file, line: thrown.line }
    }
  })
}
