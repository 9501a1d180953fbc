/** What many runs show that one does not, found by rules alone: a pure function over the outcomes of a log. */
import { isFailure, subjectOf, type AttemptOutcome, type Loaded } from "../outcomes/AttemptOutcome.ts"
import { plural } from "../../base/text/Text.ts"
import { byHand, sessionId } from "./words.ts"
import { idOf, isoOf, minuteOf, nameOfRun, ofId, ofKey, shortOf, subjectOfRun } from "./RuleFinding.ts"
import type { ReflectionFinding } from "./ReflectionFinding.ts"

/**
 * By the names of the configuration: how many failures in a row are too many, how far back the rules look, and fewer than
 * how many characters are no result.
 */
export interface Options {
  readonly consecutive_failure_limit: number
  readonly lookback_seconds: number
  readonly min_result_length: number
}

export const defaults: Options = { consecutive_failure_limit: 3, lookback_seconds: 86_400, min_result_length: 50 }

/** So many of a log's outcomes are looked at, the newest. */
export const most = 10_000

/**
 * What the rules look at, in the order in which it was added: of an id the first counts. `known` is what was found before; `now`, in ms since the
 * epoch, is the latest that the time of either is believed to be.
 */
export interface Given {
  readonly outcomes: ReadonlyArray<AttemptOutcome>
  readonly known: ReadonlyArray<ReflectionFinding>
  readonly now: number
}

/** A finding, what of the same was found before, and when an attempt completed that ended it: null of what goes on. */
export interface Seen {
  readonly finding: ReflectionFinding
  readonly known: ReadonlyArray<ReflectionFinding>
  readonly completedAt: string | null
}

/** So many attempts are a pattern, and a task is judged by so many of its last runs. */
const [enough, lastRuns] = [3, 10] as const

interface Row {
  readonly outcome: AttemptOutcome
  readonly at: number
  /** What the runs of a task share; null where nothing tells which task it is. */
  readonly key: string | null
}

/** Attempts that belong together; `isWhole` where it is known that none before them does. */
interface Chain {
  readonly rows: ReadonlyArray<Row>
  readonly isWhole: boolean
}

interface Episode extends Chain, Pick<ReflectionFinding, "rule" | "subjectType" | "subjectId" | "detail" | "count"> {
  /** What it is of: the first tells which it is, and what was found of any of them was found of it. */
  readonly keys: readonly [string, ...ReadonlyArray<string>]
  /** So many of its attempts show it. */
  readonly least: number
  readonly over: Row | null
}

interface Window {
  readonly options: Options
  readonly since: number
  readonly millis: number
}

/**
 * Of what a session fails at one task without an id in a row, as it does until its reminders are used up, the first counts:
 * who is in the session has seen it.
 */
const oncePerSession = (): ((row: Row) => boolean) => {
  const failing = new Map<string, string>()
  return ({ key, outcome }) => {
    if (key === null || outcome.taskId !== null) return true
    const session = isFailure(outcome) ? outcome.sessionId : ""
    // Where nobody said which session it was, each is another.
    const isRepeated = session !== "" && failing.get(key) === session
    failing.set(key, session)
    return !isRepeated
  }
}

/** What says that it ends in the future is taken to have ended when the one did that was added before it. */
const rowsOf = ({ now, outcomes }: Given): ReadonlyArray<Row> => {
  const byId = new Map<string, Row>()
  const given = outcomes.slice(-most).map((outcome) => ({ outcome, time: Date.parse(outcome.at) }))
  let at = given.find(({ time }) => time <= now)?.time ?? now
  for (const { outcome, time } of given) {
    if (time <= now) at = time
    if (!byId.has(outcome.id)) byId.set(outcome.id, { outcome, at, key: subjectOf(outcome) })
  }
  return [...byId.values()].toSorted((one, other) => one.at - other.at).filter(oncePerSession())
}

const add = <A>(map: Map<string, Array<A>>, key: string, one: A): void => {
  const all = map.get(key)
  if (all === undefined) map.set(key, [one])
  else all.push(one)
}

const failed = ({ outcome }: Row): boolean => isFailure(outcome)

const completed = ({ outcome }: Row): boolean => !isFailure(outcome)

const timedOut = ({ outcome }: Row): boolean => outcome.status === "timeout"

