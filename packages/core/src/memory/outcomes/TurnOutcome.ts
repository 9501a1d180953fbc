/** Turns the review of a turn into an entry for the outcome log. */
import type { AttemptOutcome, LoadedContext, Status } from "./AttemptOutcome.ts"
import { wordOf } from "../../base/system/KeyHash.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { noWord } from "../../judge/stuck/model.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import * as Json from "../../base/json/Json.ts"
import type { Review } from "./ReviewLesson.ts"
import { beginsTurn } from "../../session/task/TaskContext.ts"
import type { ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"

/** Below the project's folder for reviews. */
export const fileName = "outcomes.jsonl"

const ended: ReadonlySet<string | null> = new Set(["exhausted", "unmoved", "incomplete"])

/**
 * Returns how the attempt ended:
 * - `completed`: the task is complete.
 * - `failed`: the agent was told to continue, or the review ended without completion and the user was told so.
 * - `timeout`: like `failed`, but because the agent stopped answering.
 * - Null if no attempt ended: the agent waits for somebody, was interrupted, or goes on.
 */
export const statusOf = ({ decision, verdict }: Pick<Review, "decision" | "verdict">): Status | null => {
  if (verdict.complete) return "completed"
  const isOpen = verdict.status === "incomplete" || verdict.status === "stuck"
  if (!isOpen || !(decision.kind === "nudge" || ended.has(decision.notice))) return null
  return verdict.reason.startsWith(noWord) ? "timeout" : "failed"
}

export interface AttemptFacts {
  /** What the user asked for. Null if the events do not have it. */
  readonly objective: string | null
  /** When the task was given, or the agent was last told to continue. ISO 8601. Null if unknown. */
  readonly startedAt: string | null
  /** The length of the agent's last message in characters. Null if the events do not have it. */
  readonly resultLength: number | null
  readonly tools: ReadonlyArray<string>
  /** The skills and files of the whole task, because the agent also knows them after a nudge. */
  readonly loaded: ReadonlyArray<LoadedContext>
}

const commandLength = 4000

const skillFile = /([\w.-]{1,100})[\\/]SKILL\.md(?![\w.])/gu

const skillsIn = (text: string): ReadonlyArray<LoadedContext> =>
  [...text.slice(0, commandLength).matchAll(skillFile)].map(([, name = ""]): LoadedContext => ({ kind: "skill", name }))

const firstText = (input: Json.Json, names: ReadonlyArray<string>): string | null =>
  names.map((name) => Json.string(input[name])).find((text) => text !== null && text !== "") ?? null

const loadedBy = (call: ToolCall): ReadonlyArray<LoadedContext> => {
  const input = Json.object(call.input)
  if (call.tool.toLowerCase() === "skill") {
    const name = firstText(input, ["skill", "name", "command"])
    return name === null ? [] : [{ kind: "skill", name }]
  }
  const kind = toolKind(call.tool)
  if (kind === "shell") return skillsIn(shellCommand(call) ?? "")
  const path = kind === "read" ? firstText(input, ["file_path", "filePath", "path"]) : null
  return path === null ? [] : skillsIn(path)
}

/** The facts since the message that gave the task. If that message is not among the events, all events count. */
export const read = (events: Iterable<TranscriptEvent>): AttemptFacts => {
  let told: Omit<AttemptFacts, "tools" | "loaded"> = { objective: null, startedAt: null, resultLength: null }
  let turn = -1
  const tools = new Set<string>()
  const loaded = new Map<string, LoadedContext>()
  for (const event of events) {
    if (event.type === "user_message" && beginsTurn(turn, event)) {
      turn = event.turn ?? turn + 1
      told = { objective: event.text, startedAt: event.at, resultLength: null }
      tools.clear()
      loaded.clear()
    } else if (event.type === "user_message" && isFeedback(event)) {
      told = { ...told, startedAt: event.at, resultLength: null }
      tools.clear()
    } else if (event.type === "assistant_message" && event.text.trim() !== "")
      told = { ...told, resultLength: event.text.trim().length }
    else if (event.type === "tool_call") {
      tools.add(event.tool)
      const more = event.status === "denied" ? [] : loadedBy(event)
      for (const one of more) loaded.set(`${one.kind}:${one.name}`, one)
    }
  }
  return { ...told, tools: [...tools], loaded: [...loaded.values()] }
}

export interface StopSource {
  /** The name of the host. */
  readonly backend: string
  /** Identifies the end of one turn in a session. */
  readonly stop: string
  readonly told: AttemptFacts
}

const durationOf = (startedAt: string | null, until: number): number => {
  const since = startedAt === null ? Number.NaN : Date.parse(startedAt)
  return Number.isFinite(since) ? Math.max(0, until - since) : 0
}

/** Null if no attempt ended. The task of a session has no id, so its objective identifies it. */
export const of = (review: Review, { backend, stop, told }: StopSource): AttemptOutcome | null => {
  const status = statusOf(review)
  if (status === null) return null
  const { sessionId, timestamp, verdict } = review
  return {
    id: `turn_${wordOf(`${backend} ${sessionId} ${stop}`)}`,
    taskId: null,
    sessionId,
    objective: told.objective ?? verdict.task.summary,
    status,
    durationMs: durationOf(told.startedAt, timestamp),
    tools: told.tools,
    loaded: told.loaded,
    resultLength: told.resultLength,
    backend,
    at: new Date(timestamp).toISOString()
  }
}
