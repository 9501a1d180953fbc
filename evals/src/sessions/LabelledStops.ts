/** The labelled stops of real sessions, each with the record up to it. */
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript } from "@reflexion/core/Transcript"
import * as Corpus from "./Corpus.ts"
import * as LabelledTurn from "./LabelledTurn.ts"
import * as Sessions from "./Sessions.ts"

/** A turn of a transcript: its number, and what came up to its end. */
export interface Stop extends LabelledTurn.Turn {
  readonly upTo: Transcript
}

export const stopsOf = (transcript: Transcript): ReadonlyArray<Stop> => {
  const begins: Array<{ readonly turn: number; readonly at: string | null; readonly index: number }> = []
  for (const [index, event] of transcript.events.entries()) {
    const current = begins.at(-1)?.turn ?? -1
    if (event.type !== "user_message" || !TaskContext.beginsTurn(current, event)) continue
    begins.push({ turn: event.turn ?? current + 1, at: event.at, index })
  }
  return begins.map(({ at, turn }, begin) => ({
    index: turn,
    userMessageAt: at,
    upTo: { ...transcript, events: transcript.events.slice(0, begins[begin + 1]?.index) }
  }))
}

export interface Labelled {
  readonly suite: string
  readonly stop: Corpus.Stop
  readonly upTo: Transcript
}

/** Every labelled stop of a folder that is found in its session. */
export const labelledIn = (folder: string, suite: string): ReadonlyArray<Labelled> => {
  const labels = Corpus.stops(folder)
  return [...Corpus.sessionFiles(folder)].flatMap(([session, file]) => {
    const mine = labels.filter((label) => label.session === session)
    if (mine.length === 0) return []
    const whole = Sessions.decode(Corpus.bytes(file))
    return mine.flatMap((stop): ReadonlyArray<Labelled> => {
      const then = stop.stoppedAt === undefined ? whole : LabelledTurn.until(whole, stop.stoppedAt)
      const found = LabelledTurn.of(then, stopsOf(then), stop)
      return found === null ? [] : [{ suite, stop, upTo: found.upTo }]
    })
  })
}