/** The last of those that are meant, with those before them between which no window lies, nor so many others. */
const chainOf = (
  rows: ReadonlyArray<Row>,
  isOf: (row: Row) => boolean,
  { between, millis }: { readonly millis: number; readonly between: number }
): Chain => {
  let chain: Array<Row> = []
  let isWhole = false
  let last = 0
  for (const [index, row] of rows.entries()) {
    if (!isOf(row)) continue
    const before = chain.at(-1)
    if (before !== undefined && (index - last > between || row.at - before.at > millis)) [chain, isWhole] = [[], true]
    chain.push(row)
    last = index
  }
  return { rows: chain, isWhole }
}

/** A task's runs, since it was paused if it was. */
interface Task {
  readonly key: string
  readonly runs: ReadonlyArray<Row>
  readonly last: Row
  readonly wasPaused: boolean
}

const failing = ({ key, last, runs, wasPaused }: Task, { options, since }: Window): ReadonlyArray<Episode> => {
  const streaks: Array<Chain & { readonly over: Row | null }> = []
  let [rows, isWhole] = [Array<Row>(), wasPaused]
  for (const run of runs) {
    if (failed(run)) rows.push(run)
    else {
      streaks.push({ rows, isWhole, over: run })
      ;[rows, isWhole] = [[], true]
    }
  }
  streaks.push({ rows, isWhole, over: null })
  const least = options.consecutive_failure_limit
  const found = streaks.flatMap((streak): ReadonlyArray<Episode> => {
    const [first] = streak.rows
    if (first === undefined || streak.rows.length < least || (streak.rows.at(-1) ?? first).at < since) return []
    const count = streak.rows.length
    const timeouts = streak.rows.filter(timedOut).length
    const how = timeouts === 0 ? "" : `, ${timeouts} of them by a timeout`
    const detail = `${nameOfRun(last.outcome)} failed ${count} times in a row since ${minuteOf(first.at)}${how}.`
    const subject = subjectOfRun((streak.rows.at(-1) ?? last).outcome)
    return [{ ...streak, ...subject, rule: "consecutive_failures", keys: [key], least, detail, count }]
  })
  return found.slice(-1)
}

const recent = (runs: ReadonlyArray<Row>, since: number): ReadonlyArray<Row> =>
  runs.slice(-lastRuns).filter(({ at }) => at >= since)

const timingOut = ({ key, last, runs }: Task, { millis, since }: Window): ReadonlyArray<Episode> => {
  const shown = recent(runs, since)
  const count = shown.filter(timedOut).length
  if (count < enough) return []
  const chain = chainOf(runs, timedOut, { millis, between: lastRuns })
  const detail = `${nameOfRun(last.outcome)} timed out in ${count} of its last ${shown.length} runs.`
  const subject = subjectOfRun((chain.rows.at(-1) ?? last).outcome)
  return [{ ...chain, ...subject, rule: "timeout_pattern", keys: [key], least: enough, over: null, detail, count }]
}

/**
 * A result whose length nobody knows is not short, nor the last word of an agent that used tools for a task without an id:
 * what it did is in the files. Of what failed it is seldom known how much it yielded, and that says nothing then.
 */
const yields =
  ({ min_result_length }: Options) =>
  ({ outcome }: Row): boolean => {
    const { resultLength, taskId, tools } = outcome
    const isUnknown = resultLength === null || (taskId === null && tools.length > 0)
    return isUnknown ? !isFailure(outcome) : resultLength >= min_result_length
  }

const stale = ({ key, last, runs, wasPaused }: Task, { options, since }: Window): ReadonlyArray<Episode> => {
  const shown = recent(runs, since)
  const count = shown.filter(completed).length
  if (count < enough || shown.some(yields(options))) return []
  const from = runs.findLastIndex(yields(options))
  const rows = runs.slice(from + 1).filter(completed)
  const detail = `${nameOfRun(last.outcome)} completes and yields nothing: of its last ${shown.length} runs none has a result of ${options.min_result_length} characters.`
  const subject = subjectOfRun((rows.at(-1) ?? last).outcome)
  const isWhole = wasPaused || from >= 0
  return [{ rows, isWhole, ...subject, rule: "stale_task", keys: [key], least: enough, over: null, detail, count }]
}

interface Tally {
  readonly failed: number
  readonly completed: number
}

