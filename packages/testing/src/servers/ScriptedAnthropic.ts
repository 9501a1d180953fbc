/** A server for the Messages API that answers from a script. A host's real binary runs the same session offline. */
import * as Schema from "effect/Schema"
import type * as ModelScript from "./ModelScript.ts"
import { inputTokens, outputTokens, padded, serve, serverEvent as event, textOf } from "./scriptedServer.ts"

export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

export type Reply = ModelScript.Reply<Block>

export type Script = ModelScript.Script<Block>

interface Answer {
  readonly id: number
  readonly model: string
  readonly reply: Reply
}

const encodeBlock = (block: Block, id: number, index: number) =>
  "text" in block
    ? { type: "text", text: block.text }
    : {
        type: "tool_use",
        id: `toolu_${padded(id)}${String(index).padStart(2, "0")}`,
        name: block.tool,
        input: block.input
      }

const stopReason = (reply: Reply) =>
  reply.stopReason ?? (reply.content?.some((block) => "tool" in block) ? "tool_use" : "end_turn")

const envelope = ({ id, model, reply }: Answer) => ({
  id: `msg_${padded(id)}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
  usage: {
    input_tokens: inputTokens(reply),
    output_tokens: outputTokens(reply),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0
  }
})

const body = (answer: Answer): string =>
  JSON.stringify({
    ...envelope(answer),
    content: (answer.reply.content ?? []).map((block, index) => encodeBlock(block, answer.id, index)),
    stop_reason: stopReason(answer.reply)
  })

const blockEvents = (block: Block, id: number, index: number) => {
  const [start, delta] =
    "text" in block
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: block.text }
        ]
      : [
          { ...encodeBlock(block, id, index), input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
        ]
  return (
    event("content_block_start", { index, content_block: start }) +
    event("content_block_delta", { index, delta }) +
    event("content_block_stop", { index })
  )
}

const events = (answer: Answer): string =>
  event("message_start", { message: { ...envelope(answer), content: [], stop_reason: null } }) +
  (answer.reply.content ?? []).map((block, index) => blockEvents(block, answer.id, index)).join("") +
  event("message_delta", {
    delta: { stop_reason: stopReason(answer.reply), stop_sequence: null },
    usage: { output_tokens: outputTokens(answer.reply) }
  }) +
  event("message_stop", {})

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error"
}

const RequestBody = Schema.Struct({
  model: Schema.String,
  stream: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  system: Schema.optional(Schema.Unknown),
  tools: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String })), { default: () => [] }),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.Unknown }))
})

const seen = ({ messages, model, system, tools }: typeof RequestBody.Type): ModelScript.RequestFacts => {
  const users = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content))
  const last = users.at(-1) ?? ""
  return {
    model,
    system: textOf(system),
    tools: tools.map(({ name }) => name),
    firstUser: users[0] ?? "",
    lastUser: last,
    lastOutput: last,
    conversation: JSON.stringify(messages),
    messages: messages.length
  }
}

export const make = (script: Script) =>
  serve(script, {
    path: "/v1/messages",
    body: RequestBody,
    seen,
    write: ({ body: { model, stream }, id, reply }) =>
      stream
        ? { type: "text/event-stream", content: events({ id, model, reply }) }
        : { type: "application/json", content: body({ id, model, reply }) },
    errorBody: (status, message) =>
      JSON.stringify({ type: "error", error: { type: errorTypes[status] ?? "api_error", message } }),
    elsewhere: { "POST /v1/messages/count_tokens": `{"input_tokens":100}`, "HEAD /": "" }
  })
