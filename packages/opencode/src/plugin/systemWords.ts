/** What is added to a session's system prompt: lessons at the start, and facts that a compaction may have lost. */
import { AgentHost } from "@reflexion/core/AgentHost"
import * as CompactionAssessment from "@reflexion/core/Compaction"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import { JudgeService } from "@reflexion/core/JudgeService"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Bounded from "../host/Bounded.ts"
import * as Guidance from "../host/Guidance.ts"
import { Memory } from "./memory.ts"

const maxTask = 2000
const maxOpen = 8

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`${title}\n${lines.join("\n")}`]

const checklistOf = (sessionId: string) =>
  Effect.map(Guidance.get(sessionId), (text) => section("The agent's own checklist:", text === null ? [] : [text]))

/** Facts for the compaction's prompt. Null if the session has no task. */
export const kept = Effect.fnUntraced(function* (sessionId: string) {
  const host = yield* AgentHost
  const judge = yield* JudgeService
  const transcript = yield* host.transcript(sessionId)
  const task = NeutralTranscript.events(transcript).reduce(TaskContext.step, TaskContext.initial)
  const words = transcript.events.findLast(
    (event) => event.type === "user_message" && event.id !== null && event.id === task.userMessageId
  )
  if (words?.type !== "user_message") return null
  const open = yield* judge.review(transcript, { attempt: 1, evidence: true }).pipe(
    Effect.map(({ verdict }) => (verdict.complete ? [] : verdict.missing.slice(0, maxOpen))),
    Effect.orElseSucceed(() => [])
  )
  return [
    "The summary must keep these, because the work continues after it:",
    ...section("The user's last task, word for word:", [safeText(words.text).trim().slice(0, maxTask)]),
    ...section(
      "Still open, according to this session's record:",
      open.map((one) => `- ${one}`)
    ),
    ...(yield* checklistOf(sessionId))
  ].join("\n\n")
})

/** Empty for a subagent, which ends with its task. */
const reminder = Effect.fnUntraced(function* (sessionId: string) {
  const host = yield* AgentHost
  const transcript = yield* host.transcript(sessionId)
  if (transcript.parentSessionId !== null) return ""
  return [CompactionAssessment.assess(transcript).text, ...(yield* checklistOf(sessionId))].join("\n\n")
})

const patience = "2 seconds"

/** Computes each session's text once. */
const due = <E, R>(ask: (sessionId: string) => Effect.Effect<string, E, R>) => {
  /** Null until the text has been computed. */
  const known = new Map<string, Option.Option<string> | null>()
  const asked = Effect.fnUntraced(function* (sessionId: string) {
    const answer = yield* Effect.timeoutOption(Effect.disconnect(ask(sessionId)), patience)
    const words = Option.filter(answer, (text) => text !== "")
    if (known.has(sessionId)) known.set(sessionId, words)
    return words
  })
  /** Null if there is nothing to wait for. */
  const words = (sessionId: string) => {
    const told = known.get(sessionId)
    if (told === undefined) return null
    if (told === null) return asked(sessionId)
    return Option.isNone(told) ? null : Effect.succeed(told)
  }
  return {
    begin: (sessionId: string): void => Bounded.put(known, sessionId, null),
    end: (sessionId: string) => known.delete(sessionId),
    isAsked: (sessionId: string): boolean => known.get(sessionId) !== null,
    words
  }
}

export const make = () => {
  const beginning = due((sessionId) => Effect.flatMap(Memory, ({ atStart }) => atStart(sessionId)))
  const revival = due(reminder)
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const { info: given, sessionID } = Json.object(properties)
    const info = Json.object(given)
    const id = Json.string(sessionID) ?? Json.string(info["id"])
    if (id === null) return
    // Subagents and judging sessions have a parent. They get no lessons of their own.
    if (type === "session.created" && Json.string(info["parentID"]) === null) beginning.begin(id)
    if (type === "session.deleted") beginning.end(id)
    if (type === "session.compacted") revival.begin(id)
    // If the user asked for the compaction, the session becomes idle before the text is used.
    if (type === "session.deleted" || (type === "session.idle" && revival.isAsked(id))) revival.end(id)
  }
  return { happened, words: (sessionId: string) => revival.words(sessionId) ?? beginning.words(sessionId) }
}

/** Appended to the host's own system message, because not every model accepts a second one. */
export const say =
  (system: Array<string>) =>
  (words: Option.Option<string>): void => {
    if (Option.isNone(words)) return
    const before = system.pop()
    system.push(before === undefined ? words.value : `${before}\n\n${words.value}`)
  }
