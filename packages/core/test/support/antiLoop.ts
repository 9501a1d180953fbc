/** The anti-loop law, written down again without looking at the machine: names the clause that an action breaks. */
import * as ReviewState from "../../src/review/machine/ReviewState.ts"

/** What happens next, without its time and its review's number, which it gets later. */
export type Happening =
  | { readonly kind: "event"; readonly event: ReviewState.ReviewEvent; readonly after: number }
  | {
      readonly kind: "answer"
      readonly outcome: ReviewState.ReviewOutcome
      readonly stale: boolean
      readonly after: number
    }
  | { readonly kind: "fail"; readonly stale: boolean; readonly after: number }
  | { readonly kind: "injected"; readonly ok: boolean; readonly after: number }
  | { readonly kind: "restart" }

const first = <A>(value: A): A => value

const facts = () => ({
  root: first<string | null>(null),
  nudges: 0,
  mark: first<string | null>(null),
  /** The sets of failing checks that the agent was told of. */
  failures: new Set<string>(),
  kind: first<"root" | "subagent" | "judge">("root"),
  enabled: true,
  deleted: false,
  interrupted: false,
  failed: false,
  abortedAt: Number.NEGATIVE_INFINITY,
  idleAt: Number.NEGATIVE_INFINITY,
  idle: false,
  compacting: false,
  plan: false,
  asked: new Set<string>(),
  background: 0,
  queued: 0,
  reviewing: first<number | null>(null),
  /** Since when a review or an injection is under way. */
  busySince: first<number | null>(null),
  /** The time of the stop that waits to be reviewed. */
  waiting: first<number | null>(null),
  told: new Set<ReviewState.NoticeKind>(),
  outcome: first<ReviewState.ReviewOutcome | null>(null),
  /** Whether the end of a limit was waited for since the user's message. */
  limited: false,
  waitsForLimit: false,
  /** Whether that limit ended the reviewed turn. */
  afterLimit: false,
  /** Since when the agent is silent, if the present or last review is of a silent agent; null if it is of a stop. */
  silentSince: first<number | null>(null),
  /** Whether nothing was under way when the event came. */
  free: true,
  /** Whether a silent agent stopped by itself while a nudge was on its way. */
  stopped: false
})

type Facts = ReturnType<typeof facts>

/** Whether a stop is reviewed at the end of the limit that caused it. */
const mayWaitForLimit = (
  known: Facts,
  { limitEnd }: Extract<ReviewState.ReviewEvent, { readonly _tag: "Error" }>,
  { continuesAfterLimit, maxAttempts, nudges }: ReviewState.ReviewOptions
): boolean =>
  limitEnd !== undefined &&
  nudges &&
  known.nudges < maxAttempts &&
  continuesAfterLimit === true &&
  !known.limited &&
  mustBeSilent(known) === null

const observe = (known: Facts, event: ReviewState.ReviewEvent, options: ReviewState.ReviewOptions): void => {
  switch (event._tag) {
    case "UserMessage":
      known.idle = false
      if (!event.genuine || event.id === known.root) return
      known.interrupted = false
      known.failed = false
      known.root = event.id
      known.nudges = 0
      known.mark = null
      known.failures.clear()
      known.told.clear()
      known.limited = false
      known.compacting = false
      known.asked.clear()
      known.queued = 0
      return
    case "AssistantMessage":
      known.idle = false
      known.failed = false
      known.compacting = false
      return
    case "Idle":
      if (!known.idle) known.idleAt = event.at
      known.idle = true
      return
    case "Abort":
      known.idle = false
      known.interrupted = true
      known.abortedAt = event.at
      known.asked.clear()
      return
    case "Error":
      known.idle = false
      if (event.limitEnd !== undefined && mayWaitForLimit(known, event, options)) {
        known.limited = true
        known.waitsForLimit = true
        known.idle = true
        known.idleAt = Math.max(event.at, event.limitEnd - options.raceWindow)
        known.waiting = known.idleAt
      } else known.failed = true
      return
    case "Compaction":
      known.compacting = event.running
      return
    case "ChildSession":
      known.kind = event.kind
      return
    case "ModeChanged":
      known.plan = event.mode === "plan"
      return
    case "Asked":
      known.asked.add(event.id)
      return
    case "Answered":
      known.asked.delete(event.id)
      return
    case "Background":
      known.background = event.running
      return
    case "Queued":
      known.queued = event.waiting
      return
    case "Command":
      if (event.command !== "status") known.enabled = event.command === "start"
      return
    case "Deleted":
      known.deleted = true
      return
    case "ReviewFinished":
      known.outcome = event.outcome
      if (event.review === known.reviewing && event.outcome.nudges.count > known.nudges) {
        known.nudges = event.outcome.nudges.count
        known.mark = event.outcome.nudges.mark ?? known.mark
      }
      return
    case "ReviewFailed":
    case "InjectionDone":
    case "InjectionFailed":
    case "Silence":
    case "Clock":
  }
}

