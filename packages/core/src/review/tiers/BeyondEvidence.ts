/**
 * Whether a stop is looked at by more than evidence: by checks that are run, a model, or a cross review. Pure, for processes
 * that must know it before any of them is loaded.
 */
import * as DueChecks from "../../checks/DueChecks.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import { type Facts, gather } from "../../session/facts/Facts.ts"
import { type JudgmentState, mark, type VerdictOptions } from "../../judge/verdict/Judgment.ts"
import * as ModelRouting from "../../model/calls/ModelRouting.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"

/**
 * Whether anybody reviews what was judged complete.
 *
 * @category predicates
 */
export const isReviewed = ({ crossReview }: Pick<ReflexionConfig, "crossReview">): boolean =>
  crossReview.reviewer !== undefined || crossReview.auditor !== undefined

/**
 * Whether a configuration asks for anything beyond evidence.
 *
 * @category predicates
 */
export const isConfigured = (config: Pick<ReflexionConfig, "crossReview" | "model" | "checks">): boolean =>
  config.model !== "off" || config.checks.length > 0 || isReviewed(config)

/** Whether the turn changed anything that a diff could show. */
const hasChanged = ({ evidence, taskType }: Facts): boolean =>
  Evidence.lastEdit(evidence, ["source", "test", "docs", "config", "script", "wording", "conflict"]) > 0 ||
  (taskType === "coding" && (evidence.commits > 0 || evidence.delegated > 0 || evidence.opaque))

/**
 * Which of the stages beyond evidence have something to do about a verdict. `gates` are those whose checks are to be run.
 *
 * @category models
 */
export interface Due {
  readonly gates: ReadonlyArray<string>
  readonly model: boolean
  readonly crossReview: boolean
}

const nothing: Due = { gates: [], model: false, crossReview: false }

/** Another reminder may follow: there are some left, and something moved since the last. */
const maySend = (state: JudgmentState, { context }: VerdictOptions): boolean => {
  const { count, mark: last } = state.nudges
  return count === 0 || (count < context.config.maxAttempts && last !== mark(state, context))
}

/** Nobody is to be told anything of it. */
const isMoot = ({ stop, subagent, task }: Facts): boolean =>
  subagent || stop.queued || task.mode === "plan" || task.turn < 0

/**
 * Something was ordered or done, or may have been: a host writes how a call ended a moment after the stop, and an order in words
 * that evidence cannot read is one. So is what evidence calls not done. What only looked into a question is answered.
 */
const isOfWork = ({ evidence: { actions, commits, edits }, gates, stop, task }: Facts, { status }: Verdict): boolean =>
  task.intent === "act" ||
  edits.length + commits + actions + stop.pending.length > 0 ||
  (status === "abstained" && task.intent !== "ask") ||
  status === "incomplete" ||
  status === "stuck" ||
  gates.some(({ ordered, result }) => ordered && result !== "passed")

/** The host's own word decides: the service failed, a dialogue is open, or the user refused a call. */
const isHosts = ({ reading, stop }: Facts): boolean =>
  reading.closing === "error" || reading.closing === "limited" || stop.asked !== null || stop.refused !== null

/** What a model reads among the facts and decides: what is only lacking, and what an order may allow. */
const isLeft: ReadonlySet<string> = new Set(["claims/unfounded", "checks/weakened"])

/** The agent is sent on by a fact that needs no reader: an ordered check that failed or never ran, a claim that the record disproves. */
const isProved = ({ findings, status }: Verdict): boolean =>
  (status === "incomplete" || status === "stuck") &&
  findings.some(({ level, rule }) => level === "nudge" && !isLeft.has(rule))

/**
 * Whether a model is asked: at a stop of work at which the agent spoke last, where neither the host's word nor such a fact decides;
 * once for each message of the user's that it has the agent sent on for.
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
 * What is to be done about a verdict as it stands; what comes of one stage may give the next something to do.
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
 * Whether any of them has.
 *
 * @category predicates
 */
export const isDue = (state: JudgmentState, verdict: Verdict, options: VerdictOptions): boolean => {
  if (!isConfigured(options.context.config)) return false
  const { crossReview, gates, model } = dueAt(state, verdict, options)
  return gates.length > 0 || model || crossReview
}

/** For another check of the same workspace to end, in seconds. */
const turn = 60

/** For reading, and for what is done between the stages. */
const rest = 30

/**
 * How many seconds a review may take at most under a configuration: who waits less gives up one that would have come
 * to an end. Evidence alone needs none of them.
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
