/** Verdicts and rows that the tables of the first documents' points share. */
import { agent, type Event, type Stop, tool, type Wanted } from "./judged.ts"

export const pushed: Wanted = { status: "incomplete", push: true }
export const open: Wanted = { status: "incomplete", push: false }
export const complete: Wanted = { status: "complete", push: false }
/** Complete, with no claim that the record contradicts. */
export const done: Wanted = { ...complete, contradicted: false }
export const undecided: Wanted = { status: "abstained", push: false }

export const stop = (name: string, wanted: Wanted, ...events: ReadonlyArray<Event>): Stop => ({ name, events, wanted })

/** A stop with somebody there; nothing is said of the same with nobody. */
export const attended = (name: string, wanted: Wanted, ...events: ReadonlyArray<Event>): Stop => ({
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
