/** Applies the state machine to a stop: saves the state first, then records the decision, and answers last. */
import type { Judged } from "@reflexion/core/JudgeService"
import type * as Judgment from "@reflexion/core/Judgment"
import * as Progress from "@reflexion/core/internal/review/tiers/Progress"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import type { EffectiveConfig } from "../config/Settings.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Learned from "../memory/Learned.ts"
import * as Outcomes from "../memory/Outcomes.ts"
import * as Checksum from "../places/Checksum.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as Hooks from "../session/Hook.ts"
import * as SessionFile from "../session/SessionFile.ts"
import { type ReadStop, superseded } from "./StopReading.ts"

export interface StopInput<S> {
  readonly event: HookEvent
  readonly found: ReadStop<S>
  readonly judgment: Judgment.JudgmentState
  readonly given: () => Judgment.VerdictOptions
  readonly options: ReviewState.ReviewOptions
  readonly running: number
  readonly since: number
  readonly stop: string
  /** The host's idle time. A nudge would end it. Set only if the turn is already over. */
  readonly rest?: Hooks.Rest
}

/** Uses time and text, because a message in a rewritten record can have another id and another position. */
const idOf = ({ task }: Judgment.JudgmentState): string => {
  const at = Date.parse(task.userMessageAt ?? "")
  const which = Number.isNaN(at) ? (task.userMessageId ?? "") : `@${at}`
  return `${which}:${Checksum.ofText(task.message)}`
}

const timeOf = (root: string): number => Number(/^@(\d{1,16}):/.exec(root)?.[1] ?? Number.NaN)

/** True if a part of the turn was not read. The user may have typed messages in this part. */
const isCut = ({ evidence: { begunAt = 0, unreadAt = 0 } }: Judgment.JudgmentState): boolean => unreadAt > begunAt

/** If a newer message is already known, it stays, because a rewritten record may have lost it. */
export const spoken = (
  { root: known }: ReviewState.ReviewState,
  judgment: Judgment.JudgmentState,
  at: number
): ReadonlyArray<ReviewState.ReviewEvent> => {
  // If the turn begins too far back, the user's message is unknown. Then it does not count as new.
  if (judgment.task.turn < 0 || judgment.task.message === "") return []
  const id = idOf(judgment)
  const isOlder = known !== null && (timeOf(id) < timeOf(known) || (isCut(judgment) && timeOf(id) === timeOf(known)))
  return [{ _tag: "UserMessage", id: isOlder ? known : id, genuine: true, at }]
}

/** There is no waiting time, because the host has reported everything before a hook sees a stop. */
export const optionsOf = ({ config, problem }: EffectiveConfig): ReviewState.ReviewOptions => ({
  ...ReviewState.defaultOptions,
  raceWindow: 0,
  cooldown: 0,
  maxAttempts: config.maxAttempts,
  nudges: config.profile !== "advisory" && problem === null
})

export const arrive = (
  review: ReviewState.ReviewState,
  { interrupted, running }: { readonly interrupted: boolean; readonly running: number },
  judgment: Judgment.JudgmentState,
  options: ReviewState.ReviewOptions,
  at: number
): ReviewState.Step => {
  const { notice, queued } = judgment.stop
  const hasFailed = notice?.kind === "api_error" || notice?.kind === "rate_limited"
  return ReviewState.decideAll(
    review,
    [
      ...spoken(review, judgment, at),
      ...(interrupted || judgment.interrupted ? [{ _tag: "Abort", at } as const] : []),
      ...(hasFailed ? [{ _tag: "Error", at } as const] : []),
      { _tag: "ModeChanged", mode: judgment.task.mode, at },
      { _tag: "Background", running, at },
      { _tag: "Queued", waiting: queued ? 1 : 0, at },
      { _tag: "Idle", at }
    ],
    options
  )
}

export interface StopReview {
  readonly state: ReviewState.ReviewState
  readonly actions: ReadonlyArray<ReviewState.ReviewAction>
  /** Null if no judgment was needed. */
  readonly judged: Judged | null
}

const judgedOr = (judge: () => Judged): Judged | string => {
  try {
    return judge()
  } catch (cause) {
    return Hooks.messageOf(cause)
  }
}

