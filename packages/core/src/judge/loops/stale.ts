/**
 * The same failure again and again with something done in between that changes no source: a service started anew, a
 * button pressed, a process ended. What was done is no news as long as what it was done for comes out the same.
 */
import { asksSame } from "./Fingerprint.ts"
import { maxPeriod } from "./rounds.ts"
import type { Entry } from "./model.ts"

/** A service that does not come up; a page, or what the user said to wait for, may need a few more tries. */
const minRounds = 5
const minTries = 10
/** What is done once or twice may be what helps. */
const minDone = 3
const minShare = 0.6

const does = ({ kind }: Entry): boolean => kind === "run" || kind === "act" || kind === "change"

/** The failure that the last calls are about, if it came often enough since the last edit: most calls end here. */
const failure = (recent: ReadonlyArray<Entry>): Entry | null => {
  let failing: Entry | null = null
  let count = 0
  for (let at = recent.length - 1; at >= 0; at--) {
    const entry = recent[at]
    if (entry === undefined || entry.edits) return null
    if (failing === null && at < recent.length - maxPeriod) return null
    if (failing === null && entry.wrong && entry.result !== null) failing = entry
    if (failing !== null && asksSame(entry, failing) && ++count >= minRounds) return failing
  }
  return null
}

/** Whether the sources may have changed here, or something else came of the failing call or of one that was run. */
const isNews = (entries: ReadonlyArray<Entry>, index: number, failing: Entry): boolean => {
  const entry = entries[index]
  if (entry === undefined) return false
  if (entry.edits) return true
  if (asksSame(entry, failing)) return entry.result !== failing.result
  if (entry.kind !== "run" && entry.kind !== "look") return false
  const before = entries.slice(0, index).findLast((other) => asksSame(other, entry))
  return before !== undefined && before.result !== entry.result
}

const after = (entries: ReadonlyArray<Entry>, is: (entry: Entry, index: number) => boolean): ReadonlyArray<Entry> =>
  entries.slice(entries.findLastIndex(is) + 1)

const countOf = (entries: ReadonlyArray<Entry>, entry: Entry): number =>
  entries.filter((other) => asksSame(other, entry)).length

/** The last calls since something new, beginning with the failure. */
const sinceNews = (recent: ReadonlyArray<Entry>, failing: Entry): ReadonlyArray<Entry> => {
  const same = after(recent, (_, index) => isNews(recent, index, failing))
  const again = after(same, (entry) => does(entry) && countOf(same, entry) < minDone)
  return again.slice(again.findIndex((entry) => asksSame(entry, failing)))
}

const groups = (entries: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const firsts = entries.filter((entry, index) => entries.findIndex((other) => asksSame(other, entry)) === index)
  return firsts.map((first) => entries.filter((entry) => asksSame(entry, first)))
}

/** The calls that come again and again around one failure, that failure first; none where there are too few. */
export const stale = (recent: ReadonlyArray<Entry>, waits: boolean): ReadonlyArray<ReadonlyArray<Entry>> => {
  const failing = failure(recent)
  if (failing === null) return []
  const calls = sinceNews(recent, failing)
  const others = calls.filter((entry) => does(entry) && !asksSame(entry, failing))
  const needed = waits || calls.some(({ kind }) => kind === "act") ? minTries : minRounds
  const count = countOf(calls, failing)
  if (count < needed || others.length < count - 1) return []
  const often = groups(calls).filter((group) => group.length >= minDone)
  const share = often.reduce((sum, group) => sum + group.length, 0) / calls.length
  return share >= minShare ? often : []
}
