/** The second and third step of the cycle: a model looks at the findings, and its recommendations go to the mutator. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { messageOf, oneLine, plural } from "../../base/text/Text.ts"
import { limits, type Mutation, Mutator } from "../changes/Mutator.ts"
import { type Analysis, ReflectionAnalysis } from "../changes/ReflectionAnalysis.ts"
import { OutcomeLog } from "../outcomes/OutcomeLog.ts"
import { FindingLog } from "../rules/FindingLog.ts"
import { sessionId, type ReflectionFinding } from "../rules/ReflectionFinding.ts"
import { hashOf } from "../rules/ReflectionRules.ts"
import type { ActiveTask } from "../rules/TaskControl.ts"
import { recommended } from "./model.ts"

/**
 * Runs a service that the user supplied. If it fails, throws or takes longer than `patience`, returns `instead` and
 * logs a warning that begins with `what`.
 */
export const orElse = <A, E extends { readonly message: string }, B>(
  work: () => Effect.Effect<A, E>,
  options: { readonly what: string; readonly patience: Duration.DurationInput; readonly instead: B }
): Effect.Effect<A | B> => {
  const { instead, patience, what } = options
  const warned = (why: string) => Effect.as(Effect.logWarning(`${what}: ${why}`), instead)
  return Effect.suspend(work).pipe(
    Effect.timeout(patience),
    Effect.catchTag("TimeoutException", () => Effect.fail(new Error(`no answer for ${String(patience)}`))),
    Effect.catchAll(({ message }) => warned(message)),
    Effect.catchAllDefect((defect) => warned(messageOf(defect)))
  )
}

export interface AnalysisRequest {
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly activeTasks: ReadonlyArray<ActiveTask>
  /** The beginning of the time window, in ms since the epoch. */
  readonly since: number
}

/** `finding` is the entry in the log with the model's answer. */
export interface AnalysisReply {
  readonly analysis: Analysis
  readonly finding: ReflectionFinding
}

const mostFailed = 50

const patience = { analysis: "10 minutes", mutator: "1 hour" } as const

const listed = ({ actions }: Analysis): string => {
  const lines = actions.map(
    ({ change, target }) => `- ${target === null ? "" : `${oneLine(target, 100)}: `}${oneLine(change, 300)}`
  )
  return lines.length === 0 ? "" : `${recommended}${lines.join("\n")}`
}

/** Writes the model's answer to the log. Null if no model answered. This is logged. */
export const ask = Effect.fnUntraced(function* ({ activeTasks, findings, since }: AnalysisRequest) {
  const { outcomesSince } = yield* OutcomeLog
  const { append } = yield* FindingLog
  const service = yield* Effect.serviceOption(ReflectionAnalysis)
  const what = `${plural(findings.length, "finding")} not analysed`
  if (Option.isNone(service)) return yield* Effect.as(Effect.logInfo(`${what}: no model is configured`), null)
  const failed = yield* outcomesSince(since, { status: ["failed", "timeout"], limit: mostFailed })
  const analysis = yield* orElse(() => service.value.analyse({ findings, failed, activeTasks }), {
    what,
    patience: patience.analysis,
    instead: null
  })
  if (analysis === null) return null
  const id = `analysis-${hashOf(JSON.stringify(findings.map(({ id }) => id)))}`
  const finding: ReflectionFinding = {
    id,
    at: new Date(yield* Clock.currentTimeMillis).toISOString(),
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
  const said: AnalysisReply = { analysis, finding }
  return said
})

/** Passes the changes to the mutator, one at a time and each only once. The log then records what the mutator left. */
export const handOn = Effect.fnUntraced(function* ({ analysis: { actions }, finding }: AnalysisReply) {
  const service = yield* Effect.serviceOption(Mutator)
  if (Option.isNone(service)) return Array<Mutation>()
  const tried = yield* Effect.forEach(actions.slice(0, limits.perCycle), (action) =>
    orElse(() => service.value.propose(action), {
      what: "a recommended change was not made",
      patience: patience.mutator,
      instead: null
    })
  )
  const further = actions.length - limits.perCycle
  if (further > 0)
    yield* Effect.logWarning(
      `${plural(further, "further recommended change")} shown but not proposed: at most ${limits.perCycle} are proposed at a time`
    )
  const mutations = tried.filter((mutation) => mutation !== null)
  if (mutations.length === 0) return mutations
  const { append } = yield* FindingLog
  const left = mutations.map(({ kind, reference }) => `${kind} ${reference}`).join(", ")
  yield* append({ ...finding, severity: "action_taken", actionTaken: `left ${left}` })
  return mutations
})