/** If `judge` throws, the state machine gets the error. */
export const review = (
  [arrived, before]: ReviewState.Step,
  reminded: Progress.Nudge | undefined,
  judge: () => Judged,
  options: ReviewState.ReviewOptions,
  at: number
): StopReview => {
  const asked = before.find((action) => action._tag === "Review")
  if (asked === undefined) return { state: arrived, actions: before, judged: null }
  const came = judgedOr(() => {
    const judged = judge()
    // Progress is added only if the agent was nudged since the user's last message.
    const isFirst = reminded === undefined || arrived.attempts === 0
    return isFirst ? judged : { ...judged, progress: Progress.since(reminded, judged) }
  })
  const [state, actions] = ReviewState.decide(arrived, ReviewState.answered(asked.review, came, at), options)
  return { state, actions: [...before, ...actions], judged: typeof came === "string" ? null : came }
}

const remindedBy = ({ judged, state }: StopReview, decided: HookAnswer): Pick<SessionFile.Session, "reminded"> => {
  if (judged === null || decided._tag !== "nudge") return {}
  const { mark, verdict } = judged
  const { findings, gates } = verdict
  return { reminded: { attempt: state.attempts, text: decided.feedback, mark, verdict: { gates, findings } } }
}

export const told = (answer: HookAnswer, text: string): HookAnswer => {
  if (text === "") return answer
  if (answer._tag === "nudge") return { ...answer, notice: `${answer.notice}\n${text}` }
  return { _tag: "notice", text: answer._tag === "notice" ? `${answer.text}\n${text}` : text }
}

const answerOf = (
  { actions, judged, state: { attempts } }: StopReview,
  { maxAttempts }: ReviewState.ReviewOptions
): HookAnswer => {
  const verdict = judged?.verdict ?? null
  for (const action of actions) {
    if (action._tag === "Inject" && verdict !== null && verdict.feedback !== null) {
      const notice = Notice.nudge({ verdict, attempt: action.attempt, maxAttempts })
      return { _tag: "nudge", feedback: verdict.feedback, notice }
    }
    if (action._tag === "Notify") {
      const { notice } = action
      const text = Notice.render({ notice, verdict, attempts, maxAttempts, progress: judged?.progress })
      return { _tag: "notice", text }
    }
  }
  return nothing
}

/** Logs the decision and writes the record. An error here does not change the answer. */
const report = <S>(
  hook: Hooks.Hook<S>,
  { event, found: { root, settled }, options: { maxAttempts }, since }: StopInput<S>,
  { actions, judged }: StopReview
): ArtifactFiles.Review | null => {
  Hooks.logAll(hook, event, actions, { judged, maxAttempts, directory: root, since })
  if (settled.problem !== null) Hooks.log(hook, event, { decision: "failure", reason: settled.problem }, since)
  const timestamp = hook.now()
  const kept = ArtifactFiles.reviewOf(judged, actions, { sessionId: event.sessionId, timestamp, maxAttempts })
  if (kept === null) return null
  const cost = { ...kept.verdict.cost, durationMs: timestamp - since }
  const review = { ...kept, verdict: { ...kept.verdict, cost } }
  const write = () => (ProjectRoot.isWorkspace(root, hook.env) ? ReviewFolder.write(root, review) : undefined)
  Hooks.orLogged(hook, event, { what: `the review was not written to ${root}`, directory: root }, write, undefined)
  return review
}

/** Throws if the state cannot be saved, because a nudge is allowed only if it is counted. */
export const conclude = <S>(
  hook: Hooks.Hook<S>,
  stopped: StopInput<S>,
  session: SessionFile.Session,
  reviewed: StopReview
): HookAnswer => {
  const { event, found, judgment, options, since, stop } = stopped
  const decided = answerOf(reviewed, options)
  const why = decided._tag === "nudge" ? superseded(hook, event, found, judgment) : null
  if (why !== null) return Hooks.abstain(hook, event, why, since)
  SessionFile.save(Hooks.keyOf(hook, event), {
    ...session,
    review: reviewed.state,
    ...remindedBy(reviewed, decided)
  })
  const review = report(hook, stopped, reviewed)
  const { reading, root, settled } = found
  if (review === null || settled.problem !== null || !ProjectRoot.isWorkspace(root, hook.env)) return decided
  const { events } = reading
  const ended = { root, review, stop, judgment, events, config: settled.config, told: session.lessons ?? [] }
  return Learned.atStop(hook, event, told(decided, Outcomes.atStop(hook, event, ended)), ended)
}
