/** When the cycle runs: at an outcome, and never else. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { isFailure, type AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { FindingLog } from "../rules/FindingLog.ts"
import type { StorageError } from "../log/StorageError.ts"
import { Mutator } from "../changes/Mutator.ts"
import { OutcomeLog } from "../outcomes/OutcomeLog.ts"
import { ReflectionAnalysis } from "../changes/ReflectionAnalysis.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"
import { ReflexionStore } from "../store/ReflexionStore.ts"
import { TaskControl } from "../rules/TaskControl.ts"
import { defaults } from "../../session/config/Defaults.ts"
import { consult, isPending, type Consulted } from "./analysis.ts"
import * as Checkpoint from "./checkpoint.ts"
import type { CycleEvent } from "./events.ts"
import { advise, flush, fold, turn, type Ground, windowOf } from "./deliver.ts"
import * as State from "./state.ts"
import type { Options, Report, Service } from "./model.ts"

export const noCheckpoint = Effect.succeed(Checkpoint.none)

/**
 * So many outcomes are looked at without waiting for others, and so many that nothing was found in are not looked at again.
 * Where the rules cannot go on, `waiting` are kept; the others are in the log.
 */
const limits = { atOnce: 1000, unsaved: 5000, waiting: 10_000 } as const

/** What cannot be read is read again: no outcome would be heard of otherwise. */
const again = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("1 minute"))

const nothing: Report = { outcomes: 0, findings: [], analysis: null, mutations: [] }

/** Begins where the last one was, or with what was found in the window. */
const begin = Effect.fnUntraced(function* (checkpoint: Checkpoint.Checkpoint, window: number) {
  const saved = yield* checkpoint.load
  if (saved !== null) return State.ofSaved(saved)
  const findings = yield* FindingLog
  const state = State.initial()
  state.floor = (yield* Clock.currentTimeMillis) - window - 1
  ReflectionRules.recall(state.rules, yield* findings.findings())
  yield* checkpoint.save(State.toSave(state, window))
  return state
})

const toldBy = (bus: PubSub.PubSub<CycleEvent>, history: () => ReadonlyArray<CycleEvent>) => ({
  events: Stream.fromPubSub(bus),
  subscribe: PubSub.subscribe(bus),
  history: () => Effect.sync(() => [...history()])
})

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

