/**
 * The same few calls again and again among others. Either nothing new comes of anything, or one failure stays the same
 * with something done in between that changes no source: a service started anew, a button pressed, a process ended.
 */
import { asksSame } from "./Fingerprint.ts"
import type { Entry } from "./model.ts"
import { maxPeriod, needed, repeats } from "./rounds.ts"

type Entries = ReadonlyArray<Entry>

type Same = (left: Entry, right: Entry) => boolean

const minShare = 0.6

const groupsOf = (entries: Entries, same: Same): ReadonlyArray<Entries> => {
  const firsts = entries.filter((entry, index) => entries.findIndex((other) => same(other, entry)) === index)
  return firsts.map((first) => entries.filter((entry) => same(first, entry)))
}

/** The calls that come often enough, if they are most of what is done. */
const often = (calls: Entries, same: Same, least: (entry: Entry) => number): ReadonlyArray<Entries> => {
  const groups = groupsOf(calls, same).filter(
    ([first, ...rest]) => first !== undefined && rest.length + 1 >= least(first)
  )
  const share = groups.reduce((sum, group) => sum + group.length, 0) / Math.max(1, calls.length)
  return share >= minShare ? groups : []
}

/** Whether something else came of it than last time. */
const differs = (entries: Entries, index: number, entry: Entry): boolean => {
  const before = entries.slice(0, index).findLast((other) => asksSame(other, entry))
  return before !== undefined && before.result !== entry.result
}

const watches = ({ kind }: Entry): boolean => kind === "watch" || kind === "wait"

const acts = ({ kind }: Entry): boolean => kind === "change" || kind === "act"

/** The last calls since something new; a new result is the first of its kind, a write is over. */
const sinceNews = (recent: Entries): Entries => {
  const at = recent.findLastIndex(
    (entry, index) => !watches(entry) && (acts(entry) ? !entry.failed : differs(recent, index, entry))
  )
  const found = recent[at]
  return found === undefined ? recent : recent.slice(acts(found) ? at + 1 : at)
}

const repeated = (recent: Entries): ReadonlyArray<Entries> => {
  const calls = sinceNews(recent).filter((entry) => !watches(entry))
  const last = calls.at(-1)
  const groups = often(calls, repeats, needed)
  return last === recent.at(-1) && groups.some((group) => group.at(-1) === last) ? groups : []
}

/** A service that does not come up; a page, or what the user said to wait for, may need a few more tries. */
const minRounds = 5
const minTries = 10
/** What is done once or twice may be what helps. */
const minDone = 3

const does = (entry: Entry): boolean => entry.kind === "run" || acts(entry)

/** The failure that the last calls are about, if it came often enough since the last edit: most calls end here. */
const failure = (recent: Entries): Entry | null => {
  const calls = recent.slice(recent.findLastIndex(({ edits }) => edits) + 1)
  const failing = calls.slice(-maxPeriod).findLast(({ result, wrong }) => wrong && result !== null)
  return failing !== undefined && countOf(calls, failing) >= minRounds ? failing : null
}

const countOf = (entries: Entries, entry: Entry): number => entries.filter((other) => asksSame(other, entry)).length

/** Whether the sources may have changed here, or something else came of the failing call or of one that was run. */
const isNews = (entries: Entries, index: number, entry: Entry, failing: Entry): boolean => {
  if (entry.edits) return true
  if (asksSame(entry, failing)) return entry.result !== failing.result
  return (entry.kind === "run" || entry.kind === "look") && differs(entries, index, entry)
}

/** The last calls around the failure since something new, beginning with it. */
const around = (recent: Entries, failing: Entry): Entries => {
  const same = recent.slice(recent.findLastIndex((entry, index) => isNews(recent, index, entry, failing)) + 1)
  const again = same.slice(same.findLastIndex((entry) => does(entry) && countOf(same, entry) < minDone) + 1)
  return again.slice(again.findIndex((entry) => asksSame(entry, failing)))
}

/** The calls that come again and again around one failure, that failure first. */
const stale = (recent: Entries, waits: boolean): ReadonlyArray<Entries> => {
  const failing = failure(recent)
  if (failing === null) return []
  const calls = around(recent, failing)
  const others = calls.filter((entry) => does(entry) && !asksSame(entry, failing))
  const count = countOf(calls, failing)
  const least = waits || calls.some(({ kind }) => kind === "act") ? minTries : minRounds
  return count < least || others.length < count - 1 ? [] : often(calls, asksSame, () => minDone)
}

/** The calls of an action loop, each with its rounds; none where there is no loop. */
export const actionsOf = (recent: Entries, waits: boolean): ReadonlyArray<Entries> => {
  const again = repeated(recent)
  return again.length > 0 ? again : stale(recent, waits)
}
