/** Decides by the user's own settings which files a check covers. */
import { matchesGlob } from "../../base/text/Wildcard.ts"
import type { ActiveCheck } from "../config/ReflexionConfig.ts"
import type { Edit } from "../evidence/Evidence.ts"
import type { Facts, GateFact } from "./model.ts"

export const nameIn = ({ cwd }: Pick<Facts, "cwd">, { directory }: ActiveCheck, path: string): string => {
  const root = directory ?? cwd
  return root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

const passive: ReadonlySet<Edit["kind"]> = new Set(["docs", "outside"])

/** A changed comment counts too, because it may be a directive. */
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

export const isChanged = (facts: Pick<Facts, "cwd" | "evidence">, check: ActiveCheck): boolean =>
  facts.evidence.edits.some((edit) => isCovered(facts, check, edit))

/** True if the user's check for a gate must not run now, because of the check's paths or its `when`. */
export const isHeldBack = (
  facts: Pick<Facts, "checks" | "cwd" | "evidence">,
  { command, gate }: Pick<GateFact, "command" | "gate">
): boolean =>
  facts.checks.some(
    (check) =>
      (check.name === gate || check.command === command) &&
      (check.when === "ask" || check.when === "claim" || !isChanged(facts, check))
  )
