/** Hooks as docs/orchestrators.md has them: a command that passes its payload to a program's socket and prints what comes. */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { HookInbox } from "@reflexion/core/HookedHost"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createServer } from "node:http"

/**
 * Takes payloads at a socket.
 *
 * @category layers
 */
export const layer = (socket: string): Layer.Layer<never, ServeError, HookInbox> =>
  HttpRouter.empty.pipe(
    HttpRouter.post(
      "/",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { deliver } = yield* HookInbox
        return HttpServerResponse.text(yield* deliver(yield* request.text))
      })
    ),
    HttpServer.serve(),
    Layer.provide(NodeHttpServer.layer(createServer, { path: socket }))
  )

/**
 * The hooks of these events, in the form that Codex and Claude Code share.
 *
 * @category constructors
 */
export const hooks = (socket: string, events: ReadonlyArray<string>) => {
  const command = `curl --silent --unix-socket '${socket}' --data-binary @- http://reflexion/`
  const all = [{ hooks: [{ type: "command", command, timeout: 330 }] }]
  return { hooks: Object.fromEntries(events.map((event) => [event, all])) }
}
