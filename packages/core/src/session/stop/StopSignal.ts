/** Tracks how the agent stopped: what its final text does, and what the host says. */
import { type Claim, readClaims } from "../claims/Claims.ts"
import { awaits, dependence, type Dependence, findQuestion, isCutOff, promises, type Question } from "./LastWords.ts"
import { hostError, isRefusal } from "./hostErrors.ts"
import * as LimitEnd from "./LimitEnd.ts"
import { callKey } from "../../base/system/FileNames.ts"
import { isEnglish, type Prose, readProse } from "../../base/text/Sentences.ts"
import { isFeedback } from "../task/OwnFeedback.ts"
import { head, redactedHead } from "../../base/redaction/RedactedHead.ts"
import { oneLine, tail } from "../../base/text/Text.ts"
import { launches, toolKind } from "../transcript/ToolKinds.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { isGenuine } from "../task/TaskContext.ts"
import type { AssistantMessage, Notice, Todo, ToolCall, TranscriptEvent } from "../transcript/Transcript.ts"
import type { StopSignal } from "./model.ts"

export type { Dependence, Question } from "./LastWords.ts"

export { StopSignal } from "./model.ts"

export { isRefusal, isRetried } from "./hostErrors.ts"

export const initial: StopSignal = {
  version: 1,
  text: "",
  spokeLast: false,
  blank: false,
  completed: null,
  messages: 0,
  toolCalls: 0,
  pending: [],
  background: [],
  launched: false,
  notice: null,
  asked: null,
  refused: null,
  todos: [],
  todosTouched: false,
  queued: false,
  lastAt: null
}

const maxOpen = 32
const maxText = 6000
const maxTodo = 200
const maxTool = 200

const without = (open: StopSignal["pending"], id: string): StopSignal["pending"] =>
  open.some((call) => call.id === id) ? open.filter((call) => call.id !== id) : open

const onToolCall = (state: StopSignal, call: ToolCall): StopSignal => {
  if (call.agentId !== null) return state
  const kind = toolKind(call.tool)
  const id = callKey(call.id)
  const open = call.status === "pending" || call.status === "running"
  const tool = call.tool.slice(0, maxTool)
  const entry = { id, tool }
  const settled = without(state.pending, id)
  const pending = open && !call.background ? [...settled, entry].slice(-maxOpen) : settled
  const others = without(state.background, id)
  const background = call.background && open ? [...others, entry].slice(-maxOpen) : others
  const wasOpen = settled !== state.pending || others !== state.background
  const dialogue = kind === "question" || kind === "plan"
  const asked = !dialogue ? state.asked : open ? "open" : call.status === "completed" ? null : "refused"
  const went = call.status === "completed" || (state.spokeLast && !open)
  const refused = call.status === "denied" ? tool : went ? null : state.refused
  return {
    ...state,
    pending,
    background,
    launched: state.launched || (went && others === state.background && launches(call)),
    asked,
    refused,
    notice: state.notice?.kind === "aborted" ? state.notice : null,
    blank: false,
    spokeLast: wasOpen && !open && state.spokeLast,
    toolCalls: state.toolCalls + (open ? 0 : 1)
  }
}

/** True if a text has only spaces, dots, dashes or invisible characters, or is a placeholder of a host or model. */
const isWordless = (text: string): boolean =>
  (!/[a-z\d]/i.test(text.slice(0, 100)) && /^[\s\p{Cf}.…-]*$/u.test(text.slice(0, 100))) ||
  /^\s{0,4}[(<[]?(?:no content|no response(?: requested)?|empty)[)>\]]?\.?\s{0,4}$/i.test(text.slice(0, 100))

/** A limit may be reported again without its end. An end in the past belongs to another limit. */
const limitEndIn = (
  { notice }: StopSignal,
  kind: Notice["kind"],
  text: string | null,
  at: string | null
): { readonly limitEnd?: string } => {
  if (kind !== "rate_limited") return {}
  const stated = text === null ? null : LimitEnd.of(text, at)
  const earlier = Date.parse(notice?.limitEnd ?? "") > Date.parse(at ?? "") ? notice?.limitEnd : undefined
  const limitEnd = stated ?? earlier
  return limitEnd === undefined ? {} : { limitEnd }
}

/** Some hosts print a service's error as if the agent had written it. */
const noticeOf = (state: StopSignal, { at, outputTokens, text }: AssistantMessage): StopSignal["notice"] => {
  if (state.notice?.kind === "background_running") return state.notice
  const found = hostError(text, outputTokens)
  if (found === null) return null
  const kind = state.notice?.kind === "rate_limited" ? "rate_limited" : found
  return { kind, detail: oneLine(redact(text.trim()), 300), ...limitEndIn(state, kind, text, at) }
}

/** Returns the end of a text. Secrets are removed before the cut, because half a secret would not be recognised. */
const ending = (text: string): string => (text.length <= maxText ? text : tail(redact(text), maxText))

