/** The log of what the reflection cycle found, over all processes that share it. */
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
  /** Keeps findings, secrets taken out of all but ids: when it succeeds they outlast a power cut. A known id is replaced. */
  readonly append: (findings: ReflectionFinding | ReadonlyArray<ReflectionFinding>) => Effect.Effect<void, StorageError>
  /** Keeps those whose ids nobody knows yet, though others add them meanwhile; the answer has the ids of what was added. */
  readonly appendNew: (findings: ReadonlyArray<ReflectionFinding>) => Effect.Effect<ReadonlySet<string>, StorageError>
  /** Null for an id that nobody knows. */
  readonly get: (id: string) => Effect.Effect<ReflectionFinding | null, StorageError>
  /** In the order in which they were found; one that is said again stays in its place. */
  readonly findings: () => Effect.Effect<ReadonlyArray<ReflectionFinding>, StorageError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Leaves out what was found longer ago; says how much. */
  readonly prune: (options: { readonly maxAge: Duration.DurationInput }) => Effect.Effect<number, StorageError>
  /** How many lines are no finding. */
  readonly unreadable: Effect.Effect<number, StorageError>
}

type Given = ReflectionFinding | ReadonlyArray<ReflectionFinding>

const listed = (given: Given): ReadonlyArray<ReflectionFinding> => ("id" in given ? [given] : given)

/** Of two lines of an id the later one counts: both go, or none. */
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

  // A file that cannot be read says so when it is opened.
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
 * What a test reads of the log that it runs with: every line, in order.
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

/**
 * Where findings are kept.
 *
 * @category services
 */
export class FindingLog extends Context.Tag("@reflexion/core/FindingLog")<FindingLog, Service>() {
  /** One JSON line for each, in a file that several processes may share, such as `.reflection/findings.jsonl`. */
  static readonly Live = (place: Place): Layer.Layer<FindingLog, StorageError> => Layer.effect(FindingLog, live(place))

  /** As long as the process lasts. */
  static readonly Memory: Layer.Layer<FindingLog> = Layer.effect(FindingLog, held)

  /** Over whatever keeps records for many machines, such as a database. */
  static readonly Over = (open: Records.OpenRecords<ReflectionFinding>): Layer.Layer<FindingLog, StorageError> =>
    Layer.effect(FindingLog, make(open))

  /** `Memory`, and what it was told, through `FindingRecord`. */
  static readonly Test: Layer.Layer<FindingLog | FindingRecord> = Layer.effectContext(recording)
}
