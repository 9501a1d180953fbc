/** Keys of earlier versions: they are read as what they are called now, and `doctor` names them. */
import * as Predicate from "effect/Predicate"

/** `now`: what the key is called; null where it is gone. */
export interface OldKey {
  readonly key: string
  readonly now: string | null
}

const names = (now: string | null, old: string): Readonly<Record<string, string | null>> =>
  Object.fromEntries(old.split(" ").map((name) => [name, now]))

/** Rules of earlier versions by what they are called now; null where a fact or a model has taken their place. */
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

/** What a rule is called now; its own name where no other is known, or the rule is gone. */
export const ruleNow = (name: string): string => (Object.hasOwn(oldRules, name) ? (oldRules[name] ?? name) : name)

const nowBy: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ["reflexion", "memory"],
  ["reflection", "cycle"],
  ["verify", "checks"],
  ["todos.patterns", null],
  ["models.pushFrom", "models.nudgeFrom"],
  ...Object.entries(oldRules).map(([name, now]) => [`rules.${name}`, now === null ? null : `rules.${now}`] as const)
])

/** A model is asked at any level, so that what asked one only tells. */
const levelNow = (level: unknown): unknown => (level === "ask" ? "tell" : level === "push" ? "nudge" : level)

/** The keys of the file and of the objects in it, in today's names; what is old is put on the list. */
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
      // The new name counts where both stand.
      if (today !== undefined && !Object.hasOwn(given, today)) fields[today] = inner
    }
  }
  return fields
}

/** A configuration as a file gives it, in today's keys, and which of its keys are old. */
export const renew = (given: unknown): { readonly value: unknown; readonly old: ReadonlyArray<OldKey> } => {
  const old: Array<OldKey> = []
  return { value: renewed(given, "", old), old }
}
