/** Decides what to do after a review. */
import { isBehind } from "../../session/gates/Gates.ts"
import type { NoticeKind, RecordedDecision, ReviewAction, ReviewOptions, ReviewOutcome, ReviewState } from "./model.ts"

type Step = readonly [ReviewState, ReadonlyArray<ReviewAction>]

const record = (
  { severity, status }: ReviewOutcome,
  decision: RecordedDecision["decision"],
  reason: string,
  attempt: number | null = null
): ReviewAction => ({ _tag: "Record", decision, reason, status, severity, attempt })

/** Each kind of notice is sent once per task. */
const tell = (state: ReviewState, outcome: ReviewOutcome, notice: NoticeKind, reason: string): Step => {
  if (state.told.includes(notice)) return [state, [record(outcome, "none", `${reason}; the user was told so before`)]]
  return [{ ...state, told: [...state.told, notice] }, [{ _tag: "Notify", notice }, record(outcome, "notice", reason)]]
}

interface Open extends ReviewOptions {
  /** When the silence of a working agent began, in milliseconds. Null if its turn has ended. */
  readonly silentSince: number | null
  /** True if a usage limit stopped the agent before it could answer the last nudge. The limit is over now. */
  readonly limited: boolean
}

const nudge = (state: ReviewState, outcome: ReviewOutcome, { maxAttempts, silentSince }: Open): Step => {
  const attempt = state.attempts + 1
  const last = attempt >= maxAttempts
  return [
    {
      ...state,
      attempts: attempt,
      mark: outcome.mark,
      ...(outcome.failures !== undefined && { failures: [...state.failures, outcome.failures] }),
      phase: {
        _tag: "injecting",
        review: state.reviews,
        since: state.now,
        stopped: silentSince === null ? null : false
      }
    },
    [
      { _tag: "Inject", review: state.reviews, attempt, last, silentSince },
      record(outcome, "nudge", outcome.reason, attempt)
    ]
  ]
}

/** Has the evidence changed since the last nudge? False if the transcript lost the part to compare. */
const hasMoved = ({ failures, mark }: ReviewState, { failures: now, mark: next }: ReviewOutcome): boolean =>
  now !== undefined && failures.length > 0
    ? !failures.includes(now)
    : mark !== null && mark !== next && !isBehind(next, mark)

const open = (state: ReviewState, outcome: ReviewOutcome, options: Open): Step => {
  if (!options.nudges) return tell(state, outcome, "incomplete", outcome.reason)
  if (state.attempts >= options.maxAttempts) {
    return tell(state, outcome, "exhausted", `Max attempts (${options.maxAttempts}) reached: ${outcome.reason}`)
  }
  if (state.attempts > 0 && !options.limited && !hasMoved(state, outcome)) {
    const isSame = state.failures.includes(outcome.failures ?? "")
    const now = state.mark === null || isSame ? state : { ...state, mark: outcome.mark }
    const why = isSame
      ? "the same check fails as at an earlier nudge"
      : "since the last nudge no required check ran and nothing relevant was edited"
    return tell(now, outcome, "unmoved", `${why}: ${outcome.reason}`)
  }
  return nudge(state, outcome, options)
}

const conclude = (state: ReviewState, outcome: ReviewOutcome, options: Open): Step => {
  switch (outcome.status) {
    case "incomplete":
    case "stuck":
      if (outcome.shouldContinue) return open(state, outcome, options)
      // A user who was told about a nudge is also told how the turn ended.
      if (state.attempts > 0 || outcome.tells) return tell(state, outcome, "incomplete", outcome.reason)
      return [state, [record(outcome, "none", outcome.reason)]]
    case "complete":
      if (state.attempts > 0 || outcome.gateRequired) return tell(state, outcome, "complete", outcome.reason)
      return [state, [record(outcome, "none", outcome.reason)]]
    case "needs_human":
    case "waiting_for_user":
      return tell(state, outcome, outcome.status, outcome.reason)
    case "working":
    case "aborted":
    case "abstained":
      return [state, [record(outcome, "abstain", outcome.reason)]]
  }
}

/** A silent agent may still be working, so its turn does not count as ended. */
const roused = (state: ReviewState, outcome: ReviewOutcome, options: Open): Step => {
  const hangs = outcome.status === "stuck" || outcome.status === "incomplete"
  if (hangs && outcome.shouldContinue) return open(state, outcome, options)
  if (hangs && !options.nudges) return tell(state, outcome, "incomplete", outcome.reason)
  if (hangs && state.attempts > 0) return tell(state, outcome, "unmoved", outcome.reason)
  return [state, [record(outcome, "abstain", outcome.reason)]]
}

/**
 * Uses the larger of two counts: the saved count and the transcript's count. So a lost state does not reset the count.
 * If a shortened transcript still shows the last nudge, that nudge's mark is used.
 */
const recalled = (state: ReviewState, { nudges }: ReviewOutcome): ReviewState => {
  const { count, mark } = nudges
  if (count > state.attempts) return { ...state, attempts: count, mark: mark ?? state.mark }
  const isShorter = count === state.attempts && mark !== null && state.mark !== null && isBehind(mark, state.mark)
  return isShorter ? { ...state, mark } : state
}

export const finish = (state: ReviewState, review: number, outcome: ReviewOutcome, options: ReviewOptions): Step => {
  if (state.phase._tag !== "reviewing" || state.phase.review !== review) return [state, []]
  // An event that forbids a nudge would have ended the review before.
  const { limited, silentSince } = state.phase
  const given = { ...options, limited: limited === true, silentSince }
  const known = recalled({ ...state, phase: { _tag: "quiet" } }, outcome)
  return silentSince === null ? conclude(known, outcome, given) : roused(known, outcome, given)
}
