/** A server for the Responses API that answers from a script. It always streams, as Codex requests. */
import * as Schema from "effect/Schema"
import type * as ModelScript from "./ModelScript.ts"
import { inputTokens, outputTokens, padded, serve, serverEvent as event, textOf } from "./scriptedServer.ts"

/** `source` is for a tool that takes plain text. */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly source: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly namespace?: string }

export type Reply = ModelScript.Reply<Block>

export type Script = ModelScript.Script<Block>

interface Answer {
  readonly id: number
  readonly reply: Reply
}

/** A text before calls is a comment. A text at the end is the turn's final answer. */
const encodeBlock = (block: Block, answer: Answer, index: number) => {
  const id = `${padded(answer.id)}${String(index).padStart(2, "0")}`
  if ("text" in block) {
    const last = (answer.reply.content ?? []).every((other) => "text" in other)
    const content = [{ type: "output_text", text: block.text, annotations: [] }]
    return { type: "message", id: `msg_${id}`, role: "assistant", phase: last ? "final_answer" : "commentary", content }
  }
  const call = { id: `item_${id}`, call_id: `call_${id}`, name: block.tool }
  if ("source" in block) return { ...call, type: "custom_tool_call", status: "completed", input: block.source }
  const namespace = block.namespace === undefined ? {} : { namespace: block.namespace }
  return { ...call, type: "function_call", arguments: JSON.stringify(block.input), ...namespace }
}

const usage = (reply: Reply) => ({
  input_tokens: inputTokens(reply),
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: outputTokens(reply),
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens(reply) + outputTokens(reply)
})

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

const events = (answer: Answer): string => {
  const id = `resp_${padded(answer.id)}`
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

const Tools = Schema.Array(Schema.Struct({ type: Schema.String, name: Schema.optional(Schema.String) }))

/** For models that only write scripts, the tools are in the input. */
const RequestBody = Schema.Struct({
  model: Schema.String,
  instructions: Schema.optionalWith(Schema.String, { default: () => "" }),
  tools: Schema.optionalWith(Tools, { default: () => [] }),
  input: Schema.Array(
    Schema.Struct({
      role: Schema.optional(Schema.String),
      content: Schema.optional(Schema.Unknown),
      output: Schema.optional(Schema.Unknown),
      tools: Schema.optional(Tools)
    })
  )
})

const seen = ({ input, instructions, model, tools }: typeof RequestBody.Type): ModelScript.RequestFacts => {
  const users = input.filter(({ role }) => role === "user").map(({ content }) => textOf(content ?? ""))
  const offered = [...tools, ...input.flatMap((item) => item.tools ?? [])]
  return {
    model,
    system: instructions,
    tools: offered.map(({ name, type }) => name ?? type),
    firstUser: users[0] ?? "",
    lastUser: users.at(-1) ?? "",
    lastOutput: textOf(input.findLast(({ output }) => output !== undefined)?.output ?? ""),
    conversation: JSON.stringify(input),
    messages: input.length
  }
}

export const make = (script: Script) =>
  serve(script, {
    path: "/v1/responses",
    body: RequestBody,
    seen,
    write: ({ id, reply }) => ({ type: "text/event-stream", content: events({ id, reply }) }),
    errorBody: (status, message) =>
      JSON.stringify({ error: { message, type: status === 429 ? "rate_limit_exceeded" : "server_error", code: null } })
  })
