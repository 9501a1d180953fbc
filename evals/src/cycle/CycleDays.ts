/** Some days of a fleet through the whole reflection cycle: its logs, its triggers and its pauses, under a test's clock. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingRecord } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import type { ReflectionFinding } from "@reflexion/core/internal/learn/rules/ReflectionFinding"
import { TestTaskControl } from "@reflexion/core/TaskControl"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { isOfBroken } from "./CycleMonth.ts"
import { day, type Fault, type Fleet, outcomesOf } from "./Fleet.ts"

/** What some days came to. `paused` are tasks in the order of their pauses; a person has each run again a day later. */
export interface Days {
  readonly outcomes: number
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly paused: ReadonlyArray<string>
  readonly unfound: ReadonlyArray<Fault>
  readonly astray: ReadonlyArray<ReflectionFinding>
}

const played = Effect.fnUntraced(function* (fleet: Fleet) {
  const { append } = yield* OutcomeLog
  const control = yield* TestTaskControl
  const { appended } = yield* FindingRecord
  const until = new Map<string, number>()
  let outcomes = 0
  let known = 0

  const round = Effect.fnUntraced(function* (all: ReadonlyArray<AttemptOutcome>) {
    const now = Math.max(...all.map(({ at }) => Date.parse(at)))
    yield* TestClock.setTime(now)
    for (const [taskId, at] of until)
      if (at <= now) {
        until.delete(taskId)
        yield* control.resume(taskId)
      }
    const run = all.filter(({ taskId }) => taskId === null || !until.has(taskId))
    yield* append(run)
    outcomes += run.length
    // The cycle waits for half a second.
    yield* TestClock.adjust("1 second")
    const pauses = yield* control.pauses
    for (const { taskId } of pauses.slice(known)) until.set(taskId, now + day)
    known = pauses.length
  })

  for (let index = 0; index < fleet.days; index += 1) {
    const all = [...outcomesOf(fleet, index)]
    for (let from = 0; from < all.length; from += fleet.tasks) yield* round(all.slice(from, from + fleet.tasks))
  }

  // Of two lines of one finding the first says that it was found.
  const findings = [...new Map((yield* appended).toReversed().map((one) => [one.id, one])).values()].toReversed()
  const seen = findings.map((finding) => ({ finding, at: Date.parse(finding.at) }))
  const days: Days = {
    outcomes,
    findings,
    paused: (yield* control.pauses).map(({ taskId }) => taskId),
    unfound: fleet.faults.filter(
      ({ from, rule, subjectId }) =>
        !seen.some(
          ({ at, finding }) => finding.rule === rule && finding.subjectId === subjectId && at >= from && at < from + day
        )
    ),
    astray: seen.filter((one) => !isOfBroken(fleet, one)).map(({ finding }) => finding)
  }
  return days
})

export const play = (fleet: Fleet) =>
  Effect.zipRight(TestClock.setTime(fleet.start), Effect.provide(played(fleet), ReflectionCycle.Test()))
