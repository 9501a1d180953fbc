/** Scores the labelled stops of real sessions: the readers did not score them, but said which are complete or premature. */
import * as Judgment from "@reflexion/core/Judgment"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as Score from "@reflexion/core/Score"
import type { Transcript } from "@reflexion/core/Transcript"
import * as Path from "node:path"
import * as Corpus from "../sessions/Corpus.ts"
import * as LabelledTurn from "../sessions/LabelledTurn.ts"
import * as Sessions from "../sessions/Sessions.ts"
import * as Times from "../measure/Times.ts"

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
  const stops = stopsOf(transcript)
  const turns = stops.map(({ context, state }) => {
    const { turn: index, userMessageAt } = state.judgment.task
    return { index, userMessageAt, context, state }
  })
  return labels.flatMap((label): ReadonlyArray<ScoreRow> => {
    const found = LabelledTurn.of(transcript, turns, label)
    if (found === null) return []
    const { context, index, state } = found
    const score = Score.read(state, { session: transcript, context, now: state.judgment.stop.lastAt })
    return score === null ? [] : [{ suite, session, turn: index, score, label }]
  })
}

/** Every labelled stop of the corpus. */
export const run = (root: string): ReadonlyArray<ScoreRow> =>
  Corpus.present(root).flatMap((suite) => {
    const folder = Path.join(root, suite)
    const labels = Corpus.stops(folder)
    return [...Corpus.sessionFiles(folder)].flatMap(([session, file]) => {
      const own = labels.filter((label) => label.session === session)
      return own.length === 0
        ? []
        : Times.measure(
            "score of labelled stops",
            session,
            () => rowsOf(suite, session, file, own),
            ({ length }) => length
          )
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
