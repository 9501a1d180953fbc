import { AgentHostError } from "@reflexion/core/AgentHost"
import { Effect, Layer } from "effect"
import { OpenCodeClient, type Prompt } from "../../src/host/OpenCodeClient.ts"
import { fakeHost } from "./fakeHost.ts"
import { type Fields, info, type Message } from "./messages.ts"

/**
 * A host that has only stored sessions. A test changes `messages` and `infos` by session as it goes, and makes
 * the sessions in `faults` unreadable; `handedOut` is how many messages were asked for.
 */
export const storedHost = () => {
  const messages = new Map<string, ReadonlyArray<Message>>()
  const infos = new Map<string, Fields>()
  const faults = new Set<string>()
  const handedOut: Array<number> = []
  const prompts: Array<Prompt> = []
  const logged: Array<string> = []
  const { service, toasts } = fakeHost({
    models: ["p/other", "p/routed"],
    providers: [{ id: "p", models: { big: {}, mini: { family: "gpt-nano", release_date: "2026-01-01" } } }]
  })
  const layer = Layer.succeed(OpenCodeClient, {
    ...service,
    session: (id) => Effect.succeed({ ...info({ id }), ...infos.get(id) }),
    messages: (id, limit) =>
      Effect.suspend(() => {
        if (faults.has(id)) return new AgentHostError({ reason: "unreachable", sessionId: id })
        const all = messages.get(id)
        if (all === undefined) return new AgentHostError({ reason: "session_gone", sessionId: id })
        const some = limit === null ? all : all.slice(-limit)
        handedOut.push(some.length)
        return Effect.succeed(some)
      }),
    status: () => Effect.succeed("idle" as const),
    prompt: (_, prompt) => Effect.sync(() => void prompts.push(prompt)),
    log: (_, text) => Effect.sync(() => void logged.push(text))
  })
  return { layer, messages, infos, faults, handedOut, prompts, toasts, logged }
}
