/** The cycle's second and third tier: a model looks at what the rules found, and what it recommends is handed on. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { LogDiskError } from "../LogDisk.ts"
import * as Mutators from "../Mutator.ts"
import type { Service as Outcomes } from "../OutcomeLog.ts"
import type { RecommendedAction } from "../RecommendedAction.ts"
import type { Analysis, ReflectionAnalysis } from "../ReflectionAnalysis.ts"
import type { ReflectionFinding } from "../ReflectionFinding.ts"
import { activeTasks, type Ground, windowOf } from "./cycleRules.ts"
import { isoOf } from "./rulesFinding.ts"
import { hashOf } from "./rulesState.ts"
import { oneLine, plural } from "./text.ts"

export interface Consulted {
  readonly ground: Ground
  readonly outcomes: Outcomes
  readonly analysis: Option.Option<Context.Tag.Service<ReflectionAnalysis>>
  readonly mutator: Option.Option<Context.Tag.Service<Mutators.Mutator>>
  /** Keeps how far the cycle is. */
  readonly save: Effect.Effect<void>
}

export interface Result {
  readonly analysis: Analysis | null
  readonly mutations: ReadonlyArray<Mutators.Mutation>
}

const mostFailed = 50

const idOf = (findings: ReadonlyArray<ReflectionFinding>): string =>
  `analysis-${hashOf(JSON.stringify(findings.map(({ id }) => id)))}`

const listed = (actions: ReadonlyArray<RecommendedAction>): string =>
  actions.length === 0
    ? ""
    : `\n\nRecommended:\n${actions.map(({ change, target }) => `- ${target === null ? "" : `${oneLine(target, 100)}: `}${oneLine(change, 300)}`).join("\n")}`

const findingOf = (id: string, { actions, observations }: Analysis, now: number): ReflectionFinding => ({
  id,
  at: isoOf(now),
  action: "reflection_analysis",
  sessionId: "system:reflection",
  rule: "analysis",
  severity: "warning",
  subjectType: "sub_session",
  subjectId: id,
  detail: `${observations}${listed(actions)}`,
  actionTaken: null
})

const asked = Effect.fnUntraced(function* (
  { analysis, ground, outcomes }: Consulted,
  of: ReadonlyArray<ReflectionFinding>
) {
  if (Option.isNone(analysis)) {
    yield* Effect.logInfo(`${plural(of.length, "finding")} not analysed: no model is configured`)
    return { answer: null, isOver: true }
  }
  const since = ground.state.rules.now - windowOf(ground.settings)
  const failed = yield* outcomes.outcomesSince(since, { status: ["failed", "timeout"], limit: mostFailed })
  const { analyse } = analysis.value
  const input = { findings: of, failed, activeTasks: yield* activeTasks(ground) }
  const unanswered = `${plural(of.length, "finding")} not analysed`
  const answer = yield* Effect.suspend(() => analyse(input)).pipe(
    Effect.catchAll((failure) => Effect.as(Effect.logWarning(`${unanswered}: ${failure.message}`), null)),
    Effect.catchAllDefect((defect) => Effect.as(Effect.logWarning(unanswered, defect), null))
  )
  // What no model looked at is looked at with the next that is found.
  return { answer, isOver: answer !== null }
})

const analysed = Effect.fnUntraced(function* (consulted: Consulted) {
  const { findings, state, tell } = consulted.ground
  const of = state.unanalysed
  if (of.length === 0) return null
  const id = idOf(of)
  const isKnown = (yield* findings.get(id)) !== null
  const { answer, isOver } = isKnown ? { answer: null, isOver: true } : yield* asked(consulted, of)
  if (answer !== null) {
    yield* findings.append(findingOf(id, answer, yield* Clock.currentTimeMillis))
    state.actions = [...state.actions, ...answer.actions].slice(0, Mutators.limits.perCycle)
    yield* tell({
      type: "reflection.analysis_completed",
      findings_count: of.length,
      actions_recommended: answer.actions.length
    })
  }
  if (isOver) {
    const done = new Set(of.map((one) => one.id))
    state.unanalysed = state.unanalysed.filter((one) => !done.has(one.id))
    yield* consulted.save
  }
  return answer
})

/** One at a time, each taken from the list when it is done: a change that failed is not tried again. */
const mutated = Effect.fnUntraced(function* ({ ground: { state }, mutator, save }: Consulted) {
  const mutations: Array<Mutators.Mutation> = []
  if (Option.isNone(mutator)) {
    if (state.actions.length > 0)
      yield* Effect.logInfo(`${plural(state.actions.length, "recommended change")} not handed on: there is no mutator`)
    state.actions = []
    return mutations
  }
  for (let [action] = state.actions; action !== undefined; [action] = state.actions) {
    const mutation = yield* Mutators.attempt(mutator.value, action)
    if (mutation !== null) mutations.push(mutation)
    const { id } = action
    state.actions = state.actions.filter((one) => one.id !== id)
    yield* save
  }
  return mutations
})

const recorded = Effect.fnUntraced(function* (
  { ground: { findings } }: Consulted,
  id: string,
  mutations: ReadonlyArray<Mutators.Mutation>
) {
  const finding = mutations.length === 0 ? null : yield* findings.get(id)
  if (finding === null) return
  const actionTaken = `left ${mutations.map(({ kind, reference }) => `${kind} ${reference}`).join(", ")}`
  yield* findings.append({ ...finding, severity: "action_taken", actionTaken })
})

/** Analyses what is new, and hands on what was recommended now or before a restart. */
export const consult = (consulted: Consulted): Effect.Effect<Result, LogDiskError> =>
  Effect.gen(function* () {
    const id = idOf(consulted.ground.state.unanalysed)
    const analysis = yield* analysed(consulted)
    const mutations = yield* mutated(consulted)
    if (analysis !== null) yield* recorded(consulted, id, mutations)
    return { analysis, mutations }
  })
