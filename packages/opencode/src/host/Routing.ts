/** Who goes on with a task where the configuration names a model for it. */
import type { Injection } from "@reflexion/core/AgentHost"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "./OpenCodeClient.ts"

/** A model that the host does not have would take the feedback and say nothing: the session's own goes on then. */
export const routed = Effect.fnUntraced(function* (injection: Injection) {
  const { model, ...rest } = injection
  if (model === undefined) return injection
  const client = yield* OpenCodeClient
  const known = yield* Effect.orElseSucceed(client.models, () => new Set<string>())
  if (known.has(model)) return injection
  yield* Effect.logWarning(`OpenCode has no model ${model}, which the configuration's routing names`)
  return rest
})
