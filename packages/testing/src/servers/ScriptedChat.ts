/**
 * A chat completions server, as providers that are compatible with OpenAI's offer it, that answers from a script, so that
 * a host's real binary runs a session offline and the same way every time.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { body, errorBody, events, type Block } from "./chatWire.ts"
import { serve } from "./scriptedServer.ts"
import type * as ModelScript from "./ModelScript.ts"

export type { Block } from "./chatWire.ts"

export type Reply = ModelScript.Reply<Block>

export type Script = ModelScript.Script<Block>

const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  tools: Schema.optionalWith(Schema.Array(Schema.Struct({ function: Schema.Struct({ name: Schema.String }) })), {
    default: () => []
  }),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.optional(Schema.Unknown) }))
})

export class ScriptedChat extends Context.Tag("@reflexion/testing/ScriptedChat")<ScriptedChat, ModelScript.Server>() {
  static readonly layer = (script: Script): Layer.Layer<ScriptedChat, ModelScript.ServerStartError> =>
    Layer.scoped(ScriptedChat, make(script))
}

const text = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content ?? ""))

const seen = ({ messages, model, tools }: typeof RequestBody.Type): ModelScript.RequestFacts => {
  const of = (wanted: string) => messages.filter(({ role }) => role === wanted).map(({ content }) => text(content))
  const users = of("user")
  return {
    model,
    system: of("system").join("\n"),
    tools: tools.map((tool) => tool.function.name),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    lastOutput: of("tool").at(-1) ?? "",
    conversation: JSON.stringify(messages),
    messages: messages.length
  }
}

/**
 * Starts a server on a free loopback port; it stops with the scope. Its API's base is `/v1`.
 *
 * @category constructors
 */
export const make = (script: Script): Effect.Effect<ModelScript.Server, ModelScript.ServerStartError, Scope.Scope> =>
  serve(script, {
    path: "/v1/chat/completions",
    body: RequestBody,
    seen,
    write: ({ body: { model, stream }, id, reply }) =>
      stream
        ? { type: "text/event-stream", ...events({ id, model, reply }) }
        : { type: "application/json", content: body({ id, model, reply }) },
    errorBody
  })