const mustBeSilent = (known: Facts): string | null => {
  if (known.deleted) return "the session was deleted"
  if (known.kind !== "root") return "it is not the user's own session"
  if (!known.enabled) return "the user said stop"
  if (known.root === null) return "nobody asked for anything"
  if (known.interrupted) return "the turn was aborted"
  if (known.failed) return "the turn failed"
  if (known.compacting) return "the context is compacted"
  if (known.plan) return "plan mode"
  if (known.asked.size > 0) return "a question is open"
  if (known.background > 0) return "background work runs"
  return known.queued > 0 ? "input is queued" : null
}

/** Nothing was done since the last nudge. If checks fail, the same ones failed at an earlier nudge. */
const isUnmoved = ({ afterLimit, failures, mark, nudges }: Facts, outcome: ReviewState.ReviewOutcome): boolean =>
  nudges > 0 &&
  !afterLimit &&
  (outcome.failures !== undefined && failures.size > 0
    ? failures.has(outcome.failures)
    : mark === null || mark === outcome.mark)

/** Why a verdict allows no nudge; null if it asks for a nudge that may be given. */
const checkVerdict = (
  known: Facts,
  outcome: ReviewState.ReviewOutcome,
  options: ReviewState.ReviewOptions
): string | null => {
  if (!options.nudges) return "nudged although nudges are off"
  if (known.nudges >= options.maxAttempts) return `nudge ${known.nudges + 1} of ${options.maxAttempts} for one message`
  if (!outcome.shouldContinue) return "nudged without a verdict that asks for it"
  if (outcome.status !== "incomplete" && outcome.status !== "stuck") return `nudged at ${outcome.status}`
  return isUnmoved(known, outcome) ? "nudged again although nothing moved" : null
}

const checkInject = (
  known: Facts,
  action: Extract<ReviewState.ReviewAction, { readonly _tag: "Inject" }>,
  options: ReviewState.ReviewOptions
): string | null => {
  if (action.attempt !== known.nudges + 1) return `attempt ${action.attempt} after ${known.nudges}`
  if (action.last !== (action.attempt === options.maxAttempts))
    return "the last nudge does not know that it is the last"
  if (action.review !== known.reviewing) return "nudged for a review that was not under way"
  if (action.silentSince !== known.silentSince)
    return "took an agent at work for one that stopped, or the other way round"
  return known.outcome === null ? "nudged without a verdict" : checkVerdict(known, known.outcome, options)
}

const isOpen = (outcome: ReviewState.ReviewOutcome | null): boolean =>
  outcome?.status === "incomplete" || outcome?.status === "stuck"

type Notice = Extract<ReviewState.ReviewAction, { readonly _tag: "Notify" }>

const isAnswer = ({ notice }: Notice): boolean => notice === "on" || notice === "off"

const checkNotice = (known: Facts, action: Notice, options: ReviewState.ReviewOptions): string | null => {
  if (isAnswer(action)) return null
  if (action.notice === "limit") {
    if (!known.waitsForLimit) return "spoke of a limit that is not waited for"
    return known.told.has("limit") ? "told of a limit again" : null
  }
  if (known.deleted) return "spoke of a deleted session"
  const hangs = known.silentSince !== null && isOpen(known.outcome)
  const wanted = known.outcome?.shouldContinue === true || hangs
  if (known.silentSince !== null && !hangs) return "spoke of an agent at work as if it had come to an end"
  const tells = known.outcome?.tells === true && isOpen(known.outcome)
  if (action.notice === "incomplete" && known.nudges === 0 && !tells && (options.nudges || !wanted))
    return "nagged the user"
  return known.told.has(action.notice) ? `told the user "${action.notice}" again` : null
}

