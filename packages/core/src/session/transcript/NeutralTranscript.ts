/** Reads the neutral JSON form, for any host without an adapter: `{ "version": 1, "host": …, "events": [ … ] }`. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Json from "../../base/json/Json.ts"
import * as Transcript from "./Transcript.ts"
import type { TranscriptDecoder, TranscriptDecoding } from "./TranscriptDecoder.ts"

type Event = Transcript.TranscriptEvent

const modeEvents = (mode: Transcript.Mode): ReadonlyArray<Event> =>
  mode === "unknown" ? [] : [{ type: "mode_change", at: null, mode }]

/**
 * Returns the events from position `from` on, with the defaults of decoded events: the id comes from the position, and
 * a call with an output or an exit code is `completed`. The session's mode is the first event.
 *
 * @category decoding
 */
export const events = (transcript: Transcript.Transcript, from = 0): ReadonlyArray<Event> => [
  ...(from === 0 ? modeEvents(transcript.mode) : []),
  ...transcript.events.slice(from).map((event, index) => withDefaults(event, from + index))
]

export const isSubagent = ({ parentSessionId }: Pick<Partial<Transcript.SessionInfo>, "parentSessionId">): boolean =>
  typeof parentSessionId === "string"

const impliedStatus = (call: Transcript.ToolCall): Transcript.ToolStatus | null => {
  if (call.exitCode !== null) return "completed"
  if (call.background) return "running"
  return call.output === null ? null : "completed"
}

/** A time that cannot be read becomes null. */
export const withDefaults = (given: Event, index: number): Event => {
  const event = given.at === null ? given : { ...given, at: Json.time(given.at) }
  if (event.type === "user_message" || event.type === "assistant_message")
    return event.id === null ? { ...event, id: `e${index}` } : event
  if (event.type !== "tool_call") return event
  return {
    ...event,
    id: event.id ?? `e${index}`,
    input: event.input ?? null,
    status: event.status ?? impliedStatus(event)
  }
}

const decodeEvent = Schema.decodeUnknownEither(Transcript.TranscriptEvent)

const explain = (error: ParseResult.ParseError): string => {
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  return issue === undefined ? "does not decode" : `${issue.path.map(String).join(".")}: ${issue.message}`
}

const maxProblems = 100
const maxProblemLength = 200

const start = (): TranscriptDecoding => {
  let session: Transcript.SessionInfo = {
    host: "transcript",
    sessionId: null,
    parentSessionId: null,
    cwd: null,
    mode: "unknown"
  }
  let position = 0
  const types = new Set<string>(Transcript.TranscriptEvent.members.map(({ fields }) => fields.type.literals[0]))
  const skipped = new Map<string, number>()
  const problems: Array<string> = []

  const skip = (type: string, message: string): null => {
    skipped.set(type, (skipped.get(type) ?? 0) + 1)
    if (problems.length < maxProblems) problems.push(message.slice(0, maxProblemLength))
    return null
  }

  const one = (value: unknown): ReadonlyArray<Event> => {
    const index = position++
    const type = (Json.string(Json.object(value)["type"]) ?? "untyped").slice(0, 64)
    const result = types.has(type) ? decodeEvent(value) : null
    if (result === null || Either.isLeft(result)) {
      const what = result === null ? `: unknown type ${JSON.stringify(type)}` : ` (${type}): ${explain(result.left)}`
      skip(type, `event ${index}${what}`)
      return []
    }
    const event = withDefaults(result.right, index)
    if (event.type === "mode_change") session = { ...session, mode: event.mode }
    return [event]
  }

  const field = <A>(header: Json.Json, name: string, is: (value: unknown) => value is A, what: string): A | null => {
    const found = header[name] ?? null
    return found === null || is(found) ? found : skip("field", `${name}: not ${what}, ignored`)
  }

  const begin = (header: Json.Json): ReadonlyArray<Event> => {
    const text = (name: string): string | null => field(header, name, Schema.is(Schema.String), "a string")
    if (header["version"] !== 1) skip("field", "version: not 1, read as version 1")
    const attended = field(header, "attended", Schema.is(Schema.Boolean), "true or false")
    session = {
      host: text("host") ?? "transcript",
      sessionId: text("sessionId"),
      parentSessionId: text("parentSessionId"),
      cwd: text("cwd"),
      mode: field(header, "mode", Schema.is(Transcript.Mode), "build, plan or unknown") ?? "unknown",
      ...(attended !== null && { attended })
    }
    return modeEvents(session.mode)
  }

  return {
    push: (value) => {
      if (!Json.isObject(value) || !Array.isArray(value["events"])) return one(value)
      const out: Array<Event> = [...begin(value)]
      for (const event of value["events"]) out.push(...one(event))
      return out
    },
    end: () => [],
    session: () => session,
    skipped: () => Object.fromEntries(skipped),
    problems: () => problems
  }
}

/** Rejects a session in another version of the form, or without a version. Null for any other value. */
const rejects = (value: unknown): string | null => {
  if (!Json.isObject(value) || !Array.isArray(value["events"]) || value["version"] === 1) return null
  const version = value["version"]
  const given = version === undefined ? "is missing" : `is ${JSON.stringify(version)?.slice(0, 40)}`
  return `"version" ${given}, but only version 1 is known: write the events in that form, with "version": 1`
}

export const decoder: TranscriptDecoder = {
  host: "transcript",
  recognises: (value) => Json.isObject(value) && value["version"] === 1 && Array.isArray(value["events"]),
  rejects,
  start
}
