/** What follows from a review. */
import { isBehind } from "../../session/gates/Gates.ts"
import type { NoticeKind, RecordedDecision, ReviewAction, ReviewOptions, ReviewOutcome, ReviewState } from "./model.ts"

type Step = readonly [ReviewState, ReadonlyArray<ReviewAction>]

const record = (
  { severity, status }: ReviewOutcome,
  decision: RecordedDecision["decision"],
  reason: string,
  attempt: number | null = null
): ReviewAction => ({ _tag: "Record", decision, reason, status, severity, attempt })

/** Tells the user once per task. */
const tell = (state: ReviewState, outcome: ReviewOutcome, notice: NoticeKind, reason: string): Step => {
  if (state.told.includes(notice)) return [state, [record(outcome, "none", `${reason}; the user was told so before`)]]
  return [{ ...state, told: [...state.told, notice] }, [{ _tag: "Notify", notice }, record(outcome, "notice", reason)]]
}

/** `silentSince`: the agent is at work as far as the host knows, and has given no sign since. */
interface Open extends ReviewOptions {
  readonly silentSince: number | null
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

/** Of a record that has lost what was done before the nudge it is not known: a driver that cannot tell does not nudge a second time. */
const hasMoved = ({ failures, mark }: ReviewState, { failures: now, mark: next }: ReviewOutcome): boolean =>
  now !== undefined && failures.length > 0
    ? !failures.includes(now)
    : mark !== null && mark !== next && !isBehind(next, mark)

const open = (state: ReviewState, outcome: ReviewOutcome, options: Open): Step => {
  if (!options.nudges) return tell(state, outcome, "incomplete", outcome.reason)
  if (state.attempts >= options.maxAttempts) {
    return tell(state, outcome, "exhausted", `Max attempts (${options.maxAttempts}) reached: ${outcome.reason}`)
  }
  if (state.attempts > 0 && !hasMoved(state, outcome)) {
    const isSame = state.failures.includes(outcome.failures ?? "")
    const now = state.mark === null || isSame ? state : { ...state, mark: outcome.mark }
    const why = isSame
      ? "the same fails as at an earlier nudge"
      : "no required check ran and nothing was edited that counts since the last nudge"
    return tell(now, outcome, "unmoved", `${why}: ${outcome.reason}`)
  }
  return nudge(state, outcome, options)
}

const conclude = (state: ReviewState, outcome: ReviewOutcome, options: ReviewOptions): Step => {
  switch (outcome.status) {
    case "incomplete":
    case "stuck":
      if (outcome.shouldContinue) return open(state, outcome, { ...options, silentSince: null })
      // A user who was told that the agent was sent on is told how it ended.
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

/** Of an agent at work nobody is told that it has come to an end; a user who was told of a reminder, that it still hangs. */
const roused = (state: ReviewState, outcome: ReviewOutcome, options: Open): Step => {
  const hangs = outcome.status === "stuck" || outcome.status === "incomplete"
  if (hangs && outcome.shouldContinue) return open(state, outcome, options)
  if (hangs && !options.nudges) return tell(state, outcome, "incomplete", outcome.reason)
  if (hangs && state.attempts > 0) return tell(state, outcome, "unmoved", outcome.reason)
  return [state, [record(outcome, "abstain", outcome.reason)]]
}

/**
 * The larger of what was saved and what the transcript shows: a lost state resets no count. Where the transcript has lost
 * something and still shows the last nudge, it stands as the transcript has it.
 */
const recalled = (state: ReviewState, { nudges }: ReviewOutcome): ReviewState => {
  const { count, mark } = nudges
  if (count > state.attempts) return { ...state, attempts: count, mark: mark ?? state.mark }
  const isShorter = count === state.attempts && mark !== null && state.mark !== null && isBehind(mark, state.mark)
  return isShorter ? { ...state, mark } : state
}

export const finish = (state: ReviewState, review: number, outcome: ReviewOutcome, options: ReviewOptions): Step => {
  if (state.phase._tag !== "reviewing" || state.phase.review !== review) return [state, []]
  // Whatever forbids a nudge has ended the review when it came up.
  const { silentSince } = state.phase
  const known = recalled({ ...state, phase: { _tag: "quiet" } }, outcome)
  return silentSince === null ? conclude(known, outcome, options) : roused(known, outcome, { ...options, silentSince })
}
