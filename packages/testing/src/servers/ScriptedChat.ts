/** A server for the chat completions API that answers from a script. */
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

const finishReasons = { end_turn: "stop", tool_use: "tool_calls", max_tokens: "length", refusal: "content_filter" }

const finishReason = ({ content, stopReason }: Reply) =>
  finishReasons[stopReason ?? (content?.some((block) => "tool" in block) === true ? "tool_use" : "end_turn")]

const usage = (reply: Reply) => {
  const [prompt, completion] = [inputTokens(reply), outputTokens(reply)]
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** `index` counts the calls. */
const deltas = (block: Block, id: number, index: number): ReadonlyArray<object> => {
  if ("text" in block) return [{ content: block.text }]
  if ("reasoning" in block) return [{ reasoning_content: block.reasoning }]
  if (!("tool" in block)) return []
  const call = `call_${padded(id)}${String(index).padStart(2, "0")}`
  const begun = { index, id: call, type: "function", function: { name: block.tool, arguments: "" } }
  const given = { index, function: { arguments: JSON.stringify(block.input) } }
  return [{ tool_calls: [begun] }, { tool_calls: [given] }]
}

const events = ({ id, model, reply }: Answer) => {
  const content = reply.content ?? []
  const hangs = content.findIndex((block) => "hangs" in block)
  const sent = hangs === -1 ? content : content.slice(0, hangs)
  const chunk = (delta: object, finish: string | null, more?: object) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const data = { id: `chatcmpl-${padded(id)}`, object: "chat.completion.chunk", created: 1, model, choices, ...more }
    return `data: ${JSON.stringify(data)}\n\n`
  }
  const callsBefore = (index: number) => sent.slice(0, index).filter((block) => "tool" in block).length
  const said = sent.flatMap((block, index) => deltas(block, id, callsBefore(index)))
  const begun = [{ role: "assistant", content: "" }, ...said].map((delta) => chunk(delta, null)).join("")
  return hangs === -1
    ? { content: `${begun}${chunk({}, finishReason(reply), { usage: usage(reply) })}data: [DONE]\n\n`, open: false }
    : { content: begun, open: true }
}

/** A refusal has its own field. */
const body = ({ id, model, reply }: Answer): string => {
  const refused = reply.stopReason === "refusal"
  const text = (reply.content ?? []).map((block) => ("text" in block ? block.text : "")).join("")
  const message = { role: "assistant", content: refused ? null : text, refusal: refused ? text : null }
  const choices = [{ index: 0, message, finish_reason: refused ? "stop" : finishReason(reply) }]
  const about = { id: `chatcmpl-${padded(id)}`, object: "chat.completion", created: 1, model }
  return JSON.stringify({ ...about, choices, usage: usage(reply) })
}

const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  tools: Schema.optionalWith(Schema.Array(Schema.Struct({ function: Schema.Struct({ name: Schema.String }) })), {
    default: () => []
  }),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.optional(Schema.Unknown) }))
})

const seen = ({ messages, model, tools }: typeof RequestBody.Type): ModelScript.RequestFacts => {
  const of = (wanted: string) =>
    messages.filter(({ role }) => role === wanted).map(({ content }) => textOf(content ?? ""))
  const users = of("user")
  return {
    model,
    system: of("system").join("\n"),
    tools: tools.map((tool) => tool.function.name),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    lastOutput: of("tool").at(-1) ?? "",
    conversation: JSON.stringify(messages),
    messages: messages.length
  }
}

/** The base path of the API is `/v1`. */
export const make = (script: Script) =>
  serve(script, {
    path: "/v1/chat/completions",
    body: RequestBody,
    seen,
    write: ({ body: { model, stream }, id, reply }) =>
      stream
        ? { type: "text/event-stream", ...events({ id, model, reply }) }
        : { type: "application/json", content: body({ id, model, reply }) },
    errorBody: (status, message) =>
      JSON.stringify({
        error: { message, type: status === 401 ? "invalid_request_error" : "server_error", code: null }
      })
  })
