/** Finds the labelled stops of real sessions, each with its record up to the stop. */
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript } from "@reflexion/core/Transcript"
import { groupBy } from "effect/Array"
import * as Path from "node:path"
import * as Corpus from "./Corpus.ts"
import * as Sessions from "./Sessions.ts"

export interface Labelled {
  readonly suite: string
  readonly stop: Corpus.Stop
  readonly upTo: Transcript
}

interface Turn {
  readonly index: number
  readonly at: string | null
  /** The position after the turn's last event. */
  readonly end: number
}

const turnsOf = ({ events }: Transcript): ReadonlyArray<Turn> => {
  const begins: Array<Omit<Turn, "end"> & { readonly from: number }> = []
  for (const [from, event] of events.entries()) {
    const current = begins.at(-1)?.index ?? -1
    if (event.type !== "user_message" || !TaskContext.beginsTurn(current, event)) continue
    begins.push({ index: event.turn ?? current + 1, at: event.at, from })
  }
  return begins.map(({ at, index }, turn) => ({ index, at, end: begins[turn + 1]?.from ?? events.length }))
}

/** The turn that a prompt joined because the user typed it while the agent worked. */
const joined = ({ events }: Transcript, { turn, userMessageAt }: Corpus.Stop): number | null => {
  const prompt = events.find((event) => event.type === "user_message" && !event.synthetic && event.at === userMessageAt)
  return prompt?.type === "user_message" && prompt.turn !== undefined && prompt.turn < turn ? prompt.turn : null
}

/** Cuts the record at the stop, because a nudged turn continues. Null if the record lacks the stop. */
export const upTo = (whole: Transcript, stop: Corpus.Stop): Transcript | null => {
  const last = whole.events.findLastIndex(({ at }) => at === stop.stoppedAt)
  const then = stop.stoppedAt === undefined ? whole : { ...whole, events: whole.events.slice(0, last + 1) }
  const turns = turnsOf(then)
  const own = turns.find(({ at, index }) => index === stop.turn && at === stop.userMessageAt)
  const turn = own ?? turns.find(({ index }) => index === joined(then, stop))
  return turn === undefined ? null : { ...then, events: then.events.slice(0, turn.end) }
}

export const ofSession = (
  suite: string,
  whole: Transcript,
  labels: ReadonlyArray<Corpus.Stop>
): { readonly found: ReadonlyArray<Labelled>; readonly lost: ReadonlyArray<Corpus.Stop> } => {
  const found = labels.flatMap((stop): ReadonlyArray<Labelled> => {
    const session = upTo(whole, stop)
    return session === null ? [] : [{ suite, stop, upTo: session }]
  })
  const lost = labels.filter((label) => found.every(({ stop }) => stop !== label))
  return { found: found.toSorted((one, other) => one.upTo.events.length - other.upTo.events.length), lost }
}

export function* inFolder(folder: string): Generator<ReturnType<typeof ofSession>> {
  const suite = Path.basename(folder)
  const files = Corpus.sessionFiles(folder)
  const bySession = groupBy(Corpus.stops(folder), ({ session }) => session)
  for (const [session, labels] of Object.entries(bySession)) {
    const file = files.get(session)
    yield file === undefined
      ? { found: [], lost: labels }
      : ofSession(suite, Sessions.decode(Corpus.bytes(file)), labels)
  }
}
