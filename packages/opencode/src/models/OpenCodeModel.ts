/** The host's own models as a `Model`, with no key of ours. Every request is a session that is gone after its answer. */
import * as ModelFailures from "@reflexion/core/internal/model/calls/ModelFailures"
import { asJson, Model, type Question, type Service } from "@reflexion/core/Model"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import { JudgeSession } from "./JudgeSession.ts"
import type { Prompt } from "../host/OpenCodeClient.ts"

/** Which model is asked about a session, null for that session's own; or why none is. */
export type Choose = (sessionId: string) => Effect.Effect<Prompt["model"], string>

/** With a null `model` it is the one of the session that the request is about. `timeout` is for one answer. */
export interface Options {
  readonly model: Prompt["model"] | Choose
  readonly timeout: Duration.DurationInput
}

/** Of the fiber, not of the context: a cache between the question and the model has a context of its own. */
const currentSession = FiberRef.unsafeMake<string | null>(null)

/** Says of all requests in an effect which session they are about. */
export const inSession: (sessionId: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = (
  sessionId
) => Effect.locally(currentSession, sessionId)

/** Which session requests are about here, null where `inSession` has named none. */
export const session: Effect.Effect<string | null> = FiberRef.get(currentSession)

const refused = (why: string): ModelFailures.ModelFailure => ModelFailures.failure("unavailable", why)

/** The model as a service, for a program that has several. */
export const make = Effect.fnUntraced(function* ({ model: given, timeout }: Options) {
  const sessions = yield* JudgeSession
  const ask = Effect.fnUntraced(function* ({ prompt, schema, system }: Question) {
    const parentId = yield* session
    if (parentId === null)
      return yield* refused("No session was named that the request is about: use OpenCodeModel.inSession")
    const model = typeof given === "function" ? yield* Effect.mapError(given(parentId), refused) : given
    return yield* sessions.ask({ system, text: `${prompt}\n\n${asJson(schema)}`, parentId, model, timeout })
  })
  const service: Service = { ask }
  return service
})

/** Requests are about the session that `inSession` names. */
export const layer = (options: Options): Layer.Layer<Model, never, JudgeSession> => Layer.effect(Model, make(options))
