/** Decides when the cycle runs: after outcomes were added, and at the start if findings wait for a model. */
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
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"
import { TaskControl } from "../rules/TaskControl.ts"
import * as FindingsAnalysis from "./FindingsAnalysis.ts"
import { type CycleEvent, eventsOf, type Options, type Report, type Service, type Settings } from "./model.ts"

const limits = { told: 1024, history: 200, unanalysed: 50 } as const

/** Failed work is tried again. Otherwise it would wait for the next outcome, which may never come. */
const again = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("1 minute"))

const nothing: Report = { outcomes: 0, findings: [], analysis: null, mutations: [] }

const warn = (error: { readonly message: string }) => Effect.logWarning(`the reflection cycle: ${error.message}`)

/** True if the logs are not trusted. Checked each time, because somebody can add a file to git at any time. */
const heldBack = Effect.gen(function* () {
  const reason = (yield* (yield* OutcomeLog).heldBack) ?? (yield* (yield* FindingLog).heldBack)
  if (reason !== null) yield* Effect.logWarning(`the reflection cycle does not run: ${reason}`)
  return reason !== null
})

const isOfTask = ({ rule, subjectType }: ReflectionFinding): boolean =>
  rule === "consecutive_failures" && subjectType === "task"

const isWarning = ({ severity }: ReflectionFinding): boolean => severity === "warning"

/** The first step of the cycle: logs the findings of the rules, and pauses a task that fails every time. */
const looker = Effect.fnUntraced(function* (settings: Settings) {
  const { outcomesSince } = yield* OutcomeLog
  const { append, appendNew, findings } = yield* FindingLog
  const tasks = Option.getOrElse(yield* Effect.serviceOption(TaskControl), () => TaskControl.none)

  const asked = { what: "TaskControl did not answer", patience: "30 seconds" } as const

  const isPaused = (taskId: string) =>
    FindingsAnalysis.orElse(() => tasks.isPaused(taskId), { ...asked, instead: false })

  /** True if the last look could not pause a task. */
  let isOpen = false

  /** If the process ends before the second entry, the first entry tells the next process to pause the task. */
  const act = Effect.fnUntraced(function* (finding: ReflectionFinding) {
    if (!isOfTask(finding)) return finding
    const { detail, subjectId } = finding
    const isPaused = yield* FindingsAnalysis.orElse(() => tasks.pause(subjectId, detail), { ...asked, instead: null })
    isOpen ||= isPaused === null
    if (isPaused !== true) return finding
    const acted: ReflectionFinding = { ...finding, severity: "action_taken", actionTaken: "paused the task" }
    yield* append(acted)
    return acted
  })

  /** Returns the new findings, and earlier findings whose task could be paused only now. */
  const look = Effect.gen(function* () {
    isOpen = false
    const now = yield* Clock.currentTimeMillis
    const outcomes = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: ReflectionRules.most })
    const seen = ReflectionRules.look(settings, { outcomes, known: yield* findings(), now })
    // If a person has already paused the task, it needs no finding.
    const fresh = yield* Effect.filter(
      seen.flatMap((one) => (one.known.length === 0 ? [one.finding] : [])),
      ({ subjectId, subjectType }) =>
        subjectType === "task" ? Effect.negate(isPaused(subjectId)) : Effect.succeed(true)
    )
    // If another process added a finding in the meantime, that process reports it. But it may have failed to pause the
    // task.
    const added = yield* appendNew(fresh)
    const told = yield* Effect.forEach(
      fresh.filter(({ id }) => added.has(id)),
      act
    )
    const waiting = seen.flatMap(({ known }) => known.slice(-1).filter((one) => isOfTask(one) && isWarning(one)))
    const later = (yield* Effect.forEach(waiting, act)).filter((one) => !isWarning(one))
    const since = now - settings.lookback_seconds * 1000
    return { outcomes: outcomes.filter(({ at }) => Date.parse(at) >= since).length, fresh: told, later, isOpen }
  })

  return { look, active: FindingsAnalysis.orElse(() => tasks.active, { ...asked, instead: [] }) }
})

