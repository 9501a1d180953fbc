/** The rule about what agents load: whether attempts that had it fail more than the others. */
import * as Effectiveness from "../store/Effectiveness.ts"
import { isFailure, type AttemptOutcome, type Loaded } from "../outcomes/AttemptOutcome.ts"
import * as Chance from "./chance.ts"
import * as Counts from "./counts.ts"
import { finding, idOf, shortOf } from "./RuleFinding.ts"
import { limits, newSkill, type Skill, type State, used } from "./RulesState.ts"
import { plural } from "../../base/text/Text.ts"
import type { Found, Options } from "./model.ts"

const enough = 3

/** So many tasks or sessions have to fail with it: one that is stubborn is found for itself. Files are many. */
const leastSubjects = { skill: 2, file: 3 } as const

/** How often it may be, in a window, that chance alone has one of all that are compared blamed. */
const level = 0.05

/** Of logarithms that are the same. */
const rounding = 1e-6

/** A window is counted in parts, so that what it keeps of a skill is as little for a million attempts as for ten. */
const widthOf = ({ lookback_seconds }: Options): number => Math.max(1, (lookback_seconds * 1000) / limits.parts)

/** One that was loaded in the attempt, and how the attempts of the window with it ended, and all. */
interface Suspect {
  readonly loaded: Loaded
  readonly skill: Skill
  readonly those: Counts.Tally
  readonly all: Counts.Tally
  readonly rate: Effectiveness.Rate
}

interface Moment {
  readonly state: State
  readonly outcome: AttemptOutcome
  readonly at: number
  /** The last part that is no longer looked at. */
  readonly from: number
}

/** What a task fails at again and again counts once, for that is no new chance. */
const once = ({ failed, repeats }: Counts.Tally): number => Math.max(0, failed - repeats)

/** How many of that kind were loaded how often. */
type Sizes = ReadonlyMap<number, number>

const sizesOf = ({ from, state }: Moment, kind: Loaded["kind"]): Sizes => {
  const sizes = new Map<number, number>()
  for (const [key, { parts }] of state.skills) {
    if (!key.startsWith(kind)) continue
    const tally = Counts.tally(parts, from)
    const loaded = once(tally) + tally.completed
    sizes.set(loaded, (sizes.get(loaded) ?? 0) + 1)
  }
  return sizes
}

/**
 * More of the attempts that had it fail than of the others, by more than chance. Where every attempt had it, nothing tells
 * it from whatever else went wrong, unless it never did any good; nor is there a doubt of a skill that whatever failed had,
 * and nothing that completed.
 */
const isMore = ({ all, loaded: { kind }, those }: Omit<Suspect, "rate">, sizes: () => Sizes): boolean => {
  const isAlone = all.failed === those.failed
  const isEach = isAlone && all.completed === those.completed
  if (isEach || (isAlone && those.completed === 0 && kind === "skill")) return those.completed === 0
  const failed = once(those)
  const loaded = failed + those.completed
  const failures = Math.max(failed, once(all))
  const attempts = failures + all.completed
  if (failed * attempts <= failures * loaded) return false
  const ln = Chance.lnChance(attempts, failures, loaded, failed)
  // From the third on each failure without it was a look at others, in which chance had its turn.
  const looks = Math.max(1, failures - failed - (enough - 1))
  const most = Math.log(level / looks) + rounding
  if (ln > most) return false
  // How many could have been found by as little a chance, by Tarone's correction (1990): of the more of them, the more are by
  // chance, but what was loaded too seldom or too often for it never is.
  let compared = 0
  for (const [each, count] of sizes()) if (Chance.lnChance(attempts, failures, each) <= ln + rounding) compared += count
  return ln + Math.log(Math.max(1, compared)) <= most
}

/**
 * Another that was loaded as well accounts for more of the failures, or for as many with fewer that completed, and fails no
 * less than this one by more than chance.
 */
const isExplained = ({ rate, those }: Suspect, by: Suspect): boolean =>
  rate.low <= by.rate.value &&
  (by.those.failed > those.failed || (by.those.failed === those.failed && by.those.completed < those.completed))

/** Fewer than a third of its attempts are no pattern. */
const isBlamed = (one: Suspect, suspects: ReadonlyArray<Suspect>): boolean =>
  one.rate.value >= 1 / 3 && !suspects.some((other) => isExplained(one, other))

const shown = ({ name }: Loaded): string => shortOf(name, 200)

const namedMost = 3

const withIt = (rest: ReadonlyArray<Suspect>): string => {
  if (rest.length === 0) return ""
  const names = rest.slice(0, namedMost).map(({ loaded }) => shown(loaded))
  const more = rest.length > names.length ? ` and ${plural(rest.length - names.length, "other")}` : ""
  return ` The same attempts loaded ${names.join(", ")}${more}.`
}

