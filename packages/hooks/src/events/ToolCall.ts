/** Adds text about the todo list and about repeated calls to a tool's result. This costs no extra turn. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import { redactJson } from "@reflexion/core/Redaction"
import type { Todo } from "@reflexion/core/Transcript"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Checksum from "../places/Checksum.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as SessionFile from "../session/SessionFile.ts"

const threshold = 5

const looping = `[reflexion] You have made the same call ${threshold} times in a row with the same result. The same call will not change the result: read the result and try something else, or say what blocks you.`

/** Counts identical calls with identical results that follow each other directly. */
const loopWatch = <S>(hook: Hooks.Hook<S>, event: HookEvent): string | null => {
  if (event.tool === null || hook.watches === "todos") return null
  const print = Checksum.ofText(JSON.stringify([event.tool.name, event.tool.input, event.tool.result]))
  const { review, tool } = Hooks.update(hook, event, (session) => ({
    ...session,
    tool: { print, count: session.tool?.print === print ? session.tool.count + 1 : 1 }
  }))
  if (tool?.count !== threshold || !review.enabled) return null
  Hooks.log(hook, event, { decision: "notice", reason: `${threshold} identical tool calls in a row` })
  return looping
}

export interface TodoState {
  readonly guardrails: TodoGuardrails.State
  readonly todos: ReadonlyArray<Todo>
  /** The agent's run in which every todo was done. Null if a todo is open. */
  readonly closedIn: string | null
}

const header = "reflexion-todos-2"

const parse = (text: string): TodoState => {
  const [head, body = ""] = Checksum.unseal(text) ?? []
  return head === header ? JSON.parse(body) : { guardrails: TodoGuardrails.initial, todos: [], closedIn: null }
}

/**
 * Null if another process holds the lock longer than `patience` ms. Throws if the state cannot be saved. Then the agent
 * must not get a reminder.
 */
export const attempt = <A>(
  key: Omit<SessionFile.Key, "build">,
  patience: number,
  change: (saved: TodoState) => readonly [TodoState, A]
): { readonly value: A } | null => {
  const file = SessionFile.fileOf(key, "todos")
  const work = () => {
    const saved = parse(PlainFiles.read(file) ?? "")
    const [next, value] = change(saved)
    if (next !== saved) PlainFiles.write(file, Checksum.seal(header, JSON.stringify(redactJson(next))))
    return { value }
  }
  return SessionFile.locked(key, patience, work, "todos")
}

/** Empty if an earlier run of the agent finished every todo, and the agent now creates a new todo. */
const listBefore = ({ closedIn, todos }: TodoState, event: HookEvent): ReadonlyArray<Todo> =>
  event.tool?.name === "TaskCreate" && closedIn !== null && closedIn !== event.turnId ? [] : todos

type Changed = readonly [TodoState, TodoGuardrails.TodoUpdate]

const updated = (
  saved: TodoState,
  event: HookEvent,
  todos: ReadonlyArray<Todo>,
  options: TodoGuardrails.Options
): Changed => {
  const [guardrails, told] = TodoGuardrails.update(saved.guardrails, { todos, agent: event.agent ?? null }, options)
  const isOpen = todos.some(({ status }) => status === "pending" || status === "in_progress")
  return [{ guardrails, todos, closedIn: isOpen ? null : event.turnId }, told]
}

const worked = (saved: TodoState, event: HookEvent, options: TodoGuardrails.Options): Changed => {
  const [guardrails, told] = TodoGuardrails.work(saved.guardrails, event.agent ?? null, options)
  return [guardrails === saved.guardrails ? saved : { ...saved, guardrails }, told]
}

/** Null if the configuration forbids reminders or has a problem. */
const optionsOf = <S>(hook: Hooks.Hook<S>, root: string): TodoGuardrails.Options | null => {
  const { config, problem } = Hooks.settingsOf(hook, root)
  const options = TodoGuardrails.make(config.todos)
  return problem === null && config.profile !== "advisory" && options.enabled ? options : null
}

const patience = 2000

/** Throws if the state cannot be saved. */
const todoWatch = <S>(hook: Hooks.Hook<S>, event: HookEvent): string | null => {
  const { todos: host } = hook
  if (host === undefined || event.cwd === null) return null
  const root = ProjectRoot.of(event.cwd)
  const options = optionsOf(hook, root)
  const key = Hooks.keyOf(hook, event)
  const { tool } = event
  const call = tool !== null && host.tools.includes(tool.name) ? { ...tool, tool: tool.name } : null
  if (options === null || !(call !== null || options.required) || SessionFile.isStopped(key)) return null
  const step = (saved: TodoState): Changed => {
    if (call === null) return worked(saved, event, options)
    const todos = host.step(listBefore(saved, event), call)
    // A call that does not change the list causes no reminder.
    return todos === null
      ? [saved, TodoGuardrails.update(saved.guardrails, { todos: [], agent: null }, options)[1]]
      : updated(saved, event, todos, options)
  }
  const since = hook.now()
  const told = attempt(key, patience, step)?.value
  if (told === undefined) throw new Error("another process is using the session's todo list")
  for (const one of TodoGuardrails.decisions(told)) Hooks.log(hook, event, { ...one, directory: root }, since)
  return told.reminder?.text ?? null
}

/** Loops are reported only if the hook gets every call. */
export const told = <S>(hook: Hooks.Hook<S>, event: HookEvent): string | null =>
  event.subagent ? null : joined([loopWatch(hook, event), todoWatch(hook, event)])

const joined = (texts: ReadonlyArray<string | null>): string | null =>
  texts.filter((text) => text !== null).join("\n\n") || null

export const context = (texts: ReadonlyArray<string | null>): HookAnswer => {
  const text = joined(texts)
  return text === null ? nothing : { _tag: "context", text }
}
