/**
 * A Messages API server that answers from a script, so that a host's real binary runs a session offline and the same
 * way every time.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Http from "node:http"
import { body, errorBody, events } from "./internal/anthropicWire.ts"

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
 * One answer of the model. With `status` it is an HTTP error whose message is `error`; `delay` comes before either.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reply {
  readonly content?: ReadonlyArray<Block>
  readonly stopReason?: "end_turn" | "tool_use" | "max_tokens" | "refusal"
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number }
  readonly delay?: Duration.DurationInput
  readonly status?: number
  readonly error?: string
}

/**
 * Answers for the requests that `when` accepts, in order; the last is repeated. Rules come before the turns: they
 * catch subagents, summaries and titles, which a host asks for at times of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rule {
  readonly name: string
  readonly when: (request: ModelRequest) => boolean
  readonly replies: readonly [Reply, ...ReadonlyArray<Reply>]
}

/**
 * What the model says: `turns` answer the requests of the main conversation one after the other.
 *
 * @since 0.1.0
 * @category models
 */
export interface Script {
  readonly turns: ReadonlyArray<Reply>
  readonly rules?: ReadonlyArray<Rule>
}

/**
 * A request as the script sees it. `answeredBy` is the rule's name, `turn <n>`, `auxiliary` for a request without tools
 * that no rule caught, or `unscripted` once the turns ran out.
 *
 * @since 0.1.0
 * @category models
 */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly tools: ReadonlyArray<string>
  readonly firstUser: string
  readonly lastUser: string
  readonly messages: number
  readonly answeredBy: string
}

const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  system: Schema.optional(Schema.Unknown),
  tools: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String })), { default: () => [] }),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.Unknown }))
})

const decodeRequest = Schema.decodeUnknownEither(Schema.parseJson(RequestBody))

/**
 * @since 0.1.0
 * @category errors
 */
export class ServerStartError extends Data.TaggedError("ServerStartError")<{ readonly cause: unknown }> {
  override get message() {
    return `The scripted model server could not listen on the loopback interface: ${String(this.cause)}`
  }
}

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
    readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>>
  }
>() {
  static readonly layer = (script: Script): Layer.Layer<ScriptedAnthropic, ServerStartError> =>
    Layer.scoped(ScriptedAnthropic, make(script))
}

const auxiliary: Reply = { content: [{ text: "Ready." }] }
const unscripted: Reply = { content: [{ text: "The script has no further answer." }] }

/** Chooses answers: rules first, then the turns for requests that bring tools. */
const director = (script: Script) => {
  const used = new Map<Rule, number>()
  let turn = 0
  return (request: ModelRequest): { readonly reply: Reply; readonly answeredBy: string } => {
    const rule = script.rules?.find((candidate) => candidate.when(request))
    if (rule !== undefined) {
      const index = used.get(rule) ?? 0
      used.set(rule, index + 1)
      return { reply: rule.replies[Math.min(index, rule.replies.length - 1)] ?? rule.replies[0], answeredBy: rule.name }
    }
    if (request.tools.length === 0) return { reply: auxiliary, answeredBy: "auxiliary" }
    const reply = script.turns[turn]
    if (reply === undefined) return { reply: unscripted, answeredBy: "unscripted" }
    turn += 1
    return { reply, answeredBy: `turn ${turn}` }
  }
}

const seen = (input: typeof RequestBody.Type): ModelRequest => {
  const users = input.messages.filter((message) => message.role === "user").map((message) => text(message.content))
  return {
    model: input.model,
    system: text(input.system),
    tools: input.tools.map((tool) => tool.name),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    messages: input.messages.length,
    answeredBy: ""
  }
}

const text = (content: unknown): string =>
  typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content)

const readAll = (request: Http.IncomingMessage) =>
  Effect.async<string, Error>((resume) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
    request.on("error", (error) => resume(Effect.fail(error)))
  })

const send = (response: Http.ServerResponse, status: number, type: string, content: string) =>
  Effect.sync(() => {
    response.writeHead(status, { "content-type": type })
    response.end(content)
  })

const listen = (server: Http.Server) =>
  Effect.async<string, ServerStartError>((resume) => {
    server.once("error", (cause) => resume(Effect.fail(new ServerStartError({ cause }))))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(
        address !== null && typeof address === "object"
          ? Effect.succeed(`http://127.0.0.1:${address.port}`)
          : Effect.fail(new ServerStartError({ cause: "no port" }))
      )
    })
  })

const close = (server: Http.Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/**
 * Starts a server on a free loopback port; it stops with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (script: Script): Effect.Effect<ScriptedAnthropic["Type"], ServerStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const log: Array<ModelRequest> = []
    const direct = director(script)

    const answer = (payload: string, response: Http.ServerResponse) =>
      Effect.gen(function* () {
        const decoded = decodeRequest(payload)
        if (Either.isLeft(decoded)) {
          return yield* send(response, 400, "application/json", errorBody(400, decoded.left.message))
        }
        const request = seen(decoded.right)
        const { answeredBy, reply } = direct(request)
        const id = log.push({ ...request, answeredBy })
        yield* Effect.sleep(Option.getOrElse(Option.fromNullable(reply.delay), () => Duration.zero))
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

    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Http.createServer((request, response) => void runFork(Effect.ignoreLogged(handle(request, response))))
      ),
      close
    )
    const url = yield* listen(server)
    return { url, requests: Effect.sync(() => [...log]) }
  })
