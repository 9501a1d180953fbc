/** The message of the commit in which an agent made a recommended change, and the change read back from it. */
import { oneLine } from "../../base/text/Text.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"

const unnamed = "Make a change that was recommended"

const why = "\n\nWhy: "

const ending = /\n\nRecommended by a model \(([^()\n]{1,200})\) that looked at how the runs of many tasks ended/u

export const text = ({ change, id, reason, target }: RecommendedAction): string =>
  [
    target === null ? unnamed : `Change ${oneLine(target, 60)}`,
    `${change}${reason === "" ? "" : `${why}${reason}`}`,
    `Recommended by a model (${id}) that looked at how the runs of many tasks ended, made by an agent, read by nobody yet.`
  ].join("\n\n")

/** Null where it is another's message. */
export const parse = (message: string): RecommendedAction | null => {
  const [, id] = ending.exec(message) ?? []
  const [subject = ""] = message.split("\n", 1)
  if (id === undefined || !(subject === unnamed || subject.startsWith("Change "))) return null
  const body = message.slice(subject.length, message.search(ending)).trim()
  const reasoned = body.lastIndexOf(why)
  return {
    id,
    target: subject === unnamed ? null : subject.slice("Change ".length),
    change: reasoned < 0 ? body : body.slice(0, reasoned),
    reason: reasoned < 0 ? "" : body.slice(reasoned + why.length)
  }
}
