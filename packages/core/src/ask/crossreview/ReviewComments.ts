/** A review comment as it is told to the agent and to the user, and known again in what the agent was told. */
import type { FoundComment } from "../../judge/verdict/Verdict.ts"

/** By what a comment is known again: the place, however the reviewer words it. */
export const placeOf = ({ file, line }: Pick<FoundComment, "file" | "line">): string =>
  `Code Review Comment (${file} at \`${line}\`)`

/** What comes before the reviewer's words. */
export const openingOf = (comment: Pick<FoundComment, "file" | "line">): string =>
  `${placeOf(comment)}: a reviewer says `

/** Somebody's opinion, in quotation marks that nothing in it can close. */
export const textOf = (comment: Omit<FoundComment, "answer">): string => `${openingOf(comment)}"${comment.said}"`

/** The same with what the agent answered, for the user, who has to decide. */
export const withAnswer = (comment: FoundComment): string =>
  comment.answer === null ? textOf(comment) : `${textOf(comment)}; the agent answered "${comment.answer}"`

const told = /^- (Code Review Comment \([^`]{1,200} at `[^`]{0,80}`\)): /u

/** The comments that a reminder told of. They are on no record but in it: nobody is asked again about the same change. */
export const toldIn = (reminder: string): ReadonlyArray<{ readonly place: string; readonly text: string }> =>
  reminder.split("\n").flatMap((line) => {
    const place = told.exec(line)?.[1]
    return place === undefined ? [] : [{ place, text: line.slice(2) }]
  })
