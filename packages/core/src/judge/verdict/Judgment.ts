/** The judge of tier 1: derives the verdict from folded events, without a model. A hook can resume the fold. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import * as Gates from "../../session/gates/Gates.ts"
import * as CheckEdits from "../../session/checkedits/CheckEdits.ts"
import * as EarlierTurns from "../../session/task/EarlierTurns.ts"
import { decide } from "./Conclusion.ts"
import { taskTypeOf } from "../../session/facts/Facts.ts"
import * as Nudges from "../../session/task/OwnFeedback.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import * as ReflexionConfig from "../../session/config/ReflexionConfig.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as RepoSignals from "../../session/project/RepoSignals.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { SessionInfo, Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { Verdict } from "./Verdict.ts"
import type { JudgmentContext, JudgmentState, VerdictOptions } from "../../session/facts/Facts.ts"

export type { JudgmentContext, VerdictOptions } from "../../session/facts/Facts.ts"

export { JudgmentState } from "../../session/facts/Facts.ts"

export { type ConcludedVerdict as Decided, decide } from "./Conclusion.ts"

export const initial: JudgmentState = {
  version: 1,
  task: TaskContext.initial,
  evidence: Evidence.initial,
  stop: StopSignal.initial,
  nudges: Nudges.initial,
  interrupted: false
}

export const defaultContext: JudgmentContext = { config: ReflexionConfig.defaults, repo: RepoSignals.empty, cwd: null }

const recalled = (state: TaskContext.TaskContext, { asked, at, id }: Prompt): TaskContext.TaskContext =>
  TaskContext.step(state, { type: "user_message", id, at, text: asked, synthetic: false })

/** @category models */
export interface Prompt {
  readonly id: string | null
  readonly at: string | null
  readonly asked: string
}

/**
 * Returns the state after a number of turns that were not read. `prompts` has the last user messages of these turns, as
 * far as they are known.
 *
 * @category folds
 */
export const midway = (turns: number, prompts: ReadonlyArray<Prompt>): JudgmentState => {
  const task = prompts.reduce(recalled, TaskContext.initial)
  const turn = turns - 1
  const since = Math.max(0, task.since + turn - task.turn)
  const evidence = Evidence.unread({ ...Evidence.initial, turn })
  return { ...initial, evidence, task: { ...task, turn, since } }
}

/**
 * Marks that a part of the session was not read.
 *
 * @category folds
 */
export const unread = ({ checks, ...state }: JudgmentState): JudgmentState => ({
  ...state,
  evidence: Evidence.unread(state.evidence),
  stop: StopSignal.step(state.stop, { type: "notice", at: null, kind: "unread", detail: null }),
  // The unread part may explain why a failing check passes now.
  ...(checks !== undefined && { checks: CheckEdits.beginTask(checks) })
})

/**
 * True if an event begins a new turn. The verdict on the earlier turn is made just before this event.
 *
 * @category predicates
 */
export const startsTurn = (state: JudgmentState, event: TranscriptEvent): boolean =>
  TaskContext.beginsTurn(state.task.turn, event)

/** A turn that the user aborts gets no feedback. So if our feedback follows, reflexion interrupted the agent. */
const isInterrupted = (before: boolean, event: TranscriptEvent): boolean => {
  if (event.type === "notice" && event.kind === "aborted") return true
  return before && !TaskContext.isGenuine(event) && !Nudges.isFeedback(event)
}

/** @category folds */
export const step = (state: JudgmentState, event: TranscriptEvent, context: JudgmentContext): JudgmentState => {
  if (event.type === "notice" && event.kind === "unread") return unread(state)
  const starts = startsTurn(state, event)
  const task = TaskContext.step(state.task, event)
  const before = starts ? Evidence.beginTurn(state.evidence, task.turn, task.continued) : state.evidence
  const { checks, gates } = context.config
  const seen = { repo: context.repo, gates, checks, cwd: context.cwd ?? null }
  const evidence = Evidence.step(before, event, seen)
  return {
    version: 1,
    task,
    evidence,
    stop: StopSignal.step(state.stop, event),
    nudges: Nudges.step(state.nudges, event, () => ({ mark: mark(state, context), ...askedIn(state) })),
    interrupted: isInterrupted(state.interrupted, event),
    ...earlierOf(state, starts),
    ...checksOf(state, event, { before, after: evidence }, { seen, isNew: starts && !task.continued })
  }
}

const earlierOf = (state: JudgmentState, starts: boolean): Pick<JudgmentState, "earlier"> => {
  const { earlier, evidence, interrupted, stop, task } = state
  if (!starts || task.turn < 0) return earlier === undefined ? {} : { earlier }
  const { calls, commits, edits } = evidence
  const ended = {
    turn: task.turn,
    asked: task.message,
    said: stop.text,
    edits: edits.length,
    calls,
    commits,
    interrupted
  }
  return { earlier: EarlierTurns.after(earlier ?? [], ended) }
}

