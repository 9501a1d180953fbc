/** Writes a review comment for the agent and the user, and finds the comments in a nudge. */
import type { FoundComment } from "../../judge/verdict/Verdict.ts"

/** A comment is identified by its place, not by its wording. */
export const placeOf = ({ file, line }: Pick<FoundComment, "file" | "line">): string =>
  `Code Review Comment (${file} at \`${line}\`)`

/** `said` and `answer` must contain no double quotation marks. */
export const textOf = ({ answer, said, ...place }: FoundComment): string => {
  const text = `${placeOf(place)}: a reviewer says "${said}"`
  return answer === null ? text : `${text}; the agent answered "${answer}"`
}

const told = /^- (Code Review Comment \([^`]{1,200} at `[^`]{0,80}`\)): /u

/** Finds the comments in a nudge. They are stored only there, and the same change is not reviewed again. */
export const toldIn = (nudge: string): ReadonlyArray<{ readonly place: string; readonly text: string }> =>
  nudge.split("\n").flatMap((line) => {
    const place = told.exec(line)?.[1]
    return place === undefined ? [] : [{ place, text: line.slice(2) }]
  })
