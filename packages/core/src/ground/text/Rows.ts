/** Plain patterns in the form that a few folders still ask for. */
import { type Guarded, guarded } from "./Guarded.ts"

export type Language = "de" | "en" | "es" | "fr" | "ja" | "pt" | "zh"

export interface Row {
  readonly language: Language
  readonly pattern: Guarded
}

export const row = (words: string, pattern: RegExp, _yes: string, _no: string, language: Language = "en"): Row => ({
  language,
  pattern: guarded(words, () => pattern)
})

export const takes = (rows: ReadonlyArray<Row>, text: string): boolean => rows.some(({ pattern }) => pattern.test(text))
