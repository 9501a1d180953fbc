import type * as ModelScript from "./ModelScript.ts"

interface Answer {
  readonly id: number
  readonly reply: Reply
}

const pad = (id: number) => String(id).padStart(4, "0")

/** A text before calls comments on them; one that nothing follows is the turn's last word. */
const encodeBlock = (block: Block, answer: Answer, index: number) => {
  const id = `${pad(answer.id)}${String(index).padStart(2, "0")}`
  if ("text" in block) {
    const last = (answer.reply.content ?? []).every((other) => "text" in other)
    const content = [{ type: "output_text", text: block.text, annotations: [] }]
    return { type: "message", id: `msg_${id}`, role: "assistant", phase: last ? "final_answer" : "commentary", content }
  }
  const call = { id: `item_${id}`, call_id: `call_${id}`, name: block.tool }
  return "source" in block
    ? { ...call, type: "custom_tool_call", status: "completed", input: block.source }
    : {
        ...call,
        type: "function_call",
        arguments: JSON.stringify(block.input),
        ...(block.namespace === undefined ? {} : { namespace: block.namespace })
      }
}

const usage = ({ content, usage: given }: Reply) => {
  const input = given?.input_tokens ?? 1200
  const output = given?.output_tokens ?? Math.max(1, Math.ceil(JSON.stringify(content ?? []).length / 4))
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output
  }
}

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const itemEvents = (block: Block, answer: Answer, index: number) => {
  const item = encodeBlock(block, answer, index)
  const started = "text" in block ? { ...item, content: [] } : item
  const delta = { item_id: item.id, output_index: index, content_index: 0 }
  return (
    event("response.output_item.added", { output_index: index, item: started }) +
    ("text" in block ? event("response.output_text.delta", { ...delta, delta: block.text }) : "") +
    event("response.output_item.done", { output_index: index, item })
  )
}

/** An answer as server-sent events. */
export const events = (answer: Answer): string => {
  const id = `resp_${pad(answer.id)}`
  const cut = answer.reply.stopReason === "max_tokens"
  const details = cut ? { incomplete_details: { reason: "max_output_tokens" } } : {}
  return (
    event("response.created", { response: { id } }) +
    (answer.reply.content ?? []).map((block, index) => itemEvents(block, answer, index)).join("") +
    event(cut ? "response.incomplete" : "response.completed", {
      response: { id, usage: usage(answer.reply), ...details }
    })
  )
}

const wholeItem = (block: Block, answer: Answer, index: number) => {
  const item = { ...encodeBlock(block, answer, index), status: "completed" }
  if (!("text" in block) || answer.reply.stopReason !== "refusal") return item
  return { ...item, content: [{ type: "refusal", refusal: block.text }] }
}

/** The answer to a request that does not stream. */
export const body = (answer: Answer & { readonly model: string }): string => {
  const { id, model, reply } = answer
  const cut = reply.stopReason === "max_tokens"
  return JSON.stringify({
    id: `resp_${pad(id)}`,
    object: "response",
    created_at: 1,
    status: cut ? "incomplete" : "completed",
    error: null,
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
    instructions: null,
    metadata: {},
    model,
    output: (reply.content ?? []).map((block, index) => wholeItem(block, answer, index)),
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: usage(reply)
  })
}

/** An error answer. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ error: { message, type: status === 429 ? "rate_limit_exceeded" : "server_error", code: null } })

/**
 * One item of a scripted answer: text, a function call, or a call of a tool that takes plain text.
 *
 * @category models
 */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly source: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly namespace?: string }

export type Reply = ModelScript.Reply<Block>
