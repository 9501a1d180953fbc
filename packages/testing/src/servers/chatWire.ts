import type { Reply as ModelReply } from "./ModelScript.ts"

type Reply = ModelReply<Block>

interface Answer {
  readonly id: number
  readonly model: string
  readonly reply: Reply
}

const pad = (id: number) => String(id).padStart(4, "0")

const finishReasons = { end_turn: "stop", tool_use: "tool_calls", max_tokens: "length", refusal: "content_filter" }

const finishReason = ({ content, stopReason }: Reply) =>
  finishReasons[stopReason ?? (content?.some((block) => "tool" in block) === true ? "tool_use" : "end_turn")]

const usage = ({ content, usage: given }: Reply) => {
  const prompt = given?.input_tokens ?? 1200
  const completion = given?.output_tokens ?? Math.max(1, Math.ceil(JSON.stringify(content ?? []).length / 4))
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** The text in as many pieces as are asked for, each with something in it. */
const pieces = (text: string, count: number): ReadonlyArray<string> => {
  const letters = Array.from(text)
  const all = Math.max(1, Math.min(count, letters.length))
  const bound = (piece: number) => Math.floor((piece * letters.length) / all)
  return Array.from({ length: all }, (_, index) => letters.slice(bound(index), bound(index + 1)).join(""))
}

const callsBefore = (content: ReadonlyArray<Block>, index: number) =>
  content.slice(0, index).filter((block) => "tool" in block).length

/** What a block adds to the message, piece by piece; `index` counts the calls. */
const deltas = (block: Block, id: number, index: number): ReadonlyArray<object> => {
  if ("text" in block) return pieces(block.text, block.deltas ?? 1).map((content) => ({ content }))
  if ("reasoning" in block) return [{ reasoning_content: block.reasoning }]
  if (!("tool" in block)) return []
  const call = `call_${pad(id)}${String(index).padStart(2, "0")}`
  const begun = { index, id: call, type: "function", function: { name: block.tool, arguments: "" } }
  const given = { index, function: { arguments: JSON.stringify(block.input) } }
  return [{ tool_calls: [begun] }, { tool_calls: [given] }]
}

/** An answer as server-sent events. What comes after a block that hangs does not come. */
export const events = ({ id, model, reply }: Answer) => {
  const content = reply.content ?? []
  const hangs = content.findIndex((block) => "hangs" in block)
  const sent = hangs === -1 ? content : content.slice(0, hangs)
  const chunk = (delta: object, finish: string | null, more?: object) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const data = { id: `chatcmpl-${pad(id)}`, object: "chat.completion.chunk", created: 1, model, choices, ...more }
    return `data: ${JSON.stringify(data)}\n\n`
  }
  const said = sent.flatMap((block, index) => deltas(block, id, callsBefore(sent, index)))
  const begun = [{ role: "assistant", content: "" }, ...said].map((delta) => chunk(delta, null)).join("")
  return hangs === -1
    ? { content: `${begun}${chunk({}, finishReason(reply), { usage: usage(reply) })}data: [DONE]\n\n`, open: false }
    : { content: begun, open: true }
}

const textIn = ({ content }: Reply): string =>
  (content ?? []).map((block) => ("text" in block ? block.text : "")).join("")

/** The answer to a request that does not stream. A refusal has its own place, and the answer is then a whole one. */
export const body = ({ id, model, reply }: Answer): string => {
  const refused = reply.stopReason === "refusal"
  const text = textIn(reply)
  const message = { role: "assistant", content: refused ? null : text, refusal: refused ? text : null }
  const choices = [{ index: 0, message, finish_reason: refused ? "stop" : finishReason(reply) }]
  return JSON.stringify({
    id: `chatcmpl-${pad(id)}`,
    object: "chat.completion",
    created: 1,
    model,
    choices,
    usage: usage(reply)
  })
}

/** An error answer. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ error: { message, type: status === 401 ? "invalid_request_error" : "server_error", code: null } })

/**
 * One part of a scripted answer: text, in so many pieces as `deltas` says, the model's thoughts, or a call of one of the
 * host's tools. After `hangs` the host waits in vain for the rest.
 *
 * @category models
 */
export type Block =
  | { readonly text: string; readonly deltas?: number }
  | { readonly reasoning: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly hangs: true }