const broken = (
  known: Facts,
  action: ReviewState.ReviewAction,
  at: number,
  options: ReviewState.ReviewOptions
): string | null => {
  switch (action._tag) {
    case "Review": {
      const silent = mustBeSilent(known)
      if (silent !== null) return `reviewed although ${silent}`
      if (known.reviewing !== null) return "two reviews at a time"
      if (!known.idle && action.silentSince === null) return "reviewed an agent at work"
      if (action.silentSince === null && at < known.idleAt + options.raceWindow)
        return "reviewed inside the race window"
      return at < known.abortedAt + options.cooldown ? "reviewed inside the cooldown" : null
    }
    case "Inject": {
      const silent = mustBeSilent(known)
      return silent === null ? checkInject(known, action, options) : `nudged although ${silent}`
    }
    case "Notify":
      return checkNotice(known, action, options)
    case "CancelReview":
    case "Wake":
    case "Record":
      return null
  }
}

const settle = (known: Facts, action: ReviewState.ReviewAction): void => {
  if (action._tag === "Review") {
    known.reviewing = action.review
    known.silentSince = action.silentSince
    known.afterLimit = known.waitsForLimit
    known.waitsForLimit = false
  }
  if (action._tag === "Notify" && !isAnswer(action)) known.told.add(action.notice)
  if (action._tag === "CancelReview" && known.reviewing === action.review) known.reviewing = null
  if (action._tag === "Inject") {
    known.nudges += 1
    known.mark = known.outcome?.mark ?? null
    if (known.outcome?.failures !== undefined) known.failures.add(known.outcome.failures)
    known.reviewing = null
  }
}

/** The notice that the user must get if the agent is not nudged although its task is open; null for none. */
const owedNotice = (known: Facts, options: ReviewState.ReviewOptions): ReviewState.NoticeKind | null => {
  const { outcome } = known
  if (outcome === null || !isOpen(outcome) || !outcome.shouldContinue) return null
  if (!options.nudges) return "incomplete"
  if (known.nudges >= options.maxAttempts) return "exhausted"
  return isUnmoved(known, outcome) ? "unmoved" : null
}

/** Whether a verdict that has come in asks for a nudge that nothing forbids. */
const owesNudge = (known: Facts, options: ReviewState.ReviewOptions): boolean =>
  known.outcome !== null && mustBeSilent(known) === null && checkVerdict(known, known.outcome, options) === null

/** The action that is due and missing: without this, a machine that never acts would keep the law. */
const owed = (
  known: Facts,
  event: ReviewState.ReviewEvent,
  actions: ReadonlyArray<ReviewState.ReviewAction>,
  options: ReviewState.ReviewOptions
): string | null => {
  const has = (tag: ReviewState.ReviewAction["_tag"]) => actions.some((action) => action._tag === tag)
  if (event._tag === "ReviewFinished" && event.review === known.reviewing) {
    const notice = owedNotice(known, options)
    const told = actions.some((action) => action._tag === "Notify" && action.notice === notice)
    if (notice !== null && !known.told.has(notice) && !told) return `the user was not told "${notice}"`
    return owesNudge(known, options) && !has("Inject") ? "no nudge although one was due" : null
  }
  if (event._tag === "Clock" && known.busySince !== null && event.at >= known.busySince + options.timeout) {
    return has("Record") ? null : "what took too long was not given up"
  }
  if (
    event._tag === "Silence" &&
    known.free &&
    mustBeSilent(known) === null &&
    event.at >= known.abortedAt + options.cooldown
  ) {
    return has("Review") ? null : "a silence was not looked at"
  }
  // The end of a limit comes as a `Clock`, also if the agent reports its stop again at that very time.
  const comes = event._tag === "Clock" || (event._tag === "Idle" && event.at === known.waiting && !known.waitsForLimit)
  if (!comes || known.waiting === null) return null
  if (event.at < Math.max(known.waiting + options.raceWindow, known.abortedAt + options.cooldown)) return null
  return has("Review") ? null : "a stop was not reviewed"
}