/** The state is left out if the session has changed no check. */
const checksOf = (
  { checks }: JudgmentState,
  event: TranscriptEvent,
  evidence: Parameters<typeof CheckEdits.step>[2],
  { isNew, seen }: { readonly isNew: boolean; readonly seen: Evidence.EvidenceContext }
): Pick<JudgmentState, "checks"> => {
  const old = checks ?? CheckEdits.initial
  const next = CheckEdits.step(isNew ? CheckEdits.beginTask(old) : old, event, evidence, seen)
  return next === CheckEdits.initial ? {} : { checks: next }
}

const askedIn = ({ stop }: JudgmentState): Pick<JudgmentState["nudges"], "asked"> => {
  const { dependsOn, question } = StopSignal.read(stop)
  const asked = question?.text ?? dependsOn?.text
  return asked === undefined ? {} : { asked: redact(asked) }
}

/**
 * Identifies the state of the evidence. It changes if work was edited, or if a required gate ran or has another result.
 * It does not change if the agent only reads, talks, or runs something that nobody required.
 *
 * @category accessors
 */
export const mark = ({ evidence, task }: JudgmentState, { config, cwd, repo }: JudgmentContext): string =>
  Gates.mark(evidence, {
    profile: config.profile,
    declared: config.gates,
    repo,
    task,
    claims: [],
    coding: taskTypeOf(task, evidence) === "coding",
    cwd: cwd ?? null
  })

/** @category judging */
export const verdict = (state: JudgmentState, options: VerdictOptions): Verdict => decide(state, options).verdict

/**
 * A verdict with the facts that the anti-loop machine needs.
 *
 * @category models
 */
export interface JudgedTurn {
  readonly verdict: Verdict
  /** Like `shouldContinue`, but also true in the advisory profile. */
  readonly wouldContinue: boolean
  /** See {@link mark}. */
  readonly mark: string
  /** A fingerprint of the failing checks. Left out if the verdict also has other findings. */
  readonly failures?: string
  /** The earlier feedback in this turn, as the transcript shows it. */
  readonly nudges: JudgmentState["nudges"]
}

/**
 * Returns the verdict on the current turn, with the facts that repeated reviews need.
 *
 * @category judging
 */
export const review = (state: JudgmentState, options: VerdictOptions): JudgedTurn => {
  const { verdict: given, wouldContinue } = decide(state, options)
  return { verdict: given, wouldContinue, mark: mark(state, options.context), nudges: state.nudges }
}

const begun = ({ mode }: SessionInfo): JudgmentState =>
  mode === "unknown" ? initial : { ...initial, task: { ...initial.task, mode } }

/**
 * A judged transcript, with the data to continue when the transcript has grown.
 *
 * @category models
 */
export interface Replay {
  readonly state: JudgmentState
  readonly transcript: Transcript
  readonly context: JudgmentContext
}

/** True if `now` is the same transcript as `before`, possibly with more events at the end. */
const isGrown = (before: Transcript, now: Transcript): boolean => {
  const last = before.events.length - 1
  return before.mode === now.mode && last >= 0 && before.events[last] === now.events[last]
}

/**
 * Returns the state at the end of a transcript. If the context is the same and the transcript has only grown, continues
 * from `before`.
 *
 * @category folds
 */
export const replay = (transcript: Transcript, context: JudgmentContext, before?: Replay): Replay => {
  const resumes = before !== undefined && before.context === context && isGrown(before.transcript, transcript)
  const [begin, from] = resumes ? [before.state, before.transcript.events.length] : [begun(transcript), 0]
  const state = NeutralTranscript.events(transcript, from).reduce((all, event) => step(all, event, context), begin)
  return { state, transcript, context }
}

/** @category models */
export interface JudgeOptions {
  readonly context?: Partial<JudgmentContext>
  readonly now?: string | null
  readonly task?: string
}

const fold = (transcript: Transcript, options: JudgeOptions, onTurnEnd: (verdict: () => Verdict) => void): void => {
  const events = NeutralTranscript.events(transcript)
  const context = { ...defaultContext, cwd: transcript.cwd, ...options.context }
  const asOf = (state: JudgmentState) => () =>
    verdict(state, {
      session: transcript,
      context,
      now: options.now ?? state.stop.lastAt,
      ...(options.task !== undefined && { task: options.task })
    })
  let state = begun(transcript)
  for (const event of events) {
    if (state.task.turn >= 0 && startsTurn(state, event)) onTurnEnd(asOf(state))
    state = step(state, event, context)
  }
  onTurnEnd(asOf(state))
}

/**
 * Judges the last turn of a transcript.
 *
 * @category judging
 */
export const judge = (transcript: Transcript, options: JudgeOptions = {}): Verdict => {
  let last: (() => Verdict) | null = null
  fold(transcript, options, (turn) => {
    last = turn
  })
  return last === null
    ? verdict(initial, { session: transcript, context: defaultContext, now: null })
    : (last as () => Verdict)()
}

/**
 * Judges every turn, each by the events up to its end.
 *
 * @category judging
 */
export const judgeTurns = (transcript: Transcript, options: JudgeOptions = {}): ReadonlyArray<Verdict> => {
  const verdicts: Array<Verdict> = []
  fold(transcript, options, (turn) => {
    verdicts.push(turn())
  })
  return verdicts
}
