/** Looks at every stop of the real sessions as a watch would, after a minute and after ten, and counts the nudges. */
import * as Judgment from "@reflexion/core/Judgment"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as StuckAssessment from "@reflexion/core/StuckAssessment"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Path from "node:path"
import { repeatedCalls } from "./Baselines.ts"
import * as Corpus from "./Corpus.ts"
import * as Sessions from "./Sessions.ts"

/** Seconds of silence after a stop. */
export const silences = [60, 600] as const

export interface NudgeRow {
  readonly suite: string
  readonly session: string
  readonly turn: number
  readonly silence: number
  readonly assessment: StuckAssessment.Assessment
  readonly decided: boolean
  /** The label of the stop: would a push have been right; null where the readers differ, undefined without a label. */
  readonly push: boolean | null | undefined
  readonly text: string
  readonly repeatedCalls: number
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
  let state = StuckAssessment.begin(transcript)
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

const rowsOf = (suite: string, session: string, file: string, labels: ReadonlyArray<Corpus.Stop>) => {
  const transcript = Sessions.decode(Corpus.bytes(file))
  return stopsOf(transcript).flatMap(({ context, repeatedCalls: repeated, state }) => {
    const { stop, task } = state.judgment
    const label = labels.find(({ turn, userMessageAt }) => turn === task.turn && userMessageAt === task.userMessageAt)
    return silences.map((silence): NudgeRow => {
      const now = later(stop.lastAt, silence)
      const { assessment, decided } = StuckAssessment.assess(state, { session: transcript, context, now })
      const text = stop.text.slice(-300)
      return {
        suite,
        session,
        turn: task.turn,
        silence,
        assessment,
        decided,
        push: label?.push,
        text,
        repeatedCalls: repeated
      }
    })
  })
}

/** Every stop of every session of the corpus. */
export const run = (root: string): ReadonlyArray<NudgeRow> =>
  Corpus.present(root).flatMap((suite) => {
    const folder = Path.join(root, suite)
    const labels = Corpus.stops(folder)
    return [...Corpus.sessionFiles(folder)].flatMap(([session, file]) =>
      rowsOf(
        suite,
        session,
        file,
        labels.filter((label) => label.session === session)
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
  readonly false: number
}

const count = (rows: ReadonlyArray<NudgeRow>, test: (row: NudgeRow) => boolean): number => rows.filter(test).length

const isNudged = ({ assessment }: NudgeRow): boolean => assessment.shouldNudge

export const summary = (all: ReadonlyArray<NudgeRow>): ReadonlyArray<NudgeSummary> =>
  silences.map((silence) => {
    const rows = all.filter((row) => row.silence === silence)
    return {
      silence,
      stops: rows.length,
      nudges: count(rows, isNudged),
      undecided: count(rows, (row) => !row.decided),
      labelledPush: count(rows, (row) => row.push === true),
      labelledNoPush: count(rows, (row) => row.push === false),
      found: count(rows, (row) => row.push === true && isNudged(row)),
      false: count(rows, (row) => row.push === false && isNudged(row))
    }
  })
