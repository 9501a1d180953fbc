import { AgentHostError } from "@reflexion/core/AgentHost"
import { Effect, Layer } from "effect"
import { OpenCodeClient, type Prompt, type Toast } from "../../src/host/OpenCodeClient.ts"
import { type Fields, info, type Message } from "./messages.ts"

const unused = () => Effect.dieMessage("not asked for here")

/**
 * A host of which only the stored sessions exist. A test changes `messages` and `infos` by session as it goes, and makes
 * the sessions in `faults` unreadable; `reads` are the sessions whose messages were asked for, `handedOut` how many of them.
 */
export const storedHost = () => {
  const messages = new Map<string, ReadonlyArray<Message>>()
  const infos = new Map<string, Fields>()
  const faults = new Set<string>()
  const reads: Array<string> = []
  const handedOut: Array<number> = []
  const prompts: Array<Prompt> = []
  const toasts: Array<Toast> = []
  const logged: Array<string> = []
  const layer = Layer.succeed(OpenCodeClient, {
    session: (id) => Effect.succeed({ ...info({ id }), ...infos.get(id) }),
    messages: (id, limit) =>
      Effect.suspend(() => {
        reads.push(id)
        if (faults.has(id)) return new AgentHostError({ reason: "unreachable", sessionId: id })
        const all = messages.get(id)
        if (all === undefined) return new AgentHostError({ reason: "session_gone", sessionId: id })
        const some = limit === null ? all : all.slice(-limit)
        handedOut.push(some.length)
        return Effect.succeed(some)
      }),
    status: () => Effect.succeed("idle" as const),
    prompt: (_, prompt) => Effect.sync(() => void prompts.push(prompt)),
    models: Effect.succeed(new Set(["p/other", "p/routed"])),
    providers: Effect.succeed([
      { id: "p", models: { big: {}, mini: { family: "gpt-nano", release_date: "2026-01-01" } } }
    ]),
    config: Effect.succeed({}),
    toast: (toast) => Effect.sync(() => void toasts.push(toast)),
    later: (toast) =>
      Effect.asVoid(
        Effect.forkDaemon(
          Effect.delay(
            Effect.sync(() => toasts.push(toast)),
            "10 seconds"
          )
        )
      ),
    log: (_, text) => Effect.sync(() => void logged.push(text)),
    create: unused,
    titled: unused,
    ask: unused,
    abort: unused,
    remove: unused
  })
  return { layer, messages, infos, faults, reads, handedOut, prompts, toasts, logged }
}
