/** The cycle's second and third tier: a model looks at what the rules found, and what it recommends is handed on. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../log/StorageError.ts"
import { ModelFailure } from "../../model/calls/ModelCall.ts"
import * as Mutators from "../changes/Mutator.ts"
import type { Service as Outcomes } from "../outcomes/OutcomeLog.ts"
import type { RecommendedAction } from "../changes/RecommendedAction.ts"
import type { Analysis, ReflectionAnalysis } from "../changes/ReflectionAnalysis.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import { activeTasks, type Ground, windowOf } from "./deliver.ts"
import { type CycleState, limits, type Recommended, remember } from "./state.ts"
import { isoOf } from "../rules/RuleFinding.ts"
import { hashOf } from "../rules/RulesState.ts"
import { oneLine, plural } from "../../base/text/Text.ts"

export interface Consulted {
  readonly ground: Ground
  readonly outcomes: Outcomes
  readonly analysis: Option.Option<Context.Tag.Service<ReflectionAnalysis>>
  readonly mutator: Option.Option<Context.Tag.Service<Mutators.Mutator>>
}

export interface Result {
  readonly analysis: Analysis | null
  readonly mutations: ReadonlyArray<Mutators.Mutation>
}

const mostFailed = 50

/** For a model or a mutator of the user's own that never answers; what has a time of its own ends well before. */
const patience = { analysis: "10 minutes", mutator: "1 hour" } as const

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

const unheard = () =>
  new ModelFailure({ reason: "timed_out", model: null, detail: `no answer for ${patience.analysis}` })

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
  const active = yield* activeTasks(ground)
  const input = { findings: of, failed, activeTasks: active }
  const unanswered = `${plural(of.length, "finding")} not analysed`
  const answer = yield* Effect.suspend(() => analyse(input)).pipe(
    Effect.timeoutFail({ duration: patience.analysis, onTimeout: unheard }),
    Effect.catchAll((failure) => Effect.as(Effect.logWarning(`${unanswered}: ${failure.message}`), null)),
    Effect.catchAllDefect((defect) => Effect.as(Effect.logWarning(unanswered, defect), null))
  )
  // What no model looked at is looked at with the next that is found.
  return { answer, isOver: answer !== null }
})

/** Behind those that wait; where that are too many, the oldest are left out, and named. */
const keep = (state: CycleState, actions: ReadonlyArray<Recommended>): Effect.Effect<void> => {
  const all = [...state.actions, ...actions]
  state.actions = all.slice(-limits.actions)
  return Effect.forEach(
    all.slice(0, -limits.actions),
    ({ change, id, target }) =>
      Effect.logWarning(
        `recommended change ${id}${target === null ? "" : ` of ${oneLine(target, 100)}`} is not kept, for ${limits.actions} newer ones wait: ${oneLine(change, 300)}`
      ),
    { discard: true }
  )
}

/** Puts what a model said into the log, now or where a process before this one could not. */
const kept = Effect.fnUntraced(function* ({ findings, state }: Ground) {
  for (let [next] = state.answered; next !== undefined; [next] = state.answered) {
    if ((yield* findings.get(next.id)) === null) yield* findings.append(next)
    state.answered.shift()
  }
})

/** What a model said is in a checkpoint before anything is done with it: it is asked once. */
const analysed = Effect.fnUntraced(function* (consulted: Consulted) {
  const { findings, save, state } = consulted.ground
  yield* kept(consulted.ground)
  const of = state.unanalysed
  if (of.length === 0) return null
  const id = idOf(of)
  const isKnown = (yield* findings.get(id)) !== null
  const { answer, isOver } = isKnown ? { answer: null, isOver: true } : yield* asked(consulted, of)
  const now = yield* Clock.currentTimeMillis
  if (answer !== null) {
    yield* keep(
      state,
      answer.actions.map((action) => ({ ...action, analysis: id }))
    )
    state.answered.push(findingOf(id, answer, now))
    remember(state, {
      type: "reflection.analysis_completed",
      findings_count: of.length,
      actions_recommended: answer.actions.length
    })
  }
  if (isOver) {
    const done = new Set(of.map((one) => one.id))
    state.unanalysed = state.unanalysed.filter((one) => !done.has(one.id))
    yield* save
  }
  yield* kept(consulted.ground)
  return answer
})

