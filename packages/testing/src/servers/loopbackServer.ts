/** An HTTP server on a free loopback port that answers whole bodies. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Http from "node:http"
import { ServerStartError } from "./ModelScript.ts"

export const readAll = (request: Http.IncomingMessage) =>
  Effect.async<string, Error>((resume) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
    request.on("error", (error) => resume(Effect.fail(error)))
  })

interface Content {
  readonly status: number
  readonly type: string
  readonly content: string
  readonly headers?: Readonly<Record<string, string>>
  /** More is to come, and never does. */
  readonly open?: boolean
}

export const send = (response: Http.ServerResponse, { content, headers, open, status, type }: Content) =>
  Effect.sync(() => {
    response.writeHead(status, { "content-type": type, ...headers })
    if (open === true) response.write(content)
    else response.end(content)
  })

/** Promises a whole body and closes the connection in the middle of it. */
export const breakOff = (
  response: Http.ServerResponse,
  { after, content, type }: { readonly after: number; readonly content: string; readonly type: string }
) =>
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

type Handler = (request: Http.IncomingMessage, response: Http.ServerResponse) => Effect.Effect<void, Error>

/** Starts it and gives its URL; it stops with the scope. */
export const start = (handle: Handler): Effect.Effect<string, ServerStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Http.createServer((request, response) => void runFork(Effect.ignoreLogged(handle(request, response))))
      ),
      close
    )
    return yield* listen(server)
  })
