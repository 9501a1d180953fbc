/** How the feedback is said: as the session itself goes on, and marked as ours. */
import type { Injection } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as Mark from "../decoder/Mark.ts"
import type { Prompt } from "./OpenCodeClient.ts"

/** `userMessageId`: the last message of a person's. */
export interface Last {
  readonly userMessageId: string | null
  readonly agent: string | null
  readonly model: Prompt["model"]
  readonly variant: string | null
}

export const idOf = (message: unknown): string | null => Json.string(Json.object(Json.object(message)["info"])["id"])

const modelOf = (info: Json.Json): Prompt["model"] => {
  const model = Json.object(info["model"])
  const [providerID, modelID] = [Json.string(model["providerID"]), Json.string(model["modelID"])]
  return providerID === null || modelID === null ? null : { providerID, modelID }
}

const isOurs = (message: Json.Json): boolean =>
  Json.list(message["parts"]).some((part) => Mark.isFeedbackPart(Json.object(part)))

const isHarness = (message: Json.Json): boolean =>
  Json.list(message["parts"])
    .map(Json.object)
    .every((part) => part["synthetic"] === true || part["type"] === "compaction")

const nobody: Last = { userMessageId: null, agent: null, model: null, variant: null }

/** `before`: what was known of the messages before these. */
export const lastOf = (messages: ReadonlyArray<unknown>, before: Last = nobody): Last => {
  const users = messages.map(Json.object).filter((message) => Json.object(message["info"])["role"] === "user")
  if (users.length === 0) return before
  const latest = Json.object(users.at(-1)?.["info"])
  const genuine = users.findLast((message) => !isOurs(message) && !isHarness(message))
  return {
    userMessageId: Json.string(Json.object(genuine?.["info"])["id"]) ?? before.userMessageId,
    agent: Json.string(latest["agent"]),
    model: modelOf(latest),
    variant: Json.string(Json.object(latest["model"])["variant"]) ?? Json.string(latest["variant"])
  }
}

/** How hard it thinks is said in a model's own words: those of one mean nothing to another. */
const chosen = (name: string | undefined, last: Last): Pick<Prompt, "model" | "variant"> => {
  const named = name === undefined ? null : ModelRouting.parse(name)
  if (named === null) return { model: last.model, variant: last.variant }
  const model = { providerID: named.provider, modelID: named.model }
  const same = model.providerID === last.model?.providerID && model.modelID === last.model.modelID
  return { model, variant: same ? last.variant : null }
}

/** The feedback as a message, with the agent and the model that the session has. */
export const promptOf = ({ attempt, maxAttempts, model, reviewId, text }: Injection, last: Last): Prompt => ({
  text,
  metadata: Mark.feedback({ attempt, maxAttempts, reviewId }),
  agent: last.agent,
  ...chosen(model, last),
  noReply: false
})

export const hasReview = (messages: ReadonlyArray<unknown>, reviewId: string): boolean =>
  messages
    .flatMap((message) => Json.list(Json.object(message)["parts"]))
    .some((part) => Mark.reviewOf(Json.object(part)["metadata"]) === reviewId)
