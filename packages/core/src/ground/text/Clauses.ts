/** The clauses of what a person says in their own words: no quotations, no code. */
import { spoken } from "./UserSentences.ts"

const within = (sentence: string): ReadonlyArray<string> =>
  sentence
    .slice(0, 400)
    .split(/[,;:.!?()]+|\s[-–—]+\s/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")

export const clauses = (text: string): ReadonlyArray<string> => spoken(text).flatMap(within)
