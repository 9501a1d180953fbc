/** Finds patterns that are visible only over many runs. Rules read the outcomes of a log, without a model. */
import { redact } from "../../base/redaction/Redaction.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { oneLine, plural } from "../../base/text/Text.ts"
import { isFailure, subjectOf, type AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { sessionId, type ReflectionFinding } from "./ReflectionFinding.ts"

/** The fields have the same names as in the configuration. */
export interface Options {
  /** How many failures in a row make a finding. */
  readonly consecutive_failure_limit: number
  /** How far back the rules look. */
  readonly lookback_seconds: number
  /** A result with fewer characters counts as no result. */
  readonly min_result_length: number
}

/** The maximum number of outcomes that the rules use: the newest ones. */
export const most = 10_000

/** The lists are in the order of adding. */
export interface RuleInput {
  readonly outcomes: ReadonlyArray<AttemptOutcome>
  /** The findings of earlier runs of the rules. */
  readonly known: ReadonlyArray<ReflectionFinding>
  /** In ms since the epoch. An attempt with a later time counts as ended now. A later finding is ignored. */
  readonly now: number
}

/** `known` has the earlier findings about the same thing. */
export interface FindingHistory {
  readonly finding: ReflectionFinding
  readonly known: ReadonlyArray<ReflectionFinding>
}

/** A pattern needs `enough` attempts. The rules look at the last `lastRuns` runs of a task. */
const [enough, lastRuns] = [3, 10] as const

interface Row {
  readonly outcome: AttemptOutcome
  readonly at: number
  /** All runs of a task have the same key. Null if the task is unknown. */
  readonly key: string | null
}

interface Episode extends Pick<ReflectionFinding, "rule" | "subjectType" | "subjectId" | "detail" | "count"> {
  /** The first key identifies the episode. An earlier finding about any of these keys counts as the same episode. */
  readonly keys: readonly [string, ...ReadonlyArray<string>]
  readonly rows: ReadonlyArray<Row>
  /** An earlier finding counts as this episode if it is not older than this time. */
  readonly from: number
}

interface Window {
  readonly options: Options
  readonly since: number
}

const failed = ({ outcome }: Row): boolean => isFailure(outcome)

const completed = ({ outcome }: Row): boolean => !isFailure(outcome)

const timedOut = ({ outcome }: Row): boolean => outcome.status === "timeout"

const whoOf = ({ key, outcome }: Row): string => key ?? `session:${outcome.sessionId}`

/** Leaves out repeated failures in a row. `of` gives a row's task and its session, or null to keep the row. */
const firstOf = (of: (row: Row) => readonly [task: string, by: string] | null): ((row: Row) => boolean) => {
  const failing = new Map<string, string>()
  return (row) => {
    const [task, by] = of(row) ?? []
    if (task === undefined || by === undefined) return true
    const isRepeated = failed(row) && failing.get(task) === by
    if (failed(row)) failing.set(task, by)
    else failing.delete(task)
    return !isRepeated
  }
}

/** If a session fails repeatedly at a task without an id, the person has seen it: only the first failure counts. */
const inSession = ({ key, outcome: { sessionId, taskId } }: Row) =>
  key === null || taskId !== null || sessionId === "" ? null : ([key, sessionId] as const)

const rowsOf = ({ now, outcomes }: RuleInput): ReadonlyArray<Row> => {
  const byId = new Map<string, Row>()
  for (const outcome of outcomes.slice(-most))
    if (!byId.has(outcome.id))
      byId.set(outcome.id, { outcome, at: Math.min(Date.parse(outcome.at), now), key: subjectOf(outcome) })
  return [...byId.values()].toSorted((one, other) => one.at - other.at).filter(firstOf(inSession))
}

const add = <A>(map: Map<string, Array<A>>, key: string, one: A): void => {
  const all = map.get(key)
  if (all === undefined) map.set(key, [one])
  else all.push(one)
}

/** Removes secrets before it shortens, because half of a secret would not be recognised. */
const shortOf = (text: string, limit: number): string => oneLine(redact(text), limit)

const nameOf = ({ outcome: { objective, taskId } }: Row): string => {
  const words = shortOf(objective, 80)
  if (taskId === null) return words === "" ? "A task without an id" : `The task "${words}"`
  return `Task ${oneLine(taskId, 100)}${words === "" ? "" : ` (${words})`}`
}

const subjectOfRun = ({ outcome: { sessionId, taskId } }: Row): Pick<Episode, "subjectType" | "subjectId"> =>
  taskId === null ? { subjectType: "sub_session", subjectId: sessionId } : { subjectType: "task", subjectId: taskId }

/** If the task was paused, `runs` has only the runs after the pause. */
interface Task {
  readonly key: string
  readonly runs: ReadonlyArray<Row>
}

type Rule = (task: Task, window: Window) => ReadonlyArray<Episode>

const failing: Rule = ({ key, runs }, { options: { consecutive_failure_limit: least }, since }) => {
  const rows = runs.slice(runs.findLastIndex(completed) + 1)
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || rows.length < least || last.at < since) return []
  const count = rows.length
  const timeouts = rows.filter(timedOut).length
  const how = timeouts === 0 ? "" : `, ${timeouts} of them by a timeout`
  const minute = `${new Date(first.at).toISOString().slice(0, 16)}Z`
  const detail = `${nameOf(last)} failed ${count} times in a row since ${minute}${how}.`
  return [{ rule: "consecutive_failures", keys: [key], ...subjectOfRun(last), detail, count, rows, from: first.at }]
}

