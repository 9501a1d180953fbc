/** What an agent is told of its todo list, in the result of the tool that writes it, so that it costs no turn. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Effect from "effect/Effect"
import * as Calls from "../decoder/Calls.ts"
import * as Bounded from "../host/Bounded.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as DecidedLog from "./decided.ts"

/** A tool call that has ended, as the host tells of it. */
export interface EndedCall {
  readonly tool: string
  readonly sessionID: string
  readonly args?: unknown
}

/** Changes what is kept of a session's lists; null where another process is at it. May throw. */
export type Change = <A>(
  sessionId: string,
  change: (state: TodoGuardrails.State) => readonly [TodoGuardrails.State, A]
) => { readonly value: A } | null

export interface Options {
  readonly config: ReflexionConfig
  readonly problem: string | null
  readonly change: Change
}

/** The host waits for it: for the list, and then for the log. */
const patience = { list: "2 seconds", log: "1 second" } as const

type Step = (state: TodoGuardrails.State) => readonly [TodoGuardrails.State, TodoGuardrails.TodoUpdate]

/** Null for a call that says nothing of a list. */
const stepOf = ({ args, tool }: EndedCall, agent: string | null, options: TodoGuardrails.Options): Step | null => {
  const todos = tool === Calls.todoTool ? Calls.todosIn(args) : null
  if (todos !== null) return (state) => TodoGuardrails.update(state, { todos, agent }, options)
  return options.required && tool !== Calls.todoTool ? (state) => TodoGuardrails.work(state, agent, options) : null
}

/** The lock is another's for a moment; the host's own thread is not to stand still for it. */
const changed = (change: Change, sessionId: string, step: Step): Effect.Effect<TodoGuardrails.TodoUpdate> =>
  Effect.suspend(() => {
    const done = change(sessionId, step)
    return done === null ? Effect.delay(changed(change, sessionId, step), "10 millis") : Effect.succeed(done.value)
  })

const event = "tool.execute.after"

/** What comes of the call, null for nothing; whatever goes wrong, or takes too long, is a line of the log. */
const decided = (change: Change, sessionId: string, step: Step) =>
  Effect.gen(function* () {
    const states = yield* ReviewStates
    // Where nobody knows what the user said last, nothing is told.
    if ((yield* states.isStopped(sessionId)) !== false) return null
    const { parentID } = yield* Effect.flatMap(OpenCodeClient, (client) => client.session(sessionId))
    return typeof parentID === "string" ? null : yield* changed(change, sessionId, step)
  }).pipe(
    Effect.disconnect,
    Effect.timeoutFail({
      duration: patience.list,
      onTimeout: () => new Error(`it took longer than ${patience.list}`)
    }),
    DecidedLog.orLogged(sessionId, { event, what: "the todo list is left alone" }, null)
  )

const written = (sessionId: string, outcome: TodoGuardrails.TodoUpdate) =>
  Effect.forEach(TodoGuardrails.decisions(outcome), (one) => DecidedLog.write(sessionId, { event, ...one }))

export const make = ({ change, config, problem }: Options) => {
  const options = TodoGuardrails.make(config.todos)
  const isOn = problem === null && config.profile !== "advisory" && options.enabled
  /** The agent of each session, as its last answer says. */
  const agents = new Map<string, string>()
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const { agent, id, role, sessionID } = Json.object(Json.object(properties)["info"])
    if (type === "session.deleted") agents.delete(Json.text(id))
    if (type === "message.updated" && role === "assistant" && typeof agent === "string")
      Bounded.put(agents, Json.text(sessionID), agent)
  }
  /** What is due after a call before the host goes on; null for nothing. */
  const after = (ended: EndedCall, output: { output?: unknown }) => {
    const { sessionID } = ended
    const step = isOn ? stepOf(ended, agents.get(sessionID) ?? null, options) : null
    if (step === null) return null
    return Effect.flatMap(decided(change, sessionID, step), (outcome) => {
      if (outcome === null) return Effect.void
      const text = outcome.reminder?.text ?? null
      if (text !== null && typeof output.output === "string") output.output = `${output.output}\n\n${text}`
      // What is counted as told is told before the log has it, however long that takes.
      return Effect.asVoid(Effect.timeoutOption(Effect.disconnect(written(sessionID, outcome)), patience.log))
    })
  }
  return { happened, after }
}
