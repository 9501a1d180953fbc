/** Judges the labelled stops of a corpus and sums up how verdicts and labels agree. */
import * as Judgment from "@reflexion/core/Judgment"
import type { Verdict } from "@reflexion/core/Verdict"
import { apply, baselines } from "./Baselines.ts"
import * as Corpus from "./Corpus.ts"
import { confusion, type Count, type Interval, interval, type Metrics, metrics, type Row } from "./Metrics.ts"
import * as Sessions from "./Sessions.ts"

export interface StopResult {
  readonly rows: ReadonlyArray<Corpus.JudgedStop>
  /** Labels for which no verdict has the same turn and prompt time. */
  readonly unmatched: ReadonlyArray<string>
}

const nameOf = (stop: { readonly session: string; readonly turn: number }): string => `${stop.session}:${stop.turn}`

/** The verdict of a labelled stop: the same turn of the session, begun by the same prompt. */
const verdictOf = (verdicts: ReadonlyArray<Verdict>, stop: Corpus.Stop): number =>
  verdicts.findIndex(({ turn }) => turn.index === stop.turn && turn.userMessageAt === stop.userMessageAt)

const judgeSession = (file: string, stops: ReadonlyArray<Corpus.Stop>): StopResult => {
  const transcript = Sessions.decode(Corpus.bytes(file))
  const verdicts = Judgment.judgeTurns(transcript)
  const rows: Array<Corpus.JudgedStop> = []
  const unmatched: Array<string> = []
  for (const stop of stops) {
    const index = verdictOf(verdicts, stop)
    const verdict = verdicts[index]
    if (verdict === undefined) unmatched.push(nameOf(stop))
    else {
      const events = Sessions.turnEvents(transcript, verdict, verdicts[index + 1])
      rows.push(judgedStop(stop, verdict, Sessions.finalText(events)))
    }
  }
  return { rows, unmatched }
}

const judgedStop = (stop: Corpus.Stop, verdict: Verdict, finalText: string): Corpus.JudgedStop => ({
  session: stop.session,
  turn: stop.turn,
  sample: stop.sample,
  kinds: stop.kinds,
  push: stop.push,
  pushed: verdict.shouldContinue,
  kind: verdict.stop.kind,
  abstained: verdict.status === "abstained",
  status: verdict.status,
  pattern: verdict.stop.pattern,
  reason: verdict.reason,
  why: stop.why,
  finalText: finalText.slice(-400)
})

/** Judges every labelled stop of a suite's folder. */
export const judge = (folder: string): StopResult => {
  const files = Corpus.sessionFiles(folder)
  const stops = Corpus.stops(folder)
  const rows: Array<Corpus.JudgedStop> = []
  const unmatched: Array<string> = []
  for (const session of [...new Set(stops.map((stop) => stop.session))].toSorted()) {
    const own = stops.filter((stop) => stop.session === session)
    const file = files.get(session)
    const result = file === undefined ? { rows: [], unmatched: own.map(nameOf) } : judgeSession(file, own)
    rows.push(...result.rows)
    unmatched.push(...result.unmatched)
  }
  return { rows, unmatched }
}

/** What is recorded of a run: counts and rates, nothing of the sessions themselves. */
export interface StopSummary {
  readonly judge: Metrics
  readonly intervals: Readonly<Record<"precision" | "recall" | "falsePushes" | "kindAgreement", Interval | null>>
  readonly samples: Readonly<Record<string, Metrics>>
  readonly baselines: Readonly<Record<string, Metrics>>
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly pushes: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly unmatched: number
}

export const pushLabel = (row: Row): string => (row.push === null ? "open" : row.push ? "push" : "no push")

export const kindLabel = (row: Row): string => row.kinds.join(" | ")

const record = (
  table: ReadonlyMap<string, ReadonlyMap<string, number>>
): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  Object.fromEntries([...table].map(([answer, line]) => [answer, Object.fromEntries(line)]))

const isJudgedPush = (row: Row): boolean => row.pushed && row.push !== null

const isWantedPush = (row: Row): boolean => row.push === true

const isUnwantedPush = (row: Row): boolean => row.push === false

const tally = (rows: ReadonlyArray<Row>, isHit: (row: Row) => boolean): Count => ({
  hits: rows.filter(isHit).length,
  trials: rows.length
})

export const summary = ({ rows, unmatched }: StopResult): StopSummary => ({
  judge: metrics(rows),
  intervals: {
    precision: interval(rows, (sample) => tally(sample.filter(isJudgedPush), (row) => row.push === true)),
    recall: interval(rows, (sample) => tally(sample.filter(isWantedPush), (row) => row.pushed)),
    falsePushes: interval(rows, (sample) => tally(sample.filter(isUnwantedPush), (row) => row.pushed)),
    kindAgreement: interval(rows, (sample) => tally(sample, (row) => row.kinds.includes(row.kind)))
  },
  samples: Object.fromEntries(
    [...new Set(rows.map((row) => row.sample))]
      .toSorted()
      .map((sample) => [sample, metrics(rows.filter((row) => row.sample === sample))])
  ),
  baselines: Object.fromEntries(baselines.map((baseline) => [baseline.name, metrics(apply(baseline, rows))])),
  kinds: record(confusion(rows, (row) => row.kind, kindLabel)),
  pushes: record(confusion(rows, (row) => (row.pushed ? "pushed" : "not pushed"), pushLabel)),
  unmatched: unmatched.length
})