/** Says of an analysis what it led to. */
const recorded = Effect.fnUntraced(
  function* ({ findings }: Ground, { analysis = "" }: Recommended, { kind, reference }: Mutators.Mutation) {
    const finding = yield* findings.get(analysis)
    const before = finding?.actionTaken ?? null
    if (finding === null || before?.includes(reference) === true) return
    const actionTaken = before === null ? `left ${kind} ${reference}` : `${before}, ${kind} ${reference}`
    yield* findings.append({ ...finding, severity: "action_taken", actionTaken })
  },
  Effect.catchAll((error) => Effect.logWarning(`the log does not say what an analysis led to: ${error.message}`))
)

/** What a mutator left, null where it left nothing; and whether it may later, as it is not there or has no room. */
const attempted = Effect.fnUntraced(function* (
  { propose }: Context.Tag.Service<Mutators.Mutator>,
  action: Recommended
) {
  let isLater = false
  const mutation = yield* Mutators.attempt(
    {
      propose: (one) =>
        Effect.suspend(() => propose(one)).pipe(
          Effect.timeoutFail({
            duration: patience.mutator,
            onTimeout: () =>
              new Mutators.MutatorError({
                actionId: one.id,
                reason: "timed_out",
                detail: `it was not done within ${patience.mutator}`
              })
          }),
          Effect.tapError(({ reason }) => Effect.sync(() => (isLater = reason === "unavailable")))
        )
    },
    action
  )
  return { mutation, isLater }
})

/**
 * One at a time, each taken from the list when it is done: a change that failed is not tried again. Where there is nobody
 * to make them they are kept; so is one that its mutator cannot make now, behind the others.
 */
const mutated = Effect.fnUntraced(function* ({ ground, mutator }: Consulted, isAnswered: boolean) {
  const { save, state } = ground
  const mutations: Array<Mutators.Mutation> = []
  if (Option.isNone(mutator)) {
    if (isAnswered && state.actions.length > 0)
      yield* Effect.logInfo(`${plural(state.actions.length, "recommended change")} kept: there is no mutator`)
    return mutations
  }
  for (const action of state.actions.slice(0, Mutators.limits.perCycle)) {
    const { isLater, mutation } = yield* attempted(mutator.value, action)
    if (mutation !== null) {
      mutations.push(mutation)
      yield* recorded(ground, action, mutation)
    }
    const others = state.actions.filter((one) => one !== action)
    state.actions = isLater ? [...others, action] : others
    if (isLater) state.putOff.add(action)
    else state.putOff.delete(action)
    yield* save
  }
  const left = state.actions.filter((action) => !state.putOff.has(action)).length
  if (isAnswered && left > 0)
    yield* Effect.logInfo(
      `${plural(left, "recommended change")} kept for the next cycle: at most ${Mutators.limits.perCycle} are handed on in one`
    )
  return mutations
})

/** Whether something is left to do that no new finding is needed for. */
export const isPending = ({ ground: { state }, mutator }: Consulted): boolean =>
  state.answered.length > 0 || (Option.isSome(mutator) && state.actions.some((action) => !state.putOff.has(action)))

/** Analyses what is new, and hands on what was recommended now or before a restart. */
export const consult = (consulted: Consulted): Effect.Effect<Result, StorageError> =>
  Effect.gen(function* () {
    const analysis = yield* analysed(consulted)
    const mutations = yield* mutated(consulted, analysis !== null)
    return { analysis, mutations }
  })
