/** The log of the reflection cycle's findings, shared by all processes that use the same storage. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { heldBack, type Place } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import type { StorageError } from "../log/StorageError.ts"
import { clean, decode, type ReflectionFinding } from "./ReflectionFinding.ts"

export interface Service {
  /** Stores findings. They survive a power cut. Secrets are removed, except in the ids. Known ids are replaced. */
  readonly append: (findings: ReflectionFinding | ReadonlyArray<ReflectionFinding>) => Effect.Effect<void, StorageError>
  /** Stores only findings with new ids, even if other processes add findings now. Returns the added ids. */
  readonly appendNew: (findings: ReadonlyArray<ReflectionFinding>) => Effect.Effect<ReadonlySet<string>, StorageError>
  readonly get: (id: string) => Effect.Effect<ReflectionFinding | null, StorageError>
  /** In the order in which they were found. A replaced finding keeps its place. */
  readonly findings: () => Effect.Effect<ReadonlyArray<ReflectionFinding>, StorageError>
  /** Why the log is not trusted: git tracks the file and nobody set `trusted`. Null if it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Removes findings that are older than `maxAge`, and returns how many. */
  readonly prune: (options: { readonly maxAge: Duration.DurationInput }) => Effect.Effect<number, StorageError>
  /** How many lines are not valid findings. */
  readonly unreadable: Effect.Effect<number, StorageError>
}

type Given = ReflectionFinding | ReadonlyArray<ReflectionFinding>

const listed = (given: Given): ReadonlyArray<ReflectionFinding> => ("id" in given ? [given] : given)

/** Of two lines with the same id, the later one counts. Both are removed together. */
const goneBefore = (all: ReadonlyArray<ReflectionFinding>, before: number): Records.Gone<ReflectionFinding> => {
  const last = new Map(all.map((one) => [one.id, one]))
  const old = new Set([...last.values()].filter(({ at }) => Date.parse(at) < before).map(({ id }) => id))
  return { rows: new Set(all.filter(({ id }) => old.has(id))), count: old.size }
}

const make = Effect.fnUntraced(function* (open: Records.OpenRecords<ReflectionFinding>) {
  const byId = new Map<string, ReflectionFinding>()
  const { add, drop, look, unreadable } = open({
    reset: () => byId.clear(),
    take: (finding) => byId.set(finding.id, finding)
  })

  // Opening the log fails if the file cannot be read.
  yield* look(() => undefined)

  const service: Service = {
    append: (given) => {
      const all = listed(given).map(clean)
      return all.length === 0 ? Effect.void : add(() => all)
    },
    appendNew: Effect.fnUntraced(function* (given) {
      let added: ReadonlyArray<ReflectionFinding> = []
      const fresh = () => (added = given.map(clean).filter(({ id }) => !byId.has(id)))
      if (given.length > 0) yield* add(fresh)
      return new Set(added.map(({ id }) => id))
    }),
    get: (id) => look(() => byId.get(id) ?? null),
    findings: () => look(() => [...byId.values()]),
    heldBack: Effect.succeed(null),
    prune: Effect.fn("FindingLog.prune")(function* ({ maxAge }) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      return yield* drop((all) => goneBefore(all, before))
    }),
    unreadable
  }
  return service
})

const live = (place: Place) =>
  Effect.map(
    make((fold) => Records.onDisk(place.path, decode, fold)),
    (log): Service => ({ ...log, heldBack: heldBack(place) })
  )

const held = Effect.orDie(make(Records.inMemory))

/**
 * What a test can read about its log: every line, in order.
 *
 * @category testing
 */
export class FindingRecord extends Context.Tag("@reflexion/core/FindingLog/FindingRecord")<
  FindingRecord,
  { readonly appended: Effect.Effect<ReadonlyArray<ReflectionFinding>> }
>() {}

const recording = Effect.gen(function* () {
  const log = yield* held
  const appended = yield* Ref.make<ReadonlyArray<ReflectionFinding>>([])
  const note = (all: ReadonlyArray<ReflectionFinding>) => Ref.update(appended, (before) => [...before, ...all])
  const service: Service = {
    ...log,
    append: (given) => Effect.zipRight(log.append(given), note(listed(given))),
    appendNew: (given) => Effect.tap(log.appendNew(given), (added) => note(given.filter(({ id }) => added.has(id))))
  }
  return Context.make(FindingLog, service).pipe(Context.add(FindingRecord, { appended: Ref.get(appended) }))
})

/** @category services */
export class FindingLog extends Context.Tag("@reflexion/core/FindingLog")<FindingLog, Service>() {
  /** One JSON line for each finding, in a file that several processes may share. */
  static readonly Live = (place: Place): Layer.Layer<FindingLog, StorageError> => Layer.effect(FindingLog, live(place))

  static readonly Memory: Layer.Layer<FindingLog> = Layer.effect(FindingLog, held)

  /** Any other storage, for example a database for many machines. */
  static readonly Over = (open: Records.OpenRecords<ReflectionFinding>): Layer.Layer<FindingLog, StorageError> =>
    Layer.effect(FindingLog, make(open))

  /** `Memory`, where a test reads the added findings through `FindingRecord`. */
  static readonly Test: Layer.Layer<FindingLog | FindingRecord> = Layer.effectContext(recording)
}
