/** Keys of earlier versions. Old keys are read under their new names, and `doctor` lists them. */
import * as Predicate from "effect/Predicate"

/** An old key. */
export interface OldKey {
  readonly key: string
  /** The new name. Null if the key no longer exists. */
  readonly now: string | null
}

const names = (now: string | null, old: string): Readonly<Record<string, string | null>> =>
  Object.fromEntries(old.split(" ").map((name) => [name, now]))

/** The new names of old rules. Null if a fact or a model now does the work of the rule. */
export const oldRules: Readonly<Record<string, string | null>> = {
  ...names("host/failed", "stop/service-error"),
  ...names("host/cut-off", "stop/cut-off stop/empty-answer"),
  ...names("question/nobody-there", "stop/asks-nobody stop/needless-question"),
  ...names("gates/failing", "gates/failing-after-edit"),
  ...names("gates/not-run", "gates/ordered-not-run gates/stale"),
  ...names("claims/contradicted", "claims/disproved claims/overstated"),
  ...names("loops/repeat", "loops/same-failing-call loops/same-result loops/rounds loops/same-words"),
  ...names(
    "checks/weakened",
    "tampering/test-removed tampering/test-skipped tampering/assertion-weakened tampering/check-silenced"
  ),
  ...names(
    null,
    "gates/failing-unordered gates/maybe-not-run gates/ci-pending todos/open " +
      "claims/change-not-made stop/announced-step stop/breaks-off stop/listed-steps stop/waits-for-nothing tampering/hard-coded " +
      "tampering/subject-mocked work/called-flaky work/defect-left work/error-explained work/handed-over work/left " +
      "work/only-tests-changed work/open-plan work/ordered-not-begun work/rest-untouched work/says-in-progress work/stopped-short " +
      "work/tests-not-run"
  )
}

/** Returns the new name of a rule. If no new name is known, returns the given name. */
export const ruleNow = (name: string): string => (Object.hasOwn(oldRules, name) ? (oldRules[name] ?? name) : name)

const nowBy: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ["reflexion", "memory"],
  ["reflection", "cycle"],
  ["verify", "checks"],
  ["todos.patterns", null],
  ["models.pushFrom", "models.nudgeFrom"],
  ...Object.entries(oldRules).map(([name, now]) => [`rules.${name}`, now === null ? null : `rules.${now}`] as const)
])

/** Returns the new name of a level. A model is now asked at any level, so the old `ask` is `tell`. */
const levelNow = (level: unknown): unknown => (level === "ask" ? "tell" : level === "push" ? "nudge" : level)

/** Renames the keys of a file and of the objects in it. Old keys are added to the list `old`. */
const renewed = (given: unknown, above: string, old: Array<OldKey>): unknown => {
  if (!Predicate.isRecord(given)) return given
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const key = `${above}${name}`
    const now = nowBy.get(key)
    const level = above === "rules." ? levelNow(value) : value
    if (level !== value) old.push({ key: `${key}: ${JSON.stringify(value)}`, now: `${key}: ${JSON.stringify(level)}` })
    const inner = above === "" ? renewed(value, `${key}.`, old) : level
    if (now === undefined) fields[name] = inner
    else {
      old.push({ key, now })
      const today = now?.slice(above.length)
      // If both names are present, the new name counts.
      if (today !== undefined && !Object.hasOwn(given, today)) fields[today] = inner
    }
  }
  return fields
}

/** Returns a configuration with the new keys, and the list of its old keys. */
export const renew = (given: unknown): { readonly value: unknown; readonly old: ReadonlyArray<OldKey> } => {
  const old: Array<OldKey> = []
  return { value: renewed(given, "", old), old }
}