export const make = Effect.fnUntraced(function* <R>(
  { debounce = Duration.millis(500), settings: given = {} }: Options,
  opening: Effect.Effect<Checkpoint.Checkpoint, never, R>
) {
  const settings = { ...defaults.cycle, ...given }
  const window = windowOf(settings)
  const bus = yield* Effect.acquireRelease(PubSub.sliding<CycleEvent>(1024), PubSub.shutdown)
  const isHeldBack = yield* heldBack
  const isOff = !settings.enabled || (yield* isHeldBack)
  yield* Effect.logInfo(isOff ? "Reflection loop disabled" : "Reflection loop started")
  if (isOff) return { ...toldBy(bus, () => []), run: () => Effect.succeed(nothing) } satisfies Service

  const outcomes = yield* OutcomeLog
  const scope = yield* Effect.scope
  const checkpoint = yield* opening
  const state = yield* begin(checkpoint, window)
  const saving = yield* Effect.makeSemaphore(1)

  /** Tells what a checkpoint has, and no sooner: the history has it, whatever ends the process then. */
  const save = saving.withPermits(1)(
    Effect.suspend(() => {
      state.unsaved = 0
      state.leftOut = false
      const events = state.outbox.splice(0)
      const saved = checkpoint.save(State.toSave(state, window))
      return Effect.zipRight(Effect.ensuring(saved, PubSub.publishAll(bus, events)), turn)
    })
  )
  const ground: Ground = {
    settings,
    state,
    findings: yield* FindingLog,
    tasks: yield* tasksOrNone,
    store: yield* Effect.serviceOption(ReflexionStore),
    began: yield* Clock.currentTimeMillis,
    save
  }

  const consulted: Consulted = {
    ground,
    outcomes,
    analysis: yield* Effect.serviceOption(ReflectionAnalysis),
    mutator: yield* Effect.serviceOption(Mutator)
  }
  const looking = yield* Effect.makeSemaphore(1)
  const consulting = yield* Effect.makeSemaphore(1)
  const consultOnce = consulting.withPermits(1)(
    Effect.suspend(() => {
      state.isFresh = false
      return consult(consulted)
    })
  )

  let waiting: Array<AttemptOutcome> = []
  let completions = 0
  /** Those that were looked at since advice was, of a batch larger than what is looked at once. */
  let batched = 0
  let isDue = false
  let isConsulting = false

  /** What the rules could not have is still to be looked at. */
  const settle = (): void => {
    waiting = waiting.filter((outcome) => State.isWanted(state, outcome, { window })).slice(-limits.waiting)
    completions = waiting.filter((outcome) => !isFailure(outcome)).length
  }

  const adviseNow = Effect.zipRight(advise(ground), flush(ground))

  const saved = Effect.suspend(() =>
    state.outbox.length > 0 || state.leftOut || state.unsaved >= limits.unsaved ? save : Effect.void
  )

  const look = looking.withPermits(1)(
    Effect.gen(function* () {
      const all = batched + completions
      const isDecisive = all >= settings.batch_threshold || waiting.some(isFailure)
      batched = isDecisive ? 0 : all
      yield* Effect.ensuring(fold(ground, [...waiting]), Effect.sync(settle))
      yield* isDecisive ? adviseNow : flush(ground)
    }).pipe(Effect.ensuring(saved))
  )

  /** A model that did not answer is asked again with what is found next, not at each outcome. */
  const act: Effect.Effect<void> = Effect.suspend(() => {
    if (isConsulting || !(state.isFresh || isPending(consulted))) return Effect.void
    isConsulting = true
    return consultWhileFresh
  })

  const consultWhileFresh: Effect.Effect<void> = Effect.flatMap(warned(consultOnce), () => {
    if (state.isFresh) return consultWhileFresh
    isConsulting = false
    return Effect.void
  })

  const soon = Effect.suspend(() => {
    if (isDue) return Effect.void
    isDue = true
    const work = Effect.zipRight(
      Effect.sync(() => (isDue = false)),
      Effect.if(isHeldBack, { onTrue: () => Effect.sync(settle), onFalse: () => Effect.zipRight(warned(look), act) })
    )
    return Effect.asVoid(Effect.forkIn(Effect.delay(work, debounce), scope))
  })

  const receive = (outcome: AttemptOutcome) =>
    Effect.suspend(() => {
      if (!State.isWanted(state, outcome, { window })) return Effect.void
      waiting.push(outcome)
      if (!isFailure(outcome)) completions += 1
      if (waiting.length >= limits.atOnce)
        return Effect.if(isHeldBack, {
          onTrue: () => Effect.sync(settle),
          onFalse: () => Effect.zipRight(warned(look), soon)
        })
      return isFailure(outcome) || batched + completions >= settings.batch_threshold ? soon : Effect.void
    })

  const since = (): number => Math.max(state.rules.now - window, state.floor)

  const run: Service["run"] = Effect.fn("ReflectionCycle.run")(function* ({ analyse = true } = {}) {
    if (yield* isHeldBack) return nothing
    const looked = yield* looking.withPermits(1)(
      Effect.gen(function* () {
        yield* outcomes.refresh
        const known = State.knownOf(state)
        const looked = yield* Stream.runFoldEffect(
          Stream.chunks(outcomes.stream(since())),
          { outcomes: 0, findings: Array<ReflectionFinding>() },
          ({ findings, outcomes: before }, chunk) =>
            Effect.map(fold(ground, chunk, known), ({ count, told }) => ({
              outcomes: before + count,
              findings: [...findings, ...told]
            }))
        )
        settle()
        const findings = [...looked.findings, ...(yield* adviseNow)]
        return { outcomes: looked.outcomes, findings }
      }).pipe(Effect.ensuring(saved))
    )
    const then = analyse ? yield* consultOnce : { analysis: null, mutations: [] }
    return { ...looked, ...then }
  })

  yield* Effect.addFinalizer(() => save)
  state.isFresh = state.unanalysed.length > 0 || state.untold.length > 0
  yield* Effect.forkScoped(
    Effect.zipRight(
      state.isFresh || isPending(consulted) ? soon : Effect.void,
      Effect.suspend(() => Stream.runForEach(outcomes.follow(since()), receive)).pipe(
        Effect.tapError((error) => Effect.logWarning(`the reflection cycle: ${error.message}`)),
        Effect.retry(again),
        Effect.ignore
      )
    )
  )
  return { ...toldBy(bus, () => state.history), run } satisfies Service
})
