/**
 * A Responses API server that answers from a script, so that a host's real binary runs a session offline and the same
 * way every time.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { body, errorBody, events, type Block } from "./responsesWire.ts"
import { serve } from "./scriptedServer.ts"
import type * as ModelScript from "./ModelScript.ts"

export type { Block, Reply } from "./responsesWire.ts"

export type Script = ModelScript.Script<Block>

const Tools = Schema.Array(Schema.Struct({ type: Schema.String, name: Schema.optional(Schema.String) }))

/** The tools stand in the body, or among the input for models that only write scripts. */
const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  instructions: Schema.optionalWith(Schema.String, { default: () => "" }),
  tools: Schema.optionalWith(Tools, { default: () => [] }),
  input: Schema.Array(
    Schema.Struct({
      role: Schema.optional(Schema.String),
      content: Schema.optional(Schema.Unknown),
      output: Schema.optional(Schema.Unknown),
      tools: Schema.optional(Tools)
    })
  )
})

export class ScriptedResponses extends Context.Tag("@reflexion/testing/ScriptedResponses")<
  ScriptedResponses,
  ModelScript.Server
>() {
  static readonly layer = (script: Script): Layer.Layer<ScriptedResponses, ModelScript.ServerStartError> =>
    Layer.scoped(ScriptedResponses, make(script))
}

const text = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content ?? ""))

const seen = (request: typeof RequestBody.Type): ModelScript.RequestFacts => {
  const users = request.input.filter(({ role }) => role === "user").map(({ content }) => text(content))
  return {
    model: request.model,
    system: request.instructions,
    tools: [...request.tools, ...request.input.flatMap(({ tools }) => tools ?? [])].map(
      ({ name, type }) => name ?? type
    ),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    lastOutput: text(request.input.findLast(({ output }) => output !== undefined)?.output),
    conversation: JSON.stringify(request.input),
    messages: request.input.length
  }
}

/**
 * Starts a server on a free loopback port; it stops with the scope.
 *
 * @category constructors
 */
export const make = (script: Script): Effect.Effect<ModelScript.Server, ModelScript.ServerStartError, Scope.Scope> =>
  serve(script, {
    path: "/v1/responses",
    body: RequestBody,
    seen,
    write: ({ body: { model, stream }, id, reply }) =>
      stream
        ? { type: "text/event-stream", content: events({ id, reply }) }
        : { type: "application/json", content: body({ id, model, reply }) },
    errorBody
  })
