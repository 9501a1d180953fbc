/** The cycle's first tier: outcomes to the rules, what they find to the log, and a task that fails each time to its pause. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Context from "effect/Context"
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import type { Service as Findings } from "../rules/FindingLog.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"
import type { ReflexionStore } from "../store/ReflexionStore.ts"
import { TaskControlError, type Service as Tasks } from "../rules/TaskControl.ts"
import type { CycleEvent } from "./events.ts"
import { minuteOf } from "../rules/RuleFinding.ts"
import { keyOf } from "../rules/RulesState.ts"
import { isWanted, limits, markSeen, remember, type CycleState, type Known, type Untold } from "./state.ts"
import type { Settings } from "./model.ts"

export interface Ground {
  readonly settings: Settings
  readonly state: CycleState
  readonly findings: Findings
  readonly tasks: Tasks
  readonly store: Option.Option<Context.Tag.Service<ReflexionStore>>
  /** When this process began. */
  readonly began: number
  /** Keeps how far the cycle is, and then tells what is told by it. */
  readonly save: Effect.Effect<void>
}

export const windowOf = ({ lookback_seconds }: Settings): number => lookback_seconds * 1000

const patience = "30 seconds"

/** So long a port is not asked what it did not answer: each attempt that fails would wait for it otherwise. */
const rest = { millis: 60_000, words: "a minute" } as const

/** After so many outcomes, and so many findings that were acted on, whatever else the process does has its turn. */
const [untilTurn, actsUntilTurn] = [500, 10] as const

/** Lets timers and what else waits go on: fibers that only yield to each other keep the process to themselves. */
export const turn = Effect.sleep(0)

interface Asked<A> {
  readonly operation: TaskControlError["operation"]
  readonly taskId: string | null
  readonly ask: () => Effect.Effect<A, TaskControlError>
  readonly instead: A
}

/** What a port does not answer is answered for it, and said: it is the user's own, and may throw as well as fail. */
const orElse = <A>({ state }: Ground, { ask, instead, operation, taskId }: Asked<A>): Effect.Effect<A> => {
  const failed = (cause: unknown) => new TaskControlError({ operation, taskId, cause })
  const unanswered = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    state.rests.set(operation, now + rest.millis)
    return failed(new Error(`no answer for ${patience}; it is not asked again for ${rest.words}`))
  })
  const answered = Effect.suspend(ask).pipe(
    Effect.catchAllDefect(failed),
    Effect.timeoutTo({ duration: patience, onSuccess: Effect.succeed, onTimeout: () => unanswered }),
    Effect.flatten,
    Effect.catchAll((error) => Effect.as(Effect.logWarning(error.message), instead))
  )
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now < (state.rests.get(operation) ?? 0) ? Effect.succeed(instead) : answered
  )
}

export const activeTasks = (ground: Ground) =>
  orElse(ground, { operation: "active", taskId: null, ask: () => ground.tasks.active, instead: [] })

/** Whether this cycle paused it, and has not seen it run again. */
const isHeld = ({ state }: Ground, outcome: AttemptOutcome): boolean => {
  const key = keyOf(outcome)
  return key !== null && state.rules.tasks.get(key)?.held === true
}

const wasPaused = Effect.fnUntraced(function* (ground: Ground, outcome: AttemptOutcome) {
  const { began, findings, state, tasks } = ground
  const { taskId } = outcome
  if (taskId === null || !ReflectionRules.asksIfPaused(state.rules, outcome)) return false
  const last = yield* findings.latest({ rule: "consecutive_failures", subjectType: "task", subjectId: taskId })
  // What is looked at again after a restart ended before the task was paused for it.
  if (last !== null && Date.parse(last.at) >= Date.parse(outcome.at)) return false
  // A pause by hand says nothing of what ended before this process could see it: that may have been before the pause.
  if (!isHeld(ground, outcome) && Date.parse(outcome.at) < began) return false
  const isPaused = yield* orElse(ground, {
    operation: "isPaused",
    taskId,
    ask: () => tasks.isPaused(taskId),
    instead: false
  })
  // Whoever looks at it again may find that the task runs by then.
  if (isPaused) state.leftOut = true
  return isPaused
})

