import type { Reflection } from "../Reflection.ts"

type Told = Pick<Reflection, "source" | "tags">

/**
 * Whether two lessons of the rules are of different causes, which their tags name: they are worded alike, and say the same
 * only of one cause.
 */
export const areOfOtherCauses = (one: Told, other: Told): boolean =>
  one.source === "heuristic" && other.source === "heuristic" && one.tags.join("\n") !== other.tags.join("\n")
