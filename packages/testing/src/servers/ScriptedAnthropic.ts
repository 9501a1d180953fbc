/**
 * A Messages API server that answers from a script, so that a host's real binary runs a session offline and the same
 * way every time.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { body, errorBody, events, type Block } from "./anthropicWire.ts"
import { serve } from "./scriptedServer.ts"
import type * as ModelScript from "./ModelScript.ts"

export type { Block, Reply } from "./anthropicWire.ts"

export type Script = ModelScript.Script<Block>

const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  system: Schema.optional(Schema.Unknown),
  tools: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String })), { default: () => [] }),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.Unknown }))
})

/**
 * @example
 * ```ts
 * import { type ModelRequest, say } from "@reflexion/testing/servers/ModelScript"
 * import { ScriptedAnthropic } from "@reflexion/testing/servers/ScriptedAnthropic"
 * import { Model } from "@reflexion/core/Model"
 * import * as ProviderModel from "@reflexion/core/ProviderModel"
 * import { Effect, Layer, Redacted } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { ask } = yield* Model
 *   const { text } = yield* ask({
 *     purpose: "judge",
 *     system: "You judge work.",
 *     prompt: "Are you done?",
 *     schema: { type: "object" },
 *     objectName: "answer",
 *     maxOutputTokens: null
 *   })
 *   console.log(text) // => The tests pass.
 *   const { requests } = yield* ScriptedAnthropic
 *   console.log((yield* requests).length) // => 1
 * })
 *
 * const asked = {
 *   name: "asked whether it is done",
 *   when: ({ lastUser }: ModelRequest) => lastUser.includes("done"),
 *   replies: [say("The tests pass.")]
 * } as const
 *
 * // Instead of Anthropic's own address, the server's.
 * const ModelLive = Layer.unwrapEffect(
 *   Effect.map(ScriptedAnthropic, ({ url }) =>
 *     ProviderModel.layer({ api: "anthropic", url, model: "claude-sonnet-4-5", apiKey: Redacted.make("no key") })
 *   )
 * )
 *
 * const MainLive = Layer.provideMerge(ModelLive, ScriptedAnthropic.layer({ turns: [], rules: [asked] }))
 *
 * await Effect.runPromise(Effect.provide(program, MainLive))
 * ```
 *
 * @category services
 */
export class ScriptedAnthropic extends Context.Tag("@reflexion/testing/ScriptedAnthropic")<
  ScriptedAnthropic,
  ModelScript.Server
>() {
  static readonly layer = (script: Script): Layer.Layer<ScriptedAnthropic, ModelScript.ServerStartError> =>
    Layer.scoped(ScriptedAnthropic, make(script))
}

const seen = (input: typeof RequestBody.Type): ModelScript.RequestFacts => {
  const users = input.messages.filter((message) => message.role === "user").map((message) => text(message.content))
  return {
    model: input.model,
    system: text(input.system),
    tools: input.tools.map((tool) => tool.name),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    lastOutput: users.at(-1) ?? "",
    conversation: JSON.stringify(input.messages),
    messages: input.messages.length
  }
}

const text = (content: unknown): string =>
  typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content)

/**
 * Starts a server on a free loopback port; it stops with the scope.
 *
 * @category constructors
 */
export const make = (script: Script): Effect.Effect<ModelScript.Server, ModelScript.ServerStartError, Scope.Scope> =>
  serve(script, {
    path: "/v1/messages",
    body: RequestBody,
    seen,
    write: ({ body: { model, stream }, id, reply }) =>
      stream
        ? { type: "text/event-stream", content: events({ id, model, reply }) }
        : { type: "application/json", content: body({ id, model, reply }) },
    errorBody,
    elsewhere: { "POST /v1/messages/count_tokens": `{"input_tokens":100}`, "HEAD /": "" }
  })
