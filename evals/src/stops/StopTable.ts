/** Counts the right and wrong nudges of each way of judging at the labelled stops. */
import { defaults } from "@reflexion/core/ReflexionConfig"
import { share, table } from "../measure/Table.ts"
import type { JudgedStop } from "./JudgedStops.ts"
import { isNudged, type ModelAnswer } from "./ModelAnswers.ts"

/** Counts nudges at stops that both readers called premature, and at stops that both called right. */
export interface Counted {
  readonly found: number
  readonly premature: number
  readonly wrong: number
  readonly right: number
}

export const count = <A>(
  all: ReadonlyArray<A>,
  stopOf: (one: A) => JudgedStop,
  nudges: (one: A) => boolean
): Counted => {
  const [premature, right] = [true, false].map((label) => all.filter((one) => stopOf(one).push === label))
  return {
    found: premature?.filter(nudges).length ?? 0,
    premature: premature?.length ?? 0,
    wrong: right?.filter(nudges).length ?? 0,
    right: right?.length ?? 0
  }
}

/** The present way: if a model is asked, it decides. Otherwise the evidence decides. */
export const inUse =
  (from = defaults.models.nudgeFrom) =>
  (answer: ModelAnswer): boolean =>
    answer.stop.isAsked ? isNudged(answer, from) : answer.stop.there.shouldContinue

const header = ["", "premature, found", "recall", "right, nudged", "precision", "nudged of random stops, wrongly"]

const row = <A>(
  name: string,
  all: ReadonlyArray<A>,
  stopOf: (one: A) => JudgedStop,
  nudges: (one: A) => boolean
): ReadonlyArray<string> => {
  const { found, premature, right, wrong } = count(all, stopOf, nudges)
  const random = all.filter((one) => stopOf(one).sample === "random")
  const often = count(random, stopOf, nudges)
  return [
    name,
    `${found} of ${premature}`,
    share(found, premature),
    `${wrong} of ${right}`,
    share(found, found + wrong),
    `${often.wrong} of ${random.length}`
  ]
}

const itself = (stop: JudgedStop): JudgedStop => stop

export const evidence = (stops: ReadonlyArray<JudgedStop>): string => {
  const [there, alone] = [(one: JudgedStop) => one.there.shouldContinue, (one: JudgedStop) => one.alone.shouldContinue]
  const suites = [...new Set(stops.map(({ suite }) => suite))]
  const rows = suites.map((suite) =>
    row(
      `  ${suite}`,
      stops.filter((stop) => stop.suite === suite),
      itself,
      there
    )
  )
  return table([
    header,
    row("evidence, somebody there", stops, itself, there),
    ...(rows.length > 1 ? rows : []),
    row("evidence, nobody there", stops, itself, alone)
  ])
}

const stopOf = ({ stop }: ModelAnswer): JudgedStop => stop

export const model = (answers: ReadonlyArray<ModelAnswer>, thresholds: ReadonlyArray<number>): string => {
  const asked = answers.filter(({ stop }) => stop.isAsked)
  const sizes = asked.map(({ inputTokens }) => inputTokens).toSorted((one, other) => one - other)
  const mean = sizes.reduce((sum, one) => sum + one, 0) / Math.max(1, sizes.length)
  const most = sizes[Math.max(0, Math.ceil(sizes.length * 0.95) - 1)] ?? 0
  const unread = answers.filter(({ assessment }) => assessment === null).length
  return [
    `${answers.length} answers; the model is asked at ${asked.length} of these stops, with ${mean.toFixed(0)} tokens on average and at most ${most} at 95 of 100. ${unread} answers cannot be read.`,
    table([
      header,
      ...thresholds.map((from) => row(`model from ${from}, where it is asked`, answers, stopOf, inUse(from))),
      row(`model from ${defaults.models.nudgeFrom}, at every stop`, answers, stopOf, (one) =>
        isNudged(one, defaults.models.nudgeFrom)
      )
    ])
  ].join("\n\n")
}

export const agreeing = (stops: ReadonlyArray<JudgedStop>): number =>
  stops.filter(({ kinds, there }) => kinds.includes(there.stop.kind)).length

export const misses = (stops: ReadonlyArray<JudgedStop>, nudges: (stop: JudgedStop) => boolean): string =>
  stops
    .filter((stop) => stop.push !== null && stop.push !== nudges(stop))
    .map(
      (stop) =>
        `  ${stop.suite}/${stop.session}:${stop.turn} (${stop.id}) ${stop.push === true ? "premature, not found" : "right, nudged"}: ${stop.there.reason}\n      readers: ${stop.why.join(" · ")}`
    )
    .join("\n")
