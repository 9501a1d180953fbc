/** How long the stops of each suite take on this machine. */
import { bootstrap, type Count, type Interval } from "./Metrics.ts"

/** What was measured together: the time that the stops of one session took, decoding included. */
interface Span {
  readonly session: string
  readonly stops: number
  readonly ms: number
}

/** `hits` milliseconds for `trials` stops. */
export interface Time extends Count {
  readonly interval: Interval | null
}

export type Times = Readonly<Record<string, Time>>

const spans = new Map<string, Array<Span>>()

/** Keeps a time that was measured elsewhere. */
export const keep = (suite: string, span: Span): void => {
  const before = spans.get(suite)
  if (before === undefined) spans.set(suite, [span])
  else before.push(span)
}

/** Runs and keeps how long it took. */
export const measure = <A>(suite: string, session: string, run: () => A, stops: (result: A) => number = () => 1): A => {
  const begun = performance.now()
  const result = run()
  keep(suite, { session, stops: stops(result), ms: performance.now() - begun })
  return result
}

const summed = (of: ReadonlyArray<Span>): Count => ({
  hits: of.reduce((sum, { ms }) => sum + ms, 0),
  trials: of.reduce((sum, { stops }) => sum + stops, 0)
})

/** By suite, with the interval from resampling whole sessions. */
export const results = (): Times =>
  Object.fromEntries([...spans].map(([suite, of]) => [suite, { ...summed(of), interval: bootstrap(of, summed) }]))
