/** Whether two lessons say the same, so that a prompt or a search has it once. */
import { tainted } from "./injection.ts"
import type { Reflection } from "./Reflection.ts"

/** A line's number says where, and moves with every change above it. */
const place = /(\.\w{1,6}):\d+(?::\d+)?/g

/** The type of the failure, and the sign of its cause where one is known. */
const causeOf = ({ tags }: Pick<Reflection, "tags">): ReadonlyArray<string> =>
  tags.filter((tag) => tag !== tainted && !tag.startsWith("status:"))

/** Lessons with the same key say the same: those of the rules by the cause where it is known, others by their words. */
export const keyOf = (lesson: Pick<Reflection, "source" | "tags" | "analysis" | "suggestion">): string => {
  const cause = causeOf(lesson)
  if (lesson.source === "heuristic" && cause.length > 1) return `cause ${cause.join("\n")}`
  const said = `${lesson.analysis}\n${lesson.suggestion}`.replaceAll(place, "$1").toLowerCase()
  return (said.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [said.trim()]).join(" ")
}