/** What a task fails at in a row counts once: it may fail for reasons of its own. */
const tally = (rows: ReadonlyArray<Row>): Tally => {
  const failing = new Map<string, boolean>()
  let count = 0
  for (const { key, outcome } of rows) {
    const who = key ?? `session:${outcome.sessionId}`
    const isFailed = isFailure(outcome)
    if (isFailed && failing.get(who) !== true) count += 1
    failing.set(who, isFailed)
  }
  return { failed: count, completed: rows.filter(completed).length }
}

/** Of how many tasks they are; those without an id are told apart by their session as well. */
const subjects = (rows: ReadonlyArray<Row>): number => {
  const sessions = rows.map(({ key, outcome }) => (outcome.taskId === null ? `session:${outcome.sessionId}` : key))
  const tasks = rows.map(({ key }, index) => key ?? sessions[index])
  return Math.min(new Set(sessions).size, new Set(tasks).size)
}

/**
 * So many tasks or sessions have to fail with it, for one that is stubborn is found for itself, and such a part of its
 * attempts. Files are many: some are read by attempts that fail by chance.
 */
const least = { skill: { subjects: 2, rate: 1 / 3 }, file: { subjects: 5, rate: 1 / 2 } } as const

/**
 * Of the attempts that had it enough fail, and twice as many as of the others. Where every attempt had it, nothing
 * tells it from whatever else went wrong, unless it never did any good.
 */
const isMore = (kind: Loaded["kind"], those: Tally, all: Tally): boolean => {
  const others = { failed: Math.max(0, all.failed - those.failed), completed: all.completed - those.completed }
  const [loaded, without] = [those.failed + those.completed, others.failed + others.completed]
  if (without === 0) return those.completed === 0
  const rate = those.failed / loaded
  return rate >= least[kind].rate && rate >= (2 * others.failed) / without
}

interface Suspect {
  readonly loaded: Loaded
  readonly rows: Array<Row>
  readonly those: Array<Row>
}

const shown = ({ loaded }: Suspect): string => shortOf(loaded.name, 200)

const namedMost = 3

const withIt = (rest: ReadonlyArray<Suspect>): string => {
  if (rest.length === 0) return ""
  const more = rest.length > namedMost ? ` and ${plural(rest.length - namedMost, "other")}` : ""
  return ` The same attempts loaded ${rest.slice(0, namedMost).map(shown).join(", ")}${more}.`
}

const keyOf = ({ kind, name }: Loaded): string => `${kind}:${name}`

/** Skills before files, which they may have read; each by its name, for they are loaded in any order. */
const placeOf = ({ loaded: { kind, name } }: Suspect): string => `${kind === "skill" ? 0 : 1}${name}`

const blamedOf = (
  [first, ...rest]: readonly [Suspect, ...ReadonlyArray<Suspect>],
  others: Tally,
  millis: number
): Episode => {
  const count = first.those.filter(failed).length
  const done = first.those.length - count
  const total = others.failed + others.completed
  const compared = total === 0 ? "every attempt loaded it" : `without it ${others.failed} of ${total} failed`
  const what = first.loaded.kind === "skill" ? "Skill" : "File"
  return {
    ...chainOf(first.rows, failed, { millis, between: Number.POSITIVE_INFINITY }),
    rule: "skill_failure_correlation",
    keys: [keyOf(first.loaded), ...rest.map(({ loaded }) => keyOf(loaded))],
    least: enough,
    over: null,
    subjectType: "skill",
    subjectId: first.loaded.name,
    detail: `${what} ${shown(first)} was loaded in ${plural(count, "attempt")} that failed and ${done} that completed; ${compared}.${withIt(rest)}`,
    count
  }
}

