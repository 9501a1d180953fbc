/**
 * What the rules find when somebody looks once: one pass over the outcomes of a window. Nothing is followed as a program's
 * cycle does, and nothing is kept.
 */
import { type AttemptOutcome, isFailure, subjectOf } from "@reflexion/core/AttemptOutcome"
import type { StorageError } from "@reflexion/core/StorageError"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import * as ReflectionLook from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import * as ReflectionRules from "@reflexion/core/internal/memory/rules/ReflectionRules"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/**
 * How many outcomes there were, what the rules found of them and of the memory, of each task of which one failed the last
 * that did, by what the attempts of a task share, and by a finding's id what those share that showed it, and when a task
 * completed that it says fails each time.
 *
 * @category models
 */
export interface Looked {
  readonly outcomes: number
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly failed: ReadonlyMap<string, AttemptOutcome>
  readonly subjects: ReadonlyMap<string, string>
  readonly completed: ReadonlyMap<string, string>
}

/** What an attempt that completes ends. */
const ofStreaks: ReadonlyArray<ReflectionFinding["rule"]> = ["consecutive_failures", "regression"]

/** Keeps up with when the tasks of findings completed. */
const completing = () => {
  const open = new Map<string, ReadonlyArray<string>>()
  const completed = new Map<string, string>()
  const take = (subject: string, outcome: AttemptOutcome, found: ReadonlyArray<ReflectionFinding>): void => {
    if (!isFailure(outcome)) {
      for (const id of open.get(subject) ?? []) completed.set(id, outcome.at)
      open.delete(subject)
    }
    const ids = found.flatMap(({ id, rule }) => (ofStreaks.includes(rule) ? [id] : []))
    if (ids.length > 0) open.set(subject, [...(open.get(subject) ?? []), ...ids])
  }
  return { completed, take }
}

/** After so many outcomes whatever waits has its turn, such as the clock by which it is said what takes so long. */
const untilTurn = 10_000

/**
 * Has every outcome of a stream folded in, in order; says how many there were.
 *
 * @category programs
 */
export const each = <E, R>(
  outcomes: Stream.Stream<AttemptOutcome, E, R>,
  fold: (outcome: AttemptOutcome) => void
): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    let count = 0
    return Stream.runForEachChunk(outcomes, (chunk) =>
      Effect.suspend(() => {
        const before = Math.floor(count / untilTurn)
        for (const outcome of chunk) fold(outcome)
        count += chunk.length
        return Math.floor(count / untilTurn) > before ? Effect.sleep(0) : Effect.void
      })
    ).pipe(Effect.map(() => count))
  })

/** Advice of the memory that does not help, where there is a memory that one may believe. */
const advice = Effect.fnUntraced(function* (state: ReflectionRules.State, now: number) {
  const store = yield* Effect.serviceOption(ReflexionStore)
  if (Option.isNone(store) || (yield* store.value.heldBack) !== null) return []
  const records = yield* Effect.catchAll(store.value.effectiveness, (error) =>
    Effect.as(Effect.logWarning(`what came of advice is not known: ${error.message}`), [])
  )
  return ReflectionRules.unhelpful(state, records, now)
})

/**
 * Looks at what ended at `since` (in ms since the epoch) or later.
 *
 * @category programs
 */
export const look = (
  options: ReflectionRules.Options,
  since: number
): Effect.Effect<Looked, StorageError, OutcomeLog> =>
  Effect.gen(function* () {
    const { stream } = yield* OutcomeLog
    const now = yield* Clock.currentTimeMillis
    const state = ReflectionRules.initial()
    const found: Array<ReflectionFinding> = []
    const failed = new Map<string, AttemptOutcome>()
    const subjects = new Map<string, string>()
    const { completed, take } = completing()
    const counts = ReflectionLook.oncePerSession()
    const outcomes = yield* each(stream(since), (outcome) => {
      if (!counts(outcome)) return
      const shown = ReflectionRules.step(options, state, { outcome, now }).map(({ finding }) => finding)
      found.push(...shown)
      const subject = subjectOf(outcome)
      if (subject === null) return
      if (isFailure(outcome)) failed.set(subject, outcome)
      for (const { id } of shown) subjects.set(id, subject)
      take(subject, outcome, shown)
    })
    found.push(...(yield* advice(state, now)).map(({ finding }) => finding))
    return { outcomes, findings: found, failed, subjects, completed }
  })

/**
 * How often each is found, by what it is of (`ReflectionLook.ofId`), by rules that have the whole log and know what was found
 * before: what goes on they do not find again. A window begins in the middle of that, and has another attempt show it each
 * time.
 *
 * @category programs
 */
export const again = (
  options: ReflectionRules.Options,
  known: ReadonlyArray<ReflectionFinding>
): Effect.Effect<ReadonlyMap<string, number>, StorageError, OutcomeLog> =>
  Effect.gen(function* () {
    const { stream } = yield* OutcomeLog
    const now = yield* Clock.currentTimeMillis
    const state = ReflectionRules.initial()
    const remember = ReflectionLook.remembering(state, { known, now })
    const counts = ReflectionLook.oncePerSession()
    const found = new Map<string, number>()
    yield* each(stream(Number.NEGATIVE_INFINITY), (outcome) => {
      if (!counts(outcome)) return
      remember(outcome)
      for (const { finding } of ReflectionRules.step(options, state, { outcome, now })) {
        const of = ReflectionLook.ofId(finding.id)
        found.set(of, (found.get(of) ?? 0) + 1)
      }
    })
    return found
  })