const recent = (runs: ReadonlyArray<Row>, since: number): ReadonlyArray<Row> =>
  runs.slice(-lastRuns).filter(({ at }) => at >= since)

const timingOut: Rule = ({ key, runs }, { since }) => {
  const shown = recent(runs, since)
  const rows = shown.filter(timedOut)
  const last = rows.at(-1)
  if (last === undefined || rows.length < enough) return []
  const count = rows.length
  const detail = `${nameOf(last)} timed out in ${count} of its last ${shown.length} runs.`
  return [{ rule: "timeout_pattern", keys: [key], ...subjectOfRun(last), detail, count, rows, from: since }]
}

/**
 * True if a run has a result. If the length is unknown, true unless the run failed. The length also counts as unknown
 * if the task has no id and the agent used tools, because the result is then in the files.
 */
const yields =
  ({ min_result_length }: Options) =>
  ({ outcome }: Row): boolean => {
    const { resultLength, taskId, tools } = outcome
    const isUnknown = resultLength === null || (taskId === null && tools.length > 0)
    return isUnknown ? !isFailure(outcome) : resultLength >= min_result_length
  }

const stale: Rule = ({ key, runs }, { options, since }) => {
  const shown = recent(runs, since)
  const rows = shown.filter(completed)
  const last = rows.at(-1)
  if (last === undefined || rows.length < enough || shown.some(yields(options))) return []
  const detail = `${nameOf(last)} completes without a result: none of its last ${shown.length} runs has a result of at least ${options.min_result_length} characters.`
  return [{ rule: "stale_task", keys: [key], ...subjectOfRun(last), detail, count: rows.length, rows, from: since }]
}

/** How many tasks, and which share of a skill's attempts, must fail. A single failing task has its own rule. */
const least = { tasks: 2, rate: 1 / 3 } as const

interface Tally {
  readonly failed: number
  readonly completed: number
}

/** Several failures of one task in a row count once, because the task itself may cause them. */
const tally = (rows: ReadonlyArray<Row>): Tally => ({
  failed: rows.filter(firstOf((row) => [whoOf(row), ""])).filter(failed).length,
  completed: rows.filter(completed).length
})

/**
 * True if attempts with the skill fail at least twice as often as others. If there are no others, all must fail. There
 * must be enough failures, of several tasks and sessions.
 */
const isBlamed = (failures: ReadonlyArray<Row>, those: Tally, others: Tally): boolean => {
  // One session may get many tasks, and one task may run in many sessions.
  const ways = [whoOf, ({ outcome }: Row) => outcome.taskId ?? outcome.sessionId]
  if (failures.length < enough || ways.some((who) => new Set(failures.map(who)).size < least.tasks)) return false
  const without = others.failed + others.completed
  if (without === 0) return those.completed === 0
  const rate = those.failed / (those.failed + those.completed)
  return rate >= least.rate && rate >= (2 * others.failed) / without
}

