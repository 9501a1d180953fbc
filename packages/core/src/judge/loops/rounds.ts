/** Rounds of calls: how many of the same make a loop, and which of the last calls are one. */
import { asksSame } from "./Fingerprint.ts"
import type { CallKind, Entry } from "./model.ts"

export const maxPeriod = 8

/**
 * How many rounds are a loop, by what the calls in a round do.
 *
 * - A look or a run with the same result three times over: nothing was in between that could have changed it.
 * - The same write with the same result: five, for what it writes may have been taken back by something unseen.
 * - What may act on a world that the session does not show (a click, a message): twenty.
 * - Watching what moves by itself, where it cannot be reached: five.
 * - Watching what moves by itself: twenty; with a wait each time forty, which is the better part of an hour at a poll a
 *   minute, and longer than nearly any CI.
 */
const patience: Readonly<Record<CallKind, number>> = {
  look: 3,
  run: 3,
  change: 5,
  act: 20,
  watch: 20,
  probe: 5,
  wait: 40
}

const unknown = 5

/** A call that failed has changed nothing; of a call without a known result nothing is known to be the same. */
export const needed = ({ failed, kind, result }: Entry): number => {
  const usual = failed && (kind === "change" || kind === "act") ? 3 : patience[kind]
  return result === null ? Math.max(unknown, usual) : usual
}

/** Whether a call is one made before, with nothing new in what came of it. */
export const repeats = (before: Pick<Entry, "key" | "place" | "result">, now: typeof before): boolean =>
  asksSame(before, now) && before.result === now.result

/** How many calls in a row are the same as the one a period before, for each period. */
export const extendRuns = (runs: ReadonlyArray<number>, recent: ReadonlyArray<Entry>, entry: Entry): Array<number> => {
  const extended: Array<number> = []
  for (let period = 1; period <= maxPeriod; period++) {
    const before = recent[recent.length - period]
    extended.push(before !== undefined && repeats(before, entry) ? (runs[period - 1] ?? 0) + 1 : 0)
  }
  return extended
}

export interface Rounds {
  readonly period: number
  readonly count: number
}

/** The shortest round that the last calls have gone often enough. */
export const roundsOf = (runs: ReadonlyArray<number>, recent: ReadonlyArray<Entry>): Rounds | null => {
  for (let period = 1; period <= Math.min(maxPeriod, recent.length); period++) {
    const count = Math.floor((runs[period - 1] ?? 0) / period) + 1
    if (count >= 3 && count >= Math.max(...recent.slice(-period).map(needed))) return { period, count }
  }
  return null
}

const watches = ({ kind }: Entry): boolean => kind === "watch" || kind === "wait"

/** Something new: a write, something done out of sight, or another result than last time. */
const isNew = (recent: ReadonlyArray<Entry>, index: number): boolean => {
  const entry = recent[index]
  if (entry === undefined || watches(entry)) return false
  if (entry.kind === "change" || entry.kind === "act") return !entry.failed
  const before = recent.slice(0, index).findLast((other) => asksSame(other, entry))
  return before !== undefined && before.result !== entry.result
}

/** The last calls since something new; a new result is the first of its kind, a write is over. */
const sinceNews = (recent: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  for (let index = recent.length - 1; index >= 0; index--) {
    if (!isNew(recent, index)) continue
    const kind = recent[index]?.kind
    return recent.slice(kind === "change" || kind === "act" ? index + 1 : index)
  }
  return recent
}

const grouped = (entries: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const groups: Array<Array<Entry>> = []
  for (const entry of entries) {
    const group = groups.find(([first]) => first !== undefined && repeats(first, entry))
    if (group === undefined) groups.push([entry])
    else group.push(entry)
  }
  return groups
}

const minShare = 0.6

/** The calls that come again and again among others since something new, if they are most of what is done. */
export const repeated = (recent: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const calls = sinceNews(recent).filter((entry) => !watches(entry))
  const often = grouped(calls).filter((group) => group[0] !== undefined && group.length >= needed(group[0]))
  const share = often.reduce((sum, group) => sum + group.length, 0) / Math.max(1, calls.length)
  const last = calls.at(-1)
  const going = last === recent.at(-1) && often.some((group) => group.at(-1) === last)
  return going && share >= minShare ? often : []
}
