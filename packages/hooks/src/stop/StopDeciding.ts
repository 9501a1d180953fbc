/** What the state machine makes of a stop, and what that means for the host. */
import type { Judged } from "@reflexion/core/JudgeService"
import type * as Judgment from "@reflexion/core/Judgment"
import * as Progress from "@reflexion/core/internal/ask/tiers/Progress"
import * as ReviewState from "@reflexion/core/internal/turn/machine/ReviewState"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, nothing } from "../input/HookEvent.ts"
import type { Settled } from "../config/Settings.ts"
import * as StopNotice from "./StopNotice.ts"
import * as Checksum from "../places/Checksum.ts"
import type { Found } from "./StopReading.ts"

/** By its time and its words: a record that is written anew may give a message another id and another place. */
const idOf = ({ task }: Judgment.JudgmentState): string => {
  const at = Date.parse(task.userMessageAt ?? "")
  const which = Number.isNaN(at) ? `${task.turn}:${task.userMessageId ?? ""}` : `@${at}`
  return `${which}:${Checksum.ofText(task.message)}`
}

const timeOf = (root: string): number => Number(/^@(\d{1,16}):/.exec(root)?.[1] ?? Number.NaN)

/**
 * What the user said last, whether it began the turn or was typed into it; null where nobody set the agent to work. An
 * older message than the one that is known is not the last: a record that was written anew has lost that.
 */
const rootOf = (known: string | null, judgment: Judgment.JudgmentState): string | null => {
  if (judgment.task.turn < 0) return null
  const id = idOf(judgment)
  return known !== null && timeOf(id) < timeOf(known) ? known : id
}

/** The host itself reports that the model's answer failed, and nothing came after. */
const hasFailed = ({ stop }: Judgment.JudgmentState): boolean =>
  stop.notice?.kind === "api_error" || stop.notice?.kind === "rate_limited"

/** A stop has been delivered, and with it everything that the host would still report: there is nothing to wait for. */
export const optionsOf = ({ config }: Settled): ReviewState.ReviewOptions => ({
  ...ReviewState.defaultOptions,
  raceWindow: 0,
  cooldown: 0,
  maxAttempts: config.maxAttempts,
  pushes: config.profile !== "advisory"
})

export interface Decided {
  readonly state: ReviewState.ReviewState
  readonly actions: ReadonlyArray<ReviewState.ReviewAction>
}

const feed = (
  { actions, state }: Decided,
  event: ReviewState.ReviewEvent,
  options: ReviewState.ReviewOptions
): Decided => {
  const [next, more] = ReviewState.decide(state, event, options)
  return { state: next, actions: [...actions, ...more] }
}

export const feedAll = (
  review: ReviewState.ReviewState,
  events: ReadonlyArray<ReviewState.ReviewEvent>,
  options: ReviewState.ReviewOptions
): Decided => {
  const begun: Decided = { state: review, actions: [] }
  return events.reduce((decided, one) => feed(decided, one, options), begun)
}

/** What the user said last, as the event that it is. */
export const spoken = (
  review: ReviewState.ReviewState,
  judgment: Judgment.JudgmentState,
  at: number
): ReadonlyArray<ReviewState.ReviewEvent> => {
  const root = rootOf(review.root, judgment)
  return root === null ? [] : [{ _tag: "UserMessage", id: root, genuine: true, at }]
}

/** Everything that led up to the stop, and the stop. */
export const arrive = (
  review: ReviewState.ReviewState,
  { interrupted, running }: { readonly interrupted: boolean; readonly running: number },
  judgment: Judgment.JudgmentState,
  options: ReviewState.ReviewOptions,
  at: number
): Decided => {
  const events: ReadonlyArray<ReviewState.ReviewEvent> = [
    ...spoken(review, judgment, at),
    ...(interrupted || judgment.interrupted ? [{ _tag: "Abort", at } as const] : []),
    ...(hasFailed(judgment) ? [{ _tag: "Error", at } as const] : []),
    { _tag: "ModeChanged", mode: judgment.task.mode, at },
    { _tag: "Background", running, at },
    { _tag: "Queued", waiting: judgment.stop.queued ? 1 : 0, at },
    { _tag: "Idle", at }
  ]
  return feedAll(review, events, options)
}

export interface Reviewed extends Decided {
  readonly judged: Judged | null
}

/** What a verdict on the stop is given for. */
export const verdictOptions = <S>(
  found: Found<S>,
  { state }: Decided,
  judgment: Judgment.JudgmentState,
  at: number
): Judgment.VerdictOptions => ({
  session: found.session,
  context: found.folded.context,
  now: new Date(at).toISOString(),
  attempt: Math.max(state.attempts, judgment.pushes.count) + 1
})

/** What the state machine makes of a judgement, where it asked for one; of one that fails it says why. */
export const review = (
  arrived: Decided,
  judge: () => Judged,
  options: ReviewState.ReviewOptions,
  at: number
): Reviewed => {
  const asked = arrived.actions.find((action) => action._tag === "Review")
  if (asked === undefined) return { ...arrived, judged: null }
  const { review } = asked
  try {
    const judged = judge()
    const outcome = ReviewState.outcomeOf(judged)
    return { ...feed(arrived, { _tag: "ReviewFinished", review, outcome, at }, options), judged }
  } catch (cause) {
    const reason = Hooks.messageOf(cause)
    return { ...feed(arrived, { _tag: "ReviewFailed", review, reason, at }, options), judged: null }
  }
}

/** With what came of the last reminder, where there was one since the user's last message. */
export const compared = (reminded: Progress.Reminder | undefined, { state }: Decided, judged: Judged): Judged =>
  reminded === undefined || state.attempts === 0 ? judged : { ...judged, progress: Progress.since(reminded, judged) }

/** What the next stop is compared with. */
export const remindedBy = ({ judged, state }: Reviewed, text: string): Progress.Reminder | undefined => {
  if (judged === null) return undefined
  const { mark, verdict } = judged
  return { attempt: state.attempts, text, mark, verdict: { gates: verdict.gates, findings: verdict.findings } }
}

/** The answer with another line for the user. */
export const told = (answer: HookAnswer, text: string): HookAnswer => {
  switch (answer._tag) {
    case "push":
      return { ...answer, notice: `${answer.notice}\n${text}` }
    case "notice":
      return { ...answer, text: `${answer.text}\n${text}` }
    default:
      return { _tag: "notice", text }
  }
}

/** The actions in words; the feedback is the verdict's own. */
export const answerOf = (
  { actions, judged, state }: Reviewed,
  { maxAttempts }: ReviewState.ReviewOptions
): HookAnswer => {
  const verdict = judged?.verdict ?? null
  const inject = actions.find((action) => action._tag === "Inject")
  if (inject !== undefined && verdict !== null && verdict.feedback !== null) {
    const notice = StopNotice.write({ _tag: "push", verdict, attempt: inject.attempt, maxAttempts })
    return { _tag: "push", feedback: verdict.feedback, notice }
  }
  const notify = actions.find((action) => action._tag === "Notify")
  if (notify === undefined) return nothing
  return {
    _tag: "notice",
    text: StopNotice.write({
      _tag: "end",
      notice: notify.notice,
      verdict,
      attempts: state.attempts,
      maxAttempts,
      progress: judged?.progress
    })
  }
}
