/** When the cycle runs: at an outcome, and never else. */
import * as Clock from "effect/Clock"
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
import * as FindingsAnalysis from "./FindingsAnalysis.ts"
import { type CycleEvent, eventsOf, type Options, type Report, type Service, type Settings } from "./model.ts"

const limits = { told: 1024, history: 200, unanalysed: 50 } as const

/** For a `TaskControl` that never answers, and until it is asked again to pause what it did not. */
const patience = { answer: "30 seconds", pause: 60_000 } as const

/** What cannot be read is read again: no outcome would be heard of otherwise. */
const again = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("1 minute"))

const nothing: Report = { outcomes: 0, findings: [], analysis: null, mutations: [] }

const warn = (error: { readonly message: string }) => Effect.logWarning(`the reflection cycle: ${error.message}`)

/** Whether nobody should believe the logs, which is said when it comes up: somebody may have git track a file at any time. */
const heldBack = Effect.gen(function* () {
  const [outcomes, findings] = [yield* OutcomeLog, yield* FindingLog]
  let said: string | null = null
  const ask = Effect.gen(function* () {
    const reason = (yield* outcomes.heldBack) ?? (yield* findings.heldBack)
    if (reason !== null && reason !== said) yield* Effect.logWarning(`the reflection cycle does not run: ${reason}`)
    said = reason
    return reason !== null
  })
  // Not at each look.
  return yield* Effect.cachedWithTTL(ask, "1 minute")
})

/** A program that wants none says so: one that is missing is a layer that was forgotten, or put together in the wrong order. */
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
    Effect.catchAll(warn),
    Effect.catchAllDefect((defect) => Effect.logWarning("the reflection cycle", defect))
  )

/** What a port does not answer is answered for it, and said: it is the user's own, and may throw as well as fail. */
const orElse = <A>(
  ask: () => Effect.Effect<A, TaskControlError>,
  instead: A,
  asked: Pick<TaskControlError, "operation" | "taskId">
): Effect.Effect<A> => {
  const failed = (cause: unknown) => new TaskControlError({ ...asked, cause })
  const onTimeout = () => failed(new Error(`no answer for ${patience.answer}`))
  return Effect.suspend(ask).pipe(
    Effect.catchAllDefect(failed),
    Effect.timeoutFail({ duration: patience.answer, onTimeout }),
    Effect.catchAll((error) => Effect.as(Effect.logWarning(error.message), instead))
  )
}

const isOfTask = ({ rule, subjectType }: ReflectionFinding): boolean =>
  rule === "consecutive_failures" && subjectType === "task"

/** The cycle's first tier: what the rules find goes to the log, and a task that fails each time to its pause. */
const looker = Effect.fnUntraced(function* (settings: Settings) {
  const { outcomesSince } = yield* OutcomeLog
  const findings = yield* FindingLog
  const tasks = yield* tasksOrNone
  const tried = new Map<string, number>()

  /** What a look by hand found is not the cycle's own. */
  const own = Effect.map(findings.findings(), (all) => all.filter(({ id }) => !id.startsWith(byHand)))

  const isPaused = (taskId: string) => orElse(() => tasks.isPaused(taskId), false, { operation: "isPaused", taskId })

  /**
   * What a paused task still ends belongs to what it was paused for: only once it runs again do its failures count, from
   * the beginning. So the finding of its pause is moved to the last of them.
   */
  const withLeftOvers = Effect.fnUntraced(function* (
    known: ReadonlyArray<ReflectionFinding>,
    outcomes: ReadonlyArray<AttemptOutcome>,
    now: number
  ) {
    const pauses = new Map<string, ReflectionFinding>()
    for (const one of known) if (isOfTask(one) && one.severity === "action_taken") pauses.set(one.subjectId, one)
    const later = [...pauses.values()].flatMap((one) => {
      const ends = outcomes.filter(({ taskId }) => taskId === one.subjectId).map(({ at }) => Date.parse(at))
      const last = Math.max(...ends.map((at) => Math.min(at, now)))
      return last > Date.parse(one.at) ? [{ ...one, at: isoOf(last) }] : []
    })
    const left = yield* Effect.filter(later, ({ subjectId }) => isPaused(subjectId))
    yield* findings.append(left)
    return known.map((one) => left.find(({ id }) => id === one.id) ?? one)
  })

  /**
   * A finding is in the log before its task is paused, and again when it is: whatever ends the process between the two, the
   * next one knows what is left to do.
   */
  const act = Effect.fnUntraced(function* (finding: ReflectionFinding) {
    const { detail, id, subjectId: taskId } = finding
    const now = yield* Clock.currentTimeMillis
    if (now - (tried.get(id) ?? Number.NEGATIVE_INFINITY) < patience.pause) return finding
    const isDone = yield* orElse(() => tasks.pause(taskId, detail), false, { operation: "pause", taskId })
    if (!isDone) tried.set(id, now)
    if (!isDone) return finding
    const acted: ReflectionFinding = { ...finding, severity: "action_taken", actionTaken: "paused the task" }
    return yield* Effect.matchEffect(findings.append(acted), {
      onSuccess: () => Effect.succeed(acted),
      onFailure: ({ message }) =>
        Effect.as(Effect.logWarning(`the log does not say that the task is paused: ${message}`), finding)
    })
  })

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const outcomes = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: ReflectionRules.most })
    const known = yield* withLeftOvers(yield* own, outcomes, now)
    const seen = ReflectionRules.look(settings, { outcomes, known, now }).filter((one) => one.completedAt === null)
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
    const open = [...told, ...unpaused].filter(isOfTask)
    return { outcomes: outcomes.filter(({ at }) => Date.parse(at) >= since).length, fresh: told, open }
  })

  return { own, look, act, active: orElse(() => tasks.active, [], { operation: "active", taskId: null }) }
})

