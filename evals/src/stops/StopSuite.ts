/** Judges the labelled stops of a corpus and sums up how verdicts and labels agree. */
import * as Judgment from "@reflexion/core/Judgment"
import type { Transcript } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Path from "node:path"
import { apply, baselines, repeatedCalls } from "../measure/Baselines.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as LabelledTurn from "../sessions/LabelledTurn.ts"
import { paid } from "./MeasuredStops.ts"
import { confusion, type Count, type Interval, interval, type Metrics, metrics, type Row } from "../measure/Metrics.ts"
import * as Sessions from "../sessions/Sessions.ts"
import * as Times from "../measure/Times.ts"
import * as Utmost from "../case/Utmost.ts"

/** A push at any turn of the corpus, labelled or not. */
export interface PushedTurn {
  readonly session: string
  readonly turn: number
  readonly labelled: boolean
  readonly reason: string
  readonly prompt: string
  readonly finalText: string
  readonly nextPrompt: string
}

export interface StopResult {
  readonly rows: ReadonlyArray<Corpus.JudgedStop>
  /** All turns of all sessions, labelled or not. */
  readonly turns: number
  readonly pushed: ReadonlyArray<PushedTurn>
  /** Labels for which no verdict has the same turn and prompt time. */
  readonly unmatched: ReadonlyArray<string>
}

const nameOf = (stop: { readonly session: string; readonly turn: number }): string => `${stop.session}:${stop.turn}`

const verdictOf = (transcript: Transcript, verdicts: ReadonlyArray<Verdict>, stop: Corpus.Stop): Verdict | undefined =>
  LabelledTurn.of(
    transcript,
    verdicts.map((verdict) => ({ ...verdict.turn, verdict })),
    stop
  )?.verdict

/** The verdict of one stop among a turn's, where the label says which. */
const atStop = (transcript: Transcript, stop: Corpus.Stop) => {
  if (stop.stoppedAt === undefined) return null
  const then = LabelledTurn.until(transcript, stop.stoppedAt)
  const verdict = verdictOf(then, Judgment.judgeTurns(then), stop)
  return { verdict, events: verdict === undefined ? [] : Sessions.turnEvents(then, verdict, undefined) }
}

/** Whether the rules find a reason to push at a stop, whatever level they have earned. */
const isFound = (transcript: Transcript, all: ReadonlyArray<Verdict>, stop: Corpus.Stop): boolean => {
  if (stop.push !== true) return false
  const early = stop.stoppedAt === undefined ? null : LabelledTurn.until(transcript, stop.stoppedAt)
  const verdicts = early === null ? all : Judgment.judgeTurns(early, utmost)
  return verdictOf(early ?? transcript, verdicts, stop)?.shouldContinue === true
}

const utmost: Judgment.JudgeOptions = { context: { config: Utmost.config } }

const judgeSession = (session: string, file: string, stops: ReadonlyArray<Corpus.Stop>): StopResult => {
  const transcript = Sessions.decode(Corpus.bytes(file))
  const verdicts = Judgment.judgeTurns(transcript)
  const eventsOf = (verdict: Verdict) =>
    Sessions.turnEvents(transcript, verdict, verdicts[verdicts.indexOf(verdict) + 1])
  const atUtmost = stops.some(({ push }) => push === true) ? Judgment.judgeTurns(transcript, utmost) : []
  const rows: Array<Corpus.JudgedStop> = []
  const unmatched: Array<string> = []
  for (const stop of stops) {
    const early = atStop(transcript, stop)
    const verdict = early === null ? verdictOf(transcript, verdicts, stop) : early.verdict
    if (verdict === undefined) unmatched.push(nameOf(stop))
    else
      rows.push({
        ...judgedStop(stop, verdict, early?.events ?? eventsOf(verdict)),
        atUtmost: isFound(transcript, atUtmost, stop)
      })
  }
  const labelled = new Set(stops.map((stop) => stop.turn))
  const pushed = verdicts
    .filter((verdict) => verdict.shouldContinue)
    .map((verdict) => ({
      session,
      turn: verdict.turn.index,
      labelled: labelled.has(verdict.turn.index),
      reason: verdict.reason,
      prompt: Sessions.prompt(eventsOf(verdict)),
      finalText: Sessions.finalText(eventsOf(verdict)),
      nextPrompt: Sessions.nextPrompt(transcript, verdicts[verdicts.indexOf(verdict) + 1])
    }))
  return { rows, turns: verdicts.length, pushed, unmatched }
}

const judgedStop = (stop: Corpus.Stop, verdict: Verdict, events: Transcript["events"]) => ({
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
  finalText: Sessions.finalText(events).slice(-400),
  repeatedCalls: repeatedCalls(events),
  ...paid(verdict)
})

/** Judges every session of a suite's folder, and looks up the labelled stops. */
export const judge = (folder: string): StopResult => {
  const files = Corpus.sessionFiles(folder)
  const stops = Corpus.stops(folder)
  const results = [...files].map(([session, file]) =>
    Times.measure(
      Path.basename(folder),
      session,
      () =>
        judgeSession(
          session,
          file,
          stops.filter((stop) => stop.session === session)
        ),
      ({ turns }) => turns
    )
  )
  return {
    rows: results.flatMap((result) => result.rows),
    turns: results.reduce((sum, result) => sum + result.turns, 0),
    pushed: results.flatMap((result) => result.pushed),
    unmatched: [
      ...results.flatMap((result) => result.unmatched),
      ...stops.filter((stop) => !files.has(stop.session)).map(nameOf)
    ]
  }
}

/** What is recorded of a run: counts and rates, nothing of the sessions themselves. */
export interface StopSummary {
  readonly judge: Metrics
  /** Labelled pushes at which the rules find a reason, whatever level they have earned. */
  readonly atUtmost: number
  readonly intervals: Readonly<Record<"precision" | "recall" | "falsePushes" | "kindAgreement", Interval | null>>
  readonly samples: Readonly<Record<string, Metrics>>
  readonly baselines: Readonly<Record<string, Metrics>>
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly pushes: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Turns of all sessions, labelled or not, and the pushes among them. */
  readonly turns: number
  readonly pushedTurns: number
  readonly unmatched: number
}

export const pushLabel = (row: Row): string => (row.push === null ? "open" : row.push ? "push" : "no push")

export const kindLabel = (row: Row): string => row.kinds.join(" or ")

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

export const summary = ({ pushed, rows, turns, unmatched }: StopResult): StopSummary => ({
  judge: metrics(rows),
  atUtmost: rows.filter((row) => row.push === true && row.atUtmost).length,
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
  turns,
  pushedTurns: pushed.length,
  unmatched: unmatched.length
})