/** If exactly the same attempts loaded several skills, these skills make one finding. */
const loading = (rows: ReadonlyArray<Row>, { since }: Window): ReadonlyArray<Episode> => {
  const window = rows.filter(({ at }) => at >= since)
  const all = tally(window)
  const loads = new Map<string, Array<Row>>()
  for (const row of window) for (const { kind, name } of row.outcome.loaded) if (kind === "skill") add(loads, name, row)
  const groups = new Map<string, Array<string>>()
  for (const [name, those] of [...loads].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    add(groups, JSON.stringify(those.map(({ outcome }) => outcome.id)), name)
  return [...groups.values()].flatMap(([name = "", ...more]): ReadonlyArray<Episode> => {
    const those = loads.get(name) ?? []
    const [failures, own] = [those.filter(failed), tally(those)]
    const others = { failed: Math.max(0, all.failed - own.failed), completed: all.completed - own.completed }
    if (!isBlamed(failures, own, others)) return []
    const total = others.failed + others.completed
    const compared = total === 0 ? "every attempt loaded it" : `without it ${others.failed} of ${total} failed`
    const count = failures.length
    const loaded = `was loaded in ${plural(count, "attempt")} that failed and ${those.length - count} that completed`
    const withIt = more.length === 0 ? "" : ` The same attempts loaded ${shortOf(more.join(", "), 300)}.`
    const detail = `Skill ${shortOf(name, 200)} ${loaded}; ${compared}.${withIt}`
    const subject = { subjectType: "skill", subjectId: name } as const
    return [
      {
        rule: "skill_failure_correlation",
        keys: [`skill:${name}`, ...more.map((one) => `skill:${one}`)],
        ...subject,
        detail,
        count,
        rows: failures,
        from: since
      }
    ]
  })
}

/** 64 bits. */
export const hashOf = (text: string): string =>
  `${KeyHash.ofText(text).toString(36)}${KeyHash.ofText(`reflection ${text}`).toString(36)}`

/** Findings of the same rule about the same key share this first part of their ids. */
const ofKey = (rule: ReflectionFinding["rule"], key: string): string => `${rule}-${hashOf(key)}`

const ofId = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf("-")))

/** The id is built from the key and one attempt, so that every process computes the same id. */
const findingOf = (
  { count, detail, keys, rows, rule, subjectId, subjectType }: Episode,
  { consecutive_failure_limit }: Options
): ReflectionFinding => {
  const shows = rows[(rule === "consecutive_failures" ? consecutive_failure_limit : enough) - 1]
  return {
    id: `${ofKey(rule, keys[0])}-${hashOf(shows?.outcome.id ?? "")}`,
    at: new Date(rows.at(-1)?.at ?? 0).toISOString(),
    action: "reflection_rule",
    sessionId,
    rule,
    severity: "warning",
    subjectType,
    subjectId,
    detail,
    actionTaken: null,
    ...(count !== undefined && { count })
  }
}

/** If a task runs again after a pause, the runs before the pause no longer count. */
const tasksOf = (rows: ReadonlyArray<Row>, known: ReadonlyArray<ReflectionFinding>): ReadonlyArray<Task> => {
  const byKey = new Map<string, Array<Row>>()
  for (const row of rows) if (row.key !== null) add(byKey, row.key, row)
  const pauses = new Map<string, number>()
  for (const { at, id, rule, severity } of known)
    if (rule === "consecutive_failures" && severity === "action_taken") pauses.set(ofId(id), Date.parse(at))
  return [...byKey].map(([key, all]) => {
    const paused = pauses.get(ofKey("consecutive_failures", key)) ?? Number.NEGATIVE_INFINITY
    return { key, runs: all.filter(({ at }) => at > paused) }
  })
}

/**
 * The current findings. The rule for failures in a row also uses outcomes before the time window, because the failures
 * of a nightly task are days apart. A problem that lasts longer than the window is reported once per window.
 */
export const look = (options: Options, given: RuleInput): ReadonlyArray<FindingHistory> => {
  const window = { options, since: given.now - options.lookback_seconds * 1000 }
  const rows = rowsOf(given)
  const known = given.known.filter(({ at }) => Date.parse(at) <= given.now)
  const episodes = [
    ...tasksOf(rows, known).flatMap((task) => [failing, timingOut, stale].flatMap((rule) => rule(task, window))),
    ...loading(rows, window)
  ]
  return episodes.map((episode) => {
    const of = new Set(episode.keys.map((key) => ofKey(episode.rule, key)))
    return {
      finding: findingOf(episode, options),
      known: known.filter(({ at, id }) => of.has(ofId(id)) && Date.parse(at) >= episode.from)
    }
  })
}