/** Shortens a todo. Secrets are removed before the cut, because some secrets are recognised by the text after them. */
const shortened = ({ content, ...todo }: Todo): Todo => ({
  ...todo,
  content: content.length <= maxTodo ? content : head(redact(content.slice(0, 4 * maxTodo)), maxTodo)
})

const onText = (state: StopSignal, message: AssistantMessage): StopSignal => {
  const { completed, text } = message
  const joined = state.spokeLast ? `${state.text}\n\n${text}` : text
  return {
    ...state,
    text: ending(joined),
    spokeLast: true,
    completed,
    blank: false,
    notice: noticeOf(state, message),
    asked: null,
    messages: state.messages + 1
  }
}

/**
 * Adds one event. A message of the user resets the signal, but keeps todos, background work and the time.
 *
 * @category folds
 */
export const step = (state: StopSignal, event: TranscriptEvent): StopSignal => {
  const timed = event.at === null ? state : { ...state, lastAt: event.at }
  switch (event.type) {
    case "user_message":
      // The agent's answer to a nudge is a new text. An abort before the nudge no longer counts.
      if (isFeedback(event))
        return { ...timed, spokeLast: false, notice: state.notice?.kind === "aborted" ? null : state.notice }
      if (event.synthetic && isRefusal(event.text)) return { ...timed, unheard: true }
      if (!isGenuine(event)) return timed
      return { ...initial, todos: state.todos, background: state.background, lastAt: timed.lastAt }
    case "assistant_message":
      return isWordless(event.text)
        ? { ...timed, blank: event.completed === true, completed: event.completed }
        : onText(timed, event)
    case "tool_call":
      return onToolCall(event.endedAt === null ? timed : { ...timed, lastAt: event.endedAt }, event)
    case "todo_update":
      return {
        ...timed,
        todos: event.todos.slice(0, 100).map(shortened),
        todosTouched: true
      }
    case "notice":
      if (event.kind === "input_queued") return { ...timed, queued: true }
      // The list may have changed in the unread part.
      if (event.kind === "unread") return { ...timed, todosTouched: false }
      return event.kind === "compacted"
        ? timed
        : {
            ...timed,
            notice: {
              kind: event.kind,
              detail: event.detail === null ? null : oneLine(redactedHead(event.detail, 2000), 300),
              ...limitEndIn(state, event.kind, event.detail, event.at)
            }
          }
    case "mode_change":
      return timed
  }
}

/**
 * What was read from the final text. Empty if the agent did not speak last.
 *
 * @category models
 */
export interface Reading {
  /** How the turn ended. `finished` only means that the text shows no other end. */
  readonly closing:
    | "finished"
    | "question"
    | "awaits"
    | "cut_off"
    | "error"
    | "limited"
    | "aborted"
    | "silent"
    | "open_call"
    | "undecided"
  readonly question: Question | null
  readonly dependsOn: Dependence | null
  readonly claims: ReadonlyArray<Claim>
  readonly english: boolean
  readonly prose: Prose
}

const closingOf = (state: StopSignal, { english, prose, question }: Omit<Reading, "closing">): Reading["closing"] => {
  const notice = state.notice?.kind
  if (notice === "aborted" || state.asked === "refused") return "aborted"
  if (notice === "api_error") return "error"
  if (notice === "rate_limited") return "limited"
  if (state.asked === "open" || notice === "permission_asked") return "question"
  if (state.pending.length > 0 && !state.spokeLast) return "open_call"
  if (!state.spokeLast) return state.refused === null ? "silent" : "aborted"
  // A complete question at the end of a text counts, even if the host says that the text was cut off.
  if (isCutOff(state.text, state.completed) && (question === null || isCutOff(state.text, null))) return "cut_off"
  if (question !== null) return "question"
  const delegated = state.background.some((call) => toolKind(call.tool) === "agent")
  if (notice === "background_running" || delegated || (state.background.length > 0 && awaits(prose))) return "awaits"
  if (state.launched && english && promises(prose)) return "awaits"
  return english ? "finished" : "undecided"
}

/**
 * Reads how the turn ended.
 *
 * @category accessors
 */
export const read = (state: StopSignal): Reading => {
  const prose = readProse(state.spokeLast ? state.text : "")
  const parts = {
    question: findQuestion(prose),
    dependsOn: dependence(prose),
    claims: state.spokeLast ? readClaims(prose) : [],
    english: isEnglish(state.text),
    prose
  }
  return { ...parts, closing: closingOf(state, parts) }
}

/**
 * If the agent changed the todo list in this turn, returns the open todos.
 *
 * @category accessors
 */
export const openTodos = (state: StopSignal): ReadonlyArray<string> =>
  state.todosTouched
    ? state.todos
        .filter((todo) => todo.status === "pending" || todo.status === "in_progress")
        .map((todo) => oneLine(redact(todo.content), 120))
    : []
