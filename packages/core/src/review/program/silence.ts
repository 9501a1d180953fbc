/**
 * Agents that give no sign of life: who hangs sends no event, so somebody has to look. A look comes when a silence can have
 * become too long, and the same silence is reported again only when it has lasted twice as long.
 */
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

/** How silence is dealt with. `stall` and `answer` in ms: how long an agent may be silent, and after a word of ours. */
export interface Silence {
  readonly stall: number
  readonly answer: number
  readonly assess: Context.Tag.Service<StuckDetector>["assess"]
}

/** A word of ours, and how long its answer may take, in ms. */
export interface PendingNudge {
  readonly since: number
  readonly within: number
}

interface Reported {
  readonly sign: number
  readonly since: number
  readonly silent: number
}

/** Since when nothing came of the agent, and how long that may last; null while it is at rest. */
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

/**
 * Looks, first when a silence can be too long, until the agent is at rest or the host cannot tell what it is at. `activity`
 * is null then, and undefined where the host does not answer now.
 */
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

/** What a silent agent is stuck by: a loop by its rule's name; where that only tells, a nudge is for the silence. */
const stuckBy = ({ finding, shouldNudge }: Assessment, why: string): ReadonlyArray<Finding> => {
  const loop = finding === undefined ? [] : [finding]
  if (finding !== undefined && (finding.level === "nudge" || !shouldNudge)) return loop
  return [ofOther("session/silent", why, { level: shouldNudge ? "nudge" : "tell" }), ...loop]
}

/** The judge's verdict of the moment, in which the silence has the last word. */
export const silenced = ({ mark, nudges, verdict }: Judged, assessment: Assessment): Judged => {
  const { confidence, evidence, finding, nudge, reason, shouldNudge } = assessment
  const [first = "the agent gives no sign of life"] = evidence
  const status = statuses[reason]
  const hangs = status === "stuck"
  // Of what else is found, each rule's once.
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
