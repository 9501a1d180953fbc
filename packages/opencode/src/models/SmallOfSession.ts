/** Which small model is asked about a session, by what is set up in the host now. */
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import * as OpenCodeRecord from "../host/OpenCodeRecord.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as SmallModel from "./SmallModel.ts"

/** What the user's own files of the host call `small_model`, the weightiest last. */
export type Own = () => ReadonlyArray<string>

export interface Options {
  readonly fast: Readonly<Record<string, ReadonlyArray<string>>>
  readonly own: Own
}

export const unknown = "OpenCode does not say which provider the session is with"

export const none = (provider: string): string =>
  `OpenCode has no small model of the provider ${provider}: name one as "small_model" in OpenCode's configuration`

/** Fails with the reason where there is none. */
export const of = Effect.fnUntraced(function* (sessionId: string, { fast, own }: Options) {
  const client = yield* OpenCodeClient
  const silent = <A, E, R>(asking: Effect.Effect<A, E, R>) => Effect.mapError(asking, () => unknown)
  const model = yield* silent(OpenCodeRecord.modelOf(sessionId))
  if (model === null) return yield* Effect.fail(unknown)
  const { providerID } = model
  const [config, providers] = yield* silent(Effect.all([client.config, client.providers]))
  const configured = Json.string(config["small_model"])
  const known = { ...ModelRouting.fastModels, ...fast }
  const found = SmallModel.of(providerID, { providers, configured, own: own(), fast: known })
  return found ?? (yield* Effect.fail(none(providerID)))
})
