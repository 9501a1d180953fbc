/**
 * A Messages API server that answers from a script, so that a host's real binary runs a session offline and the same
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
import { body, errorBody, events } from "./internal/anthropicWire.ts"
import { conversation, otherwise } from "./internal/director.ts"
import { readAll, send, start } from "./internal/loopbackServer.ts"
import type * as ModelScript from "./ModelScript.ts"

/**
 * One block of a scripted answer: text, or a call of one of the host's tools.
 *
 * @since 0.1.0
 * @category models
 */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

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

const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  system: Schema.optional(Schema.Unknown),
  tools: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String })), { default: () => [] }),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.Unknown }))
})

const decodeRequest = Schema.decodeUnknownEither(Schema.parseJson(RequestBody))

/**
 * The running server: its base URL, and every request it was asked so far.
 *
 * @since 0.1.0
 * @category services
 */
export class ScriptedAnthropic extends Context.Tag("@reflexion/testing/ScriptedAnthropic")<
  ScriptedAnthropic,
  {
    readonly url: string
    readonly requests: Effect.Effect<ReadonlyArray<ModelScript.ModelRequest>>
  }
>() {
  static readonly layer = (script: Script): Layer.Layer<ScriptedAnthropic, ModelScript.ServerStartError> =>
    Layer.scoped(ScriptedAnthropic, make(script))
}

const seen = (input: typeof RequestBody.Type): Omit<ModelScript.ModelRequest, "answeredBy"> => {
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
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  script: Script
): Effect.Effect<ScriptedAnthropic["Type"], ModelScript.ServerStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const { next, requests } = conversation(script, otherwise)

    const answer = (payload: string, response: Http.ServerResponse) =>
      Effect.gen(function* () {
        const decoded = decodeRequest(payload)
        if (Either.isLeft(decoded)) {
          return yield* send(response, 400, "application/json", errorBody(400, decoded.left.message))
        }
        const request = seen(decoded.right)
        const { id, reply } = yield* next(request)
        if (reply.status !== undefined) {
          return yield* send(
            response,
            reply.status,
            "application/json",
            errorBody(reply.status, reply.error ?? "error")
          )
        }
        return yield* decoded.right.stream
          ? send(response, 200, "text/event-stream", events({ id, model: request.model, reply }))
          : send(response, 200, "application/json", body({ id, model: request.model, reply }))
      })

    const handle = (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const path = (request.url ?? "").split("?")[0]
      if (request.method === "POST" && path === "/v1/messages") {
        return Effect.flatMap(readAll(request), (payload) => answer(payload, response))
      }
      if (request.method === "POST" && path === "/v1/messages/count_tokens") {
        return send(response, 200, "application/json", `{"input_tokens":100}`)
      }
      return request.method === "HEAD"
        ? send(response, 200, "application/json", "")
        : send(response, 404, "application/json", errorBody(404, "not served here"))
    }

    const url = yield* start(handle)
    return { url, requests }
  })
