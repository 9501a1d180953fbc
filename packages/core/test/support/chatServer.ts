import { Effect, Schema, type Scope } from "effect"
import * as http from "node:http"

export const question = {
  purpose: "self_assessment",
  system: "You judge.",
  prompt: "Is it done?",
  schema: Schema.Struct({ done: Schema.Boolean }),
  objectName: "verdict"
} as const

export interface SeenRequest {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly model: string | null
}

export interface Answer {
  readonly status?: number
  readonly body: unknown
  readonly hangs?: boolean
}

export const completion = (
  text: string,
  { finish = "stop", tokens = 100 }: { readonly finish?: string; readonly tokens?: number } = {}
): Answer => ({
  body: {
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "served-1",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }],
    usage: { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 }
  }
})

const read = async (request: http.IncomingMessage): Promise<string> => {
  let text = ""
  for await (const piece of request) text += String(piece)
  return text
}

const modelOf = (text: string): string | null => (text === "" ? null : String(JSON.parse(text).model))

/** A server on loopback: its address, and what it was asked, oldest first. */
export const chatServer = (
  answer: (seen: SeenRequest) => Answer
): Effect.Effect<{ readonly url: string; readonly seen: ReadonlyArray<SeenRequest> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const seen: Array<SeenRequest> = []
    const server = http.createServer((request, response) => {
      void read(request).then((text) => {
        const one = { path: request.url ?? "", headers: request.headers, model: modelOf(text) }
        seen.push(one)
        const { body, hangs, status = 200 } = answer(one)
        if (hangs === true) return
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}/v1`, seen }
  })
