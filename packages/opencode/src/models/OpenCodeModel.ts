/** The host's own models as a `Model`. Each request is a session that is deleted after the answer. */
import * as ModelFailures from "@reflexion/core/internal/model/calls/ModelFailures"
import { asJson, Model, type Question, type Service } from "@reflexion/core/Model"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import { JudgeSession } from "./JudgeSession.ts"
import type { Prompt } from "../host/OpenCodeClient.ts"

/** Null for the session's own model. Fails with the reason if there is no model. */
export type Choose = (sessionId: string) => Effect.Effect<Prompt["model"], string>

export interface Options {
  /** If null, the session's own model is asked. */
  readonly model: Prompt["model"] | Choose
  readonly timeout: Duration.DurationInput
}

/** The fiber holds the session, not the context, because a cache in front of the model has its own context. */
const currentSession = FiberRef.unsafeMake<string | null>(null)

export const inSession: (sessionId: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = (
  sessionId
) => Effect.locally(currentSession, sessionId)

/** Null outside `inSession`. */
export const session: Effect.Effect<string | null> = FiberRef.get(currentSession)

const refused = (why: string): ModelFailures.ModelFailure => ModelFailures.failure("unavailable", why)

export const make = Effect.fnUntraced(function* ({ model: given, timeout }: Options) {
  const sessions = yield* JudgeSession
  const ask = Effect.fnUntraced(function* ({ prompt, schema, system }: Question) {
    const parentId = yield* session
    if (parentId === null) return yield* refused("The request names no session: use OpenCodeModel.inSession")
    const model = typeof given === "function" ? yield* Effect.mapError(given(parentId), refused) : given
    return yield* sessions.ask({ system, text: `${prompt}\n\n${asJson(schema)}`, parentId, model, timeout })
  })
  const service: Service = { ask }
  return service
})

export const layer = (options: Options): Layer.Layer<Model, never, JudgeSession> => Layer.effect(Model, make(options))
