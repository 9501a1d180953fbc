/**
 * What a look at a window alone does not see: that a task fails each time which runs but once a night. Outcomes from before
 * the window count for what is said of streaks, and for nothing else.
 */
import { type AttemptOutcome, isFailure, subjectOf } from "@reflexion/core/AttemptOutcome"
import type { StorageError } from "@reflexion/core/StorageError"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { oncePerSession } from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import * as ReflectionRules from "@reflexion/core/internal/memory/rules/ReflectionRules"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { each, type Looked } from "./look.ts"

/** A task that used to pass is found by as many failures. */
const enough = 3

const always = Number.NEGATIVE_INFINITY

const ofStreaks: ReadonlyArray<ReflectionFinding["rule"]> = ["consecutive_failures", "regression"]

/** Which of the tasks have failed as often as that since they last passed. */
const failing = Effect.fnUntraced(function* (failed: ReadonlyMap<string, AttemptOutcome>, least: number) {
  const { failureStreak, failureStreakOf } = yield* OutcomeLog
  const subjects = new Set<string>()
  for (const [subject, { objective, taskId }] of failed) {
    const streak = taskId === null ? failureStreakOf(objective, least) : failureStreak(taskId, least)
    if ((yield* streak) >= least) subjects.add(subject)
  }
  return subjects
})

/**
 * What `consecutive_failures` and `regression` find of the tasks whose last runs failed, in all that the log has, by what
 * the runs of a task share; `failed` are those of which one failed in the window. A finding is known by the run that showed
 * it, whenever somebody looks.
 *
 * @category programs
 */
export const streaks = (
  options: ReflectionRules.Options,
  failed: ReadonlyMap<string, AttemptOutcome>
): Effect.Effect<ReadonlyMap<string, ReadonlyArray<ReflectionFinding>>, StorageError, OutcomeLog> =>
  Effect.gen(function* () {
    const current = new Map<string, ReadonlyArray<ReflectionFinding>>()
    const subjects = yield* failing(failed, Math.min(enough, options.consecutive_failure_limit))
    if (subjects.size === 0) return current
    const { stream } = yield* OutcomeLog
    const now = yield* Clock.currentTimeMillis
    const state = ReflectionRules.initial()
    const counts = oncePerSession()
    yield* each(stream(always), (outcome) => {
      const subject = subjectOf(outcome)
      if (subject === null || !subjects.has(subject) || !counts(outcome)) return
      const shown = ReflectionRules.step(options, state, { outcome: { ...outcome, loaded: [] }, now })
        .map(({ finding }) => finding)
        .filter(({ rule }) => ofStreaks.includes(rule))
      // What was found before a run that completed is of an earlier streak.
      current.set(subject, isFailure(outcome) ? [...(current.get(subject) ?? []), ...shown] : [])
    })
    return current
  })

/**
 * What a window shows along with the streaks: where both say the same of a task, the streak has it, which is the same on
 * the next day, and goes on, whatever was over before it.
 *
 * @category combining
 */
export const together = (
  { findings, subjects }: Pick<Looked, "findings" | "subjects">,
  more: ReadonlyMap<string, ReadonlyArray<ReflectionFinding>>
): ReadonlyArray<ReflectionFinding> => {
  // Not by the finding's own subject: of a task without an id that is a session, and every run has another.
  const ofStreak = ({ id }: ReflectionFinding) => more.get(subjects.get(id) ?? "") ?? []
  const isSaid = (finding: ReflectionFinding): boolean => ofStreak(finding).some(({ rule }) => rule === finding.rule)
  return [...findings.filter((finding) => !isSaid(finding)), ...[...more.values()].flat()]
}
