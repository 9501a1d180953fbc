/** What the host says of a question, as a model's answer or as the reason why there is none. */
import type { AgentHostError } from "@reflexion/core/AgentHost"
import {
  cutOff,
  declined,
  failure,
  type ModelFailure,
  ofOthers,
  ofStatus
} from "@reflexion/core/internal/model/calls/ModelFailures"
import type { Answer } from "@reflexion/core/Model"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Either from "effect/Either"

/**
 * `refused`: the provider or the model did not answer. `deleted`: the session, or the one that it belongs to, was deleted
 * meanwhile. `unavailable`: the host did not take the question.
 */
const explanations = {
  refused: "The model did not answer: check the provider and the model in OpenCode, or name another model",
  timed_out: "The model did not answer in time: allow more time, or name a faster model",
  deleted: "The session was deleted while the model was asked",
  unavailable: "OpenCode did not take the question: check that it still runs"
} as const

export const failed = (why: keyof typeof explanations, words: string): ModelFailure => {
  const detail = words.trim() === "" ? explanations[why] : `${explanations[why]} (${words.trim()})`
  return failure(why === "timed_out" ? why : "unavailable", ofOthers(detail))
}

export const ofHost = ({ detail, message, reason }: AgentHostError): ModelFailure =>
  failed(reason === "session_gone" ? "deleted" : "unavailable", detail ?? message)

/** An error as the host keeps it with a message, headers and all. */
export const refusal = (error: unknown): ModelFailure => {
  const { data, name } = Json.object(error)
  const { message, statusCode } = Json.object(data)
  const words = Json.text(message) || Json.text(name)
  const status = Json.number(statusCode)
  return status === null ? failed("refused", words) : ofStatus(status, words)
}

const textOf = (parts: unknown): string =>
  Json.list(parts)
    .map(Json.object)
    .map((part) => (part["type"] === "text" && part["ignored"] !== true ? Json.text(part["text"]) : ""))
    .join("")

const count = (value: unknown): number => Json.number(value) ?? 0

/** The host counts what came from or went to the provider's cache, and what was thought, apart from the rest. */
const usageOf = (info: Json.Json): Answer["usage"] => {
  const tokens = Json.object(info["tokens"])
  const cache = Json.object(tokens["cache"])
  return {
    inputTokens: count(tokens["input"]) + count(cache["read"]) + count(cache["write"]),
    outputTokens: count(tokens["output"]) + count(tokens["reasoning"])
  }
}

/** What is aborted between two tries ends without an end and without an error. */
export const answerOf = ({ info: given, parts }: Json.Json): Either.Either<Answer, ModelFailure> => {
  const info = Json.object(given)
  if (Json.isObject(info["error"])) return Either.left(refusal(info["error"]))
  const text = textOf(parts)
  const known = { model: `${Json.text(info["providerID"])}/${Json.text(info["modelID"])}`, usage: usageOf(info) }
  switch (Json.string(info["finish"])) {
    case null:
    case "tool-calls":
      return Either.left(failed("refused", "the answer was cut off"))
    case "content-filter":
      return Either.left(declined(text, known))
    case "length":
      return Either.left(cutOff(known))
    case "error":
      return Either.left(
        failure("unavailable", "the provider broke the answer off with an error", { ...known, again: 0 })
      )
    default:
      return Either.right({ ...known, text })
  }
}
