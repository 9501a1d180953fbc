import { AgentHostError, type Reason } from "@reflexion/core/AgentHost"
import { type Context, Effect, Layer } from "effect"
import {
  type Child,
  OpenCodeClient,
  type Prompt,
  type Question,
  type Status,
  type Toast
} from "../../src/host/OpenCodeClient.ts"
import { type Fields, info } from "./messages.ts"

type Call<A> = Effect.Effect<A, AgentHostError>

/** What the host has, and how it behaves when it does not simply do what it is told. */
export interface Behaviour {
  /** The messages of its sessions. `s0` is there without any. */
  readonly stored?: Readonly<Record<string, ReadonlyArray<unknown>>>
  readonly status?: Call<Status>
  readonly prompt?: (prompt: Prompt) => Call<void>
  /** Comes before the session is there. */
  readonly create?: Call<void>
  readonly ask?: Call<Fields>
  readonly abort?: Call<void>
  /** Comes before the session is gone. */
  readonly remove?: Call<void>
  readonly sessions?: ReadonlyArray<Fields>
  /** The models that the user has set up there, by name. */
  readonly models?: ReadonlyArray<string>
  /** The providers and their models as the host lists them. */
  readonly providers?: ReadonlyArray<Fields>
  /** The host's own configuration. */
  readonly config?: Fields
}

export const fault = (reason: Reason, detail?: string): AgentHostError =>
  new AgentHostError({ reason, sessionId: null, ...(detail !== undefined && { detail }) })

export const answered = (text: string, over: Fields = {}): Fields => ({
  info: {
    role: "assistant",
    finish: "stop",
    providerID: "p",
    modelID: "m",
    cost: 0.01,
    tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 30, write: 7 } },
    ...over
  },
  parts: [{ type: "step-start" }, { type: "text", text }]
})

const offered = { m: {}, mini: { family: "gpt-nano", release_date: "2026-01-01" } }

/**
 * A host that runs no agent. A test changes `messages` and `infos` by session as it goes, and makes the sessions in
 * `faults` unreadable. `calls` are the host's calls in order, and `handedOut` counts the messages that were asked for.
 */
export const fakeHost = (behaviour: Behaviour = {}) => {
  const { abort, ask, config, create, prompt, providers, remove, sessions, status, stored } = behaviour
  const { models = ["p/m", "p/other", "p/routed"] } = behaviour
  const messages = new Map<string, ReadonlyArray<unknown>>(Object.entries({ s0: [], ...stored }))
  const infos = new Map<string, Fields>()
  const faults = new Set<string>()
  const handedOut: Array<number> = []
  const prompts: Array<Prompt> = []
  const logged: Array<string> = []
  const calls: Array<string> = []
  const there = new Set<string>()
  const children: Array<Child> = []
  const questions: Array<Question> = []
  const toasts: Array<Toast> = []
  const noted = (name: string, call: Call<void> = Effect.void) =>
    Effect.zipRight(
      Effect.sync(() => calls.push(name)),
      call
    )
  const toast = (one: Toast) => Effect.sync(() => void toasts.push(one))
  const service: Context.Tag.Service<OpenCodeClient> = {
    session: (id) => Effect.succeed({ ...info({ id }), ...infos.get(id) }),
    messages: (id, limit) =>
      Effect.suspend(() => {
        if (faults.has(id)) return fault("unreachable")
        const all = messages.get(id)
        if (all === undefined) return fault("session_gone")
        const some = limit === null ? all : all.slice(-limit)
        handedOut.push(some.length)
        return Effect.succeed(some)
      }),
    status: () => status ?? Effect.succeed("idle"),
    prompt: (_, one) => {
      prompts.push(one)
      return noted("prompt", prompt?.(one))
    },
    log: (_, text) => Effect.sync(() => void logged.push(text)),
    toast,
    later: (one) => Effect.asVoid(Effect.forkDaemon(Effect.delay(toast(one), "10 seconds"))),
    models: Effect.succeed(new Set(models)),
    providers: Effect.succeed(providers ?? [{ id: "p", models: offered }]),
    config: Effect.succeed(config ?? {}),
    titled: () => Effect.succeed(sessions ?? []),
    create: (child) =>
      Effect.map(noted("create", create), () => {
        children.push(child)
        const id = `s${children.length}`
        there.add(id)
        return { id }
      }),
    ask: (_, question) => {
      questions.push(question)
      return Effect.zipRight(noted("ask"), ask ?? Effect.succeed(answered("Yes.")))
    },
    abort: () => noted("abort", abort),
    remove: (id) => Effect.map(noted(`remove ${id}`, remove), () => void there.delete(id))
  }
  const layer = Layer.succeed(OpenCodeClient, service)
  return {
    layer,
    service,
    messages,
    infos,
    faults,
    handedOut,
    prompts,
    logged,
    calls,
    there,
    children,
    questions,
    toasts
  }
}
