/** Decides whether a review needs checks, a model or a cross review. Pure, so it runs before their code is loaded. */
import * as DueChecks from "../../checks/DueChecks.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import { type Facts, gather } from "../../session/facts/Facts.ts"
import { type JudgmentState, mark, type VerdictOptions } from "../../judge/verdict/Judgment.ts"
import * as ModelRouting from "../../model/calls/ModelRouting.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"

/**
 * True if a reviewer is configured for complete turns.
 *
 * @category predicates
 */
export const isReviewed = ({ crossReview }: Pick<ReflexionConfig, "crossReview">): boolean =>
  crossReview.reviewer !== undefined || crossReview.auditor !== undefined

/**
 * True if the configuration uses checks, a model or a cross review.
 *
 * @category predicates
 */
export const isConfigured = (config: Pick<ReflexionConfig, "crossReview" | "model" | "checks">): boolean =>
  config.model !== "off" || config.checks.length > 0 || isReviewed(config)

const hasChanged = ({ evidence, taskType }: Facts): boolean =>
  Evidence.lastEdit(evidence, ["source", "test", "docs", "config", "script", "wording", "conflict"]) > 0 ||
  (taskType === "coding" && (evidence.commits > 0 || evidence.delegated > 0 || evidence.opaque))

/**
 * The stages after the evidence that a verdict needs.
 *
 * @category models
 */
export interface Due {
  readonly gates: ReadonlyArray<string>
  readonly model: boolean
  readonly crossReview: boolean
}

const nothing: Due = { gates: [], model: false, crossReview: false }

/** True before the first nudge. Later, if the limit is not reached and there is new evidence since the last nudge. */
const maySend = (state: JudgmentState, { context }: VerdictOptions): boolean => {
  const { count, mark: last } = state.nudges
  return count === 0 || (count < context.config.maxAttempts && last !== mark(state, context))
}

/** True if nobody may be told about this turn. */
const isMoot = ({ stop, subagent, task }: Facts): boolean =>
  subagent || stop.queued || task.mode === "plan" || task.turn < 0

/**
 * True if the turn does more than answer a question. Several signs count, because the evidence may miss an order, and a
 * host may report a call's end late.
 */
const isOfWork = ({ evidence: { actions, commits, edits }, gates, stop, task }: Facts, { status }: Verdict): boolean =>
  task.intent === "act" ||
  edits.length + commits + actions + stop.pending.length > 0 ||
  (status === "abstained" && task.intent !== "ask") ||
  status === "incomplete" ||
  status === "stuck" ||
  gates.some(({ ordered, result }) => ordered && result !== "passed")

/** True if the host's report explains the stop: the service failed, a dialogue is open, or the user refused a call. */
const isHosts = ({ reading, stop }: Facts): boolean =>
  reading.closing === "error" || reading.closing === "limited" || stop.asked !== null || stop.refused !== null

/** Rules whose findings a model may judge differently, because it can read the texts. */
const isLeft: ReadonlySet<string> = new Set(["claims/unfounded", "checks/weakened"])

/** True if facts prove a finding: for example, an ordered check failed, or the record disproves a claim. */
const isProved = ({ findings, status }: Verdict): boolean =>
  (status === "incomplete" || status === "stuck") &&
  findings.some(({ level, rule }) => level === "nudge" && !isLeft.has(rule))

/**
 * True if a model should be asked: the turn is about work, the agent spoke last, and the host's report and the facts
 * leave the case open. A nudge that is based on a model is sent once per user message.
 *
 * @category predicates
 */
export const isAsked = (state: JudgmentState, verdict: Verdict, options: VerdictOptions): boolean => {
  const known = gather(state, options)
  return (
    !isMoot(known) &&
    known.stop.spokeLast &&
    isOfWork(known, verdict) &&
    verdict.status !== "working" &&
    verdict.status !== "aborted" &&
    !isHosts(known) &&
    !isProved(verdict) &&
    state.nudges.unsure !== true &&
    maySend(state, options)
  )
}

/**
 * Returns the stages that a verdict needs. The result of one stage may make the next stage necessary.
 *
 * @category accessors
 */
export const dueAt = (state: JudgmentState, verdict: Verdict, options: VerdictOptions): Due => {
  const { config } = options.context
  const known = gather(state, options)
  if (isMoot(known)) return nothing
  return {
    gates: DueChecks.due(known, verdict, config.checks),
    model: config.model !== "off" && isAsked(state, verdict, options),
    crossReview: isReviewed(config) && verdict.complete && hasChanged(known)
  }
}

/**
 * True if any stage is needed.
 *
 * @category predicates
 */
export const isDue = (state: JudgmentState, verdict: Verdict, options: VerdictOptions): boolean => {
  if (!isConfigured(options.context.config)) return false
  const { crossReview, gates, model } = dueAt(state, verdict, options)
  return gates.length > 0 || model || crossReview
}

/** Seconds to wait for another check of the same workspace. */
const turn = 60

/** Seconds for reading and the steps between the stages. */
const rest = 30

/**
 * The maximum duration of a review in seconds. A shorter time limit would stop a review that could still finish.
 *
 * @category limits
 */
export const longest = (config: Pick<ReflexionConfig, "crossReview" | "model" | "models" | "checks">): number => {
  const { checks } = config
  const judging = config.model === "off" ? 0 : ModelRouting.patience(config)
  const reviewing = isReviewed(config) ? config.models.timeout : 0
  const running = checks.length > 0 ? turn + DueChecks.limit(checks, false) : 0
  return rest + judging + reviewing + running
}
