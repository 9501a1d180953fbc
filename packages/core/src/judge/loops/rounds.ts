/** The same call, or up to eight in turns, round after round, and how many rounds are a loop. */
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
