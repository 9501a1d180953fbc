/**
 * The anti-loop state machine of one session: it takes events and returns actions for its driver. Pure.
 *
 * It never reads the session's texts, so no text can influence its decisions.
 */
import type { JudgedTurn } from "../../judge/verdict/Judgment.ts"
import { finish } from "./finish.ts"
import { record, refusal } from "./Guard.ts"
import type { ReviewAction, ReviewEvent, ReviewOptions, ReviewOutcome, ReviewState } from "./model.ts"

export { type NoticeKind, type ReviewAction, type ReviewEvent, type ReviewOptions } from "./model.ts"
export { type RecordedDecision as Recorded, type ReviewOutcome, ReviewState } from "./model.ts"

/** For a host that may report late that the user aborted the turn. In milliseconds, see `ReviewOptions`. */
export const abortWindow = { raceWindow: 1500, cooldown: 10_000 } as const

export const defaultOptions: ReviewOptions = {
  maxAttempts: 3,
  nudges: true,
  ...abortWindow,
  timeout: 120_000
}

export const initial: ReviewState = {
  version: 1,
  kind: "root",
  enabled: true,
  ended: false,
  root: null,
  attempts: 0,
  mark: null,
  failures: [],
  told: [],
  mode: "unknown",
  abortedAt: null,
  halted: null,
  compacting: false,
  asked: [],
  background: 0,
  queued: 0,
  phase: { _tag: "quiet" },
  reviews: 0,
  now: 0
}

export const outcomeOf = ({ failures, mark, nudges, verdict, wouldContinue }: JudgedTurn): ReviewOutcome => ({
  status: verdict.status,
  severity: verdict.severity,
  shouldContinue: wouldContinue,
  gateRequired: verdict.gates.some((gate) => gate.required),
  tells: verdict.findings.some(({ level }) => level === "tell"),
  reason: verdict.reason,
  mark,
  nudges,
  ...(failures !== undefined && { failures })
})

/** `came` is the judged turn, or the reason why there is none. */
export const answered = (review: number, came: JudgedTurn | string, at: number): ReviewEvent =>
  typeof came === "string"
    ? { _tag: "ReviewFailed", review, reason: came, at }
    : { _tag: "ReviewFinished", review, outcome: outcomeOf(came), at }

export type Step = readonly [ReviewState, ReadonlyArray<ReviewAction>]

type Command = Extract<ReviewEvent, { readonly _tag: "Command" }>

const atRest = { _tag: "quiet" } as const

const quiet = (state: ReviewState, reason: string): Step => {
  const rested: ReviewState = { ...state, phase: atRest }
  if (state.phase._tag === "settling") return [rested, [record("none", `the stop was not reviewed: ${reason}`)]]
  if (state.phase._tag !== "reviewing") return [rested, []]
  return [rested, [{ _tag: "CancelReview", review: state.phase.review }, record("none", `review dropped: ${reason}`)]]
}

const onUserMessage = (state: ReviewState, id: string, genuine: boolean): Step => {
  if (!genuine) {
    if (state.phase._tag !== "injecting") return quiet(state, "the agent continues")
    return [state.phase.stopped === true ? { ...state, phase: { ...state.phase, stopped: false } } : state, []]
  }
  const [rested, actions] = quiet(state, "a new message of the user")
  if (id === state.root) return [rested, actions]
  const armed: ReviewState = {
    ...rested,
    root: id,
    attempts: 0,
    mark: null,
    failures: [],
    told: [],
    halted: null,
    compacting: false,
    asked: [],
    queued: 0
  }
  return [armed, state.root === null ? actions : [...actions, record("rearm", "a new message of the user")]]
}

const onAbort = (state: ReviewState): Step => {
  const [rested, dropped] = quiet(state, "the user interrupted the agent")
  const actions = state.phase._tag === "settling" ? [] : dropped
  const halted: ReviewState = { ...rested, halted: "aborted", abortedAt: state.now, asked: [] }
  const told = state.halted === "aborted" ? [] : [record("abstain", "the user interrupted the agent")]
  return [halted, [...actions, ...told]]
}

/** The earliest time for a review. Before it, the user may still abort, or has just aborted. */
const settledAt = ({ abortedAt, now }: ReviewState, { cooldown, raceWindow }: ReviewOptions): number =>
  Math.max(now + raceWindow, abortedAt === null ? now : abortedAt + cooldown)

type Failure = Extract<ReviewEvent, { readonly _tag: "Error" }>

