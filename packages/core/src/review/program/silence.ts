/** Watches for agents that give no sign of life. A hanging agent sends no event, so it is checked at intervals. */
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StuckDetector } from "../../model/detector/StuckDetector.ts"
import type { Judged } from "../tiers/JudgeService.ts"
import type { Assessment } from "../../judge/stuck/StuckAssessment.ts"
import { ofOther, worded } from "../../judge/verdict/Missing.ts"
import type { Finding, Status, Verdict } from "../../judge/verdict/Verdict.ts"
import type { ReviewEvent } from "../machine/ReviewState.ts"
import type { Activity } from "./AgentHost.ts"

/** In milliseconds. */
export interface Silence {
  readonly stall: number
  /** How long an agent may be silent after our feedback. */
  readonly answer: number
  readonly assess: Context.Tag.Service<StuckDetector>["assess"]
}

/** Our last feedback, and how long its answer may take, in milliseconds. */
export interface PendingNudge {
  readonly since: number
  readonly within: number
}

interface Reported {
  readonly sign: number
  readonly since: number
  readonly silent: number
}

/** A silence is reported again only after its length has doubled. Null if the agent is idle. */
const silenceOf = (
  { lastSign, state }: Activity,
  stall: number,
  owed: PendingNudge | null,
  reported: Reported | null
): { readonly since: number; readonly due: number } | null => {
  if (reported?.sign === lastSign) return { since: reported.since, due: Math.max(stall, 2 * reported.silent) }
  if (owed !== null && lastSign <= owed.since) return { since: owed.since, due: owed.within }
  return state === "idle" ? null : { since: lastSign, due: stall }
}

/** `activity` is undefined if the host does not answer now. It is null if the host cannot tell: then the watch ends. */
export const watch = Effect.fnUntraced(function* (
  { stall }: Silence,
  owed: PendingNudge | null,
  host: {
    readonly now: Effect.Effect<number>
    readonly activity: Effect.Effect<Activity | null | undefined>
    readonly report: (event: ReviewEvent) => Effect.Effect<unknown>
  }
) {
  let reported: Reported | null = null
  let wait = owed?.within ?? stall
  for (;;) {
    yield* Effect.sleep(Duration.millis(wait))
    wait = stall
    const activity: Activity | null | undefined = yield* host.activity
    if (activity === undefined) continue
    const silence: ReturnType<typeof silenceOf> = activity === null ? null : silenceOf(activity, stall, owed, reported)
    if (activity === null || silence === null) return
    const at = yield* host.now
    const silent: number = activity.state === "waiting" ? 0 : at - silence.since
    wait = silence.due - silent
    if (wait > 0) continue
    yield* host.report({ _tag: "Silence", since: activity.lastSign, at })
    if (activity.state === "idle") return
    reported = { sign: activity.lastSign, since: silence.since, silent: Math.max(silent, 1) }
    wait = Math.max(stall, 2 * reported.silent) - reported.silent
  }
})

const statuses: Readonly<Record<Assessment["reason"], Status>> = {
  genuinely_stuck: "stuck",
  waiting_for_user: "waiting_for_user",
  working: "working",
  complete: "complete"
}

/** A loop is reported under its rule. If that rule may not nudge, the nudge is about the silence. */
const stuckBy = ({ finding, shouldNudge }: Assessment, why: string): ReadonlyArray<Finding> => {
  const loop = finding === undefined ? [] : [finding]
  if (finding !== undefined && (finding.level === "nudge" || !shouldNudge)) return loop
  return [ofOther("session/silent", why, { level: shouldNudge ? "nudge" : "tell" }), ...loop]
}

/** The assessment of the silence decides the status. */
export const silenced = ({ mark, nudges, verdict }: Judged, assessment: Assessment): Judged => {
  const { confidence, evidence, finding, nudge, reason, shouldNudge } = assessment
  const [first = "the agent shows no activity"] = evidence
  const status = statuses[reason]
  const hangs = status === "stuck"
  const others = verdict.findings.filter(({ rule }) => rule !== finding?.rule)
  const silent: Verdict = {
    ...verdict,
    status,
    complete: status === "complete",
    shouldContinue: shouldNudge,
    requiresHumanAction: false,
    severity: hangs && verdict.severity === "NONE" ? "LOW" : verdict.severity,
    reason: evidence.length === 0 ? first : evidence.join("; "),
    feedback: nudge,
    ...(hangs && worded([...stuckBy(assessment, first), ...others])),
    confidence,
    stop: { kind: hangs ? "stuck" : verdict.stop.kind, pattern: null }
  }
  return { verdict: silent, wouldContinue: shouldNudge, mark, nudges }
}
