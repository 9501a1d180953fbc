/** A server for Gemini's API that answers from a script. Gemini CLI uses this API with an API key. */
import * as Schema from "effect/Schema"
import type * as ModelScript from "./ModelScript.ts"
import { inputTokens, outputTokens, padded, serve, textOf } from "./scriptedServer.ts"

/** After `hangs` nothing more is sent. */
export type Block =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly hangs: true }

export type Reply = ModelScript.Reply<Block>

export type Script = ModelScript.Script<Block>

interface Answer {
  readonly id: number
  readonly model: string
  readonly reply: Reply
}

const finishReasons = { end_turn: "STOP", tool_use: "STOP", max_tokens: "MAX_TOKENS", refusal: "SAFETY" }

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE"
}

const part = (block: Block): object => {
  if ("text" in block) return { text: block.text }
  if ("reasoning" in block) return { text: block.reasoning, thought: true }
  return "tool" in block ? { functionCall: { name: block.tool, args: block.input } } : {}
}

const usage = (reply: Reply) => {
  const [promptTokenCount, candidatesTokenCount] = [inputTokens(reply), outputTokens(reply)]
  return { promptTokenCount, candidatesTokenCount, totalTokenCount: promptTokenCount + candidatesTokenCount }
}

const chunk = ({ id, model, reply }: Answer, parts: ReadonlyArray<object>, finishReason?: string) => ({
  candidates: [
    { content: { role: "model", parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) }
  ],
  usageMetadata: usage(reply),
  modelVersion: model,
  responseId: `response-${padded(id)}`
})

const finish = ({ stopReason }: Reply): string => finishReasons[stopReason ?? "end_turn"]

/** Each event has one part. After a block with `hangs`, no block is sent. */
const events = (answer: Answer) => {
  const content = answer.reply.content ?? []
  const hangs = content.findIndex((block) => "hangs" in block)
  const sent = hangs === -1 ? content : content.slice(0, hangs)
  const chunks = sent.map((block) => chunk(answer, [part(block)]))
  const all = hangs === -1 ? [...chunks, chunk(answer, [], finish(answer.reply))] : chunks
  return { content: all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""), open: hangs !== -1 }
}

const body = (answer: Answer): string =>
  JSON.stringify(chunk(answer, (answer.reply.content ?? []).map(part), finish(answer.reply)))

const Part = Schema.Struct({
  text: Schema.optional(Schema.String),
  functionResponse: Schema.optional(Schema.Struct({ response: Schema.optional(Schema.Unknown) }))
})

const Declared = Schema.Struct({ name: Schema.String })

const RequestBody = Schema.Struct({
  contents: Schema.Array(Schema.Struct({ role: Schema.optional(Schema.String), parts: Schema.Array(Part) })),
  systemInstruction: Schema.optional(Schema.Unknown),
  tools: Schema.optionalWith(
    Schema.Array(Schema.Struct({ functionDeclarations: Schema.optional(Schema.Array(Declared)) })),
    { default: () => [] }
  )
})

const asked = (url: string) => {
  const [, model = "", method = ""] = /\/models\/([^:/?]+):([A-Za-z]+)/.exec(url) ?? []
  return { model, method }
}

const seen = (
  { contents, systemInstruction, tools }: typeof RequestBody.Type,
  url: string
): ModelScript.RequestFacts => {
  const parts = contents.filter(({ role }) => role !== "model")
  const users = parts.flatMap((one) => {
    const texts = one.parts.flatMap(({ text }) => text ?? [])
    return texts.length === 0 ? [] : [texts.join("\n")]
  })
  const outputs = parts.flatMap((one) => one.parts.flatMap(({ functionResponse }) => functionResponse ?? []))
  return {
    model: asked(url).model,
    system: textOf(systemInstruction),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    lastOutput: textOf(outputs.at(-1)?.response),
    conversation: JSON.stringify(contents),
    messages: contents.length
  }
}

/** The API's base URL is the server's address. */
export const make = (script: Script) =>
  serve(script, {
    path: /^\/v1(?:beta)?\/models\/[^:/]+:(?:streamG|g)enerateContent$/,
    body: RequestBody,
    seen,
    write: ({ id, reply, url }) => {
      const { method, model } = asked(url)
      return method === "streamGenerateContent"
        ? { type: "text/event-stream", ...events({ id, model, reply }) }
        : { type: "application/json", content: body({ id, model, reply }) }
    },
    errorBody: (status, message, retryAfterMillis) => {
      const info = {
        "@type": "type.googleapis.com/google.rpc.RetryInfo",
        retryDelay: `${(retryAfterMillis ?? 0) / 1000}s`
      }
      const details = retryAfterMillis === undefined ? [] : [info]
      return JSON.stringify({ error: { code: status, message, status: statuses[status] ?? "UNKNOWN", details } })
    }
  })
