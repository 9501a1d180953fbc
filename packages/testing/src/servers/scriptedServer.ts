/** What the scripted servers share: a request is read, answered from the script, and written as its protocol has it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Http from "node:http"
import type { Reply, Script, RequestFacts, Server, ServerStartError } from "./ModelScript.ts"
import { conversation, otherwise } from "./director.ts"
import { breakOff, readAll, send, start } from "./loopbackServer.ts"

/** How an answer is written: with `open`, the host is left waiting for more. */
export interface WrittenAnswer {
  readonly type: "text/event-stream" | "application/json"
  readonly content: string
  readonly open?: boolean
}

/** The one block that every protocol has. */
interface Text {
  readonly text: string
}

interface Protocol<Block, Body, Encoded> {
  /** Where the model is asked. */
  readonly path: string
  readonly body: Schema.Schema<Body, Encoded>
  readonly seen: (body: Body) => RequestFacts
  readonly write: (answer: {
    readonly id: number
    readonly reply: Reply<Block | Text>
    readonly body: Body
  }) => WrittenAnswer
  readonly errorBody: (status: number, message: string) => string
  /** Answers to other requests, by method and path. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

const json = "application/json"

/** The headers as one text each. */
const headersOf = ({ headers }: Http.IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]))

const retryHeaders = ({ retryAfter, retryAfterMillis }: Reply<unknown>): Readonly<Record<string, string>> => ({
  ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  ...(retryAfterMillis === undefined ? {} : { "retry-after-ms": String(retryAfterMillis) })
})

/** Starts a server on a free loopback port; it stops with the scope. */
export const serve = <Block, Body, Encoded>(
  script: Script<Block>,
  protocol: Protocol<Block, Body, Encoded>
): Effect.Effect<Server, ServerStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const { next, requests } = conversation<Block | Text>(script, otherwise)
    const decode = Schema.decodeUnknownEither(Schema.parseJson(protocol.body))
    const refuse = (response: Http.ServerResponse, status: number, message: string, headers = {}) =>
      send(response, { status, type: json, content: protocol.errorBody(status, message), headers })

    const answer = (payload: string, headers: Readonly<Record<string, string>>, response: Http.ServerResponse) =>
      Effect.gen(function* () {
        const decoded = decode(payload)
        if (Either.isLeft(decoded)) return yield* refuse(response, 400, decoded.left.message)
        const { id, reply } = yield* next({ ...protocol.seen(decoded.right), headers, payload })
        if (reply.status !== undefined) {
          return yield* refuse(response, reply.status, reply.error ?? "error", retryHeaders(reply))
        }
        const written: WrittenAnswer =
          reply.raw === undefined
            ? protocol.write({ id, reply, body: decoded.right })
            : { type: json, content: reply.raw }
        if (reply.brokenAfter !== undefined) return yield* breakOff(response, { ...written, after: reply.brokenAfter })
        return yield* send(response, { status: 200, ...written })
      })

    const url = yield* start((request, response) => {
      const asked = `${request.method ?? ""} ${(request.url ?? "").split("?")[0] ?? ""}`
      if (asked === `POST ${protocol.path}`) {
        return Effect.flatMap(readAll(request), (payload) => answer(payload, headersOf(request), response))
      }
      const content = protocol.elsewhere?.[asked]
      return content === undefined
        ? refuse(response, 404, "not served here")
        : send(response, { status: 200, type: json, content })
    })
    return { url, requests }
  })
