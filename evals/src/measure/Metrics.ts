/** Counts and rates over labelled stops, with their uncertainty. */

/** One labelled stop and what was said about it. */
export interface Row {
  readonly session: string
  readonly turn: number
  readonly sample: string
  /** The label: the kinds that careful readers gave, one where they agree. */
  readonly kinds: ReadonlyArray<string>
  /** The label: would a push have been right; null where the readers differ. */
  readonly push: boolean | null
  readonly pushed: boolean
  readonly kind: string
  readonly abstained: boolean
}

export interface Metrics {
  readonly stops: number
  /** Stops with a push label, by label. */
  readonly labelledPush: number
  readonly labelledNoPush: number
  readonly foundPushes: number
  readonly falsePushes: number
  /** Pushes at stops at which the readers differ; counted nowhere else. */
  readonly openPushes: number
  readonly precision: number | null
  readonly recall: number | null
  /** False pushes per 100 stops labelled "no push". */
  readonly falsePushesPer100: number | null
  readonly kindAgreement: number | null
  /** Agreement over the stops at which both readers gave the same single kind. */
  readonly kindAgreementSingle: number | null
  readonly abstentionRate: number | null
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const count = <A>(rows: ReadonlyArray<A>, predicate: (row: A) => boolean): number => rows.filter(predicate).length

const agrees = (row: Row): boolean => row.kinds.includes(row.kind)

export const metrics = (rows: ReadonlyArray<Row>): Metrics => {
  const labelledPush = count(rows, (row) => row.push === true)
  const labelledNoPush = count(rows, (row) => row.push === false)
  const foundPushes = count(rows, (row) => row.push === true && row.pushed)
  const falsePushes = count(rows, (row) => row.push === false && row.pushed)
  const falseRate = ratio(falsePushes, labelledNoPush)
  const single = rows.filter((row) => row.kinds.length === 1)
  return {
    stops: rows.length,
    labelledPush,
    labelledNoPush,
    foundPushes,
    falsePushes,
    openPushes: count(rows, (row) => row.push === null && row.pushed),
    precision: ratio(foundPushes, foundPushes + falsePushes),
    recall: ratio(foundPushes, labelledPush),
    falsePushesPer100: falseRate === null ? null : falseRate * 100,
    kindAgreement: ratio(count(rows, agrees), rows.length),
    kindAgreementSingle: ratio(count(single, agrees), single.length),
    abstentionRate: ratio(
      count(rows, (row) => row.abstained),
      rows.length
    )
  }
}

/** How often each answer meets each label: `table[answer][label]`. */
export const confusion = <A extends Row>(
  rows: ReadonlyArray<A>,
  answer: (row: A) => string,
  label: (row: A) => string
): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const table = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const line = table.get(answer(row)) ?? new Map<string, number>()
    line.set(label(row), (line.get(label(row)) ?? 0) + 1)
    table.set(answer(row), line)
  }
  return table
}

/** A small seeded generator (mulberry32), so that a run can be repeated to the last digit. */
export const generator = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export type Interval = readonly [low: number, high: number]

const resamples = 1000

/** What is resampled whole. */
interface OfSession {
  readonly session: string
}

const bySession = <A extends OfSession>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const row of rows) groups.set(row.session, [...(groups.get(row.session) ?? []), row])
  return [...groups.values()]
}

/** A rate as it was counted: so many of so many. */
export interface Count {
  readonly hits: number
  readonly trials: number
}

const z = 1.959964

/** Wilson's 95 % interval, which says something at 0 and at 1, too. */
export const wilson = ({ hits, trials }: Count): Interval => {
  const share = hits / trials
  const scale = 1 + (z * z) / trials
  const middle = (share + (z * z) / (2 * trials)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)]
}

/**
 * The 95 % interval of a quotient of sums by resampling whole sessions: stops of one session are alike, so resampling
 * single stops would make the interval too narrow. `count` has to be additive over sessions.
 */
export const bootstrap = <A extends OfSession>(
  rows: ReadonlyArray<A>,
  count: (rows: ReadonlyArray<A>) => Count
): Interval | null => {
  const sessions = bySession(rows).map(count)
  const next = generator(20_260_301)
  const values: Array<number> = []
  for (let index = 0; index < resamples; index++) {
    let [hits, trials] = [0, 0]
    for (let drawn = 0; drawn < sessions.length; drawn++) {
      const session = sessions[Math.floor(next() * sessions.length)]
      hits += session?.hits ?? 0
      trials += session?.trials ?? 0
    }
    if (trials > 0) values.push(hits / trials)
  }
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[Math.floor(sorted.length * 0.025)] ?? 0
  const high = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.975))] ?? 1
  return [low, high]
}

/**
 * The interval of a rate. Where every trial hits or none does, resampling shows no spread at all, and Wilson's interval
 * stands in. Its trials are the sessions that have any, each of which hits throughout or not at all: the stops of one
 * session are alike, and counted one by one they would make the interval too narrow.
 */
export const interval = <A extends OfSession>(
  rows: ReadonlyArray<A>,
  count: (rows: ReadonlyArray<A>) => Count
): Interval | null => {
  const whole = count(rows)
  if (whole.trials === 0) return null
  if (whole.hits !== 0 && whole.hits !== whole.trials) return bootstrap(rows, count)
  const sessions = bySession(rows).filter((session) => count(session).trials > 0).length
  return wilson({ hits: whole.hits === 0 ? 0 : sessions, trials: sessions })
}
