/** What a compaction must not lose, and is told again after it: the user's own words, what is still open, and the agent's own checklist. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import { AgentHost } from "@reflexion/core/AgentHost"
import * as CompactionAssessment from "@reflexion/core/Compaction"
import { JudgeService } from "@reflexion/core/JudgeService"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Guidance } from "../host/Guidance.ts"

const maxTask = 2000
const maxOpen = 8

const clean = (text: string): string => safeText(text).trim()

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`${title}\n${lines.join("\n")}`]

const openOf = (verdict: Verdict | null): ReadonlyArray<string> =>
  verdict === null || verdict.complete ? [] : verdict.missing.slice(0, maxOpen).map((one) => `- ${one}`)

/** The text for the compaction's prompt, null where the session has no task. */
export const text = Effect.fnUntraced(function* (sessionId: string) {
  const host = yield* AgentHost
  const judge = yield* JudgeService
  const transcript = yield* host.transcript(sessionId)
  const task = NeutralTranscript.events(transcript).reduce(TaskContext.step, TaskContext.initial)
  const words = transcript.events.findLast(
    (event) => event.type === "user_message" && event.id !== null && event.id === task.userMessageId
  )
  if (words?.type !== "user_message") return null
  const verdict = yield* judge.review(transcript, { attempt: 1, evidence: true }).pipe(
    Effect.map((judged) => judged.verdict),
    Effect.orElseSucceed(() => null)
  )
  const guidance = yield* Effect.flatMap(Guidance, ({ get }) => get(sessionId))
  return [
    "The summary must keep these, for the work goes on after it:",
    ...section("The user's last task, word for word:", [clean(words.text).slice(0, maxTask)]),
    ...section("Still open by the evidence of this session:", openOf(verdict)),
    ...section("The agent's own checklist:", Option.toArray(guidance))
  ].join("\n\n")
})

/** What the model is told after a compaction; none in an agent's session, which ends with what it was started for. */
export const reminder = Effect.fnUntraced(function* (sessionId: string) {
  const host = yield* AgentHost
  const transcript = yield* host.transcript(sessionId)
  if (transcript.parentSessionId !== null) return Option.none<string>()
  const { text } = CompactionAssessment.assess(transcript)
  const guidance = yield* Effect.flatMap(Guidance, ({ get }) => get(sessionId))
  const parts = [text, ...section("The agent's own checklist:", Option.toArray(guidance))]
  return Option.liftPredicate(parts.join("\n\n"), (whole) => whole !== "")
})
