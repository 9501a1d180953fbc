/** Scores the labelled stops of real sessions: the readers did not score them, but said which are complete or premature. */
import * as Judgment from "@reflexion/core/Judgment"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as Score from "@reflexion/core/Score"
import type { Transcript } from "@reflexion/core/Transcript"
import * as Path from "node:path"
import * as Corpus from "./Corpus.ts"
import * as Sessions from "./Sessions.ts"

export interface ScoreRow {
  readonly suite: string
  readonly session: string
  readonly turn: number
  readonly score: Score.Score
  readonly label: Corpus.Stop
}

interface Stop {
  readonly state: Score.ScoreState
  readonly context: Judgment.JudgmentContext
}

/** The state at the end of each turn. */
const stopsOf = (transcript: Transcript): ReadonlyArray<Stop> => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd }
  const stops: Array<Stop> = []
  let state = Score.initial
  for (const event of NeutralTranscript.events(transcript)) {
    if (Judgment.turnIndex(state.judgment) >= 0 && Judgment.startsTurn(state.judgment, event))
      stops.push({ state, context })
    state = Score.step(state, event, context)
  }
  return [...stops, { state, context }]
}

const rowsOf = (suite: string, session: string, file: string, labels: ReadonlyArray<Corpus.Stop>) => {
  const transcript = Sessions.decode(Corpus.bytes(file))
  return stopsOf(transcript).flatMap(({ context, state }): ReadonlyArray<ScoreRow> => {
    const { stop, task } = state.judgment
    const label = labels.find(({ turn, userMessageAt }) => turn === task.turn && userMessageAt === task.userMessageAt)
    const score = label === undefined ? null : Score.read(state, { session: transcript, context, now: stop.lastAt })
    return label === undefined || score === null ? [] : [{ suite, session, turn: task.turn, score, label }]
  })
}

/** Every labelled stop of the corpus. */
export const run = (root: string): ReadonlyArray<ScoreRow> =>
  Corpus.present(root).flatMap((suite) => {
    const folder = Path.join(root, suite)
    const labels = Corpus.stops(folder)
    return [...Corpus.sessionFiles(folder)].flatMap(([session, file]) => {
      const own = labels.filter((label) => label.session === session)
      return own.length === 0 ? [] : rowsOf(suite, session, file, own)
    })
  })

/** How the stops of one label were scored; at `n` of `counts` those with `n`. */
export interface ScoreSummary {
  readonly label: string
  readonly stops: number
  readonly counts: ReadonlyArray<number>
}

const groups: Readonly<Record<string, (row: ScoreRow) => boolean>> = {
  "both readers: complete": ({ label }) => label.kinds.every((kind) => kind === "complete"),
  "both readers: a push would be right": ({ label }) => label.push === true,
  "both readers: waits for the user": ({ label }) => label.kinds.every((kind) => kind === "waiting_for_user")
}

export const summary = (rows: ReadonlyArray<ScoreRow>): ReadonlyArray<ScoreSummary> =>
  Object.entries(groups).map(([label, isIn]) => {
    const own = rows.filter(isIn)
    const counts = [0, 1, 2, 3, 4, 5].map((points) => own.filter(({ score }) => score.score === points).length)
    return { label, stops: own.length, counts }
  })
