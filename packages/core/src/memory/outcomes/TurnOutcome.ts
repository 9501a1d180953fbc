/**
 * What the review of a turn says to the outcome log: whether an attempt ended by it, how, and with what. Pure, so that a
 * hook process and a long-running host say the same.
 */
import type { AttemptOutcome, LoadedContext, Status } from "./AttemptOutcome.ts"
import { wordOf } from "../../base/system/KeyHash.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { noWord } from "../../judge/stuck/model.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import * as Json from "../../base/json/Json.ts"
import type { Review } from "./ReviewLesson.ts"
import { beginsTurn } from "../../session/task/TaskContext.ts"
import type { ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"

/** The file below a project's folder for reviews. */
export const fileName = "outcomes.jsonl"

const ended: ReadonlySet<string | null> = new Set(["exhausted", "unmoved", "incomplete"])

/**
 * `completed`: the task is. `failed`: the agent was sent on, or the review ended without completion and the user was told
 * so; `timeout`, where that is because the agent went silent. Null where no attempt ended: the agent waits for somebody, was broken off, or goes on.
 */
export const statusOf = ({ decision, verdict }: Pick<Review, "decision" | "verdict">): Status | null => {
  if (verdict.complete) return "completed"
  const isOpen = verdict.status === "incomplete" || verdict.status === "stuck"
  if (!isOpen || !(decision.kind === "nudge" || ended.has(decision.notice))) return null
  return verdict.reason.startsWith(noWord) ? "timeout" : "failed"
}

/**
 * What the events tell of the attempt that runs. `startedAt` is when the task was given, or the agent was last sent on, in
 * ISO 8601, null where that is not known, as `objective` and `resultLength` are null where the events do not have them.
 * `tools` are the attempt's own; `loaded` is the whole task's, for an agent that is sent on still knows what it has read.
 */
export interface AttemptFacts {
  readonly objective: string | null
  readonly startedAt: string | null
  readonly resultLength: number | null
  readonly tools: ReadonlyArray<string>
  readonly loaded: ReadonlyArray<LoadedContext>
}

/** So much of a command is looked through. */
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

/** What the events since the message that gave the task tell, or all of them, where that is not among them. */
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

/** `stop` tells a session's stops apart; `backend` is the host. */
export interface StopSource {
  readonly backend: string
  readonly stop: string
  readonly told: AttemptFacts
}

const durationOf = (startedAt: string | null, until: number): number => {
  const since = startedAt === null ? Number.NaN : Date.parse(startedAt)
  return Number.isFinite(since) ? Math.max(0, until - since) : 0
}

/**
 * The outcome of the attempt that a review ends, null where it ends none. A session's task has no id: it is known by what
 * the user asked for.
 */
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