/** Advice of the memory that does not help. */
export const advise = Effect.fnUntraced(function* ({ state, store }: Ground) {
  if (Option.isNone(store)) return
  const { effectiveness, heldBack } = store.value
  if ((yield* heldBack) !== null) return
  const now = yield* Clock.currentTimeMillis
  const records = yield* effectiveness.pipe(
    Effect.catchAll((error) => Effect.as(Effect.logWarning(`what came of advice is not known: ${error.message}`), [])),
    Effect.catchAllDefect((defect) => Effect.as(Effect.logWarning("what came of advice is not known", defect), []))
  )
  state.untold.push(...ReflectionRules.unhelpful(state.rules, records, now))
})

/** So long nobody is asked again to pause a task that could not be paused. */
const pauseAgainAfter = 60_000

const mostTried = 1000

/** When it was last tried in vain to pause a task. */
const triedAt = ({ state: { tried } }: Ground, taskId: string, at: number | null): void => {
  tried.delete(taskId)
  if (at === null) return
  for (const oldest of tried.keys()) {
    if (tried.size < mostTried) break
    tried.delete(oldest)
  }
  tried.set(taskId, at)
}

const pause = (ground: Ground, { detail, subjectId: taskId }: ReflectionFinding) =>
  orElse(ground, { operation: "pause", taskId, ask: () => ground.tasks.pause(taskId, detail), instead: false })

const paused = (finding: ReflectionFinding): ReflectionFinding => ({
  ...finding,
  severity: "action_taken",
  actionTaken: "paused the task"
})

/**
 * A finding is in the log before its task is paused, and again when it is: whatever ends the process between the two, the
 * next one knows what is left to do.
 */
const act = Effect.fnUntraced(function* (ground: Ground, finding: ReflectionFinding) {
  const { findings, state } = ground
  if (finding.rule !== "consecutive_failures" || finding.subjectType !== "task") return finding
  const { severity, subjectId: taskId } = finding
  const isDone = severity === "action_taken"
  const isPaused = isDone || (yield* pause(ground, finding))
  triedAt(ground, taskId, isPaused ? null : yield* Clock.currentTimeMillis)
  if (isPaused) ReflectionRules.paused(state.rules, taskId)
  if (isDone || !isPaused) return finding
  const acted = paused(finding)
  yield* findings.append(acted)
  return acted
})

const eventsOf = ({ count, finding }: ReflectionRules.Found): ReadonlyArray<CycleEvent> => {
  const { actionTaken, rule, severity, subjectId } = finding
  const found: CycleEvent = {
    type: "reflection.finding",
    rule,
    severity,
    subject_id: subjectId,
    action_taken: actionTaken
  }
  return rule === "skill_failure_correlation"
    ? [found, { type: "reflection.skill_flagged", skill_name: subjectId, failure_count: count }]
    : [found]
}

/**
 * What the log has already was told by whoever put it there, be it just before this cycle would have. What nobody did is kept
 * as this cycle's own before it is put there: whatever ends the process then, the next one acts on it and tells it.
 */
const keep = Effect.fnUntraced(function* ({ findings, save, state }: Ground) {
  const undecided = state.untold.filter(({ isNew }) => isNew === undefined)
  for (const untold of undecided) untold.isNew = (yield* findings.get(untold.finding.id)) === null
  if (undecided.some(({ isNew }) => isNew) || state.untold.some(({ isAgain }) => isAgain)) yield* save
  const again: Array<ReflectionFinding> = []
  for (const { finding, isAgain } of state.untold) {
    const known = isAgain === true ? yield* findings.get(finding.id) : null
    if (known !== null && known.severity !== finding.severity) again.push(finding)
  }
  const fresh = state.untold.flatMap(({ finding, isNew }) => (isNew === true ? [finding] : []))
  const added = yield* findings.appendNew(fresh)
  for (const untold of undecided) if (!added.has(untold.finding.id)) untold.isNew = false
  yield* findings.append(again)
})

