/** Which files a check covers, by the user's own words on it. */
import { matchesGlob } from "../../base/text/Wildcard.ts"
import type { ActiveCheck } from "../config/ReflexionConfig.ts"
import type { Edit } from "../evidence/Evidence.ts"
import type { Facts, GateFact } from "./model.ts"

/** A path as the check's own folder has it. */
export const nameIn = ({ cwd }: Pick<Facts, "cwd">, { directory }: ActiveCheck, path: string): string => {
  const root = directory ?? cwd
  return root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

/** What shows nothing without words of the user's on paths. */
const passive: ReadonlySet<Edit["kind"]> = new Set(["docs", "outside"])

/** Whether a check covers what was edited: a comment may be a directive. */
export const isCovered = (
  facts: Pick<Facts, "cwd">,
  check: ActiveCheck,
  { kind, path }: Pick<Edit, "kind" | "path">
): boolean => {
  const { paths = [] } = check
  return paths.length === 0
    ? !passive.has(kind)
    : kind !== "outside" && (path === "*" || paths.some((glob) => matchesGlob(glob, nameIn(facts, check, path))))
}

/** Whether a check covers an edit of the task. */
export const isChanged = (facts: Pick<Facts, "cwd" | "evidence">, check: ActiveCheck): boolean =>
  facts.evidence.edits.some((edit) => isCovered(facts, check, edit))

/** Whether the user has a check for a gate and says that it is not run now: by its paths, or by when it runs. */
export const isHeldBack = (
  facts: Pick<Facts, "checks" | "cwd" | "evidence">,
  { command, gate }: Pick<GateFact, "command" | "gate">
): boolean =>
  facts.checks.some(
    (check) =>
      (check.name === gate || check.command === command) &&
      (check.when === "ask" || check.when === "claim" || !isChanged(facts, check))
  )
