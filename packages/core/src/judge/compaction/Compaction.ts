/** Decides what to tell an agent after a compaction, so that it does not forget the task or open pull requests. */
import * as Text from "./text.ts"
import * as Forge from "./forge.ts"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { tail } from "../../base/text/Text.ts"
import { isHalt } from "../../session/task/Intent.ts"
import * as Pulse from "../stuck/LastSigns.ts"
import * as Judgment from "../verdict/Judgment.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import type { CompactionAssessment, CompactionState } from "./model.ts"

export { Action, CompactionAssessment, type CompactionState } from "./model.ts"

export const initial: CompactionState = {
  judgment: Judgment.initial,
  forge: Forge.initial,
  words: [],
  before: null,
  listed: false,
  pulse: Pulse.initial
}

const maxWords = 5
const maxQuoted = 1000

/** A message this short usually refers to something said before, for example "Do it" or "the second one, please". */
const few = 60

const redactedTail = (text: string): string => tail(redact(text), maxQuoted)

const beforeOf = ({ stop }: Judgment.JudgmentState, text: string): string | null =>
  stop.spokeLast && text.length <= few ? redactedTail(stop.text) : null

/** @category folds */
export const step = (
  state: CompactionState,
  event: TranscriptEvent,
  context: Judgment.JudgmentContext
): CompactionState => {
  const before = state.judgment
  const after = Judgment.step(before, event, context)
  const genuine = TaskContext.isGenuine(event)
  const goesOn = after.task.since === before.task.since
  return {
    judgment: after,
    forge: Forge.step(state.forge, event, { before, after }),
    words: genuine ? [...state.words, redactedHead(event.text, 4000)].slice(-maxWords) : state.words,
    before: genuine ? beforeOf(before, event.text) : state.before,
    listed: event.type === "todo_update" || (state.listed && (!genuine || goesOn)),
    pulse: Pulse.step(state.pulse, event)
  }
}

const waits = ({ interrupted, stop, task }: Judgment.JudgmentState, verdict: Verdict): boolean =>
  interrupted ||
  stop.asked === "open" ||
  isHalt(task.message) ||
  (stop.spokeLast && (verdict.status === "waiting_for_user" || verdict.status === "needs_human"))

const isUntold = ({ task }: Judgment.JudgmentState, { refs, untold }: Forge.Forge): boolean =>
  untold && refs.length > 0 && !task.forbids.some((gate) => gate === "pr" || gate === "push")

/** Below this confidence we repeat the task, because an unneeded reminder costs less than a lost task. */
const proved = 0.7

const decide = (
  judgment: Judgment.JudgmentState,
  verdict: Verdict,
  forge: Forge.Forge
): Pick<CompactionAssessment, "action" | "confidence"> => {
  const isAtRest = judgment.stop.spokeLast && judgment.stop.pending.length === 0
  if (judgment.task.turn < 0) return { action: "continue_task", confidence: 0.2 }
  if (waits(judgment, verdict)) return { action: "needs_clarification", confidence: 0.85 }
  if (isUntold(judgment, forge)) return { action: "needs_github_update", confidence: 0.8 }
  if (verdict.complete && isAtRest && verdict.confidence >= proved)
    return { action: "task_complete", confidence: verdict.confidence }
  return { action: "continue_task", confidence: isAtRest && verdict.status !== "incomplete" ? 0.4 : 0.85 }
}

/** The question in the agent's own words. Null if the agent asked nothing. */
const questionOf = ({ interrupted, stop }: Judgment.JudgmentState, verdict: Verdict): Text.Parts["question"] => {
  const { question } = StopSignal.read(stop)
  const within = redactedTail(stop.text)
  if (question !== null) return { text: question.text, within }
  const at = verdict.reason.indexOf(": ")
  return at < 0 || interrupted ? null : { text: verdict.reason.slice(at + 2), within }
}

const maxItems = 10

/** If the rules tell only the user (`told`), the agent does not see their findings. */
const openOf = ({ judgment, listed }: CompactionState, verdict: Verdict, told: boolean): ReadonlyArray<string> => {
  if (verdict.complete) return []
  const named = told ? [] : verdict.findings
  const missing = told ? [] : verdict.missing
  const red = verdict.gates.filter(
    ({ gate, required, result }) => required && result === "failed" && !named.some((found) => found.gate === gate)
  )
  const todos = StopSignal.openTodos({ ...judgment.stop, todosTouched: listed })
  return [
    ...missing,
    ...red.map(({ detail, gate }) => `${gate}: ${detail}`),
    ...todos.map((todo) => `todo: ${todo}`)
  ].slice(0, maxItems)
}

/** The pending calls of this turn and the calls in the background. */
const runningOf = ({ judgment: { stop }, pulse }: CompactionState): ReadonlyArray<string> => {
  const ids = new Set([...stop.pending, ...stop.background].map(({ id }) => id))
  return pulse.open
    .filter(({ id }) => ids.has(id))
    .map(({ summary, tool }) => (summary === "" ? tool : `${tool}: ${summary}`))
}

/** @category assessing */
export const read = (state: CompactionState, options: Judgment.VerdictOptions): CompactionAssessment => {
  const { judgment } = state
  const { session, task } = options
  const { isOnlyTold, verdict } = Judgment.decide(judgment, options)
  const { branch } = state.forge
  const forge = { ...state.forge, branch: branch === "main" || branch === "master" ? null : branch }
  const { action, confidence } = decide(judgment, verdict, forge)
  return {
    version: 1,
    host: session.host,
    sessionId: session.sessionId,
    action,
    confidence,
    hasActiveGitWork: forge.refs.length > 0 || forge.branch !== null,
    text: Text.render({
      action,
      words: task === undefined ? state.words : [task],
      before: task === undefined ? state.before : null,
      open: openOf(state, verdict, isOnlyTold),
      running: runningOf(state),
      forge,
      question: action === "needs_clarification" ? questionOf(judgment, verdict) : null,
      plan: judgment.task.mode === "plan" || session.mode === "plan"
    })
  }
}

/** @category folds */
export const replay = (transcript: Transcript, context: Judgment.JudgmentContext): CompactionState =>
  NeutralTranscript.events(transcript).reduce((all, event) => step(all, event, context), initial)

/** @category assessing */
export const assess = (transcript: Transcript, options: Judgment.JudgeOptions = {}): CompactionAssessment => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd, ...options.context }
  const state = replay(transcript, context)
  return read(state, {
    session: transcript,
    context,
    now: options.now ?? state.judgment.stop.lastAt,
    ...(options.task !== undefined && { task: options.task })
  })
}
