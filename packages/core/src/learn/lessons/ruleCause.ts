import type { Reflection } from "./Reflection.ts"
import { tainted } from "./injection.ts"

type Told = Pick<Reflection, "source" | "tags"> & { readonly analysis?: string }

/** The type of the failure, and the sign of its cause where one is known; a line that moved is the same. */
const causeOf = ({ tags }: Told): ReadonlyArray<string> =>
  tags.filter((tag) => tag !== tainted).map((tag) => tag.replaceAll(/:\d{1,7}(?= |$)/g, ""))

/**
 * Whether two lessons of the rules are of different causes, which their tags name: they are worded alike, and say the same
 * only of one cause. Where none is known, only the same words are of the same.
 */
export const areOfOtherCauses = (one: Told, other: Told): boolean => {
  if (one.source !== "heuristic" || other.source !== "heuristic") return false
  const [cause, another] = [causeOf(one), causeOf(other)]
  if (cause.join("\n") !== another.join("\n")) return true
  return cause.length === 1 && one.analysis !== other.analysis
}