const detailOf = ({ all, loaded, those }: Suspect, rest: ReadonlyArray<Suspect>): string => {
  const failed = all.failed - those.failed
  const total = failed + all.completed - those.completed
  const compared = total === 0 ? "every attempt loaded it" : `without it ${failed} of ${total} failed`
  const what = loaded.kind === "skill" ? "Skill" : "File"
  const counted = `${plural(those.failed, "attempt")} that failed and ${those.completed} that completed`
  return `${what} ${shown(loaded)} was loaded in ${counted}; ${compared}.${withIt(rest)}`
}

const keyOf = ({ kind, name }: Loaded): string => `${kind}:${name}`

/** Parts of another length say nothing. */
const fitted = (state: State, width: number): void => {
  if (state.width === width) return
  state.width = width
  state.since = null
  state.all = []
  for (const skill of state.skills.values()) [skill.parts, skill.failing] = [[], []]
}

const suspectsOf = (
  moment: Moment,
  known: ReadonlyArray<{ readonly loaded: Loaded; readonly skill: Skill }>
): ReadonlyArray<Suspect> => {
  const { at, from, state } = moment
  const all = Counts.tally(state.all, from)
  // A state that was told of a finding knows nothing at first of what failed before.
  const isWhole = at - (state.since ?? at) >= state.width * limits.parts
  const sizes: { [Kind in Loaded["kind"]]?: Sizes } = {}
  return known.flatMap(({ loaded, skill }) => {
    const those = Counts.tally(skill.parts, from)
    if (isWhole && skill.flag !== null && at >= skill.flag && those.failed < enough) skill.flag = null
    const isSuspect =
      those.failed >= enough &&
      Counts.subjects(skill, from) >= leastSubjects[loaded.kind] &&
      isMore({ loaded, skill, those, all }, () => (sizes[loaded.kind] ??= sizesOf(moment, loaded.kind)))
    const rate = isSuspect ? Effectiveness.rateOf(those.failed, those.completed) : null
    return rate === null ? [] : [{ loaded, skill, those, all, rate }]
  })
}

/** Skills before files, which they may have read; each by its name, for they are loaded in any order. */
const placeOf = ({ loaded: { kind, name } }: Suspect): string => `${kind === "skill" ? 0 : 1}${name}`

/** What the same attempts loaded, as far as anybody can tell: the first tells which finding it is. */
const together = (blamed: ReadonlyArray<Suspect>): Iterable<ReadonlyArray<Suspect>> => {
  const groups = new Map<string, Array<Suspect>>()
  for (const one of blamed.toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1))) {
    const key = JSON.stringify([one.skill.parts, one.skill.failing])
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return groups.values()
}

/** What was found of one of them was found of all. */
const foundOf = ({ at, outcome }: Moment, group: ReadonlyArray<Suspect>): ReadonlyArray<Found> => {
  const isKnown = group.some(({ skill }) => skill.flag !== null)
  for (const { skill } of group) skill.flag ??= at
  const [first, ...rest] = group
  if (isKnown || first === undefined) return []
  const id = idOf("skill_failure_correlation", keyOf(first.loaded), outcome.id)
  const subject = { type: "skill", id: first.loaded.name } as const
  return [
    {
      finding: finding("skill_failure_correlation", { id, at, subject, detail: detailOf(first, rest) }),
      count: first.those.failed
    }
  ]
}

/** `key` is the task's, null where nothing tells it; `isRepeat` of one that failed as that task did before. */
export const step = (
  options: Options,
  state: State,
  {
    at,
    isRepeat,
    key,
    outcome
  }: {
    readonly outcome: AttemptOutcome
    readonly key: string | null
    readonly at: number
    readonly isRepeat: boolean
  }
): ReadonlyArray<Found> => {
  fitted(state, widthOf(options))
  state.since ??= at
  const when = { part: Math.floor(at / state.width), now: Math.floor(state.now / state.width) }
  const failed = isFailure(outcome)
  Counts.add(state.all, { failed, isRepeat }, when)
  const who = Counts.whoOf(outcome, key)
  const known = outcome.loaded.map((loaded) => {
    const skill = used(state.skills, keyOf(loaded), { make: newSkill, most: limits.skills })
    Counts.count(skill, failed, { when, who })
    return { loaded, skill }
  })
  // Nothing is blamed for an attempt that completes.
  if (!failed) return []
  const moment = { state, outcome, at, from: when.now - limits.parts }
  const suspects = suspectsOf(moment, known)
  const blamed = suspects.filter((one) => isBlamed(one, suspects))
  return [...together(blamed)].flatMap((group) => foundOf(moment, group))
}
