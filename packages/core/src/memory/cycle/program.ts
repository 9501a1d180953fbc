/** When the cycle runs: at an outcome, and never else. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { defaults } from "../../session/config/Defaults.ts"
import type { StorageError } from "../log/StorageError.ts"
import { isFailure, type AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { OutcomeLog } from "../outcomes/OutcomeLog.ts"
import { FindingLog } from "../rules/FindingLog.ts"
import { byHand } from "../rules/FindingText.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"
import { isoOf } from "../rules/RuleFinding.ts"
import { TaskControl, TaskControlError } from "../rules/TaskControl.ts"
import { type CycleEvent, eventsOf } from "./events.ts"
import * as FindingsAnalysis from "./FindingsAnalysis.ts"
import type { Options, Report, Service } from "./model.ts"

const limits = { told: 1024, history: 200, unanalysed: 50 } as const

/** For a `TaskControl` that never answers, and until it is asked again to pause what it did not. */
const patience = { answer: "30 seconds", pause: 60_000 } as const

/** What cannot be read is read again: no outcome would be heard of otherwise. */
const again = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("1 minute"))

const nothing: Report = { outcomes: 0, findings: [], analysis: null, mutations: [] }

/** Asked again while it runs, but not at each look: somebody may have git track a file at any time. */
const askedAgainAfter = Duration.minutes(1)

/** Why nobody should believe the logs; said when it comes up. */
const heldBack = Effect.gen(function* () {
  const outcomes = yield* OutcomeLog
  const findings = yield* FindingLog
  const ask = Effect.flatMap(outcomes.heldBack, (reason) =>
    reason === null ? findings.heldBack : Effect.succeed(reason)
  )
  let said: string | null = null
  const saying = Effect.tap(ask, (reason) => {
    const isNew = reason !== said
    said = reason
    return isNew && reason !== null ? Effect.logWarning(`the reflection cycle does not run: ${reason}`) : Effect.void
  })
  return yield* Effect.cachedWithTTL(
    Effect.map(saying, (reason) => reason !== null),
    askedAgainAfter
  )
})

/** Whoever wants none says so: one that is missing is a layer that was forgotten, or put together in the wrong order. */
const tasksOrNone = Effect.flatMap(
  Effect.serviceOption(TaskControl),
  Option.match({
    onNone: () =>
      Effect.as(
        Effect.logWarning(
          "the reflection cycle pauses no task: it has no TaskControl (provide one, or TaskControl.None if that is meant)"
        ),
        TaskControl.none
      ),
    onSome: Effect.succeed
  })
)

/** Whatever a service of the user's does: the cycle goes on with what comes next. */
const warned = <A>(work: Effect.Effect<A, StorageError>): Effect.Effect<void> =>
  Effect.asVoid(work).pipe(
    Effect.catchAll((error) => Effect.logWarning(`the reflection cycle: ${error.message}`)),
    Effect.catchAllDefect((defect) => Effect.logWarning("the reflection cycle", defect))
  )

/** What a port does not answer is answered for it, and said: it is the user's own, and may throw as well as fail. */
const orElse = <A>(
  ask: () => Effect.Effect<A, TaskControlError>,
  instead: A,
  asked: Pick<TaskControlError, "operation" | "taskId">
): Effect.Effect<A> => {
  const failed = (cause: unknown) => new TaskControlError({ ...asked, cause })
  return Effect.suspend(ask).pipe(
    Effect.catchAllDefect(failed),
    Effect.timeoutFail({
      duration: patience.answer,
      onTimeout: () => failed(new Error(`no answer for ${patience.answer}`))
    }),
    Effect.catchAll((error) => Effect.as(Effect.logWarning(error.message), instead))
  )
}

const isOfTask = ({ rule, subjectType }: ReflectionFinding): boolean =>
  rule === "consecutive_failures" && subjectType === "task"