/** A usage limit delays the review until the limit ends, and the user is told. This happens once per user message. */
const onError = (state: ReviewState, { limitEnd }: Failure, options: ReviewOptions): Step => {
  const [rested, actions] = quiet(state, "the turn failed")
  const mayNudge = options.nudges && state.attempts < options.maxAttempts
  const mayWait = mayNudge && options.continuesAfterLimit === true && !state.told.includes("limit")
  if (limitEnd === undefined || !mayWait || refusal(rested) !== null)
    return [{ ...rested, halted: state.halted ?? "failed" }, actions]
  const until = Math.max(limitEnd, settledAt(rested, options))
  const phase = { _tag: "settling", until, limited: true } as const
  const waiting: ReviewState = { ...rested, told: [...state.told, "limit"], phase }
  const why = `the stop is reviewed when the usage limit ends, at ${new Date(limitEnd).toISOString()}`
  const telling = { _tag: "Notify", notice: "limit", until: limitEnd } as const
  return [waiting, [...actions, { _tag: "Wake", at: until }, telling, record("notice", why)]]
}

/** Activity of the agent ends the halt of a failed turn. After an abort, only a message of the user ends the halt. */
const onActivity = (state: ReviewState): Step => {
  const [rested, actions] = quiet(state, "the agent continues")
  return [{ ...rested, halted: state.halted === "failed" ? null : state.halted, compacting: false }, actions]
}

const startReview = (
  state: ReviewState,
  silentSince: number | null = null,
  limited: { readonly limited?: true } = {}
): Step => {
  const review = state.reviews + 1
  return [
    { ...state, reviews: review, phase: { _tag: "reviewing", review, since: state.now, silentSince, ...limited } },
    [{ _tag: "Review", review, silentSince }]
  ]
}

type Settling = Extract<ReviewState["phase"], { readonly _tag: "settling" }>

const settled = (state: ReviewState, { limited }: Settling): Step => {
  const rested: ReviewState = { ...state, phase: atRest }
  const why = refusal(rested)
  return why === null
    ? startReview(rested, null, limited === true ? { limited } : {})
    : [rested, [record("abstain", why)]]
}

const onIdle = (state: ReviewState, options: ReviewOptions): Step => {
  if (state.phase._tag === "reviewing" && state.phase.silentSince !== null) {
    const [rested, dropped] = quiet(state, "the agent stopped")
    const [next, actions] = onIdle(rested, options)
    return [next, [...dropped, ...actions]]
  }
  // The agent stopped before it got the feedback. If the feedback cannot be sent, the turn counts as ended.
  if (state.phase._tag === "injecting" && state.phase.stopped === false)
    return [{ ...state, phase: { ...state.phase, stopped: true } }, []]
  if (state.phase._tag !== "quiet") return [state, []]
  const why = refusal(state)
  if (why !== null) return [state, [record("abstain", why)]]
  const until = settledAt(state, options)
  if (until <= state.now) return startReview(state)
  return [{ ...state, phase: { _tag: "settling", until } }, [{ _tag: "Wake", at: until }]]
}

/** If no review is allowed, nothing is done or logged. */
const onSilence = (state: ReviewState, since: number, options: ReviewOptions): Step => {
  const cooled = state.abortedAt === null || state.now >= state.abortedAt + options.cooldown
  return state.phase._tag === "quiet" && cooled && refusal(state) === null ? startReview(state, since) : [state, []]
}

/** A nudge counts even if the host never confirmed it. */
const onClock = (state: ReviewState, options: ReviewOptions): Step => {
  const { phase } = state
  if (phase._tag === "settling") {
    return state.now >= phase.until ? settled(state, phase) : [state, [{ _tag: "Wake", at: phase.until }]]
  }
  if (phase._tag === "quiet" || state.now < phase.since + options.timeout) return [state, []]
  const [rested, actions] = quiet(state, "the review took too long")
  return [rested, [...actions, record("failure", `${phase._tag} took longer than ${options.timeout / 1000} s`)]]
}

type Injected = Extract<ReviewEvent, { readonly _tag: "InjectionDone" | "InjectionFailed" }>

const onInjected = (state: ReviewState, event: Injected, options: ReviewOptions): Step => {
  if (state.phase._tag !== "injecting" || state.phase.review !== event.review) return [state, []]
  const rested: ReviewState = { ...state, phase: atRest }
  if (event._tag === "InjectionDone") return [rested, []]
  const failed = record("failure", `the feedback could not be sent: ${event.reason}`)
  if (state.phase.stopped !== true) return [rested, [failed]]
  const [next, actions] = onIdle(rested, options)
  return [next, [failed, ...actions]]
}

const onReviewFailed = (state: ReviewState, review: number, reason: string): Step =>
  state.phase._tag === "reviewing" && state.phase.review === review
    ? [{ ...state, phase: atRest }, [record("failure", `abstained, because the judge failed: ${reason}`)]]
    : [state, []]

