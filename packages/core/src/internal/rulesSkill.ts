/** The rule about what agents load: whether attempts that had it fail more than the others. */
import * as Effectiveness from "../Effectiveness.ts"
import type { AttemptOutcome, Loaded } from "../AttemptOutcome.ts"
import { isFailure } from "../AttemptOutcome.ts"
import type { Found, Options } from "../ReflectionRules.ts"
import { finding, idOf } from "./rulesFinding.ts"
import { limits, newSkill, type Parts, type State, used } from "./rulesState.ts"
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

const add = (parts: Parts, part: number, { failed, now }: { readonly failed: boolean; readonly now: number }): void => {
  while (parts.length > 0 && (parts[0]?.[0] ?? now) <= now - limits.parts) parts.shift()
  if (part <= now - limits.parts) return
  const known = parts.find(([one]) => one === part)
  const target = known ?? [part, 0, 0]
  target[failed ? 1 : 2] += 1
  if (known !== undefined) return
  parts.push(target)
  parts.sort(([one], [other]) => one - other)
}

/**
 * At least a third of the attempts that had it fail, and more than of the others by more than chance: the lower bound of
 * its failure rate is above theirs. Where every attempt had it, nothing tells it from whatever else went wrong, unless it
 * never did any good.
 */
const isBlamed = (those: Tally, others: Tally): boolean => {
  const rate = Effectiveness.rateOf(those.failed, those.completed)
  if (rate === null || those.failed < enough || rate.value < 1 / 3) return false
  const total = others.failed + others.completed
  return total === 0 ? those.completed === 0 : rate.low > others.failed / total
}

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

export const step = (options: Options, state: State, outcome: AttemptOutcome, at: number): ReadonlyArray<Found> => {
  fitted(state, widthOf(options))
  const part = Math.floor(at / state.width)
  const now = Math.floor(state.now / state.width)
  const failed = isFailure(outcome)
  const from = now - limits.parts
  add(state.all, part, { failed, now })
  const all = tally(state.all, from)
  return outcome.loaded.flatMap((loaded) => {
    const key = keyOf(loaded)
    const skill = used(state.skills, key, { make: newSkill, most: limits.skills })
    add(skill.parts, part, { failed, now })
    const those = tally(skill.parts, from)
    if (skill.flag !== null && at >= skill.flag && those.failed < enough) skill.flag = null
    const others = { failed: all.failed - those.failed, completed: all.completed - those.completed }
    if (!failed || skill.flag !== null || !isBlamed(those, others)) return []
    skill.flag = at
    const id = idOf("skill_failure_correlation", key, outcome.id)
    const subject = { type: "skill", id: loaded.name } as const
    return [
      {
        finding: finding("skill_failure_correlation", { id, at, subject, detail: detailOf(loaded, those, others) }),
        count: those.failed
      }
    ]
  })
}
