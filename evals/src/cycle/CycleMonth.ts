/** A month of a fleet through the rules of the reflection cycle: what they find, when, and how much they keep. */
import type { ReflectionFinding } from "@reflexion/core/internal/learn/rules/ReflectionFinding"
import * as ReflectionRules from "@reflexion/core/internal/learn/rules/ReflectionRules"
import { day, type Fault, type Fleet, hour, nameOf, outcomesOf } from "./Fleet.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

const fault = (rule: Fault["rule"], subjectId: string, [from, until]: readonly [number, number]): Fault => ({
  rule,
  subjectId,
  from: start + from * day,
  until: start + until * day
})

/** Tasks that run every 42 minutes for 30 days; 1,000 of them end a million times. At least 100. */
export const monthOf = (tasks: number): Fleet => ({
  start,
  tasks,
  days: 30,
  runsADay: 34,
  faults: [
    fault("consecutive_failures", nameOf(40), [0, 1]),
    fault("regression", nameOf(17), [3, 5]),
    fault("timeout_pattern", nameOf(55), [8, 10]),
    fault("stale_task", nameOf(81), [12, 14]),
    fault("skill_failure_correlation", "deploy", [16, 18]),
    fault("regression", nameOf(tasks - 1), [22, 23]),
    fault("timeout_pattern", nameOf(0), [26, 27]),
    fault("stale_task", nameOf(50), [28, 30])
  ]
})

/** Of runs that nothing is wrong with, 1 in 100 fails, 1 in 200 times out, 1 in 50 says little. */
export const noise = { failed: 0.01, timeout: 0.005, short: 0.02 } as const

export interface Seen {
  readonly finding: ReflectionFinding
  readonly at: number
}

/** Whether it is about what a fault broke, while it did or in the window after it. */
export const isOfBroken = ({ faults }: Fleet, { at, finding: { subjectId } }: Seen): boolean => {
  const task = Number(/^task-(\d+)$/.exec(subjectId)?.[1] ?? Number.NaN)
  return faults.some(
    ({ from, rule, subjectId: broken, until }) =>
      at >= from &&
      at < until + day &&
      (broken === subjectId || (rule === "skill_failure_correlation" && task % 10 === 3))
  )
}

/** How many of each rule. */
export const byRule = (findings: ReadonlyArray<ReflectionFinding>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}

/** What a month came to. `late` are faults that no finding named within a day; `astray` findings on what is healthy. */
export interface Month {
  readonly outcomes: number
  readonly findings: number
  /** How many of each rule. */
  readonly byRule: Readonly<Record<string, number>>
  readonly found: ReadonlyArray<{ readonly fault: Fault; readonly hours: number | null }>
  readonly late: ReadonlyArray<Fault>
  readonly astray: ReadonlyArray<ReflectionFinding>
  /** How much the rules kept at the end of each day. */
  readonly sizes: ReadonlyArray<ReturnType<typeof ReflectionRules.size>>
  /** Seconds of processor time of each day, the making of its outcomes left out. */
  readonly seconds: ReadonlyArray<number>
}

export const simulate = (fleet: Fleet, seconds: (work: () => void) => number = (work) => (work(), 0)): Month => {
  const state = ReflectionRules.initial()
  const seen: Array<Seen> = []
  const days = Array.from({ length: fleet.days }, (_, index) => {
    const outcomes = [...outcomesOf(fleet, index)]
    const took = seconds(() => {
      for (const outcome of outcomes)
        for (const { finding } of ReflectionRules.step(ReflectionRules.defaults, state, { outcome }))
          seen.push({ finding, at: Date.parse(outcome.at) })
    })
    return { outcomes: outcomes.length, took, size: ReflectionRules.size(state) }
  })
  const found = fleet.faults.map((one) => {
    const first = seen.find(
      ({ at, finding: { rule, subjectId } }) =>
        rule === one.rule && subjectId === one.subjectId && at >= one.from && at < one.until
    )
    return { fault: one, hours: first === undefined ? null : (first.at - one.from) / hour }
  })
  return {
    outcomes: days.reduce((sum, { outcomes }) => sum + outcomes, 0),
    findings: seen.length,
    byRule: byRule(seen.map(({ finding }) => finding)),
    found,
    late: found.filter(({ hours }) => hours === null || hours > 24).map((one) => one.fault),
    astray: seen.filter((one) => !isOfBroken(fleet, one)).map(({ finding }) => finding),
    sizes: days.map(({ size }) => size),
    seconds: days.map(({ took }) => took)
  }
}
