/** What a review session does in the world: judging, sending, telling and writing down. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { AgentHost } from "./AgentHost.ts"
import { Artifacts } from "../records/Artifacts.ts"
import * as Decision from "../machine/Decision.ts"
import { DecisionLog } from "../records/DecisionLog.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { type Judged, JudgeService } from "../../ask/tiers/JudgeService.ts"
import * as Notice from "../records/Notice.ts"
import * as ReviewState from "../machine/ReviewState.ts"
import { ReviewStates } from "../machine/ReviewStates.ts"
import type { Assessment } from "../../judge/stuck/StuckAssessment.ts"
import type { StuckDetector } from "../../ask/detector/StuckDetector.ts"
import { ofOther, worded } from "../../judge/verdict/Missing.ts"
import type { Finding, Status, Verdict } from "../../judge/verdict/Verdict.ts"

/** Something that happened in a session, with what a review brought if it is the end of one. */
export interface Happening {
  readonly event: ReviewState.ReviewEvent
  readonly name: string
  readonly judged?: Judged
  readonly durationMs?: number
}

export type Recorded = Extract<ReviewState.ReviewAction, { readonly _tag: "Record" }>

type Injecting = Extract<ReviewState.ReviewAction, { readonly _tag: "Inject" }>

/** What a host or a disk gets to do a small thing. */
const moment = Duration.seconds(10)

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return failure instanceof Error ? failure.message : String(failure)
}

class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly limit: Duration.Duration }> {
  override get message() {
    return `no answer within ${Duration.format(this.limit)}`
  }
}

class Stopped extends Data.TaggedError("Stopped") {
  override get message() {
    return "the user stopped reflexion in this session"
  }
}

class NoFeedback extends Data.TaggedError("NoFeedback")<{ readonly attempt: number }> {
  override get message() {
    return `there is no feedback for attempt ${this.attempt}`
  }
}

/** However it hangs, it is answered for in time. */
const within = <A, E, R>(effect: Effect.Effect<A, E, R>, limit: Duration.Duration) =>
  Effect.disconnect(effect).pipe(Effect.timeoutFail({ duration: limit, onTimeout: () => new NoAnswer({ limit }) }))

export const now = Effect.map(DateTime.now, (moment) => moment.epochMillis)

/** What a session that gives no sign of life is doing. */
export type Assess = Context.Tag.Service<StuckDetector>["assess"]

/** How a silence is looked at, and since when it lasts. */
interface Silence {
  readonly assess: Assess
  readonly since: number
}

const iso = (millis: number): string => new Date(millis).toISOString()

const statuses: Readonly<Record<Assessment["reason"], Status>> = {
  genuinely_stuck: "stuck",
  waiting_for_user: "waiting_for_user",
  working: "working",
  complete: "complete"
}

/** What a silent agent is stuck by: a loop by its rule's name; where that only tells, a nudge is for the silence. */
const stuckBy = ({ finding, shouldNudge }: Assessment, why: string): ReadonlyArray<Finding> => {
  const loop = finding === undefined ? [] : [finding]
  if (finding !== undefined && (finding.level === "push" || !shouldNudge)) return loop
  return [ofOther("session/silent", why, { level: shouldNudge ? "push" : "tell" }), ...loop]
}

/** What is found beside it, each rule's once. */
const beside = ({ findings }: Verdict, { finding }: Assessment): ReadonlyArray<Finding> =>
  findings.filter(({ rule }) => rule !== finding?.rule)

/** The judge's verdict of the moment, in which the silence has the last word. */
const silenced = ({ mark, pushes, verdict }: Judged, assessment: Assessment): Judged => {
  const { confidence, evidence, nudge, reason, shouldNudge } = assessment
  const [first = "the agent gives no sign of life"] = evidence
  const status = statuses[reason]
  const hangs = status === "stuck"
  const silent: Verdict = {
    ...verdict,
    status,
    complete: status === "complete",
    shouldContinue: shouldNudge,
    requiresHumanAction: false,
    severity: hangs && verdict.severity === "NONE" ? "LOW" : verdict.severity,
    reason: evidence.length === 0 ? first : evidence.join("; "),
    feedback: nudge,
    ...(hangs && worded([...stuckBy(assessment, first), ...beside(verdict, assessment)])),
    confidence,
    stop: { kind: hangs ? "stuck" : verdict.stop.kind, pattern: null }
  }
  return { verdict: silent, wouldContinue: shouldNudge, mark, pushes }
}

const judgeNow = Effect.fnUntraced(function* (sessionId: string, attempt: number, silence: Silence | null) {
  const host = yield* AgentHost
  const judge = yield* JudgeService
  const transcript = yield* host.transcript(sessionId)
  if (silence === null) return yield* judge.review(transcript, { attempt })
  const heardAt = silence.since === 0 ? null : iso(silence.since)
  const assessment = yield* silence.assess(transcript, { now: iso(yield* now), attempt, heardAt })
  const loops = assessment.finding === undefined ? [] : assessment.loops
  // An agent at work has not said that it is done: there is nothing to check, and nobody to ask about it.
  return silenced(yield* judge.review(transcript, { attempt, evidence: true, loops }), assessment)
})

