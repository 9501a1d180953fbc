/** Whether two lessons say the same, so that a prompt or a search has it once. */
import type { Reflection } from "./Reflection.ts"
import { areOfOtherCauses } from "./ruleCause.ts"
import { termsOf } from "../../base/text/Terms.ts"

/** A line's number says where, and moves with every change above it. */
const place = /(\.\w{1,6}):\d+(?::\d+)?/g

const number = /\p{N}+(?:[.,]\p{N}+)*/gu

const denial =
  /\b(?:not|no|never|none|without|cannot|nothing)\b|n['’]t\b|(?<!\p{L})(?:не|нет|без|никогда|nicht|kein\w{0,2}|nie|ohne|ne|pas|jamais|sans|nunca|sin|não|sem|non|senza)(?!\p{L})|[不没沒无無别別勿]/giu

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

/** What makes another lesson of the same words: its numbers, and whether it denies. */
const turns = ({ text }: Said): string =>
  [number, denial].map((mark) => [...new Set(text.toLowerCase().match(mark))].toSorted().join(" ")).join("\n")

type Lesson = Pick<Reflection, "source" | "tags" | "analysis">

/** The rules' lessons are of one cause or of two by their tags: of one, other numbers are no other lesson. */
export const saysTheSame = ([one, left]: readonly [Lesson, Said], [other, right]: readonly [Lesson, Said]): boolean => {
  if (areOfOtherCauses(one, other)) return false
  if (left.terms.size === 0 && right.terms.size === 0) return folded(left) === folded(right)
  if (!areAlike(left.terms, right.terms)) return false
  return (one.source === "heuristic" && other.source === "heuristic") || turns(left) === turns(right)
}
