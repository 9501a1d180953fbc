/** Looks at every stop of the real sessions as a watch would, after a minute and after ten, and counts the nudges. */
import * as Judgment from "@reflexion/core/Judgment"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as StuckAssessment from "@reflexion/core/StuckAssessment"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Path from "node:path"
import { repeatedCalls } from "../measure/Baselines.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as LabelledTurn from "../sessions/LabelledTurn.ts"
import * as Sessions from "../sessions/Sessions.ts"
import * as Times from "../measure/Times.ts"
import * as Utmost from "../case/Utmost.ts"

/** Seconds of silence after a stop. */
export const silences = [60, 600] as const

export interface NudgeRow {
  readonly suite: string
  readonly session: string
  readonly turn: number
  readonly silence: number
  readonly assessment: StuckAssessment.Assessment
  readonly decided: boolean
  /** Whether it would be nudged if every rule went as far as it ever may; only asked where a push would be right. */
  readonly atUtmost: boolean
  /** The label of the stop: would a push have been right; null where the readers differ, undefined without a label. */
  readonly push: boolean | null | undefined
  readonly text: string
  readonly repeatedCalls: number
  /** Whether another label of the same stop has a row before this one. */
  readonly again: boolean
}

const later = (at: string | null, seconds: number): string | null =>
  at === null ? null : new Date(Date.parse(at) + seconds * 1000).toISOString()

interface Stop {
  readonly state: StuckAssessment.StuckState
  readonly context: Judgment.JudgmentContext
  readonly repeatedCalls: number
}

/** The state at the end of each turn. */
const stopsOf = (transcript: Transcript): ReadonlyArray<Stop> => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd }
  const stops: Array<Stop> = []
  let turn: Array<TranscriptEvent> = []
  let state = StuckAssessment.initial
  for (const event of NeutralTranscript.events(transcript)) {
    if (Judgment.turnIndex(state.judgment) >= 0 && Judgment.startsTurn(state.judgment, event)) {
      stops.push({ state, context, repeatedCalls: repeatedCalls(turn) })
      turn = []
    }
    turn.push(event)
    state = StuckAssessment.step(state, event, context)
  }
  return [...stops, { state, context, repeatedCalls: repeatedCalls(turn) }]
}

const isFound = (state: StuckAssessment.StuckState, options: StuckAssessment.AssessOptions): boolean => {
  const context = { ...options.context, config: Utmost.config }
  return StuckAssessment.assess(state, { ...options, context }).assessment.shouldNudge
}

const turnOf = ({ judgment: { task } }: StuckAssessment.StuckState): LabelledTurn.Turn => ({
  index: task.turn,
  userMessageAt: task.userMessageAt
})

const rowsOf = (suite: string, session: string, file: string, labels: ReadonlyArray<Corpus.Stop>) => {
  const transcript = Sessions.decode(Corpus.bytes(file))
  const stops = stopsOf(transcript)
  const turns = stops.map(({ state }) => ({ ...turnOf(state), state }))
  return stops.flatMap(({ context, repeatedCalls: repeated, state }) => {
    const { stop, task } = state.judgment
    const own = labels.filter((label) => LabelledTurn.of(transcript, turns, label)?.state === state)
    return silences.flatMap((silence): ReadonlyArray<NudgeRow> => {
      const now = later(stop.lastAt, silence)
      const options = { session: transcript, context, now }
      const { assessment, decided } = StuckAssessment.assess(state, options)
      const text = stop.text.slice(-300)
      const row = { suite, session, turn: task.turn, silence, assessment, decided, text, repeatedCalls: repeated }
      return own.length === 0
        ? [{ ...row, push: undefined, again: false, atUtmost: false }]
        : own.map(({ push }, index) => ({
            ...row,
            push,
            again: index > 0,
            atUtmost: push === true && isFound(state, options)
          }))
    })
  })
}

/** Every stop of every session of the corpus. */
export const run = (root: string): ReadonlyArray<NudgeRow> =>
  Corpus.present(root).flatMap((suite) => {
    const folder = Path.join(root, suite)
    const labels = Corpus.stops(folder)
    return [...Corpus.sessionFiles(folder)].flatMap(([session, file]) =>
      Times.measure(
        "nudges",
        session,
        () =>
          rowsOf(
            suite,
            session,
            file,
            labels.filter((label) => label.session === session)
          ),
        ({ length }) => length
      )
    )
  })

export interface NudgeSummary {
  readonly silence: number
  readonly stops: number
  readonly nudges: number
  readonly undecided: number
  readonly labelledPush: number
  readonly labelledNoPush: number
  readonly found: number
  readonly atUtmost: number
  readonly false: number
}

const count = (rows: ReadonlyArray<NudgeRow>, test: (row: NudgeRow) => boolean): number => rows.filter(test).length

const isNudged = ({ assessment }: NudgeRow): boolean => assessment.shouldNudge

export const summary = (all: ReadonlyArray<NudgeRow>): ReadonlyArray<NudgeSummary> =>
  silences.map((silence) => {
    const rows = all.filter((row) => row.silence === silence)
    const stops = rows.filter(({ again }) => !again)
    return {
      silence,
      stops: stops.length,
      nudges: count(stops, isNudged),
      undecided: count(stops, (row) => !row.decided),
      labelledPush: count(rows, (row) => row.push === true),
      labelledNoPush: count(rows, (row) => row.push === false),
      found: count(rows, (row) => row.push === true && isNudged(row)),
      atUtmost: count(rows, (row) => row.atUtmost),
      false: count(rows, (row) => row.push === false && isNudged(row))
    }
  })
