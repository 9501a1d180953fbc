/** Adds text about the todo list to the result of the tool that writes it. This costs no extra turn. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Effect from "effect/Effect"
import * as Calls from "../decoder/Calls.ts"
import * as Bounded from "../host/Bounded.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as DecidedLog from "./decided.ts"

export interface EndedCall {
  readonly tool: string
  readonly sessionID: string
  readonly args?: unknown
}

/** Returns null if another process holds the lock. May throw. */
export type Change = <A>(
  sessionId: string,
  change: (state: TodoGuardrails.State) => readonly [TodoGuardrails.State, A]
) => { readonly value: A } | null

export interface Options {
  readonly config: ReflexionConfig
  readonly problem: string | null
  readonly change: Change
}

/** The host waits at most this long, first for the list and then for the log. */
const patience = { list: "2 seconds", log: "1 second" } as const

type Step = (state: TodoGuardrails.State) => readonly [TodoGuardrails.State, TodoGuardrails.TodoUpdate]

/** Null if the call does not matter for a list. */
const stepOf = ({ args, tool }: EndedCall, agent: string | null, options: TodoGuardrails.Options): Step | null => {
  const todos = tool === Calls.todoTool ? Calls.todosIn(args) : null
  if (todos !== null) return (state) => TodoGuardrails.update(state, { todos, agent }, options)
  return options.required && tool !== Calls.todoTool ? (state) => TodoGuardrails.work(state, agent, options) : null
}

/** If another process holds the lock, tries again later, without blocking the host's thread. */
const changed = (change: Change, sessionId: string, step: Step): Effect.Effect<TodoGuardrails.TodoUpdate> =>
  Effect.suspend(() => {
    const done = change(sessionId, step)
    return done === null ? Effect.delay(changed(change, sessionId, step), "10 millis") : Effect.succeed(done.value)
  })

const event = "tool.execute.after"

/** An error or a timeout is only logged. */
const decided = (change: Change, sessionId: string, step: Step) =>
  Effect.gen(function* () {
    const states = yield* ReviewStates
    // There is no reminder if the user stopped reflexion, or may have stopped it.
    if ((yield* states.isStopped(sessionId)) !== false) return null
    const { parentID } = yield* Effect.flatMap(OpenCodeClient, (client) => client.session(sessionId))
    return typeof parentID === "string" ? null : yield* changed(change, sessionId, step)
  }).pipe(
    Effect.disconnect,
    Effect.timeoutFail({
      duration: patience.list,
      onTimeout: () => new Error(`it took longer than ${patience.list}`)
    }),
    DecidedLog.orLogged(sessionId, { event, what: "there is no reminder about the todo list" }, null)
  )

const written = (sessionId: string, outcome: TodoGuardrails.TodoUpdate) =>
  Effect.forEach(TodoGuardrails.decisions(outcome), (one) => DecidedLog.write(sessionId, { event, ...one }))

export const make = ({ change, config, problem }: Options) => {
  const options = TodoGuardrails.make(config.todos)
  const isOn = problem === null && config.profile !== "advisory" && options.enabled
  /** The agent of each session's last answer. */
  const agents = new Map<string, string>()
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const { agent, id, role, sessionID } = Json.object(Json.object(properties)["info"])
    if (type === "session.deleted") agents.delete(Json.text(id))
    if (type === "message.updated" && role === "assistant" && typeof agent === "string")
      Bounded.put(agents, Json.text(sessionID), agent)
  }
  /** Returns the work to finish before the host continues. */
  const after = (ended: EndedCall, output: { output?: unknown }) => {
    const { sessionID } = ended
    const step = isOn ? stepOf(ended, agents.get(sessionID) ?? null, options) : null
    if (step === null) return null
    return Effect.flatMap(decided(change, sessionID, step), (outcome) => {
      if (outcome === null) return Effect.void
      const text = outcome.reminder?.text ?? null
      if (text !== null && typeof output.output === "string") output.output = `${output.output}\n\n${text}`
      // The text is added first, because the saved state already counts it as shown.
      return Effect.asVoid(Effect.timeoutOption(Effect.disconnect(written(sessionID, outcome)), patience.log))
    })
  }
  return { happened, after }
}
