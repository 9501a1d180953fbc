/** The rule about what agents load: whether attempts that had it fail more than the others. */
import * as Effectiveness from "../Effectiveness.ts"
import type { AttemptOutcome, Loaded } from "../AttemptOutcome.ts"
import { isFailure } from "../AttemptOutcome.ts"
import type { Found, Options } from "../ReflectionRules.ts"
import { finding, idOf } from "./rulesFinding.ts"
import { limits, newSkill, type Parts, type Skill, type State, used } from "./rulesState.ts"
import { oneLine, plural } from "./text.ts"

const enough = 3

/** A window is counted in parts, so that what it keeps of a skill is as little for a million attempts as for ten. */
const widthOf = ({ lookback_seconds }: Options): number => Math.max(1, (lookback_seconds * 1000) / limits.parts)

interface Tally {
  readonly failed: number
  readonly completed: number
}

const tally = (parts: Parts, from: number): Tally => {
  let [failed, completed] = [0, 0]
  for (const [part, fails, passes] of parts)
    if (part > from) {
      failed += fails
      completed += passes
    }
  return { failed, completed }
}

/** Most outcomes are of the newest part. */
const partAt = (parts: Parts, part: number): Parts[number] => {
  let index = parts.length - 1
  while (index >= 0 && (parts[index]?.[0] ?? part) > part) index -= 1
  const known = parts[index]
  if (known?.[0] === part) return known
  const added: Parts[number] = [part, 0, 0]
  parts.splice(index + 1, 0, added)
  return added
}

const add = (parts: Parts, part: number, { failed, now }: { readonly failed: boolean; readonly now: number }): void => {
  while (parts.length > 0 && (parts[0]?.[0] ?? now) <= now - limits.parts) parts.shift()
  if (part > now - limits.parts) partAt(parts, part)[failed ? 1 : 2] += 1
}

/** One that was loaded in the attempt, and how the attempts of the window with it ended, and those without. */
interface Suspect {
  readonly loaded: Loaded
  readonly skill: Skill
  readonly those: Tally
  readonly others: Tally
  readonly rate: Effectiveness.Rate
}

/**
 * More of the attempts that had it fail than of the others, by more than chance: the lower bound of its failure rate is
 * above theirs. Where every attempt had it, nothing tells it from whatever else went wrong, unless it never did any good.
 */
const isSuspect = ({ others, rate, those }: Suspect): boolean => {
  const total = others.failed + others.completed
  return those.failed >= enough && (total === 0 ? those.completed === 0 : rate.low > others.failed / total)
}

/** Another that was loaded as well accounts for more failures, and fails no less than this one by more than chance. */
const isExplained = (one: Suspect, by: Suspect): boolean =>
  by.those.failed > one.those.failed && one.rate.low <= by.rate.value

/** Fewer than a third of its attempts are no pattern. */
const isBlamed = (one: Suspect, suspects: ReadonlyArray<Suspect>): boolean =>
  one.rate.value >= 1 / 3 && !suspects.some((other) => isExplained(one, other))

const detailOf = ({ kind, name }: Loaded, those: Tally, others: Tally): string => {
  const total = others.failed + others.completed
  const compared = total === 0 ? "every attempt loaded it" : `without it ${others.failed} of ${total} failed`
  const [what, shown] = [kind === "skill" ? "Skill" : "File", oneLine(name, 200)]
  return `${what} ${shown} was loaded in ${plural(those.failed, "attempt")} that failed and ${those.completed} that completed; ${compared}.`
}

const keyOf = ({ kind, name }: Loaded): string => `${kind}:${name}`

/** Parts of another length say nothing. */
const fitted = (state: State, width: number): void => {
  if (state.width === width) return
  state.width = width
  state.all = []
  for (const skill of state.skills.values()) skill.parts = []
}

interface Moment {
  readonly state: State
  readonly outcome: AttemptOutcome
  readonly at: number
  /** The last part that is no longer looked at. */
  readonly from: number
}

const suspectsOf = (
  { at, from, state }: Moment,
  known: ReadonlyArray<{ readonly loaded: Loaded; readonly skill: Skill }>
): ReadonlyArray<Suspect> => {
  const all = tally(state.all, from)
  return known.flatMap(({ loaded, skill }) => {
    const those = tally(skill.parts, from)
    if (skill.flag !== null && at >= skill.flag && those.failed < enough) skill.flag = null
    const others = { failed: all.failed - those.failed, completed: all.completed - those.completed }
    const rate = Effectiveness.rateOf(those.failed, those.completed)
    const suspect = rate === null ? null : { loaded, skill, those, others, rate }
    return suspect !== null && isSuspect(suspect) ? [suspect] : []
  })
}

const foundOf = ({ at, outcome }: Moment, { loaded, others, skill, those }: Suspect): Found => {
  skill.flag = at
  const id = idOf("skill_failure_correlation", keyOf(loaded), outcome.id)
  const subject = { type: "skill", id: loaded.name } as const
  return {
    finding: finding("skill_failure_correlation", { id, at, subject, detail: detailOf(loaded, those, others) }),
    count: those.failed
  }
}

export const step = (options: Options, state: State, outcome: AttemptOutcome, at: number): ReadonlyArray<Found> => {
  fitted(state, widthOf(options))
  const part = Math.floor(at / state.width)
  const now = Math.floor(state.now / state.width)
  const failed = isFailure(outcome)
  add(state.all, part, { failed, now })
  const known = outcome.loaded.map((loaded) => {
    const skill = used(state.skills, keyOf(loaded), { make: newSkill, most: limits.skills })
    add(skill.parts, part, { failed, now })
    return { loaded, skill }
  })
  // Nothing is blamed for an attempt that completes.
  if (!failed) return []
  const moment = { state, outcome, at, from: now - limits.parts }
  const suspects = suspectsOf(moment, known)
  return suspects.filter((one) => one.skill.flag === null && isBlamed(one, suspects)).map((one) => foundOf(moment, one))
}