/** The review of that number, as the event that answers for it. */
export const review = Effect.fnUntraced(function* (
  sessionId: string,
  options: {
    readonly review: number
    readonly attempt: number
    readonly timeout: number
    readonly silence: Silence | null
    /** Comes before it, and is a part of the time that it takes. */
    readonly ready: Effect.Effect<void>
  }
) {
  const judgment = judgeNow(sessionId, options.attempt, options.silence)
  const judging = within(Effect.zipRight(options.ready, judgment), Duration.millis(options.timeout))
  const [duration, exit] = yield* Effect.timed(Effect.exit(judging))
  const at = yield* now
  const rest = { name: "review", durationMs: Duration.toMillis(duration) }
  return exit._tag === "Success"
    ? {
        ...rest,
        judged: exit.value,
        event: {
          _tag: "ReviewFinished" as const,
          review: options.review,
          outcome: ReviewState.outcomeOf(exit.value),
          at
        }
      }
    : { ...rest, event: { _tag: "ReviewFailed" as const, review: options.review, reason: reasonOf(exit.cause), at } }
})

/** Feedback of another attempt was sent before, or would not be known again as ours. */
const textFor = (judged: Judged | null, attempt: number) => {
  const text = judged?.verdict.feedback ?? null
  return text !== null && Feedback.attemptOf(text) === attempt ? Effect.succeed(text) : new NoFeedback({ attempt })
}

const injectNow = Effect.fnUntraced(function* (
  sessionId: string,
  action: Injecting,
  options: { readonly judged: Judged | null; readonly state: ReviewState.ReviewState; readonly maxAttempts: number }
) {
  const host = yield* AgentHost
  const states = yield* ReviewStates
  const { judged, maxAttempts, state } = options
  const { attempt } = action
  if ((yield* states.isStopped(sessionId)) === true) return yield* new Stopped()
  yield* host.inject(sessionId, {
    text: yield* textFor(judged, attempt),
    attempt,
    maxAttempts,
    reviewId: `${sessionId}/${action.review}`,
    userMessageId: state.root,
    silentSince: action.silentSince,
    notice: judged === null ? "" : Notice.push({ verdict: judged.verdict, attempt, maxAttempts }),
    ...(judged?.route !== undefined && { model: judged.route.model })
  })
})

/** The injection, as the event that answers for it. */
export const inject = Effect.fnUntraced(function* (
  sessionId: string,
  action: Injecting,
  options: Parameters<typeof injectNow>[2] & { readonly timeout: number }
) {
  const exit = yield* Effect.exit(within(injectNow(sessionId, action, options), Duration.millis(options.timeout)))
  const at = yield* now
  return exit._tag === "Success"
    ? { name: "injection", event: { _tag: "InjectionDone" as const, review: action.review, at } }
    : {
        name: "injection",
        event: { _tag: "InjectionFailed" as const, review: action.review, reason: reasonOf(exit.cause), at }
      }
})

/** The project root, null where it is not known now. */
export const directoryOf = Effect.fnUntraced(function* (sessionId: string) {
  const host = yield* AgentHost
  return yield* Effect.orElseSucceed(within(host.directory(sessionId), moment), () => null)
})

const rulesOf = ({ decision }: Recorded, { judged }: Happening) =>
  decision === "push" && judged !== undefined ? { rules: Decision.pushedBy(judged.verdict) } : {}

export const record = Effect.fnUntraced(function* (
  sessionId: string,
  action: Recorded,
  options: { readonly happening: Happening; readonly maxAttempts: number; readonly directory: string | null }
) {
  const host = yield* AgentHost
  const log = yield* DecisionLog
  yield* log.append({
    at: DateTime.formatIso(yield* DateTime.now),
    host: host.name,
    sessionId,
    directory: options.directory,
    event: options.happening.name,
    decision: action.decision,
    reason: Decision.withRun(action.reason, options.happening.judged?.checks),
    status: action.status,
    severity: action.severity,
    attempt: action.attempt,
    maxAttempts: options.maxAttempts,
    durationMs: options.happening.durationMs ?? null,
    ...rulesOf(action, options.happening)
  })
})

/** Tells the user; whether it could be shown changes nothing else. */
export const notify = Effect.fnUntraced(function* (
  sessionId: string,
  notice: ReviewState.NoticeKind,
  options: { readonly judged: Judged | null; readonly state: ReviewState.ReviewState; readonly maxAttempts: number }
) {
  const host = yield* AgentHost
  if (!host.capabilities.notify) return
  const text = Notice.render({
    notice,
    verdict: options.judged?.verdict ?? null,
    attempts: options.state.attempts,
    maxAttempts: options.maxAttempts,
    progress: options.judged?.progress
  })
  yield* within(host.notify(sessionId, { kind: notice, text }), moment).pipe(
    Effect.catchAllCause((cause) =>
      Effect.logWarning(`the user could not be told "${text}" in session ${sessionId}: ${reasonOf(cause)}`)
    )
  )
})

/** The review's files, once it is decided what follows from it. */
export const archive = Effect.fnUntraced(function* (
  sessionId: string,
  actions: ReadonlyArray<ReviewState.ReviewAction>,
  options: {
    readonly judged: Judged
    readonly directory: string | null
    readonly maxAttempts: ReviewState.ReviewOptions["maxAttempts"]
  }
) {
  const decided = actions.find((action): action is Recorded => action._tag === "Record" && action.status !== null)
  if (decided === undefined || options.directory === null) return
  const artifacts = yield* Artifacts
  const told = actions.find((action) => action._tag === "Notify")
  const { attempt, decision: kind, reason } = decided
  const decision = { kind, reason, attempt, maxAttempts: options.maxAttempts, notice: told?.notice ?? null }
  const judged = Struct.omit(options.judged, "mark", "pushes", "wouldContinue")
  const review = { sessionId, timestamp: yield* now, decision, ...judged }
  const writing = artifacts.write(options.directory, review)
  yield* within(writing, moment).pipe(
    Effect.catchAllCause((cause) => Effect.logWarning(`the review's record was not written: ${reasonOf(cause)}`))
  )
})