/** What no model has looked at, by what the log says. */
const unanalysedOf = (known: ReadonlyArray<ReflectionFinding>, since: number): ReadonlyArray<ReflectionFinding> =>
  known
    .slice(known.findLastIndex(({ rule }) => rule === "analysis") + 1)
    .filter(({ at }) => Date.parse(at) >= since)
    .slice(-limits.unanalysed)

export const make = Effect.fnUntraced(function* ({ debounce = "500 millis", settings: given = {} }: Options = {}) {
  const settings = { ...defaults.cycle, ...given }
  const window = settings.lookback_seconds * 1000
  const bus = yield* Effect.acquireRelease(PubSub.sliding<CycleEvent>(limits.told), PubSub.shutdown)
  const told = { events: Stream.fromPubSub(bus), subscribe: PubSub.subscribe(bus) }
  const isHeldBack = yield* heldBack
  const isOff = !settings.enabled || (yield* isHeldBack)
  yield* Effect.logInfo(isOff ? "Reflection loop disabled" : "Reflection loop started")
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
      isFresh ||= fresh.length > 0
      unanalysed = [...unanalysed, ...fresh].slice(-limits.unanalysed)
      const acted = new Map(yield* Effect.forEach(open, (one) => Effect.map(act(one), (now) => [one.id, now] as const)))
      const asActed = (one: ReflectionFinding): ReflectionFinding => acted.get(one.id) ?? one
      unanalysed = unanalysed.map(asActed)
      const isNew = new Set(fresh.map(({ id }) => id))
      const later = [...acted.values()].filter(({ id, severity }) => severity === "action_taken" && !isNew.has(id))
      const findings = [...fresh.map(asActed), ...later]
      yield* Effect.forEach(findings, tell, { discard: true })
      return { outcomes, findings }
    })
  )

  /** A model that did not answer is asked again with what is found next, not at each outcome. */
  const consultOnce = consulting
    .withPermits(1)(
      Effect.gen(function* () {
        isFresh = false
        const findings = unanalysed
        if (findings.length === 0) return {}
        const since = (yield* Clock.currentTimeMillis) - window
        const asked = { id: FindingsAnalysis.idOf(findings), findings, activeTasks: yield* active, since }
        const said = yield* FindingsAnalysis.ask(asked)
        if (said === null) return {}
        const done = new Set(findings.map(({ id }) => id))
        unanalysed = unanalysed.filter(({ id }) => !done.has(id))
        yield* tell(said.finding)
        return { analysis: said.analysis, mutations: yield* FindingsAnalysis.handOn(said) }
      })
    )
    .pipe(Effect.provide(context))

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
    const work = Effect.suspend(() => {
      isDue = false
      return Effect.unlessEffect(Effect.zipRight(warned(lookOnce), consultWhileFresh), isHeldBack)
    })
    return Effect.asVoid(Effect.forkIn(Effect.delay(work, debounce), scope))
  })

  const receive = (outcome: AttemptOutcome) => {
    if (!isFailure(outcome)) completions += 1
    return isFailure(outcome) || completions >= settings.batch_threshold ? soon : Effect.void
  }

  if (isFresh) yield* soon
  yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Stream.runForEach(outcomes.follow(now - window), receive)
  ).pipe(Effect.tapError(warn), Effect.retry(again), Effect.ignore, Effect.forkScoped)
  return {
    ...told,
    history: () =>
      Effect.map(own, (all) => all.flatMap(eventsOf).slice(-limits.history)).pipe(
        Effect.catchAll((error) => Effect.as(warn(error), []))
      ),
    run: Effect.fn("ReflectionCycle.run")(function* ({ analyse = true } = {}) {
      if (yield* isHeldBack) return nothing
      const looked = yield* lookOnce
      return { ...nothing, ...looked, ...(analyse ? yield* consultOnce : {}) }
    })
  } satisfies Service
})
