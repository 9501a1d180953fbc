/** Whether two lessons say the same, so that a prompt or a search has it once. */
import type { Reflection } from "../Reflection.ts"
import { areOfOtherCauses } from "./ruleCause.ts"
import { termsOf } from "./terms.ts"

/** What a text says, as far as it is compared. */
export interface Said {
  readonly terms: ReadonlySet<string>
  /** What turns a lesson into another: its numbers, and whether it denies. */
  readonly numbers: string
  readonly denials: string
  readonly text: string
}

/** A line's number says where, and moves with every change above it. */
const place = /(\.\w{1,6}):\d+(?::\d+)?/g

const number = /\p{N}+(?:[.,]\p{N}+)*/gu

const denial =
  /\b(?:not|no|never|none|without|cannot|nothing)\b|n['’]t\b|(?<!\p{L})(?:не|нет|без|никогда|nicht|kein\w{0,2}|nie|ohne|ne|pas|jamais|sans|nunca|sin|não|sem|non|senza)(?!\p{L})|[不没沒无無别別勿]/giu

const marks = (text: string, of: RegExp): string => [...new Set(text.toLowerCase().match(of))].toSorted().join(" ")

export const saidIn = (told: string): Said => {
  const text = told.replaceAll(place, "$1")
  return {
    terms: new Set(termsOf(text)),
    numbers: marks(text, number),
    denials: marks(text, denial),
    text: text.toLowerCase().replaceAll(/\s+/g, " ").trim()
  }
}

const nearly = 0.8

const areAlike = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  let both = 0
  for (const term of left) if (right.has(term)) both += 1
  const all = left.size + right.size - both
  return all > 0 && both / all >= nearly
}

type Lesson = Pick<Reflection, "source" | "tags">

/** Two lessons of the rules are of one cause or of two, by their tags: of one, other numbers are no other lesson. */
export const saysTheSame = ([one, left]: readonly [Lesson, Said], [other, right]: readonly [Lesson, Said]): boolean => {
  if (areOfOtherCauses(one, other)) return false
  if (left.text === right.text) return true
  const byRules = one.source === "heuristic" && other.source === "heuristic"
  return (
    (byRules || (left.numbers === right.numbers && left.denials === right.denials)) && areAlike(left.terms, right.terms)
  )
}
