/**
 * A Responses API server that answers from a script, so that a host's real binary runs a session offline and the same
 * way every time.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Http from "node:http"
import { conversation, otherwise } from "./internal/director.ts"
import { readAll, send, start } from "./internal/loopbackServer.ts"
import { errorBody, events } from "./internal/responsesWire.ts"
import type * as ModelScript from "./ModelScript.ts"

/**
 * One item of a scripted answer: text, a function call, or a call of a tool that takes plain text.
 *
 * @since 0.1.0
 * @category models
 */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly source: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly namespace?: string }

/**
 * @since 0.1.0
 * @category models
 */
export type Reply = ModelScript.Reply<Block>

/**
 * @since 0.1.0
 * @category models
 */
export type Script = ModelScript.Script<Block>

const Tools = Schema.Array(Schema.Struct({ type: Schema.String, name: Schema.optional(Schema.String) }))

/** The tools stand in the body, or among the input for models that only write scripts. */
const RequestBody = Schema.Struct({
  model: Schema.String,
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

const decodeRequest = Schema.decodeUnknownEither(Schema.parseJson(RequestBody))

/**
 * The running server: its base URL, and every request it was asked so far.
 *
 * @since 0.1.0
 * @category services
 */
export class ScriptedResponses extends Context.Tag("@reflexion/testing/ScriptedResponses")<
  ScriptedResponses,
  {
    readonly url: string
    readonly requests: Effect.Effect<ReadonlyArray<ModelScript.ModelRequest>>
  }
>() {
  static readonly layer = (script: Script): Layer.Layer<ScriptedResponses, ModelScript.ServerStartError> =>
    Layer.scoped(ScriptedResponses, make(script))
}

const text = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content ?? ""))

const seen = (request: typeof RequestBody.Type): Omit<ModelScript.ModelRequest, "answeredBy"> => {
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
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  script: Script
): Effect.Effect<ScriptedResponses["Type"], ModelScript.ServerStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const { next, requests } = conversation(script, otherwise)

    const answer = (payload: string, response: Http.ServerResponse) =>
      Effect.gen(function* () {
        const decoded = decodeRequest(payload)
        if (Either.isLeft(decoded)) {
          return yield* send(response, 400, "application/json", errorBody(400, decoded.left.message))
        }
        const { id, reply } = yield* next(seen(decoded.right))
        return yield* reply.status === undefined
          ? send(response, 200, "text/event-stream", events({ id, reply }))
          : send(response, reply.status, "application/json", errorBody(reply.status, reply.error ?? "error"))
      })

    const url = yield* start((request, response) =>
      request.method === "POST" && (request.url ?? "").split("?")[0] === "/v1/responses"
        ? Effect.flatMap(readAll(request), (payload) => answer(payload, response))
        : send(response, 404, "application/json", errorBody(404, "not served here"))
    )
    return { url, requests }
  })
