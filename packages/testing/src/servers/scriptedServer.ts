/** The common part of the scripted servers: chooses the answer, and writes it in the protocol's form. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Http from "node:http"
import {
  type ModelRequest,
  type Reply,
  type RequestFacts,
  type Rule,
  type Script,
  type Server,
  ServerStartError
} from "./ModelScript.ts"

/** With `open`, the connection stays open after the content. */
interface WrittenAnswer {
  readonly type: "text/event-stream" | "application/json"
  readonly content: string
  readonly open?: boolean
}

interface Text {
  readonly text: string
}

interface Protocol<Block, Body, Encoded> {
  readonly path: string | RegExp
  readonly body: Schema.Schema<Body, Encoded>
  readonly seen: (body: Body, url: string) => RequestFacts
  readonly write: (answer: {
    readonly id: number
    readonly reply: Reply<Block | Text>
    readonly body: Body
    readonly url: string
  }) => WrittenAnswer
  readonly errorBody: (status: number, message: string, retryAfterMillis?: number) => string
  /** Answers to other requests, by method and path. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

export const textOf = (content: unknown): string =>
  typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content)

export const padded = (id: number): string => String(id).padStart(4, "0")

export const inputTokens = ({ usage }: Reply<unknown>): number => usage?.input_tokens ?? 1200

export const outputTokens = ({ content = [], usage }: Reply<unknown>): number =>
  usage?.output_tokens ?? Math.max(1, Math.ceil(JSON.stringify(content).length / 4))

export const serverEvent = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const auxiliary = { content: [{ text: "Ready." }] }

const unscripted = { content: [{ text: "The script has no further answer." }] }

/** Rules come first, then the turns if the request has tools. */
const director = <Block>(script: Script<Block | Text>) => {
  const used = new Map<Rule<Block | Text>, number>()
  let turn = 0
  return (request: ModelRequest): { readonly reply: Reply<Block | Text>; readonly answeredBy: string } => {
    const rule = script.rules?.find((candidate) => candidate.when(request))
    if (rule !== undefined) {
      const index = used.get(rule) ?? 0
      used.set(rule, index + 1)
      return { reply: rule.replies[Math.min(index, rule.replies.length - 1)] ?? rule.replies[0], answeredBy: rule.name }
    }
    if (request.tools.length === 0) return { reply: auxiliary, answeredBy: "auxiliary" }
    const scripted = script.turns[turn]
    if (scripted === undefined) return { reply: unscripted, answeredBy: "unscripted" }
    turn += 1
    return { reply: typeof scripted === "function" ? scripted(request) : scripted, answeredBy: `turn ${turn}` }
  }
}

const readAll = (request: Http.IncomingMessage) =>
  Effect.async<string, Error>((resume) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
    request.on("error", (error) => resume(Effect.fail(error)))
  })

const send = (
  response: Http.ServerResponse,
  { content, open, type }: WrittenAnswer,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.sync(() => {
    response.writeHead(status, { "content-type": type, ...headers })
    if (open === true) response.write(content)
    else response.end(content)
  })

/** Announces a whole body and closes the connection in the middle. */
const breakOff = (response: Http.ServerResponse, { content, type }: WrittenAnswer, after: number) =>
  Effect.async<void>((resume) => {
    response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(content) })
    response.write(content.slice(0, after), () => {
      response.destroy()
      resume(Effect.void)
    })
  })

const listen = (server: Http.Server) =>
  Effect.async<string, ServerStartError>((resume) => {
    server.once("error", (cause) => resume(Effect.fail(new ServerStartError({ cause }))))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = address !== null && typeof address === "object" ? address.port : 0
      resume(Effect.succeed(`http://127.0.0.1:${port}`))
    })
  })

const close = (server: Http.Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

const headersOf = ({ headers }: Http.IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]))

const retryHeaders = ({ retryAfter, retryAfterMillis }: Reply<unknown>): Readonly<Record<string, string>> => ({
  ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  ...(retryAfterMillis === undefined ? {} : { "retry-after-ms": String(retryAfterMillis) })
})

const json = "application/json"

/** Uses a free loopback port. The server ends with the scope. */
export const serve = <Block, Body, Encoded>(
  script: Script<Block>,
  protocol: Protocol<Block, Body, Encoded>
): Effect.Effect<Server, ServerStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const log: Array<ModelRequest> = []
    const direct = director<Block>(script)
    const decode = Schema.decodeUnknownEither(Schema.parseJson(protocol.body))
    const refuse = (response: Http.ServerResponse, status: number, message: string, reply: Reply<unknown> = {}) => {
      const content = protocol.errorBody(status, message, reply.retryAfterMillis)
      return send(response, { type: json, content }, status, retryHeaders(reply))
    }

    const answer = (
      url: string,
      payload: string,
      headers: Readonly<Record<string, string>>,
      response: Http.ServerResponse
    ) =>
      Effect.gen(function* () {
        const decoded = decode(payload)
        if (Either.isLeft(decoded)) return yield* refuse(response, 400, decoded.left.message)
        const request = { ...protocol.seen(decoded.right, url), headers, payload, answeredBy: "" }
        const { answeredBy, reply } = direct(request)
        const id = log.push({ ...request, answeredBy }) + (script.first ?? 1) - 1
        yield* script.before?.(request) ?? Effect.void
        yield* Effect.sleep(reply.delay ?? Duration.zero)
        if (reply.status !== undefined) {
          return yield* refuse(response, reply.status, reply.error ?? "error", reply)
        }
        const written: WrittenAnswer =
          reply.raw === undefined
            ? protocol.write({ id, reply, body: decoded.right, url })
            : { type: json, content: reply.raw }
        if (reply.brokenAfter !== undefined) return yield* breakOff(response, written, reply.brokenAfter)
        return yield* send(response, written)
      })

    const handle = (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const url = (request.url ?? "").split("?")[0] ?? ""
      const asked = `${request.method ?? ""} ${url}`
      const { path } = protocol
      if (request.method === "POST" && (typeof path === "string" ? url === path : path.test(url))) {
        return Effect.flatMap(readAll(request), (payload) => answer(url, payload, headersOf(request), response))
      }
      const content = protocol.elsewhere?.[asked]
      return content === undefined ? refuse(response, 404, "not served here") : send(response, { type: json, content })
    }
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Http.createServer((request, response) => void runFork(Effect.ignoreLogged(handle(request, response))))
      ),
      close
    )
    return { url: yield* listen(server), requests: Effect.sync((): ReadonlyArray<ModelRequest> => [...log]) }
  })