/** Acts on the first that was found, and has it told: no checkpoint has the one without the other. */
const deliver = Effect.fnUntraced(function* (ground: Ground, untold: Untold) {
  const { state } = ground
  const { count, finding, isAgain, isNew } = untold
  const acted = yield* act(ground, (yield* ground.findings.get(finding.id)) ?? finding)
  return yield* Effect.sync(() => {
    state.untold.shift()
    if (isNew !== true) return []
    for (const event of eventsOf({ count, finding: acted })) remember(state, event)
    if (isAgain === true) return [acted]
    state.unanalysed = [...state.unanalysed, acted].slice(-limits.unanalysed)
    state.isFresh = true
    return [acted]
  })
})

/**
 * Puts what was found into the log, and acts on it; says what of it is new. What the disk refuses is kept for the next
 * time.
 */
export const flush = Effect.fnUntraced(function* (ground: Ground) {
  const { state } = ground
  const told: Array<ReflectionFinding> = []
  if (state.untold.length > 0) yield* keep(ground)
  for (let [next] = state.untold; next !== undefined; [next] = state.untold) {
    told.push(...(yield* deliver(ground, next)))
    if (state.untold.length % actsUntilTurn === 0) yield* turn
  }
  return told
})

/** So much that was found is kept together before it is told. */
const together = 50

/** Whether it was found, and not acted on yet, that a task fails each time. */
const isToBePaused = ({ untold }: CycleState, taskId: string | null): boolean =>
  taskId !== null &&
  untold.some(
    ({ finding: { rule, subjectId, subjectType } }) =>
      rule === "consecutive_failures" && subjectType === "task" && subjectId === taskId
  )

/** A task that fails on, and could not be paused when that was found. */
const actAgain = Effect.fnUntraced(function* (ground: Ground, { taskId }: AttemptOutcome) {
  const now = yield* Clock.currentTimeMillis
  const tried = taskId === null ? undefined : ground.state.tried.get(taskId)
  if (taskId === null || (tried !== undefined && now - tried < pauseAgainAfter)) return
  const found = yield* ground.findings.latest({ rule: "consecutive_failures", subjectType: "task", subjectId: taskId })
  if (found === null || found.severity === "action_taken") return
  const isPaused = yield* pause(ground, found)
  triedAt(ground, taskId, isPaused ? null : yield* Clock.currentTimeMillis)
  if (isPaused) ground.state.untold.push({ finding: paused(found), count: 0, isNew: true, isAgain: true })
})

/** Said once: a window that has so many outcomes is shorter than it is set. */
const sayNarrow = ({ state }: Ground, before: number): Effect.Effect<void> => {
  if (state.isNarrow || state.floor === before) return Effect.void
  state.isNarrow = true
  const until = minuteOf(state.floor)
  return Effect.logWarning(
    `the window of the reflection cycle has more than ${limits.kept} outcomes: of what ended by ${until} no more is looked at where it is told of late`
  )
}

/**
 * Has the rules look at outcomes; says how many were new to them, and what was told meanwhile: the rest is still to be
 * flushed. A task is paused before they look at what it ended after that, so that they see the same whenever they look.
 */
export const fold = Effect.fnUntraced(function* (ground: Ground, outcomes: Iterable<AttemptOutcome>, known?: Known) {
  const { settings, state } = ground
  const window = windowOf(settings)
  const wanted = known === undefined ? { window } : { window, known }
  const before = state.floor
  const now = yield* Clock.currentTimeMillis
  const told: Array<ReflectionFinding> = []
  let count = 0
  for (const outcome of outcomes) {
    state.passed += 1
    if (state.passed % untilTurn === 0) yield* turn
    if (!isWanted(state, outcome, wanted)) continue
    if (state.untold.length >= together || isToBePaused(state, outcome.taskId)) told.push(...(yield* flush(ground)))
    const paused = ReflectionRules.asksIfPaused(state.rules, outcome) ? yield* wasPaused(ground, outcome) : false
    // Nothing may come between what the rules had, and what they found of it.
    state.untold.push(...ReflectionRules.step(settings, state.rules, { outcome, paused, now }))
    markSeen(state, outcome, { now, window })
    count += 1
    if (ReflectionRules.isUnpaused(state.rules, outcome) && !isToBePaused(state, outcome.taskId))
      yield* actAgain(ground, outcome)
  }
  yield* sayNarrow(ground, before)
  return { count, told }
})
