import type * as ModelScript from "./ModelScript.ts"

interface Answer {
  readonly id: number
  readonly model: string
  readonly reply: Reply
}

const pad = (id: number) => String(id).padStart(4, "0")

const encodeBlock = (block: Block, id: number, index: number) =>
  "text" in block
    ? { type: "text", text: block.text }
    : {
        type: "tool_use",
        id: `toolu_${pad(id)}${String(index).padStart(2, "0")}`,
        name: block.tool,
        input: block.input
      }

const stopReason = (reply: Reply) =>
  reply.stopReason ?? (reply.content?.some((block) => "tool" in block) ? "tool_use" : "end_turn")

const outputTokens = (reply: Reply) =>
  reply.usage?.output_tokens ?? Math.max(1, Math.ceil(JSON.stringify(reply.content ?? []).length / 4))

const envelope = ({ id, model, reply }: Answer) => ({
  id: `msg_${pad(id)}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
  usage: {
    input_tokens: reply.usage?.input_tokens ?? 1200,
    output_tokens: outputTokens(reply),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0
  }
})

/** The answer to a request that does not stream. */
export const body = (answer: Answer): string =>
  JSON.stringify({
    ...envelope(answer),
    content: (answer.reply.content ?? []).map((block, index) => encodeBlock(block, answer.id, index)),
    stop_reason: stopReason(answer.reply)
  })

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const blockEvents = (block: Block, id: number, index: number) => {
  const encoded = encodeBlock(block, id, index)
  const [start, delta] =
    "text" in block
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: block.text }
        ]
      : [
          { ...encoded, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
        ]
  return (
    event("content_block_start", { index, content_block: start }) +
    event("content_block_delta", { index, delta }) +
    event("content_block_stop", { index })
  )
}

/** The same answer as server-sent events. */
export const events = (answer: Answer): string =>
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
  500: "api_error",
  529: "overloaded_error"
}

/** An error answer. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ type: "error", error: { type: errorTypes[status] ?? "api_error", message } })

/**
 * One block of a scripted answer: text, or a call of one of the host's tools.
 *
 * @category models
 */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

export type Reply = ModelScript.Reply<Block>
