/** The second and third tier: a model looks at what the rules found, and what it recommends is handed on. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { oneLine, plural } from "../../base/text/Text.ts"
import { ModelFailure } from "../../model/calls/ModelCall.ts"
import { limits, type Mutation, Mutator, MutatorError } from "../changes/Mutator.ts"
import { type Analysis, type Input, ReflectionAnalysis } from "../changes/ReflectionAnalysis.ts"
import { OutcomeLog } from "../outcomes/OutcomeLog.ts"
import { FindingLog } from "../rules/FindingLog.ts"
import { sessionId, type ReflectionFinding } from "../rules/ReflectionFinding.ts"
import { hashOf, isoOf } from "../rules/RuleFinding.ts"
import type { ActiveTask } from "../rules/TaskControl.ts"
import { recommended } from "./model.ts"

/** `id` of the finding that has what the model said, `since` the beginning of the window, in ms since the epoch. */
export interface Asked {
  readonly id: string
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly activeTasks: ReadonlyArray<ActiveTask>
  readonly since: number
}

/** What a model said, and how the log has it. */
export interface Said {
  readonly analysis: Analysis
  readonly finding: ReflectionFinding
}

const mostFailed = 50

/** For a model or a mutator of the user's own that never answers; what has a time of its own ends well before. */
const patience = { analysis: "10 minutes", mutator: "1 hour" } as const

/** The id of an analysis of these findings. */
export const idOf = (findings: ReadonlyArray<ReflectionFinding>): string =>
  `analysis-${hashOf(JSON.stringify(findings.map(({ id }) => id)))}`

const listed = ({ actions }: Analysis): string => {
  const lines = actions.map(
    ({ change, target }) => `- ${target === null ? "" : `${oneLine(target, 100)}: `}${oneLine(change, 300)}`
  )
  return lines.length === 0 ? "" : `${recommended}${lines.join("\n")}`
}

/** What fails, breaks or never ends gives null, which is said. */
const orNull = <A, E extends { readonly message: string }>(
  work: () => Effect.Effect<A, E>,
  duration: Duration.DurationInput,
  { late, of }: { readonly late: () => E; readonly of: string }
): Effect.Effect<A | null> =>
  Effect.suspend(work).pipe(
    Effect.timeoutFail({ duration, onTimeout: late }),
    Effect.catchAll((error) => Effect.as(Effect.logWarning(`${of}${error.message}`), null)),
    Effect.catchAllDefect((defect) => Effect.as(Effect.logWarning(of, defect), null))
  )

const answered = Effect.fnUntraced(function* (input: Input) {
  const service = yield* Effect.serviceOption(ReflectionAnalysis)
  const unanswered = `${plural(input.findings.length, "finding")} not analysed: `
  if (Option.isNone(service)) return yield* Effect.as(Effect.logInfo(`${unanswered}no model is configured`), null)
  const detail = `no answer for ${patience.analysis}`
  return yield* orNull(() => service.value.analyse(input), patience.analysis, {
    of: unanswered,
    late: () => new ModelFailure({ reason: "timed_out", model: null, detail })
  })
})

/** Has the model of the context look at findings, and keeps what it said in the log: null where none answered, which is said. */
export const ask = Effect.fnUntraced(function* ({ activeTasks, findings, id, since }: Asked) {
  const { outcomesSince } = yield* OutcomeLog
  const { append } = yield* FindingLog
  const failed = yield* outcomesSince(since, { status: ["failed", "timeout"], limit: mostFailed })
  const analysis = yield* answered({ findings, failed, activeTasks })
  if (analysis === null) return null
  const finding: ReflectionFinding = {
    id,
    at: isoOf(yield* Clock.currentTimeMillis),
    action: "reflection_analysis",
    sessionId,
    rule: "analysis",
    severity: "warning",
    subjectType: "sub_session",
    subjectId: id,
    detail: `${analysis.observations}${listed(analysis)}`,
    actionTaken: null,
    count: findings.length
  }
  yield* append(finding)
  const said: Said = { analysis, finding }
  return said
})

/**
 * Hands on what was recommended to the mutator of the context, one change at a time, each tried once, and has the log say
 * what that left.
 */
export const handOn = Effect.fnUntraced(function* ({ analysis: { actions }, finding }: Said) {
  const service = yield* Effect.serviceOption(Mutator)
  if (Option.isNone(service)) return Array<Mutation>()
  const detail = `it was not done within ${patience.mutator}`
  const tried = yield* Effect.forEach(actions.slice(0, limits.perCycle), (action) =>
    orNull(() => service.value.propose(action), patience.mutator, {
      of: "",
      late: () => new MutatorError({ actionId: action.id, reason: "timed_out", detail })
    })
  )
  const further = actions.length - limits.perCycle
  if (further > 0)
    yield* Effect.logWarning(
      `${plural(further, "further recommended change")} shown and not proposed: at most ${limits.perCycle} are at a time`
    )
  const mutations = tried.filter((mutation) => mutation !== null)
  if (mutations.length === 0) return mutations
  const { append } = yield* FindingLog
  const left = mutations.map(({ kind, reference }) => `${kind} ${reference}`).join(", ")
  yield* append({ ...finding, severity: "action_taken", actionTaken: `left ${left}` })
  return mutations
})
