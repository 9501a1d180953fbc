/** What the host says of a question, in the words of `JudgeSession`. */
import type { AgentHostError } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainText from "@reflexion/core/internal/base/text/PlainText"
import * as Redaction from "@reflexion/core/Redaction"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/**
 * `refused`: the provider or the model did not answer, `status` is its own. `timed_out`: not in the time given.
 * `deleted`: the session, or the one that it belongs to, was deleted meanwhile. `unavailable`: the host did not take the
 * question.
 *
 * @category errors
 */
export const Reason = Schema.Literal("refused", "timed_out", "deleted", "unavailable")

const explanations: Readonly<Record<typeof Reason.Type, string>> = {
  refused: "The model did not answer: check the provider and the model in OpenCode, or name another model",
  timed_out: "The model did not answer in time: allow more time, or name a faster model",
  deleted: "The session was deleted while the model was asked",
  unavailable: "OpenCode did not take the question: check that it still runs"
}

/**
 * Why there is no answer. Of what the provider sent it holds the status and the message, and no header.
 *
 * @category errors
 */
export class JudgeSessionError extends Schema.TaggedError<JudgeSessionError>("@reflexion/opencode/JudgeSessionError")(
  "JudgeSessionError",
  { reason: Reason, detail: Schema.String, status: Schema.NullOr(Schema.Number) }
) {
  override get message() {
    return this.detail === "" ? explanations[this.reason] : `${explanations[this.reason]} (${this.detail})`
  }
}

/**
 * Token counts as the host has them: `input` without what came from or went to the provider's cache, `output` without
 * `reasoning`.
 *
 * @category models
 */
export interface Tokens {
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/**
 * `finish` in the host's words; `cost` in dollars, by the host's own prices.
 *
 * @category models
 */
export interface Answer {
  readonly text: string
  readonly finish: string
  readonly providerID: string
  readonly modelID: string
  readonly tokens: Tokens
  readonly cost: number
}

const safe = (text: string): string => Redaction.redact(PlainText.clean(text)).trim().slice(0, 300)

export const failure = (reason: typeof Reason.Type, detail: string, status: number | null = null) =>
  new JudgeSessionError({ reason, detail: safe(detail), status })

export const ofHost = ({ detail, message, reason }: AgentHostError): JudgeSessionError =>
  failure(reason === "session_gone" ? "deleted" : "unavailable", detail ?? message)

/** An error as the host keeps it with a message, headers and all. */
export const refusal = (error: unknown): JudgeSessionError => {
  const { data, name } = Json.object(error)
  const { message, statusCode } = Json.object(data)
  return failure("refused", Json.text(message) || Json.text(name), Json.number(statusCode))
}

const textOf = (parts: unknown): string =>
  Json.list(parts)
    .map(Json.object)
    .map((part) => (part["type"] === "text" && part["ignored"] !== true ? Json.text(part["text"]) : ""))
    .join("")

const count = (value: unknown): number => Json.number(value) ?? 0

const tokensOf = (info: Json.Json): Tokens => {
  const tokens = Json.object(info["tokens"])
  const cache = Json.object(tokens["cache"])
  return {
    input: count(tokens["input"]),
    output: count(tokens["output"]),
    reasoning: count(tokens["reasoning"]),
    cacheRead: count(cache["read"]),
    cacheWrite: count(cache["write"])
  }
}

/** What is aborted between two tries ends without an end and without an error. */
export const answerOf = ({ info: given, parts }: Json.Json): Either.Either<Answer, JudgeSessionError> => {
  const info = Json.object(given)
  if (Json.isObject(info["error"])) return Either.left(refusal(info["error"]))
  const text = textOf(parts)
  const finish = Json.string(info["finish"])
  if (finish === null || finish === "tool-calls") return Either.left(failure("refused", "the answer was cut off"))
  if (text.trim() === "") return Either.left(failure("refused", `an empty answer, finished by "${finish}"`))
  return Either.right({
    text,
    finish,
    providerID: Json.text(info["providerID"]),
    modelID: Json.text(info["modelID"]),
    tokens: tokensOf(info),
    cost: count(info["cost"])
  })
}
