/**
 * What an agent is told of its todo list: at the end of the result of the tool that writes it, so that it costs no turn and
 * sends nobody on. A subagent is told nothing, for it speaks to no user.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as Calls from "../decoder/Calls.ts"
import * as DecidedLog from "./decided.ts"

/** A tool call that has ended, as the host tells of it. */
export interface Ended {
  readonly tool: string
  readonly sessionID: string
  readonly args?: unknown
}

/**
 * Changes what is kept of a session's lists, and answers what the change does; null where another process is at it. Throws
 * what the file system throws.
 */
export type Change = <A>(
  sessionId: string,
  change: (state: TodoGuardrails.State) => readonly [TodoGuardrails.State, A]
) => { readonly value: A } | null

export interface Options {
  readonly config: ReflexionConfig
  readonly problem: string | null
  readonly change: Change
}

class TodoError extends Data.TaggedError("TodoError")<{
  readonly reason: "busy" | "unwritable"
  readonly detail: string
}> {}

const maxSessions = 512

/** The host waits for it: for the list, and then for the log. */
const patience = { list: "2 seconds", log: "1 second" } as const

/** Soon enough before the host waits no longer that the log can say why nothing is told. */
const tries = { every: "10 millis", times: 150 } as const

/** Who works in each session, as its last answer says. */
const makeAgents = () => {
  const names = new Map<string, string>()
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const info = Json.object(Json.object(properties)["info"])
    if (type === "session.deleted") names.delete(Json.text(info["id"]))
    if (type !== "message.updated" || info["role"] !== "assistant") return
    const [sessionId, agent] = [Json.string(info["sessionID"]), Json.string(info["agent"])]
    if (sessionId === null || agent === null) return
    names.delete(sessionId)
    if (names.size >= maxSessions) names.delete(names.keys().next().value ?? "")
    names.set(sessionId, agent)
  }
  return { happened, of: (sessionId: string): string | null => names.get(sessionId) ?? null }
}

type Step = (state: TodoGuardrails.State) => readonly [TodoGuardrails.State, TodoGuardrails.Told]

/** Null for a call that says nothing of a list. */
const stepOf = ({ args, tool }: Ended, agent: string | null, options: TodoGuardrails.Options): Step | null => {
  const todos = tool === Calls.todoTool ? Calls.todosIn(args) : null
  if (todos !== null) return (state) => TodoGuardrails.update(state, { todos, agent }, options)
  return options.required && tool !== Calls.todoTool ? (state) => TodoGuardrails.work(state, agent, options) : null
}

/** The lock is another's for a moment; the host's own thread is not to stand still for it. */
const changed = (change: Change, sessionId: string, step: Step) =>
  Effect.try({
    try: () => change(sessionId, step),
    catch: (cause) => new TodoError({ reason: "unwritable", detail: String(cause) })
  }).pipe(
    Effect.flatMap((done) =>
      done === null ? new TodoError({ reason: "busy", detail: "another process is at it" }) : Effect.succeed(done.value)
    ),
    Effect.retry({
      schedule: Schedule.spaced(tries.every),
      times: tries.times,
      while: ({ reason }) => reason === "busy"
    })
  )

const isMain = (sessionId: string) =>
  Effect.map(
    Effect.flatMap(OpenCodeClient, (client) => client.session(sessionId)),
    ({ parentID }) => Json.string(parentID) === null
  )

const event = "tool.execute.after"

/** What comes of the call, null for nothing. */
const decided = Effect.fnUntraced(function* (change: Change, sessionId: string, step: Step) {
  const states = yield* ReviewStates
  // Where nobody knows what the user said last, nothing is told.
  if ((yield* states.isStopped(sessionId)) !== false || !(yield* isMain(sessionId))) return null
  return yield* changed(change, sessionId, step)
})

const late = () => new TodoError({ reason: "busy", detail: `it took longer than ${patience.list}` })

/** What is counted as told is told before the log has it, however long that takes. */
const logged = <R>(writing: Effect.Effect<void, never, R>) =>
  Effect.asVoid(Effect.timeoutOption(Effect.disconnect(writing), patience.log))

/** Whatever goes wrong is a line of the log, and nothing is told. */
const failed = (sessionId: string, cause: Cause.Cause<unknown>) => {
  const failure: unknown = Cause.squash(cause)
  const detail = failure instanceof TodoError ? failure.detail : Cause.pretty(cause)
  return DecidedLog.write(sessionId, { event, decision: "failure", reason: `the todo list is left alone: ${detail}` })
}

const written = (sessionId: string, outcome: TodoGuardrails.Told) =>
  Effect.forEach(TodoGuardrails.decisions(outcome), (one) => DecidedLog.write(sessionId, { event, ...one }), {
    discard: true
  })

export const make = ({ change, config, problem }: Options) => {
  const options = TodoGuardrails.make(config.todos)
  const isOn = problem === null && config.profile !== "advisory" && options.enabled
  const agents = makeAgents()
  /** What is due after a call before the host goes on; null for nothing. */
  const after = (ended: Ended, output: { output?: unknown }) => {
    const step = isOn ? stepOf(ended, agents.of(ended.sessionID), options) : null
    if (step === null) return null
    const { sessionID } = ended
    const work = Effect.disconnect(decided(change, sessionID, step))
    return Effect.matchCauseEffect(Effect.timeoutFail(work, { duration: patience.list, onTimeout: late }), {
      onFailure: (cause) => logged(failed(sessionID, cause)),
      onSuccess: (outcome) => {
        const text = outcome?.reminder?.text ?? null
        if (text !== null && typeof output.output === "string") output.output = `${output.output}\n\n${text}`
        return outcome === null ? Effect.void : logged(written(sessionID, outcome))
      }
    })
  }
  return { happened: agents.happened, after }
}
