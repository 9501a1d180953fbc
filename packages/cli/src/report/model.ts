/** Computes the content of a report. Pure: the page, the text and the JSON all come from it. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as Array from "effect/Array"
import { sumAll } from "effect/Number"
import type { Lesson } from "./lessons.ts"
import type { Stop } from "./record.ts"

/** How a stop ended: done, nudged, waiting for the user, left open, or not judged. The charts use this order. */
export const endings = ["done", "nudged", "yours", "open", "other"] as const

export type Ending = (typeof endings)[number]

export interface Inputs {
  readonly project: string
  /** The session to show. Null shows all. */
  readonly session: string | null
  /** In ms since the epoch. Null means no limit. */
  readonly since: number | null
  /** In ms since the epoch. */
  readonly now: number
  /** A time zone, for example `Europe/Berlin`. */
  readonly zone: string
  readonly problems: ReadonlyArray<string>
  readonly stops: ReadonlyArray<Stop>
  readonly decisions: ReadonlyArray<Decision>
  readonly marks: ReadonlyArray<Marks.Mark>
  readonly lessons: ReadonlyArray<Lesson>
  /** Compares attempts with and without lessons. Null if no results are known. */
  readonly attempts: string | null
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly proposals: ReadonlyArray<{ readonly file: string; readonly title: string }>
}

const endingOf = ({ decision, status }: Stop): Ending => {
  if (decision.kind === "nudge") return "nudged"
  if (decision.kind === "abstain" || ["abstained", "working", "aborted"].includes(status)) return "other"
  if (status === "complete") return "done"
  return status === "waiting_for_user" || status === "needs_human" ? "yours" : "open"
}

const isOpen = ({ required, result }: Stop["gates"][number]): boolean =>
  required && result !== "passed" && result !== "not_required"

/** "green": by the turn's next stop, all open gates passed. If no gate was open, the task was done. */
const followed = (stop: Stop, next: Stop | undefined) => {
  const resultOf = (gate: string) => next?.gates.find((one) => one.gate === gate)?.result ?? null
  const moved = stop.gates.filter(isOpen).map(({ gate, result }) => ({ gate, before: result, after: resultOf(gate) }))
  const isStill = moved.every(({ after, before }) => after === null || after === before)
  const isGreen = moved.length === 0 ? next?.status === "complete" : moved.every(({ after }) => after === "passed")
  const isFurther = !isStill || next?.progress === "some" || next?.progress === "all"
  const effect = next === undefined ? "unknown" : isGreen ? "green" : isFurther ? "some" : "nothing"
  /** True if the next review had no objection, although no gate had changed. Then the nudge may have been wrong. */
  const doubted = next !== undefined && !isGreen && isStill && ["done", "yours"].includes(endingOf(next))
  return { moved, effect, doubted } as const
}

/** In ms. The clocks of two processes can differ a little. */
const slack = 2000

/** A mark belongs to the last nudge before it. */
const isMarked = ({ at, decision: { attempt }, session }: Stop, decisions: ReadonlyArray<Decision>): boolean => {
  const later = decisions.find(
    (one) => one.sessionId === session && Date.parse(one.at) > at + slack && ["nudge", "wrong"].includes(one.decision)
  )
  return later?.decision === "wrong" && later.attempt === attempt
}

const stopIn = (stop: Stop, next: Stop | undefined, decisions: ReadonlyArray<Decision>) => ({
  ...stop,
  at: new Date(stop.at).toISOString(),
  ending: endingOf(stop),
  nudge: endingOf(stop) === "nudged" ? { ...followed(stop, next), marked: isMarked(stop, decisions) } : null
})

const taskOf = (stops: Array.NonEmptyReadonlyArray<Stop>, isLast: boolean, decisions: ReadonlyArray<Decision>) => {
  const { host, session, task, ...last } = Array.lastNonEmpty(stops)
  const all = stops.map((stop, index) => stopIn(stop, stops[index + 1], decisions))
  const ending = endingOf({ host, session, task, ...last })
  const nudges = all.filter(({ nudge }) => nudge !== null).length
  return {
    session,
    host,
    task,
    at: new Date(last.at).toISOString(),
    ending,
    nudges,
    /** True if the task would have ended undone without reflexion. */
    undone: nudges > 0 || ending === "open",
    /** True if the task is still not done and nothing followed in its session. */
    open: isLast && ["nudged", "yours", "open"].includes(ending),
    stops: all
  }
}