/** The cycle's first tier: what the rules find goes to the log, and a task that fails each time to its pause. */
const looker = Effect.fnUntraced(function* (settings: Options["settings"] & ReflectionRules.Options) {
  const { outcomesSince } = yield* OutcomeLog
  const findings = yield* FindingLog
  const tasks = yield* tasksOrNone
  const tried = new Map<string, number>()

  /** What a person had looked for is none of the cycle's own. */
  const own = Effect.map(findings.findings(), (all) => all.filter(({ id }) => !id.startsWith(byHand)))

  const isPaused = (taskId: string) => orElse(() => tasks.isPaused(taskId), false, { operation: "isPaused", taskId })

  /**
   * What a paused task still ends belongs to what it was paused for: only once it runs again do its failures count, from
   * the beginning.
   */
  const withLeftOvers = Effect.fnUntraced(function* (
    known: ReadonlyArray<ReflectionFinding>,
    outcomes: ReadonlyArray<AttemptOutcome>,
    now: number
  ) {
    const pauses = new Map<string, ReflectionFinding>()
    for (const one of known) if (isOfTask(one) && one.severity === "action_taken") pauses.set(one.subjectId, one)
    const later = new Map<string, number>()
    for (const { at, taskId } of outcomes) {
      const paused = taskId === null ? undefined : pauses.get(taskId)
      const ended = Math.min(Date.parse(at), now)
      if (paused !== undefined && ended > Date.parse(paused.at))
        later.set(paused.subjectId, Math.max(ended, later.get(paused.subjectId) ?? 0))
    }
    const left = yield* Effect.filter(later, ([taskId]) => isPaused(taskId))
    const moved = new Map(
      left.flatMap(([taskId, at]) => {
        const paused = pauses.get(taskId)
        return paused === undefined ? [] : [[paused.id, { ...paused, at: isoOf(at) }] as const]
      })
    )
    yield* findings.append([...moved.values()])
    return known.map((one) => moved.get(one.id) ?? one)
  })

  /**
   * A finding is in the log before its task is paused, and again when it is: whatever ends the process between the two, the
   * next one knows what is left to do.
   */
  const act = Effect.fnUntraced(
    function* (finding: ReflectionFinding) {
      const { detail, id, subjectId: taskId } = finding
      const now = yield* Clock.currentTimeMillis
      if (!isOfTask(finding) || now - (tried.get(id) ?? Number.NEGATIVE_INFINITY) < patience.pause) return finding
      const isDone = yield* orElse(() => tasks.pause(taskId, detail), false, { operation: "pause", taskId })
      if (!isDone)
        return yield* Effect.as(
          Effect.sync(() => tried.set(id, now)),
          finding
        )
      const acted: ReflectionFinding = { ...finding, severity: "action_taken", actionTaken: "paused the task" }
      yield* findings.append(acted)
      return acted
    },
    (acting, finding) =>
      Effect.catchAll(acting, (error) =>
        Effect.as(Effect.logWarning(`the log does not say that the task is paused: ${error.message}`), finding)
      )
  )

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const outcomes = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: ReflectionRules.most })
    const known = yield* withLeftOvers(yield* own, outcomes, now)
    const seen = ReflectionRules.look(settings, { outcomes, known, now }).filter(
      ({ completedAt }) => completedAt === null
    )
    const unknown = seen.flatMap((one) => (one.known.length === 0 ? [one.finding] : []))
    // A person may have paused it.
    const fresh = yield* Effect.filter(unknown, ({ subjectId, subjectType }) =>
      subjectType === "task" ? Effect.map(isPaused(subjectId), (is) => !is) : Effect.succeed(true)
    )
    const added = yield* findings.appendNew(fresh)
    const unpaused = seen.flatMap((one) => one.known.filter(({ severity }) => severity === "warning").slice(-1))
    const since = now - settings.lookback_seconds * 1000
    // What another process has added meanwhile it tells itself, and may not have been able to act on.
    const told = fresh.filter(({ id }) => added.has(id))
    return {
      outcomes: outcomes.filter(({ at }) => Date.parse(at) >= since).length,
      fresh: told,
      open: [...told, ...unpaused].filter(isOfTask)
    }
  })

  const active = orElse(() => tasks.active, [], { operation: "active", taskId: null })
  return { own, look, act, active }
})

/** What no model has looked at, by what the log says. */
const unanalysedOf = (known: ReadonlyArray<ReflectionFinding>, since: number): Array<ReflectionFinding> =>
  known
    .slice(known.findLastIndex(({ rule }) => rule === "analysis") + 1)
    .filter(({ at }) => Date.parse(at) >= since)
    .slice(-limits.unanalysed)

