/** Verdicts and rows that the tables of the first documents' points share. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Transcript from "@reflexion/core/Transcript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as NeutralTranscript from "@reflexion/core/internal/session/transcript/NeutralTranscript"
import { agent, type Event, type Stop, tool, type Wanted } from "./judged.ts"

export const nudged: Wanted = { status: "incomplete", nudge: true }
export const open: Wanted = { status: "incomplete", nudge: false }
export const complete: Wanted = { status: "complete", nudge: false }
/** Complete, with no claim that the record contradicts. */
export const done: Wanted = { ...complete, contradicted: false }
export const undecided: Wanted = { status: "abstained", nudge: false }

export { row as stop } from "./judged.ts"

/** A stop with somebody there; nothing is said of the same with nobody. */
export const attended = (name: string, wanted: Wanted, events: ReadonlyArray<Event>): Stop => ({
  name,
  events,
  attended: wanted
})

export const read = (path: string): Event => tool("read", { file_path: path }, { output: "export {}" })

export const reads = (count: number): ReadonlyArray<Event> =>
  Array.from({ length: count }, (_, at) => read(`src/part${at}.ts`))

/** A turn whose host does not say how it ended. */
export const breaksOff = (text: string): Event => ({ ...agent(text), completed: null })

/** The events a second apart. */
export const timed = (...events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  events.map((event, second) => ({ ...event, at: new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString() }))

/** Whether a model is asked about a stop with somebody there, where one is configured. */
export const isAsked = ({ events = [], name }: Stop): boolean => {
  const reader = TranscriptReader.make({ decoders: [NeutralTranscript.decoder] })
  const record = JSON.stringify({ version: 1, host: "other", sessionId: name, events })
  const read = [...reader.push(new TextEncoder().encode(record)), ...reader.end()]
  const session = Transcript.make({ host: "other", sessionId: name, attended: true, events: read })
  const context = { ...Judgment.defaultContext, config: ReflexionConfig.defaults }
  const options = { session, context, now: null }
  const { state } = Judgment.replay(session, context)
  return BeyondEvidence.isAsked(state, Judgment.review(state, options).verdict, options)
}
