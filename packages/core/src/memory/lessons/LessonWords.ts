/** Whether two lessons say the same, so that a prompt or a search has it once. */
import { lazy } from "../../base/text/Lazy.ts"
import { termsOf } from "../../base/text/Terms.ts"
import { tainted } from "./injection.ts"
import type { Reflection } from "./Reflection.ts"

/** A line's number says where, and moves with every change above it. */
const place = /(\.\w{1,6}):\d+(?::\d+)?/g

const number = lazy(() => /\p{N}+(?:[.,]\p{N}+)*/gu)

/** What a text says, as far as it is compared. */
export interface Said {
  readonly text: string
  readonly terms: ReadonlySet<string>
}

export const saidIn = (text: string): Said => {
  const still = text.replaceAll(place, "$1")
  return { text: still, terms: new Set(termsOf(still)) }
}

const nearly = 0.8

const areAlike = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  let both = 0
  for (const term of left) if (right.has(term)) both += 1
  return both / (left.size + right.size - both) >= nearly
}

const folded = ({ text }: Said): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim()

const numbersIn = ({ text }: Said): string => [...new Set(text.match(number()))].toSorted().join(" ")

type Lesson = Pick<Reflection, "source" | "tags" | "analysis">

/** The type of the failure, and the sign of its cause where one is known. */
const causeOf = ({ tags }: Lesson): ReadonlyArray<string> => tags.filter((tag) => tag !== tainted)

/** The rules word lessons alike: theirs are of one cause or of two by their tags, and where none is known by the same words. */
const areOfTwoCauses = (one: Lesson, other: Lesson): boolean => {
  const [cause, another] = [causeOf(one), causeOf(other)]
  return cause.join("\n") !== another.join("\n") || (cause.length === 1 && one.analysis !== other.analysis)
}

/** Other numbers make another lesson, but of one cause. */
export const saysTheSame = ([one, left]: readonly [Lesson, Said], [other, right]: readonly [Lesson, Said]): boolean => {
  const byRules = one.source === "heuristic" && other.source === "heuristic"
  if (byRules && areOfTwoCauses(one, other)) return false
  if (left.terms.size === 0 && right.terms.size === 0) return folded(left) === folded(right)
  return areAlike(left.terms, right.terms) && (byRules || numbersIn(left) === numbersIn(right))
}
