/** Reads the output of `codex exec --json` for one question: an answer, or why there is none. */
import * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import {
  brokenOff,
  cutOff,
  declined,
  failure,
  type ModelFailure,
  ofOthers,
  ofStatus,
  unreachable,
  type Usage
} from "@reflexion/core/internal/model/calls/ModelFailures"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const eventsIn = (out: string): ReadonlyArray<Json.Json> =>
  out.split("\n").flatMap((line) => Option.toArray(decode(line)))

/** The answer is the last message. Earlier messages only comment on the work. */
const textIn = (events: ReadonlyArray<Json.Json>): string => {
  const items = events.filter(({ type }) => type === "item.completed").map(({ item }) => Json.object(item))
  return Json.text(items.findLast(({ type }) => type === "agent_message")?.["text"])
}

/** Input tokens include cached tokens. Output tokens include reasoning tokens. */
const usageIn = (events: ReadonlyArray<Json.Json>): Usage => {
  const usage = Json.object(events.findLast(({ type }) => type === "turn.completed")?.["usage"])
  return {
    inputTokens: Json.number(usage["input_tokens"]) ?? 0,
    outputTokens: Json.number(usage["output_tokens"]) ?? 0
  }
}

/** Returns the provider's own error message, if `message` contains one. */
const plain = (message: string): string => {
  const body = Option.getOrElse(decode(message), (): Json.Json => ({}))
  return Json.text(Json.object(body["error"])["message"]) || message
}

const login = "check with `codex login status` that Codex is logged in, or that its provider has a key"

/** Codex describes some of its provider's statuses only in words. */
const failureOf = (message: string): ModelFailure => {
  const said = Number(/\bstatus:? (\d{3})\b/.exec(message)?.[1] ?? 0)
  if (said > 0) return ofStatus(said, said === 401 || said === 403 ? `${message} (${login})` : message)
  if (/\b(?:usage|rate) limit/i.test(message)) return ofStatus(429, message)
  if (/experiencing high demand|overloaded/i.test(message)) return ofStatus(503, message)
  if (/^stream disconnected|^Connection (?:closed|reset)/i.test(message)) return brokenOff()
  if (/^Connection failed|error sending request/i.test(message)) return unreachable(message)
  return failure("unavailable", ofOthers(message))
}

const cut = /^Incomplete response returned, reason: (\w+)/

const neverBegan = (printed: HostModel.Printed): ModelFailure =>
  failure(
    "unavailable",
    `Codex could not be asked: ${HostModel.complaint(printed)} (check that \`codex exec\` works, and that Codex is 0.169 or later)`
  )

export const read = (printed: HostModel.Printed): HostModel.Reading => {
  const events = eventsIn(printed.out)
  const known = { model: null, usage: usageIn(events) }
  const wrong = events.findLast(({ type }) => type === "turn.failed")
  if (wrong !== undefined) {
    const message = Json.text(Json.object(wrong["error"])["message"])
    const reason = cut.exec(message)?.[1]
    if (reason === "max_output_tokens") return Either.left(cutOff(known))
    return Either.left(reason === "content_filter" ? declined(textIn(events), known) : failureOf(plain(message)))
  }
  return events.some(({ type }) => type === "turn.completed")
    ? Either.right({ ...known, text: textIn(events) })
    : Either.left(neverBegan(printed))
}
