/** A chat completions server on the loopback interface that answers by rules, to try a run with a model without one. */
import * as Http from "node:http"

/** What it answers with: text, a refusal, an HTTP error, or nothing for as long as it is waited for. */
export type Reply =
  | { readonly text: string }
  | { readonly refusal: string }
  | { readonly status: number }
  | { readonly hangs: true }

/** Answers to prompts that contain `needle`, in turns: the last of them is repeated. */
export interface Rule {
  readonly needle: string
  readonly replies: readonly [Reply, ...ReadonlyArray<Reply>]
}

export interface ScriptedServer {
  /** The API's base. */
  readonly url: string
  /** How often it was asked, by the needle; "" counts what no rule is about. */
  readonly asked: ReadonlyMap<string, number>
  readonly close: () => Promise<void>
}

/** What every answer is said to have cost. */
export const usage = { prompt_tokens: 1000, completion_tokens: 100 }

const completion = (message: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens }
  })

const send = (response: Http.ServerResponse, status: number, content: string): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(content)
}

const answer = (response: Http.ServerResponse, reply: Reply): void => {
  if ("hangs" in reply) return
  if ("status" in reply) send(response, reply.status, JSON.stringify({ error: { message: "scripted" } }))
  else if ("text" in reply) send(response, 200, completion({ content: reply.text, refusal: null }))
  else send(response, 200, completion({ content: null, refusal: reply.refusal }))
}

const body = async (request: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

/** Starts it on a free port; `otherwise` answers what no rule is about. */
export const start = (rules: ReadonlyArray<Rule>, otherwise: Reply): Promise<ScriptedServer> => {
  const asked = new Map<string, number>()
  const replyTo = (prompt: string): Reply => {
    const rule = rules.find(({ needle }) => prompt.includes(needle))
    const before = asked.get(rule?.needle ?? "") ?? 0
    asked.set(rule?.needle ?? "", before + 1)
    return rule === undefined ? otherwise : (rule.replies[Math.min(before, rule.replies.length - 1)] ?? otherwise)
  }
  const server = Http.createServer((request, response) => {
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") return send(response, 404, "{}")
    void body(request).then(
      (text) => answer(response, replyTo(text)),
      () => response.destroy()
    )
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (address === null || typeof address === "string") reject(new Error("no port was given"))
      else resolve({ url: `http://127.0.0.1:${address.port}/v1`, asked, close })
    })
  })
}