export const make = Effect.fnUntraced(function* ({
  debounce = Duration.millis(500),
  settings: given = {}
}: Options = {}) {
  const settings = { ...defaults.cycle, ...given }
  const window = settings.lookback_seconds * 1000
  const bus = yield* Effect.acquireRelease(PubSub.sliding<CycleEvent>(limits.told), PubSub.shutdown)
  const isHeldBack = yield* heldBack
  const isOff = !settings.enabled || (yield* isHeldBack)
  yield* Effect.logInfo(isOff ? "Reflection loop disabled" : "Reflection loop started")
  const told = { events: Stream.fromPubSub(bus), subscribe: PubSub.subscribe(bus) }
  if (isOff) return { ...told, history: () => Effect.succeed([]), run: () => Effect.succeed(nothing) } satisfies Service

  const outcomes = yield* OutcomeLog
  const scope = yield* Effect.scope
  const context = yield* Effect.context<OutcomeLog | FindingLog>()
  const { act, active, look, own } = yield* looker(settings)
  const [looking, consulting] = [yield* Effect.makeSemaphore(1), yield* Effect.makeSemaphore(1)]

  let unanalysed = unanalysedOf(yield* own, (yield* Clock.currentTimeMillis) - window)
  let completions = 0
  let isDue = false
  let isFresh = unanalysed.length > 0
  let isConsulting = false

  const tell = (finding: ReflectionFinding) => PubSub.publishAll(bus, eventsOf(finding))

  const lookOnce = looking.withPermits(1)(
    Effect.gen(function* () {
      completions = 0
      const { fresh, open, outcomes } = yield* look
      if (fresh.length > 0) isFresh = true
      unanalysed = [...unanalysed, ...fresh].slice(-limits.unanalysed)
      const acted = new Map(yield* Effect.forEach(open, (one) => Effect.map(act(one), (now) => [one.id, now] as const)))
      const findings = fresh.map((one) => acted.get(one.id) ?? one)
      unanalysed = unanalysed.map((one) => acted.get(one.id) ?? one)
      const isNew = new Set(fresh.map(({ id }) => id))
      const later = [...acted.values()].filter(({ id, severity }) => severity === "action_taken" && !isNew.has(id))
      yield* Effect.forEach([...findings, ...later], tell, { discard: true })
      return { outcomes, findings: [...findings, ...later] }
    })
  )

  /** A model that did not answer is asked again with what is found next, not at each outcome. */
  const consultOnce = consulting.withPermits(1)(
    Effect.gen(function* () {
      isFresh = false
      const findings = unanalysed
      if (findings.length === 0) return { analysis: null, mutations: [] }
      const since = (yield* Clock.currentTimeMillis) - window
      const asked = { id: FindingsAnalysis.idOf(findings), findings, activeTasks: yield* active, since }
      const said = yield* Effect.provide(FindingsAnalysis.ask(asked), context)
      if (said === null) return { analysis: null, mutations: [] }
      const done = new Set(findings.map(({ id }) => id))
      unanalysed = unanalysed.filter(({ id }) => !done.has(id))
      yield* tell(said.finding)
      return { analysis: said.analysis, mutations: yield* Effect.provide(FindingsAnalysis.handOn(said), context) }
    })
  )

  const consultWhileFresh = Effect.suspend(() => {
    if (isConsulting || !isFresh) return Effect.void
    isConsulting = true
    return Effect.repeat(warned(consultOnce), { while: () => isFresh }).pipe(
      Effect.ensuring(Effect.sync(() => (isConsulting = false)))
    )
  })

  const soon = Effect.suspend(() => {
    if (isDue) return Effect.void
    isDue = true
    const work = Effect.zipRight(
      Effect.sync(() => (isDue = false)),
      Effect.unlessEffect(Effect.zipRight(warned(lookOnce), consultWhileFresh), isHeldBack)
    )
    return Effect.asVoid(Effect.forkIn(Effect.delay(work, debounce), scope))
  })

  const receive = (outcome: AttemptOutcome) => {
    if (!isFailure(outcome)) completions += 1
    return isFailure(outcome) || completions >= settings.batch_threshold ? soon : Effect.void
  }

  if (isFresh) yield* soon
  const heard = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Stream.runForEach(outcomes.follow(now - window), receive)
  )
  yield* Effect.forkScoped(
    heard.pipe(
      Effect.tapError((error) => Effect.logWarning(`the reflection cycle: ${error.message}`)),
      Effect.retry(again),
      Effect.ignore
    )
  )
  return {
    ...told,
    history: () =>
      Effect.map(own, (all) => all.flatMap(eventsOf).slice(-limits.history)).pipe(
        Effect.catchAll((error) => Effect.as(Effect.logWarning(`the reflection cycle: ${error.message}`), []))
      ),
    run: Effect.fn("ReflectionCycle.run")(function* ({ analyse = true } = {}) {
      if (yield* isHeldBack) return nothing
      const looked = yield* lookOnce
      return { ...nothing, ...looked, ...(analyse ? yield* consultOnce : {}) }
    })
  } satisfies Service
})