/** The findings that no model has looked at yet. */
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
  const context = yield* Effect.context<OutcomeLog | FindingLog>()
  // Asks git only once a minute whether the logs are trusted.
  const isHeldBack = yield* Effect.cachedWithTTL(Effect.provide(heldBack, context), "1 minute")
  const isOff = !settings.enabled || (yield* isHeldBack)
  yield* Effect.logInfo(isOff ? "Reflection loop disabled" : "Reflection loop started")
  if (isOff) return { ...told, history: () => Effect.succeed([]), run: () => Effect.succeed(nothing) } satisfies Service

  const outcomes = yield* OutcomeLog
  const { findings } = yield* FindingLog
  const scope = yield* Effect.scope
  const { active, look } = yield* looker(settings)
  const [looking, consulting] = [yield* Effect.makeSemaphore(1), yield* Effect.makeSemaphore(1)]

  let unanalysed = unanalysedOf(yield* findings(), (yield* Clock.currentTimeMillis) - window)
  let completions = 0
  let isDue = false
  /** If a model did not answer, it is asked again only after a new finding, not after each outcome. */
  let isFresh = unanalysed.length > 0

  const tell = (finding: ReflectionFinding) => PubSub.publishAll(bus, eventsOf(finding))

  const lookOnce = looking.withPermits(1)(
    Effect.gen(function* () {
      completions = 0
      const { fresh, isOpen, later, outcomes } = yield* look
      isFresh ||= fresh.length > 0
      unanalysed = [...unanalysed, ...fresh].slice(-limits.unanalysed)
      const findings = [...fresh, ...later]
      yield* Effect.forEach(findings, tell, { discard: true })
      return { isOpen, looked: { outcomes, findings } }
    })
  )

  const consult = (isDue: () => boolean) =>
    consulting.withPermits(1)(
      Effect.gen(function* () {
        const findings = unanalysed
        if (findings.length === 0 || !isDue()) return {}
        isFresh = false
        const since = (yield* Clock.currentTimeMillis) - window
        const said = yield* FindingsAnalysis.ask({ findings, activeTasks: yield* active, since })
        if (said === null) return {}
        unanalysed = unanalysed.filter((one) => !findings.includes(one))
        yield* tell(said.finding)
        return { analysis: said.analysis, mutations: yield* FindingsAnalysis.handOn(said) }
      }).pipe(Effect.provide(context))
    )

  /** Errors are only logged. So the cycle continues even if a service of the user fails. */
  const inBackground = (work: Effect.Effect<unknown, StorageError>) =>
    work.pipe(
      Effect.catchAll(warn),
      Effect.catchAllDefect((defect) => Effect.logWarning("the reflection cycle", defect)),
      Effect.forkIn(scope)
    )

  /** Fails with null if a task could not be paused. The problem is then already in the log. */
  const lookAndConsult = Effect.tap(lookOnce, inBackground(consult(() => isFresh))).pipe(
    Effect.flatMap(({ isOpen }) => (isOpen ? Effect.fail(null) : Effect.void))
  )

  const soon = Effect.suspend(() => {
    if (isDue) return Effect.void
    isDue = true
    const work = Effect.suspend(() => {
      isDue = false
      return Effect.unlessEffect(lookAndConsult, isHeldBack)
    }).pipe(
      Effect.tapError((error) => (error === null ? Effect.void : warn(error))),
      // Only one look may wait. A retry ends if another look is due, because that look sees the same outcomes.
      Effect.retry({ schedule: again, while: () => !isDue && (isDue = true) }),
      Effect.ignore
    )
    return Effect.asVoid(inBackground(Effect.delay(work, debounce)))
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
      Effect.map(findings(), (all) => all.flatMap(eventsOf).slice(-limits.history)).pipe(
        Effect.catchAll((error) => Effect.as(warn(error), []))
      ),
    run: Effect.fn("ReflectionCycle.run")(function* ({ analyse = true } = {}) {
      if (yield* isHeldBack) return nothing
      const { looked } = yield* lookOnce
      return { ...nothing, ...looked, ...(analyse ? yield* consult(() => true) : {}) }
    })
  } satisfies Service
})
