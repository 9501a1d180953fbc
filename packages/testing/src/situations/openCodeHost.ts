/**
 * A host for the built plugin of OpenCode, as a program of its own: a client that answers as the host's does, and the events of
 * one stop. What the plugin said goes into a file.
 */
export const program = `
import { existsSync, readFileSync, writeFileSync } from "node:fs"
const [, url, given, log, answer, escape] = process.argv
const { background, directory, messages, sessionID } = JSON.parse(readFileSync(given, "utf8"))
const toasts = []
const prompts = []
const data = (value) => async () => ({ data: value })
const take = async ({ body }) => {
  prompts.push(body)
  const id = "msg_told_" + prompts.length
  const parts = body.parts.map((part) => ({ id: "prt_" + id, sessionID, messageID: id, ...part }))
  messages.push({ info: { id, sessionID, role: "user", agent: "build", time: { created: Date.now() } }, parts })
  return { data: {} }
}
const client = {
  session: {
    get: data({ id: sessionID, directory }),
    messages: async ({ query }) => ({ data: query?.limit ? messages.slice(-query.limit) : messages }),
    status: data({}),
    children: data([]),
    prompt: take,
    promptAsync: take
  },
  config: { get: data({}), providers: data({ providers: [] }) },
  tui: { showToast: async ({ body }) => ({ data: toasts.push(body.message) > 0 }) },
  app: { log: data(true) }
}
const logged = () =>
  existsSync(log) ? readFileSync(log, "utf8").split("\\n").slice(0, -1).map((line) => JSON.parse(line)) : []
const decisions = () => logged().filter((decision) => decision.sessionId === sessionID)
const before = decisions().length
const { default: plugin } = await import(url)
const hooks = await plugin.server({ client, directory }, {})
const tell = (type, properties) => hooks.event({ event: { type, properties } })
const status = (id, type) => tell("session.status", { sessionID: id, status: { type } })
await tell("session.created", { sessionID, info: { id: sessionID, directory } })
await status(sessionID, "busy")
for (const { info, parts } of messages) {
  await tell("message.updated", { sessionID, info })
  for (const part of parts) await tell("message.part.updated", { sessionID, part })
}
if (background) {
  await tell("session.created", { sessionID: "ses_child", info: { id: "ses_child", directory, parentID: sessionID } })
  await status("ses_child", "busy")
}
await status(sessionID, "idle")
await tell("session.idle", { sessionID })
// What a check is at is no answer to the stop.
const notices = () => toasts.filter((text) => !/^reflexion (?:runs|ran|asks) /.test(text))
const isAnswered = () => {
  // That the user's message begins another task is no answer either.
  const { decision } = decisions().slice(before).findLast((one) => one.decision !== "rearm") ?? {}
  return decision !== undefined && (decision !== "nudge" || notices().length > 0)
}
let escaped = false
while (!isAnswered()) {
  await new Promise((resolve) => setTimeout(resolve, 10))
  if (escaped || !existsSync(escape)) continue
  escaped = true
  await tell("session.error", { sessionID, error: { name: "MessageAbortedError", data: { message: "Aborted" } } })
}
await hooks.dispose()
writeFileSync(answer, JSON.stringify({ prompts, toasts }))
process.exit(0)
`
