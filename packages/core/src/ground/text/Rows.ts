/**
 * Prose read by rows: short patterns behind words, each with a text that it takes and one that it must not. What needs more
 * than a few rows in a language is a model's to read.
 */
import { guarded, type Guarded } from "./Guarded.ts"

export type Language = "de" | "en" | "es" | "fr" | "ja" | "pt" | "zh"

export interface Row {
  readonly language: Language
  readonly pattern: Guarded
  readonly yes: string
  readonly no: string
}

/** Every row made so far, for the proof that each takes what it says and nothing else. */
export const everyRow: Array<Row> = []

/** `words` as in `guarded`: groups separated by "&" of words separated by "|", of which every match has one of each. */
export const row = (words: string, pattern: RegExp, yes: string, no: string, language: Language = "en"): Row => {
  const made: Row = { language, pattern: guarded(words, () => pattern), yes, no }
  everyRow.push(made)
  return made
}

/** Whether one of the rows takes the text. */
export const takes = (rows: ReadonlyArray<Row>, text: string): boolean => rows.some(({ pattern }) => pattern.test(text))
