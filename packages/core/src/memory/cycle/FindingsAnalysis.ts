/** The second and third tier: a model looks at what the rules found, and what it recommends is handed on. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { oneLine, plural } from "../../base/text/Text.ts"
import { ModelFailure } from "../../model/calls/ModelCall.ts"
import * as Mutators from "../changes/Mutator.ts"
import { type Analysis, type Input, ReflectionAnalysis } from "../changes/ReflectionAnalysis.ts"
import { OutcomeLog } from "../outcomes/OutcomeLog.ts"
import { FindingLog } from "../rules/FindingLog.ts"
import { sessionId, type ReflectionFinding } from "../rules/ReflectionFinding.ts"
import { hashOf, isoOf } from "../rules/RuleFinding.ts"
import type { ActiveTask } from "../rules/TaskControl.ts"
import { recommended } from "./events.ts"

/**
 * `id` of the finding that has what the model said, `since` the beginning of the window, in ms since the epoch.
 *
 * @category models
 */
export interface Asked {
  readonly id: string
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly activeTasks: ReadonlyArray<ActiveTask>
  readonly since: number
}

/**
 * What a model said, and how the log has it.
 *
 * @category models
 */
export interface Said {
  readonly analysis: Analysis
  readonly finding: ReflectionFinding
}

const mostFailed = 50

/** For a model or a mutator of the user's own that never answers; what has a time of its own ends well before. */
const patience = { analysis: "10 minutes", mutator: "1 hour" } as const

/**
 * The id of an analysis of these findings.
 *
 * @category accessors
 */
export const idOf = (findings: ReadonlyArray<ReflectionFinding>): string =>
  `analysis-${hashOf(JSON.stringify(findings.map(({ id }) => id)))}`

const listed = ({ actions }: Analysis): string =>
  actions.length === 0
    ? ""
    : `${recommended}${actions.map(({ change, target }) => `- ${target === null ? "" : `${oneLine(target, 100)}: `}${oneLine(change, 300)}`).join("\n")}`

const findingOf = ({ findings, id }: Asked, analysis: Analysis, now: number): ReflectionFinding => ({
  id,
  at: isoOf(now),
  action: "reflection_analysis",
  sessionId,
  rule: "analysis",
  severity: "warning",
  subjectType: "sub_session",
  subjectId: id,
  detail: `${analysis.observations}${listed(analysis)}`,
  actionTaken: null,
  count: findings.length
})

/** Null where no model answered, which is said. */
const answered = Effect.fnUntraced(function* (input: Input) {
  const service = yield* Effect.serviceOption(ReflectionAnalysis)
  const unanswered = `${plural(input.findings.length, "finding")} not analysed`
  if (Option.isNone(service)) return yield* Effect.as(Effect.logInfo(`${unanswered}: no model is configured`), null)
  const unheard = () =>
    new ModelFailure({ reason: "timed_out", model: null, detail: `no answer for ${patience.analysis}` })
  return yield* Effect.suspend(() => service.value.analyse(input)).pipe(
    Effect.timeoutFail({ duration: patience.analysis, onTimeout: unheard }),
    Effect.catchAll((failure) => Effect.as(Effect.logWarning(`${unanswered}: ${failure.message}`), null)),
    Effect.catchAllDefect((defect) => Effect.as(Effect.logWarning(unanswered, defect), null))
  )
})

/**
 * Has the model of the context look at findings, and keeps what it said in the log: null where none answered, which is said.
 *
 * @category programs
 */
export const ask = Effect.fnUntraced(function* (asked: Asked) {
  const { activeTasks, findings, since } = asked
  const { outcomesSince } = yield* OutcomeLog
  const { append } = yield* FindingLog
  const failed = yield* outcomesSince(since, { status: ["failed", "timeout"], limit: mostFailed })
  const analysis = yield* answered({ findings, failed, activeTasks })
  if (analysis === null) return null
  const said: Said = { analysis, finding: findingOf(asked, analysis, yield* Clock.currentTimeMillis) }
  yield* append(said.finding)
  return said
})

const timed =
  ({ propose }: Context.Tag.Service<Mutators.Mutator>): typeof propose =>
  (action) => {
    const detail = `it was not done within ${patience.mutator}`
    const onTimeout = () => new Mutators.MutatorError({ actionId: action.id, reason: "timed_out", detail })
    return Effect.timeoutFail(
      Effect.suspend(() => propose(action)),
      { duration: patience.mutator, onTimeout }
    )
  }

/**
 * Hands on what was recommended to the mutator of the context, one change at a time, each tried once, and has the log say
 * what that left.
 *
 * @category programs
 */
export const handOn = Effect.fnUntraced(function* ({ analysis: { actions }, finding }: Said) {
  const service = yield* Effect.serviceOption(Mutators.Mutator)
  if (Option.isNone(service)) return []
  const propose = timed(service.value)
  const tried = yield* Effect.forEach(actions.slice(0, Mutators.limits.perCycle), (action) =>
    Mutators.attempt({ propose }, action)
  )
  const mutations = tried.filter((mutation) => mutation !== null)
  const further = actions.length - Mutators.limits.perCycle
  if (further > 0)
    yield* Effect.logWarning(
      `${plural(further, "further recommended change")} shown and not proposed: at most ${Mutators.limits.perCycle} are at a time`
    )
  if (mutations.length === 0) return mutations
  const { append } = yield* FindingLog
  const left = mutations.map(({ kind, reference }) => `${kind} ${reference}`).join(", ")
  yield* append({ ...finding, severity: "action_taken", actionTaken: `left ${left}` })
  return mutations
})
