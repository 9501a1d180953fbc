/** What `codex exec --json` printed over one question, as an answer or as the reason why there is none. */
import * as HostModel from "@reflexion/core/internal/ask/models/HostModel"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const eventsIn = (out: string): ReadonlyArray<Json.Json> =>
  out.split("\n").flatMap((line) => Option.toArray(decode(line)))

/** The last message is the answer: what came before it commented on the way there. */
const textIn = (events: ReadonlyArray<Json.Json>): string => {
  const items = events.filter(({ type }) => type === "item.completed").map(({ item }) => Json.object(item))
  return Json.text(items.findLast(({ type }) => type === "agent_message")?.["text"])
}

/** Input counts what came from the cache, output what was thought. */
const usageIn = (events: ReadonlyArray<Json.Json>): HostModel.Answer["usage"] => {
  const usage = Json.object(events.findLast(({ type }) => type === "turn.completed")?.["usage"])
  return {
    inputTokens: Json.number(usage["input_tokens"]) ?? 0,
    outputTokens: Json.number(usage["output_tokens"]) ?? 0
  }
}

const answer = (events: ReadonlyArray<Json.Json>, finish: HostModel.Answer["finish"]): HostModel.Answer => ({
  type: "answer",
  text: textIn(events),
  model: null,
  finish,
  usage: usageIn(events)
})

/** A provider's own error is handed on as it came. */
const plain = (message: string): string => {
  const body = Option.getOrElse(decode(message), (): Json.Json => ({}))
  return Json.text(Json.object(body["error"])["message"]) || message
}

const login = "check with `codex login status` that Codex is logged in, or that its provider has a key"

const ofStatus = (status: number, message: string): HostModel.Failure =>
  HostModel.failure("provider", status === 401 || status === 403 ? `${message} (${login})` : message, status)

/** Codex says some of its provider's statuses in words only. */
const failureOf = (message: string): HostModel.Failure => {
  const status = /\bstatus:? (\d{3})\b/.exec(message)?.[1]
  if (status !== undefined) return ofStatus(Number(status), message)
  if (/\b(?:usage|rate) limit/i.test(message)) return ofStatus(429, message)
  if (/experiencing high demand|overloaded/i.test(message)) return ofStatus(503, message)
  if (/^stream disconnected|^Connection (?:closed|reset)/i.test(message)) {
    return HostModel.failure("broken_off", message)
  }
  if (/^Connection failed|error sending request/i.test(message)) return HostModel.failure("unreachable", message)
  return HostModel.failure(message.startsWith("Missing environment variable") ? "unusable" : "provider", message)
}

const cut = /^Incomplete response returned, reason: (\w+)/

const failed = (events: ReadonlyArray<Json.Json>, message: string): HostModel.Answer | HostModel.Failure => {
  const reason = cut.exec(message)?.[1]
  if (reason === "max_output_tokens") return answer(events, "length")
  return reason === "content_filter" ? answer(events, "content-filter") : failureOf(plain(message))
}

const messageOf = (event: Json.Json): string => Json.text(Json.object(event["error"])["message"])

/** What Codex says before it begins, without what it says at every start. */
const complaint = (err: string): string =>
  err
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("WARNING:"))
    .slice(0, 4)
    .join(" ")

const neverBegan = ({ code, err }: HostModel.Printed): HostModel.Failure => {
  const said = complaint(err) || (code === null ? "a signal ended it" : `it ended with ${code}`)
  return HostModel.failure(
    "unusable",
    `Codex could not be asked: ${said} (check that \`codex exec\` works, and that it is 0.169 or later)`
  )
}

export const read = (printed: HostModel.Printed): HostModel.Answer | HostModel.Failure => {
  const events = eventsIn(printed.out)
  const wrong = events.findLast(({ type }) => type === "turn.failed")
  if (wrong !== undefined) return failed(events, messageOf(wrong))
  if (!events.some(({ type }) => type === "turn.completed")) return neverBegan(printed)
  return textIn(events).trim() === ""
    ? HostModel.failure("unreadable", "The model's answer was empty")
    : answer(events, "stop")
}
