/** The timelines of sessions: what was run, what reflexion ran itself, and how each stop was judged. */
import type { GateResult } from "@reflexion/core/Verdict"
import { type Entry, limits, type Session, type Stop } from "./model.ts"
import { type Outcome, outcomeNames } from "./words.ts"

const signs: Readonly<Record<GateResult, Entry["sign"]>> = {
  passed: "good",
  failed: "bad",
  stale: "open",
  missing: "open",
  unknown: "open",
  not_required: "neutral"
}

const stopSigns: Readonly<Record<Outcome, Entry["sign"]>> = {
  complete: "good",
  pushed: "bad",
  waiting: "neutral",
  abstained: "neutral",
  left: "open"
}

const moment = (at: string | null): number | null => {
  const time = at === null ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : time
}

const status = (exitCode: number | null): string => (exitCode === null ? "exit ?" : `exit ${exitCode}`)

/** The run says how it went itself, where it does: a gate is also stale by what came after. */
const runSign = (exitCode: number | null, result: GateResult): Entry["sign"] =>
  exitCode === null
    ? signs[result]
    : exitCode === 0 && result !== "failed"
      ? "good"
      : exitCode === 0
        ? signs[result]
        : "bad"

const runs = (stop: Stop): ReadonlyArray<readonly [key: string, entry: Entry]> =>
  stop.gates.flatMap(({ evidence, gate, result }) =>
    evidence.map(({ at, callId, command, exitCode }): readonly [string, Entry] => [
      `${gate} ${callId ?? command} ${at ?? ""}`,
      {
        kind: "run",
        at: moment(at),
        sign: runSign(exitCode, result),
        title: command,
        detail: `${gate} · ${status(exitCode)}`,
        stop: null
      }
    ])
  )

const checks = (stop: Stop): ReadonlyArray<Entry> =>
  stop.checks.map(({ at, command, detail, gate, result }) => ({
    kind: "check",
    at: moment(at) ?? stop.at,
    sign: result === "passed" ? "good" : result === "failed" ? "bad" : "open",
    title: command,
    detail: `${gate} · reflexion ran it after the stop: ${detail}`,
    stop: null
  }))

const titleOf = (stop: Stop): string => {
  if (stop.origin === "session" && stop.pushed) return "would be pushed"
  if (!stop.pushed) return outcomeNames[stop.outcome]
  return stop.attempt === null ? "pushed" : `pushed, ${stop.attempt} of ${stop.maxAttempts}`
}

const ending = (stop: Stop): Entry => ({
  kind: "stop",
  at: stop.at,
  sign: stopSigns[stop.outcome],
  title: titleOf(stop),
  detail: stop.reason,
  stop: stop.id
})

/** A run is shown once, however many stops it proves something for; what has no time stands before its stop. */
const entriesOf = (stops: ReadonlyArray<Stop>): ReadonlyArray<Entry> => {
  const seen = new Set<string>()
  return stops.flatMap((stop) => {
    const fresh = runs(stop).flatMap(([key, entry]) => {
      if (seen.has(key)) return []
      seen.add(key)
      return [entry]
    })
    const timed = fresh.toSorted((one, other) => (one.at ?? stop.at ?? 0) - (other.at ?? stop.at ?? 0))
    return [...timed, ...checks(stop), ending(stop)]
  })
}

const times = (stops: ReadonlyArray<Stop>): ReadonlyArray<number> =>
  stops.flatMap(({ at }) => (at === null ? [] : [at]))

const least = (values: ReadonlyArray<number>): number | null =>
  values.reduce<number | null>((found, value) => (found === null || value < found ? value : found), null)

const most = (values: ReadonlyArray<number>): number | null =>
  values.reduce<number | null>((found, value) => (found === null || value > found ? value : found), null)

const sessionOf = (stops: ReadonlyArray<Stop>): ReadonlyArray<Session> => {
  const last = stops.at(-1)
  if (last === undefined) return []
  const entries = entriesOf(stops)
  const shown = entries.slice(-limits.entries)
  return [
    {
      id: last.sessionId,
      host: last.host,
      origin: stops.some(({ origin }) => origin === "review") ? "review" : "session",
      task: last.task,
      from: least([...times(stops), ...entries.flatMap(({ at }) => (at === null ? [] : [at]))]),
      to: most(times(stops)),
      stops: stops.length,
      pushes: stops.filter(({ pushed }) => pushed).length,
      ended: last.outcome,
      entries: shown,
      leftOut: entries.length - shown.length
    }
  ]
}

/**
 * The newest sessions among stops that stand in the order of their times, the last first; `leftOut` counts the others.
 *
 * @category constructors
 */
export const sessions = (
  stops: ReadonlyArray<Stop>
): { readonly sessions: ReadonlyArray<Session>; readonly leftOut: number } => {
  const groups = new Map<string, Array<Stop>>()
  for (const stop of stops) {
    const own = groups.get(stop.sessionId)
    if (own === undefined) groups.set(stop.sessionId, [stop])
    else own.push(stop)
  }
  const all = [...groups.values()].flatMap(sessionOf).toSorted((one, other) => (other.to ?? 0) - (one.to ?? 0))
  return { sessions: all.slice(0, limits.sessions), leftOut: Math.max(0, all.length - limits.sessions) }
}