/** What the same attempts loaded is one finding. */
const loading = (rows: ReadonlyArray<Row>, { millis, since }: Window): ReadonlyArray<Episode> => {
  const window = rows.filter(({ at }) => at >= since)
  const all = tally(window)
  const failures = new Map<string, Array<Row>>()
  for (const row of window) if (failed(row)) for (const one of row.outcome.loaded) add(failures, keyOf(one), row)
  for (const [key, those] of failures) if (those.length < enough) failures.delete(key)
  const loads = new Map<string, Suspect>()
  // Most of what is loaded fails nowhere: nothing is kept of it.
  const names = new Set([...failures.keys()].map((key) => key.slice(key.indexOf(":") + 1)))
  for (const row of rows) {
    for (const one of row.outcome.loaded) {
      if (!names.has(one.name)) continue
      const known = loads.get(keyOf(one)) ?? { loaded: one, rows: [], those: [] }
      loads.set(keyOf(one), known)
      known.rows.push(row)
      if (row.at >= since) known.those.push(row)
    }
  }
  const suspects = [...loads].flatMap(([key, one]) => {
    const { kind } = one.loaded
    return subjects(failures.get(key) ?? []) >= least[kind].subjects && isMore(kind, tally(one.those), all) ? [one] : []
  })
  const groups = new Map<string, Array<Suspect>>()
  for (const one of suspects.toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1)))
    add(groups, JSON.stringify(one.those.map(({ outcome }) => outcome.id)), one)
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return []
    const those = tally(first.those)
    const others = { failed: Math.max(0, all.failed - those.failed), completed: all.completed - those.completed }
    return [blamedOf([first, ...rest], others, millis)]
  })
}

/**
 * Since when a finding of the same is this one. Of attempts that do not reach back to the first of them it is whatever was
 * found before, once they were enough before the window; else what was found in it.
 */
const beginOf = ({ isWhole, least, rows }: Episode, since: number): number => {
  const first = rows[0]?.at ?? since
  if (isWhole) return first
  return (rows[least - 1]?.at ?? first) < since ? Number.NEGATIVE_INFINITY : Math.min(first, since)
}

const findingOf = ({ count, detail, keys, least, rows, rule, subjectId, subjectType }: Episode): ReflectionFinding => ({
  id: idOf(ofKey(rule, keys[0]), rows[least - 1]?.outcome.id ?? ""),
  at: isoOf(rows.at(-1)?.at ?? 0),
  action: "reflection_rule",
  sessionId,
  rule,
  severity: "warning",
  subjectType,
  subjectId,
  detail,
  actionTaken: null,
  ...(count !== undefined && { count })
})

/** When a program's cycle paused each of the tasks last: what was before that says nothing of one that runs again. */
const pausesOf = (known: ReadonlyArray<ReflectionFinding>): ReadonlyMap<string, number> => {
  const pauses = new Map<string, number>()
  for (const { at, id, rule, severity } of known)
    if (rule === "consecutive_failures" && severity === "action_taken" && !id.startsWith(byHand))
      pauses.set(ofId(id), Math.max(Date.parse(at), pauses.get(ofId(id)) ?? 0))
  return pauses
}

const tasksOf = (rows: ReadonlyArray<Row>, known: ReadonlyArray<ReflectionFinding>): ReadonlyArray<Task> => {
  const byKey = new Map<string, Array<Row>>()
  for (const row of rows) if (row.key !== null) add(byKey, row.key, row)
  const pauses = pausesOf(known)
  return [...byKey].flatMap(([key, all]) => {
    const paused = pauses.get(ofKey("consecutive_failures", key))
    const runs = paused === undefined ? all : all.filter(({ at }) => at > paused)
    const last = runs.at(-1)
    return last === undefined ? [] : [{ key, runs, last, wasPaused: paused !== undefined }]
  })
}

/**
 * What goes on now, or else a task's last streak of the window that an attempt ended by completing. All that is given counts for streaks,
 * which a nightly task has over days, and for what was found before; for the rest what ended in the window does.
 */
export const look = (options: Options, given: Given): ReadonlyArray<Seen> => {
  const millis = options.lookback_seconds * 1000
  const window = { options, millis, since: given.now - millis }
  const rows = rowsOf(given)
  const known = given.known.filter(({ at }) => Date.parse(at) <= given.now)
  const told = new Map<string, Array<ReflectionFinding>>()
  for (const one of known) add(told, ofId(one.id), one)
  const episodes = [
    ...tasksOf(rows, known).flatMap((task) => [failing, timingOut, stale].flatMap((rule) => rule(task, window))),
    ...loading(rows, window)
  ]
  return episodes.map((episode) => {
    const { keys, over, rule } = episode
    const [from, to] = [beginOf(episode, window.since), over?.at ?? Number.POSITIVE_INFINITY]
    const before = keys.flatMap((key) => told.get(ofKey(rule, key)) ?? [])
    return {
      finding: findingOf(episode),
      known: before.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to),
      completedAt: over?.outcome.at ?? null
    }
  })
}
