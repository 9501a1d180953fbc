/**
 * The anti-loop law, written down a second time without looking at the machine: it watches events and actions and
 * says which clause an action breaks.
 */
import * as ReviewState from "../../src/ReviewState.ts"

/** What happens next, before it gets its time and its review's number. */
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

interface Facts {
  root: string | null
  pushes: number
  mark: string | null
  kind: "root" | "subagent" | "judge"
  enabled: boolean
  deleted: boolean
  interrupted: boolean
  failed: boolean
  abortedAt: number
  idleAt: number
  idle: boolean
  compacting: boolean
  plan: boolean
  asked: Set<string>
  background: number
  queued: number
  reviewing: number | null
  outcome: ReviewState.ReviewOutcome | null
}

const facts = (): Facts => ({
  root: null,
  pushes: 0,
  mark: null,
  kind: "root",
  enabled: true,
  deleted: false,
  interrupted: false,
  failed: false,
  abortedAt: Number.NEGATIVE_INFINITY,
  idleAt: Number.NEGATIVE_INFINITY,
  idle: false,
  compacting: false,
  plan: false,
  asked: new Set(),
  background: 0,
  queued: 0,
  reviewing: null,
  outcome: null
})

const observe = (known: Facts, event: ReviewState.ReviewEvent): void => {
  switch (event._tag) {
    case "UserMessage":
      known.idle = false
      if (!event.genuine || event.id === known.root) return
      known.interrupted = false
      known.failed = false
      known.root = event.id
      known.pushes = 0
      known.mark = null
      known.compacting = false
      known.asked.clear()
      known.queued = 0
      return
    case "AssistantMessage":
    case "TodoUpdate":
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
      known.failed = true
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
      if (event.review === known.reviewing && event.outcome.pushes.count > known.pushes) {
        known.pushes = event.outcome.pushes.count
        known.mark = event.outcome.pushes.mark ?? known.mark
      }
      return
    case "ReviewFailed":
    case "InjectionDone":
    case "InjectionFailed":
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

const checkInject = (
  known: Facts,
  action: Extract<ReviewState.ReviewAction, { readonly _tag: "Inject" }>,
  options: ReviewState.ReviewOptions
): string | null => {
  if (!options.pushes) return "pushed although pushes are off"
  if (known.pushes >= options.maxAttempts) return `push ${known.pushes + 1} of ${options.maxAttempts} for one message`
  if (action.attempt !== known.pushes + 1) return `attempt ${action.attempt} after ${known.pushes}`
  if (action.last !== (action.attempt === options.maxAttempts)) return "the last push does not know that it is the last"
  if (action.review !== known.reviewing) return "pushed for a review that was not under way"
  const { outcome } = known
  if (outcome === null || !outcome.shouldContinue) return "pushed without a verdict that asks for it"
  if (outcome.status !== "incomplete" && outcome.status !== "stuck") return `pushed at ${outcome.status}`
  if (known.pushes > 0 && (known.mark === null || known.mark === outcome.mark))
    return "pushed again although nothing moved"
  return null
}

/** The clause that an action breaks, null if it keeps the law. */
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
      if (!known.idle) return "reviewed an agent at work"
      if (at < known.idleAt + options.raceWindow) return "reviewed inside the race window"
      return at < known.abortedAt + options.cooldown ? "reviewed inside the cooldown" : null
    }
    case "Inject": {
      const silent = mustBeSilent(known)
      return silent === null ? checkInject(known, action, options) : `pushed although ${silent}`
    }
    case "Notify":
      return action.notice === "on" || action.notice === "off" || !known.deleted ? null : "spoke of a deleted session"
    case "CancelReview":
    case "Wake":
    case "Record":
      return null
  }
}

const settle = (known: Facts, action: ReviewState.ReviewAction): void => {
  if (action._tag === "Review") known.reviewing = action.review
  if (action._tag === "CancelReview" && known.reviewing === action.review) known.reviewing = null
  if (action._tag === "Inject") {
    known.pushes += 1
    known.mark = known.outcome?.mark ?? null
    known.reviewing = null
  }
}

const toEvent = (happening: Happening, state: ReviewState.ReviewState, at: number): ReviewState.ReviewEvent | null => {
  const current =
    state.phase._tag === "reviewing" || state.phase._tag === "injecting" ? state.phase.review : state.reviews
  switch (happening.kind) {
    case "event":
      return { ...happening.event, at }
    case "answer":
      return { _tag: "ReviewFinished", review: happening.stale ? current - 1 : current, outcome: happening.outcome, at }
    case "fail":
      return { _tag: "ReviewFailed", review: happening.stale ? current - 1 : current, reason: "timeout", at }
    case "injected":
      return happening.ok
        ? { _tag: "InjectionDone", review: current, at }
        : { _tag: "InjectionFailed", review: current, reason: "gone", at }
    case "restart":
      return null
  }
}

/** Plays a history; the first broken clause, and every action that was taken. */
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
      Object.assign(known, { reviewing: null, asked: new Set(), background: 0, queued: 0, compacting: false })
      known.idle = false
      continue
    }
    if (event._tag === "ReviewFailed" && event.review === known.reviewing) known.reviewing = null
    observe(known, event)
    const [next, actions] = ReviewState.decide(state, event, options)
    for (const action of actions) {
      taken.push(action)
      const clause = broken(known, action, at, options)
      if (clause !== null) return { broken: clause, actions: taken }
      settle(known, action)
    }
    if (event._tag === "ReviewFinished" && event.review === known.reviewing) known.reviewing = null
    state = next
  }
  return { broken: null, actions: taken }
}
