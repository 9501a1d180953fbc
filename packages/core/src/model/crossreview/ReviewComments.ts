/** A review comment as it is told to the agent and to the user, and known again in what the agent was told. */
import type { FoundComment } from "../../judge/verdict/Verdict.ts"

/** By what a comment is known again: the place, however the reviewer words it. */
export const placeOf = ({ file, line }: Pick<FoundComment, "file" | "line">): string =>
  `Code Review Comment (${file} at \`${line}\`)`

/** Somebody's opinion, in quotation marks that nothing in it can close, and for the user what the agent answered. */
export const textOf = ({ answer, said, ...place }: FoundComment): string => {
  const text = `${placeOf(place)}: a reviewer says "${said}"`
  return answer === null ? text : `${text}; the agent answered "${answer}"`
}

const told = /^- (Code Review Comment \([^`]{1,200} at `[^`]{0,80}`\)): /u

/** The comments that a reminder told of. They are on no record but in it: nobody is asked again about the same change. */
export const toldIn = (reminder: string): ReadonlyArray<{ readonly place: string; readonly text: string }> =>
  reminder.split("\n").flatMap((line) => {
    const place = told.exec(line)?.[1]
    return place === undefined ? [] : [{ place, text: line.slice(2) }]
  })