const tasksOf = (stops: ReadonlyArray<Stop>, decisions: ReadonlyArray<Decision>) =>
  // Without the prefix, a session's name could be a built-in key of an object.
  Object.values(Array.groupBy(stops, ({ session }) => `session ${session}`))
    .flatMap((own) => {
      const turns = Object.values(Array.groupBy(own, ({ turn }) => `turn ${turn}`))
      return turns.map((turn, index) => taskOf(turn, index === turns.length - 1, decisions))
    })
    .toSorted((one, other) => Number(other.open) - Number(one.open) || (one.at < other.at ? 1 : -1))

/** For example `2026-01-31 10:12`. A text that is not a time stays as it is. */
export const timesIn = (zone: string) => {
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: zone })
  return (at: string): string => (Number.isNaN(Date.parse(at)) ? at.slice(0, 16) : format.format(new Date(at)))
}

const mostDays = 31

const counted = (stops: ReadonlyArray<Stop>): Readonly<Record<Ending, number>> => {
  const counts = { done: 0, nudged: 0, yours: 0, open: 0, other: 0 }
  for (const stop of stops) counts[endingOf(stop)] += 1
  return counts
}

/** Days without a stop are included. */
const daysOf = (stops: ReadonlyArray<Stop>, zone: string) => {
  const time = timesIn(zone)
  const byDay = Array.groupBy(stops, ({ at }) => time(new Date(at).toISOString()).slice(0, 10))
  const known = Object.keys(byDay).toSorted()
  const [last, first] = [Date.parse(known.at(-1) ?? ""), Date.parse(known[0] ?? "")]
  if (known.length === 0) return []
  const length = Math.min(mostDays, 1 + Math.round((last - first) / 86_400_000))
  return Array.makeBy(length, (index) => {
    const day = new Date(last - (length - 1 - index) * 86_400_000).toISOString().slice(0, 10)
    return { day, ...counted(byDay[day] ?? []) }
  })
}

const most = 2000

const safe = (text: string): string => {
  const plain = safeText(text.slice(0, 4 * most))
  return plain.length <= most ? plain : `${plain.slice(0, most)}…`
}

const build = ({ now, session, since, ...inputs }: Inputs) => {
  const isWithin = (at: number | string): boolean => since === null || new Date(at).getTime() >= since
  const stops = inputs.stops.filter(({ at }) => isWithin(at)).toSorted((one, other) => one.at - other.at)
  const lowered: ReadonlySet<string> = new Set(Marks.lowered(inputs.marks))
  return {
    version: 1,
    ...inputs,
    session,
    since: since === null ? null : new Date(since).toISOString(),
    madeAt: new Date(now).toISOString(),
    stops: counted(stops),
    days: daysOf(stops, inputs.zone),
    tasks: tasksOf(stops, inputs.decisions),
    cost: {
      reviews: stops.length,
      modelCalls: sumAll(stops.map(({ cost }) => cost.modelCalls)),
      tokens: sumAll(stops.map(({ cost }) => cost.inputTokens + cost.outputTokens)),
      durationMs: sumAll(stops.map(({ cost }) => cost.durationMs))
    },
    decisions: inputs.decisions.filter(({ at }) => isWithin(at)),
    markedRules: [...Marks.counts(inputs.marks)].map(([rule, count]) => ({ rule, count, lowered: lowered.has(rule) })),
    lessons: inputs.lessons.map((one) => ({ ...one, isNew: since !== null && isWithin(one.createdAt) })),
    findings: inputs.findings.filter(({ at }) => isWithin(at)).toSorted((one, other) => (one.at < other.at ? 1 : -1))
  } as const
}

export type Report = ReturnType<typeof build>

export type Task = Report["tasks"][number]

/** All texts of the report are safe to show. */
export const make = (inputs: Inputs): Report =>
  JSON.parse(JSON.stringify(build(inputs)), (_, value: unknown) => (typeof value === "string" ? safe(value) : value))
