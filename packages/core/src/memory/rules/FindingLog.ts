/** The log of what the reflection cycle found, over all processes that share its file. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Findings from "./findings.ts"
import { heldBack, type Platform } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import { retained } from "../log/Retention.ts"
import { StorageError } from "../log/StorageError.ts"
import type { ReflectionFinding, Service } from "./model.ts"

export type { Service, Subject, Verification, Wanted } from "./model.ts"

/**
 * What a test reads of the log that it runs with: every line, in order. `fail` makes adding fail, or succeed again.
 *
 * @category testing
 */
export class FindingRecord extends Context.Tag("@reflexion/core/FindingLog/FindingRecord")<
  FindingRecord,
  {
    readonly appended: Effect.Effect<ReadonlyArray<ReflectionFinding>>
    readonly fail: (failing: boolean) => Effect.Effect<void>
  }
>() {}

const held = Effect.orDie(Findings.make((fold) => Records.inMemory(fold)))

/** What a test's log says that is made to fail. */
const full = new StorageError({ code: "ENOSPC", detail: "findings.jsonl: append: the test's disk is full" })

const makeTest = Effect.gen(function* () {
  const log = yield* held
  const appended = yield* Ref.make<ReadonlyArray<ReflectionFinding>>([])
  const failing = yield* Ref.make(false)
  const unlessFull = <A>(work: Effect.Effect<A, StorageError>): Effect.Effect<A, StorageError> =>
    Effect.flatMap(Ref.get(failing), (is) => (is ? Effect.fail(full) : work))
  const note = (all: ReadonlyArray<ReflectionFinding>) => Ref.update(appended, (before) => [...before, ...all])
  const service: Service = {
    ...log,
    append: (given) => unlessFull(Effect.zipRight(log.append(given), note("id" in given ? [given] : given))),
    appendNew: (given) =>
      unlessFull(Effect.tap(log.appendNew(given), (added) => note(given.filter(({ id }) => added.has(id)))))
  }
  return Context.make(FindingLog, service).pipe(
    Context.add(FindingRecord, { appended: Ref.get(appended), fail: (value) => Ref.set(failing, value) })
  )
})

/**
 * `trusted`: what the file says may be believed though git tracks it, and so whoever may push can write it. `retention`:
 * what is older goes when the log is opened and, now and then, while it is added to; without it nothing goes but by `prune`.
 *
 * @category models
 */
export interface LiveOptions {
  readonly path: string
  readonly trusted?: boolean
  readonly retention?: Duration.DurationInput
}

const live = Effect.fnUntraced(function* ({ path, retention, trusted = false }: LiveOptions) {
  const log = yield* retained(yield* Findings.make((fold) => Records.onDisk(path, Findings.format, fold)), retention)
  return { ...log, heldBack: yield* heldBack({ path, trusted }) } satisfies Service
})

/**
 * Where findings are kept.
 *
 * @category services
 */
export class FindingLog extends Context.Tag("@reflexion/core/FindingLog")<FindingLog, Service>() {
  /** One JSON line for each, in a file that several processes may share, such as `.reflection/findings.jsonl`. */
  static readonly Live = (options: LiveOptions): Layer.Layer<FindingLog, StorageError, Platform> =>
    Layer.effect(FindingLog, live(options))

  /** As long as the process lasts. */
  static readonly Memory: Layer.Layer<FindingLog> = Layer.effect(FindingLog, held)

  /** `Memory`, and what it was told, through `FindingRecord`. */
  static readonly Test: Layer.Layer<FindingLog | FindingRecord> = Layer.effectContext(makeTest)
}