const goesOnWaiting = (known: Facts, event: ReviewState.ReviewEvent): boolean => {
  switch (event._tag) {
    case "Clock":
    case "Idle":
    case "Silence":
    case "Answered":
    case "ReviewFinished":
    case "ReviewFailed":
    case "InjectionDone":
    case "InjectionFailed":
      return true
    case "Command":
      return event.command !== "stop"
    case "ModeChanged":
      return event.mode !== "plan"
    case "Background":
      return event.running <= known.background
    case "Queued":
      return event.waiting <= known.queued
    default:
      return false
  }
}

const toEvent = (happening: Happening, state: ReviewState.ReviewState, at: number): ReviewState.ReviewEvent | null => {
  const now = state.phase._tag === "reviewing" || state.phase._tag === "injecting" ? state.phase.review : state.reviews
  switch (happening.kind) {
    case "event":
      return happening.event._tag === "Error" && happening.event.limitEnd !== undefined
        ? { ...happening.event, limitEnd: at + happening.event.limitEnd, at }
        : { ...happening.event, at }
    case "answer":
      return { _tag: "ReviewFinished", review: happening.stale ? now - 1 : now, outcome: happening.outcome, at }
    case "fail":
      return { _tag: "ReviewFailed", review: happening.stale ? now - 1 : now, reason: "timeout", at }
    case "injected":
      return happening.ok
        ? { _tag: "InjectionDone", review: now, at }
        : { _tag: "InjectionFailed", review: now, reason: "gone", at }
    case "restart":
      return null
  }
}

const busySince = ({ phase }: ReviewState.ReviewState): number | null =>
  phase._tag === "reviewing" || phase._tag === "injecting" ? phase.since : null

export const play = (
  history: ReadonlyArray<Happening>,
  options: ReviewState.ReviewOptions
): { readonly broken: string | null; readonly actions: ReadonlyArray<ReviewState.ReviewAction> } => {
  const known = facts()
  const taken: Array<ReviewState.ReviewAction> = []
  let state = ReviewState.initial
  let at = 0
  for (const happening of history) {
    at += happening.kind === "restart" ? 0 : happening.after
    const event = toEvent(happening, state, at)
    if (event === null) {
      state = ReviewState.resume(JSON.parse(JSON.stringify(state)))
      Object.assign(known, {
        reviewing: null,
        busySince: null,
        waiting: null,
        asked: new Set(),
        background: 0,
        queued: 0,
        compacting: false,
        waitsForLimit: false
      })
      known.idle = false
      continue
    }
    if (event._tag === "ReviewFailed" && event.review === known.reviewing) known.reviewing = null
    if (!goesOnWaiting(known, event)) {
      known.waiting = null
      known.waitsForLimit = false
      known.stopped = false
      // The wait for the end of a limit is over, and the next stop counts.
      if (known.idleAt > at) known.idle = false
    }
    observe(known, event, options)
    const looking = state.phase._tag === "reviewing" && known.silentSince !== null
    known.free = state.phase._tag === "quiet"
    if (event._tag === "Idle" && (known.free || looking)) known.waiting = mustBeSilent(known) === null ? at : null
    const rousing = state.phase._tag === "injecting" && known.silentSince !== null
    if (event._tag === "Idle" && rousing) known.stopped = true
    if (event._tag === "InjectionFailed" && rousing && known.stopped && mustBeSilent(known) === null) known.waiting = at
    if (!rousing || event._tag === "InjectionFailed" || event._tag === "InjectionDone") known.stopped = false
    const [next, actions] = ReviewState.decide(state, event, options)
    const missing = owed(known, event, actions, options)
    if (missing !== null) return { broken: missing, actions: [...taken, ...actions] }
    for (const action of actions) {
      taken.push(action)
      const clause = broken(known, action, at, options)
      if (clause !== null) return { broken: clause, actions: taken }
      settle(known, action)
    }
    if (event._tag === "ReviewFinished" && event.review === known.reviewing) known.reviewing = null
    if (actions.some((action) => action._tag === "Review" && action.silentSince === null)) known.waiting = null
    known.busySince = busySince(next)
    state = next
  }
  return { broken: null, actions: taken }
}
