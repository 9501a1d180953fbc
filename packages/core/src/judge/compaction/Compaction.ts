/**
 * What to say to an agent after its context was compacted, so that the task and an open pull request or issue are not
 * lost with it. Pure, and by evidence alone.
 */
import * as Text from "./text.ts"
import * as Forge from "./forgeWork.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { look } from "../stuck/StuckLook.ts"
import * as Pulse from "../stuck/LastSigns.ts"
import type { Finding } from "../stuck/StuckFinding.ts"
import { growsTask } from "./taskGrows.ts"
import { clauses } from "../../ground/text/Sentences.ts"
import { clip, matchesAny, oneLine, tail } from "../../ground/text/Text.ts"
import { shellCommand } from "../../session/transcript/ToolKinds.ts"
import { isHalt } from "../../session/task/Intent.ts"
import * as Judgment from "../verdict/Judgment.ts"
import * as Loops from "../loops/Loops.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import type { StuckState } from "../stuck/StuckAssessment.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { ToolCall, Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import type { Action, CompactionAssessment, CompactionState } from "./model.ts"
import { unread, withUnread } from "../rules/Rules.ts"

export { Action, CompactionAssessment, CompactionState } from "./model.ts"

export const initial: CompactionState = {
  version: 1,
  judgment: Judgment.initial,
  forge: Forge.initial,
  words: [],
  former: null,
  before: null,
  listed: false,
  open: []
}

const maxWords = 5
const maxOpen = 8

const onWords = (words: ReadonlyArray<string>, text: string, more: boolean): ReadonlyArray<string> => {
  const said = redactedHead(text, 4000)
  if (!more) return [said]
  const [first = said, ...rest] = words
  return words.length === 0 ? [said] : [first, ...[...rest, said].slice(1 - maxWords)]
}

const maxFormer = 600

/** What was asked before the task at hand; the last word of a row of small ones does not displace what they belong to. */
const formerOf = ({ former, words }: CompactionState): string | null => {
  const all = clip(words.map((text) => clip(text.trim(), maxFormer / 2)).join("\n"), maxFormer)
  if (all === "") return former
  return former !== null && all.length < 80 ? clip(`${former}\n${all}`, maxFormer) : all
}

const maxBefore = 1000

/** "Do it", "the second one, please": whoever says so means something that was said before. */
const refers: ReadonlyArray<RegExp> = [
  /\b(?:th(?:is|at|ese|ose|em)|it|same|above|option|first|second|third|former|latter|plan|all|both)\b/i,
  /\b(?:yes|yep|ok|okay|sure|no|go ahead|please do|sounds good|proceed)\b/i
]

/** The agent's last words, for a message that is too short to stand for itself. */
const beforeOf = ({ stop }: Judgment.JudgmentState, text: string): string | null =>
  stop.text !== "" && text.length <= 200 && matchesAny(refers, text) ? redactedTail(stop.text) : null

const redactedTail = (text: string): string => tail(redact(text), maxBefore)

const onOpen = (open: CompactionState["open"], call: ToolCall): CompactionState["open"] => {
  if (call.agentId !== null) return open
  const id = call.id ?? ""
  const others = open.some((one) => one.id === id) ? open.filter((one) => one.id !== id) : open
  if (call.status !== "pending" && call.status !== "running") return others
  const summary = oneLine(redactedHead(shellCommand(call) ?? "", 1000), 160)
  return [...others, { id, tool: oneLine(call.tool, 60), summary }].slice(-maxOpen)
}

/**
 * Folds one event into the state.
 *
 * @category folds
 */
export const step = (
  state: CompactionState,
  event: TranscriptEvent,
  context: Judgment.JudgmentContext
): CompactionState => {
  const before = state.judgment
  const after = Judgment.step(before, event, context)
  const genuine = TaskContext.isGenuine(event)
  const more = genuine && growsTask(before, after, event.text)
  return {
    version: 1,
    judgment: after,
    forge: Forge.step(state.forge, event, { before, after, begins: genuine && !more }),
    words: genuine ? onWords(state.words, event.text, more) : state.words,
    former: genuine && !more ? formerOf(state) : state.former,
    before: genuine ? beforeOf(before, event.text) : state.before,
    listed: event.type === "todo_update" || (state.listed && (!genuine || more)),
    open: event.type === "tool_call" ? onOpen(state.open, event) : state.open
  }
}

/**
 * What goes on, and how sure that is.
 *
 * @category models
 */
export interface Decision {
  readonly action: Action
  readonly confidence: number
}

/** Whether the agent came to an end, so that its last text says something of the whole. */
const isAtRest = ({ stop }: Judgment.JudgmentState): boolean => stop.spokeLast && stop.pending.length === 0

const waits = ({ interrupted, stop, task }: Judgment.JudgmentState, verdict: Verdict): boolean =>
  interrupted ||
  stop.asked === "open" ||
  isHalt(task.message) ||
  (stop.spokeLast && (verdict.status === "waiting_for_user" || verdict.status === "needs_human"))

/** What the agent's last text comes to, as if it had been quiet for long; what it owes is looked at apart. */
const stopOf = ({ judgment }: CompactionState, options: Judgment.VerdictOptions): Finding => {
  const pulse: StuckState["pulse"] = { ...Pulse.initial, last: "agent" }
  return look({ version: 1, judgment, loops: Loops.initial, pulse }, { ...options, now: null }).found
}

interface Seen {
  readonly verdict: Verdict
  readonly told: boolean
  readonly forge: Forge.Standing
  readonly stop: Finding
}

/** "Do not comment", "no replies on the issue": of a forge, not of code, which can be commented as well. */
const wantsSilence: ReadonlyArray<RegExp> = [
  /(?:\b(?:do not|never|without|no)|n't) (?:(?:post|leave|write|add) )?(?:an? |any |more |further ){0,2}(?:comment(?:s|ing)?|repl(?:y|ies|ying)|post(?:ing)?)(?: (?:anything|yet|there|please)){0,2}$/i,
  /(?:\b(?:do not|never|without|no)|n't)(?: \w+){0,3} (?:comment|repl|post)\w*(?: anything)? (?:on|to|in|under) (?:it|github|gitlab|#\d+|(?:[a-z]+ )?(?:pr|mr|(?:pull|merge) request|issue|thread)s?)$/i
]

const isUntold = ({ judgment, words }: CompactionState, forge: Forge.Standing): boolean =>
  forge.untold &&
  !judgment.task.forbids.some((gate) => gate === "pr" || gate === "push") &&
  !words.flatMap(clauses).some((clause) => matchesAny(wantsSilence, clause))

/** How sure it is that a task goes on whose agent came to rest, where nothing proves anything. */
const unsure = 0.4

const decide = (state: CompactionState, { forge, stop, verdict }: Seen): Decision => {
  const { judgment } = state
  if (judgment.task.turn < 0) return { action: "continue_task", confidence: 0.2 }
  if (waits(judgment, verdict)) return { action: "needs_clarification", confidence: 0.85 }
  if (isUntold(state, forge)) return { action: "needs_github_update", confidence: forge.unpushed ? 0.7 : 0.8 }
  if (verdict.complete && isAtRest(judgment) && stop.reason === "complete")
    return { action: "task_complete", confidence: verdict.confidence }
  const known = !isAtRest(judgment) || stop.reason === "genuinely_stuck"
  return { action: "continue_task", confidence: known ? 0.85 : unsure }
}

/** What the agent asked, in its own words. */
const questionOf = ({ judgment }: CompactionState, verdict: Verdict): Text.Parts["question"] => {
  const { question } = StopSignal.read(judgment.stop)
  const within = redactedTail(judgment.stop.text)
  if (question !== null) return { text: question.text, within }
  const at = verdict.reason.indexOf(": ")
  return at < 0 || judgment.interrupted ? null : { text: verdict.reason.slice(at + 2), within }
}

const maxItems = 10

/** What a rule only tells the user is not said to the agent. */
const openOf = ({ judgment, listed }: CompactionState, { stop, told, verdict }: Seen): ReadonlyArray<string> => {
  if (verdict.complete) return stop.reason === "genuinely_stuck" ? stop.facts : []
  const todos = StopSignal.openTodos({ ...judgment.stop, todosTouched: listed })
  const missing = told ? [] : verdict.missing
  const named = !told && verdict.findings.some(({ rule }) => rule === "todos/open")
  return [...missing, ...(named ? [] : todos.map((todo) => `todo: ${todo}`))].slice(0, maxItems)
}

const see = (state: CompactionState, given: Judgment.VerdictOptions): Seen => {
  const options = { ...given, context: { ...given.context, config: withUnread(given.context.config) } }
  const { isOnlyTold, verdict } = Judgment.decide(unread(state.judgment), options)
  return { verdict, told: isOnlyTold, forge: Forge.standing(state.forge), stop: stopOf(state, options) }
}

/** Nothing that was found says so. */
const isUnsaid = ({ judgment, listed }: CompactionState, { verdict }: Seen): boolean =>
  verdict.findings.length === 0 && (!listed || StopSignal.openTodos(judgment.stop).length === 0)

/**
 * What a reader may settle, and may say: the agent has come to rest, and evidence proves neither that the task is done nor that
 * it goes on. What the record speaks against is not among it. Nothing where evidence decides.
 *
 * @category assessing
 */
export const choices = (state: CompactionState, given: Judgment.VerdictOptions): ReadonlyArray<Action> => {
  const seen = see(state, given)
  const { action, confidence } = decide(state, seen)
  if (state.judgment.task.turn < 0 || action !== "continue_task" || confidence > unsure) return []
  const isAsked = StopSignal.read(state.judgment.stop).question !== null
  return [
    "continue_task",
    ...(isUnsaid(state, seen) ? (["task_complete"] as const) : []),
    ...(isAsked ? (["needs_clarification"] as const) : [])
  ]
}

/**
 * Assesses the session as it stands. `settled`: what a reader has chosen among the `choices`.
 *
 * @category assessing
 */
export const read = (
  state: CompactionState,
  options: Judgment.VerdictOptions & { readonly settled?: Decision }
): CompactionAssessment => {
  const seen = see(state, options)
  const { forge, verdict } = seen
  const { action, confidence } = options.settled ?? decide(state, seen)
  const text = Text.render({
    action,
    words: options.task === undefined ? state.words : [options.task],
    former: options.task === undefined ? state.former : null,
    before: options.task === undefined ? state.before : null,
    open: openOf(state, seen),
    running: state.open.map(({ summary, tool }) => (summary === "" ? tool : summary)),
    forge,
    question: action === "needs_clarification" ? questionOf(state, verdict) : null,
    plan: state.judgment.task.mode === "plan" || options.session.mode === "plan"
  })
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    action,
    confidence,
    hasActiveGitWork: forge.active,
    text
  }
}

/**
 * The state of a transcript in memory.
 *
 * @category folds
 */
export const replay = (transcript: Transcript, context: Judgment.JudgmentContext): CompactionState =>
  NeutralTranscript.events(transcript).reduce((all, event) => step(all, event, context), initial)

/**
 * Assesses a transcript in memory.
 *
 * @category assessing
 */
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
