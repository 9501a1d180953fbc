/** Keys of earlier versions: they are read as what they are called now, and `doctor` names them. */
import * as Predicate from "effect/Predicate"

/** `now`: what the key is called; null where it is gone. */
export interface OldKey {
  readonly key: string
  readonly now: string | null
}

const renamed: Readonly<Record<string, string>> = {
  reflexion: "memory",
  reflection: "cycle",
  "rules.stop/needless-question": "rules.stop/asks-nobody",
  "rules.claims/disproved": "rules.claims/contradicted",
  "rules.claims/overstated": "rules.claims/contradicted",
  "rules.tampering/test-removed": "rules.checks/weakened",
  "rules.tampering/test-skipped": "rules.checks/weakened",
  "rules.tampering/assertion-weakened": "rules.checks/weakened",
  "rules.tampering/check-silenced": "rules.checks/weakened"
}

/** What these rules read a model reads. */
const rules =
  "claims/change-not-made stop/announced-step stop/breaks-off stop/listed-steps stop/waits-for-nothing tampering/hard-coded " +
  "tampering/subject-mocked work/called-flaky work/defect-left work/error-explained work/handed-over work/left " +
  "work/only-tests-changed work/open-plan work/ordered-not-begun work/rest-untouched work/says-in-progress work/stopped-short " +
  "work/tests-not-run"

const nowBy: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ...Object.entries(renamed),
  ...["todos.patterns", "verify.oldTests", ...rules.split(" ").map((name) => `rules.${name}`)].map(
    (key) => [key, null] as const
  )
])

/** The keys of the file and of the objects in it, in today's names; what is old is put on the list. */
const renewed = (given: unknown, above: string, old: Array<OldKey>): unknown => {
  if (!Predicate.isRecord(given)) return given
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const key = `${above}${name}`
    const now = nowBy.get(key)
    const inner = above === "" ? renewed(value, `${key}.`, old) : value
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
