import { AgentHostError, type Reason } from "@reflexion/core/AgentHost"
import { type Context, Effect, Layer } from "effect"
import { type Child, OpenCodeClient, type Question, type Toast } from "../../src/host/OpenCodeClient.ts"
import type { Fields } from "./messages.ts"

type Call<A> = Effect.Effect<A, AgentHostError>

/** How the host behaves where it does not simply do what it is told. */
export interface Behaviour {
  readonly parent?: ReadonlyArray<unknown>
  /** Comes before the session is there. */
  readonly create?: Call<void>
  readonly ask?: Call<Fields>
  readonly abort?: Call<void>
  /** Comes before the session is gone. */
  readonly remove?: Call<void>
  readonly sessions?: ReadonlyArray<Fields>
  /** The names of those that the user has set up there. */
  readonly models?: ReadonlyArray<string>
  /** Those with their models as the host lists them. */
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

const unused = () => Effect.dieMessage("not asked for here")

/** A host that has only sessions; `calls` are those that it took, in their order. */
export const fakeHost = (behaviour: Behaviour = {}) => {
  const calls: Array<string> = []
  const there = new Set<string>()
  const children: Array<Child> = []
  const questions: Array<Question> = []
  const toasts: Array<Toast> = []
  const { abort, ask, config, create, models, parent, providers, remove, sessions } = behaviour
  const noted = (name: string) => Effect.sync(() => void calls.push(name))
  const service: Context.Tag.Service<OpenCodeClient> = {
    session: unused,
    status: unused,
    prompt: unused,
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
    models: Effect.succeed(new Set(models)),
    providers: Effect.succeed(providers ?? []),
    config: Effect.succeed(config ?? {}),
    log: () => Effect.void,
    messages: (_, limit) => Effect.succeed(limit === null ? (parent ?? []) : (parent ?? []).slice(-limit)),
    titled: () => Effect.succeed(sessions ?? []),
    create: (child) =>
      Effect.gen(function* () {
        yield* noted("create")
        yield* create ?? Effect.void
        children.push(child)
        const id = `s${children.length}`
        there.add(id)
        return { id }
      }),
    ask: (_, question) => {
      questions.push(question)
      return Effect.zipRight(noted("ask"), ask ?? Effect.succeed(answered("Yes.")))
    },
    abort: () => Effect.zipRight(noted("abort"), abort ?? Effect.void),
    remove: (id) =>
      Effect.gen(function* () {
        yield* noted(`remove ${id}`)
        yield* remove ?? Effect.void
        there.delete(id)
      })
  }
  return { layer: Layer.succeed(OpenCodeClient, service), service, calls, there, children, questions, toasts }
}