const said: Readonly<Record<NonNullable<Command["by"]>, string>> = {
  user: "by the user",
  agent: "by the agent",
  elsewhere: "in another process"
}

const onCommand = (state: ReviewState, { by = "user", command }: Command): Step => {
  if (command === "status") return [state, [{ _tag: "Notify", notice: state.enabled ? "on" : "off" }]]
  if (command === "start") {
    return [{ ...state, enabled: true }, [record("start", said[by]), { _tag: "Notify", notice: "on" }]]
  }
  const [rested, actions] = quiet(state, "the user stopped reflexion")
  return [{ ...rested, enabled: false }, [...actions, record("stop", said[by]), { _tag: "Notify", notice: "off" }]]
}

/**
 * Handles a reason against a nudge that came after the turn's end. The reason ends a waiting or running review, and
 * cancels feedback that is being sent. The cancelled nudge counts, because it may have been sent already.
 */
const heldBack = (state: ReviewState): Step => {
  const why = refusal(state) ?? "the session is busy"
  const [rested, actions] = quiet(state, why)
  return [rested, state.phase._tag === "settling" ? [record("abstain", why)] : actions]
}

const maxAsked = 64

const onAsked = (state: ReviewState, id: string): Step => {
  const asked = [...state.asked.filter((other) => other !== id), id].slice(-maxAsked)
  return heldBack({ ...state, asked })
}

const count = (value: number): number => Math.max(0, Math.trunc(value) || 0)

/** If a count grows, a waiting or running review ends. */
const onCount = (state: ReviewState, counts: Partial<Pick<ReviewState, "background" | "queued">>): Step => {
  const next = { ...state, ...counts }
  return next.background + next.queued > state.background + state.queued ? heldBack(next) : [next, []]
}

const end = (state: ReviewState): Step => {
  const [rested, actions] = quiet(state, "the session was deleted")
  return [{ ...rested, ended: true }, actions]
}

const react = (state: ReviewState, event: ReviewEvent, options: ReviewOptions): Step => {
  switch (event._tag) {
    case "UserMessage":
      return onUserMessage(state, event.id, event.genuine)
    case "AssistantMessage":
      return onActivity(state)
    case "Idle":
      return onIdle(state, options)
    case "Silence":
      return onSilence(state, event.since, options)
    case "Abort":
      return onAbort(state)
    case "Error":
      return onError(state, event, options)
    case "Compaction": {
      const [rested, actions] = quiet(state, "the context is compacted")
      return [{ ...rested, compacting: event.running }, actions]
    }
    case "ChildSession": {
      const [rested, actions] = quiet(state, "the session is not the user's own")
      return [{ ...rested, kind: event.kind }, actions]
    }
    case "ModeChanged": {
      const next = { ...state, mode: event.mode }
      return event.mode === "plan" ? quiet(next, "plan mode") : [next, []]
    }
    case "Asked":
      return onAsked(state, event.id)
    case "Answered":
      return [{ ...state, asked: state.asked.filter((id) => id !== event.id) }, []]
    case "Background":
      return onCount(state, { background: count(event.running) })
    case "Queued":
      return onCount(state, { queued: count(event.waiting) })
    case "ReviewFinished":
      return finish(state, event.review, event.outcome, options)
    case "ReviewFailed":
      return onReviewFailed(state, event.review, event.reason)
    case "InjectionDone":
    case "InjectionFailed":
      return onInjected(state, event, options)
    case "Command":
      return onCommand(state, event)
    case "Deleted":
      return end(state)
    case "Clock":
      return onClock(state, options)
  }
}

/**
 * Prepares a saved state for use after a restart. What was in progress has ended with the process. The host reports
 * open questions and running tasks again. The counts since the user's last message are kept.
 *
 * @category constructors
 */
export const resume = (state: ReviewState): ReviewState => ({
  ...state,
  phase: atRest,
  compacting: false,
  asked: [],
  background: 0,
  queued: 0
})

/**
 * Never fails: an event that makes no sense in the current state changes nothing. Time never goes backwards.
 *
 * @category deciding
 */
export const decide = (state: ReviewState, event: ReviewEvent, options: ReviewOptions): Step => {
  if (state.ended) return [state, []]
  return react({ ...state, now: Math.max(state.now, event.at) }, event, options)
}

/**
 * Handles several events in order, and returns all their actions.
 *
 * @category deciding
 */
export const decideAll = (state: ReviewState, events: ReadonlyArray<ReviewEvent>, options: ReviewOptions): Step =>
  events.reduce<Step>(
    ([known, actions], event) => {
      const [next, more] = decide(known, event, options)
      return [next, [...actions, ...more]]
    },
    [state, []]
  )
