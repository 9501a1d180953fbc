/** Reading the neutral form. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Json from "../../ground/json/Json.ts"
import * as Transcript from "./Transcript.ts"
import type { TranscriptDecoding } from "./TranscriptDecoder.ts"
import { type Event, modeEvents, withDefaults } from "./NeutralEvents.ts"

type Decode = (value: unknown) => Either.Either<Event, ParseResult.ParseError>

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["user_message", Schema.decodeUnknownEither(Transcript.UserMessage)],
  ["assistant_message", Schema.decodeUnknownEither(Transcript.AssistantMessage)],
  ["tool_call", Schema.decodeUnknownEither(Transcript.ToolCall)],
  ["todo_update", Schema.decodeUnknownEither(Transcript.TodoUpdate)],
  ["notice", Schema.decodeUnknownEither(Transcript.Notice)],
  ["mode_change", Schema.decodeUnknownEither(Transcript.ModeChange)]
])

const maxProblems = 100
const maxProblemLength = 200

export const start = (): TranscriptDecoding => {
  let session: Transcript.SessionInfo = {
    host: "transcript",
    sessionId: null,
    parentSessionId: null,
    cwd: null,
    mode: "unknown"
  }
  let position = 0
  const skipped = new Map<string, number>()
  const problems: Array<string> = []

  const skip = (type: string, message: string): void => {
    skipped.set(type, (skipped.get(type) ?? 0) + 1)
    if (problems.length < maxProblems) problems.push(message.slice(0, maxProblemLength))
  }

  const decodeEvent = (value: unknown): ReadonlyArray<Event> => {
    const index = position++
    const type = Json.isObject(value) && typeof value["type"] === "string" ? value["type"] : "untyped"
    const decode = decoders.get(type)
    if (decode === undefined) {
      skip(type.slice(0, 64), `event ${index}: unknown type ${JSON.stringify(type.slice(0, 64))}`)
      return []
    }
    const result = decode(value)
    if (Either.isLeft(result)) {
      skip(type, `event ${index} (${type}): ${explain(result.left)}`)
      return []
    }
    const event = withDefaults(result.right, index)
    if (event.type === "mode_change") session = { ...session, mode: event.mode }
    return [event]
  }

  const header = (value: Readonly<Record<string, unknown>>): ReadonlyArray<Event> => {
    const text = (field: string): string | null => {
      const found = value[field]
      if (typeof found === "string") return found
      if (found !== undefined && found !== null) skip("field", `${field}: not a string, ignored`)
      return null
    }
    if (value["version"] !== 1) skip("field", "version: not 1, read as version 1")
    const mode = value["mode"]
    const attended = value["attended"] ?? null
    if (attended !== null && typeof attended !== "boolean") skip("field", "attended: not true or false, ignored")
    if (mode !== undefined && !Schema.is(Transcript.Mode)(mode))
      skip("field", "mode: not build, plan or unknown, ignored")
    session = {
      host: text("host") ?? "transcript",
      sessionId: text("sessionId"),
      parentSessionId: text("parentSessionId"),
      cwd: text("cwd"),
      mode: Schema.is(Transcript.Mode)(mode) ? mode : "unknown",
      ...(typeof attended === "boolean" && { attended })
    }
    return modeEvents(session.mode)
  }

  return {
    push: (value) => {
      if (!Json.isObject(value) || !Array.isArray(value["events"])) return decodeEvent(value)
      const out: Array<Event> = [...header(value)]
      for (const event of value["events"]) out.push(...decodeEvent(event))
      return out
    },
    end: () => [],
    session: () => session,
    skipped: () => Object.fromEntries(skipped),
    problems: () => problems
  }
}

/** The first issue's path and message. */
const explain = (error: ParseResult.ParseError): string => {
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  return issue === undefined ? "does not decode" : `${issue.path.map(String).join(".")}: ${issue.message}`
}
