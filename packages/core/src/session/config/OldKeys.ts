/** Keys of earlier versions: they are read as what they are called now, and `doctor` names them. */
import * as Predicate from "effect/Predicate"
import { isRuleName } from "./RuleNames.ts"

/** `now`: what the key is called; null where it is gone. */
export interface OldKey {
  readonly key: string
  readonly now: string | null
}

const keys: Readonly<Record<string, string>> = { reflexion: "memory", reflection: "cycle" }

const rules: Readonly<Record<string, string>> = {
  "stop/needless-question": "stop/asks-nobody",
  "claims/disproved": "claims/contradicted",
  "claims/overstated": "claims/contradicted",
  "tampering/test-removed": "checks/weakened",
  "tampering/test-skipped": "checks/weakened",
  "tampering/assertion-weakened": "checks/weakened",
  "tampering/check-silenced": "checks/weakened"
}

/** Rules that are gone: a model reads what they read. */
const gone: ReadonlySet<string> = new Set([
  "claims/change-not-made",
  "stop/announced-step",
  "stop/breaks-off",
  "stop/listed-steps",
  "stop/waits-for-nothing",
  "tampering/hard-coded",
  "tampering/subject-mocked",
  "work/called-flaky",
  "work/defect-left",
  "work/error-explained",
  "work/handed-over",
  "work/left",
  "work/only-tests-changed",
  "work/open-plan",
  "work/ordered-not-begun",
  "work/rest-untouched",
  "work/says-in-progress",
  "work/stopped-short",
  "work/tests-not-run"
])

type Fields = Readonly<Record<string, unknown>>

const renamed = (
  given: Fields,
  nameOf: (key: string) => string | null | undefined
): { readonly fields: Fields; readonly old: ReadonlyArray<OldKey> } => {
  const fields: Record<string, unknown> = {}
  const old: Array<OldKey> = []
  for (const [key, value] of Object.entries(given)) {
    const now = nameOf(key)
    if (now === undefined) fields[key] = value
    else {
      old.push({ key, now })
      // The new name counts where both stand.
      if (now !== null && !Object.hasOwn(given, now)) fields[now] = value
    }
  }
  return { fields, old }
}

const below = (given: Fields, part: string, nameOf: Parameters<typeof renamed>[1]): ReturnType<typeof renamed> => {
  const object = given[part]
  if (!Predicate.isRecord(object)) return { fields: given, old: [] }
  const { fields, old } = renamed(object, nameOf)
  return {
    fields: { ...given, [part]: fields },
    old: old.map(({ key, now }) => ({ key: `${part}.${key}`, now: now && `${part}.${now}` }))
  }
}

/** A configuration as a file gives it, in today's keys, and which of its keys are old. */
export const renew = (given: unknown): { readonly value: unknown; readonly old: ReadonlyArray<OldKey> } => {
  if (!Predicate.isRecord(given)) return { value: given, old: [] }
  const top = renamed(given, (key) => keys[key])
  const inRules = below(top.fields, "rules", (name) =>
    isRuleName(name) ? undefined : gone.has(name) ? null : rules[name]
  )
  const inTodos = below(inRules.fields, "todos", (name) => (name === "patterns" ? null : undefined))
  return { value: inTodos.fields, old: [...top.old, ...inRules.old, ...inTodos.old] }
}
