/** The log of what the reflection cycle found, over all processes that share it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Platform } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import { StorageError } from "../log/StorageError.ts"
import { clean, problemIn, read } from "./FindingText.ts"
import type { ReflectionFinding } from "./ReflectionFinding.ts"

/**
 * Which findings: of a rule, of `since` (in ms since the epoch) or later, and how many of the newest.
 *
 * @category models
 */
export interface Wanted {
  readonly rule?: ReflectionFinding["rule"]
  readonly since?: number
  readonly limit?: number
}

/**
 * The newest 5,000 findings are known; the file has all. One whose time lies in the future is taken to be of the time at
 * which it was read.
 *
 * @category models
 */
export interface Service {
  /** Keeps findings, secrets taken out of all but ids: when it succeeds they outlast a power cut. A known id is replaced. */
  readonly append: (findings: ReflectionFinding | ReadonlyArray<ReflectionFinding>) => Effect.Effect<void, StorageError>
  /** Keeps those whose ids nobody knows yet, though others add them meanwhile; the answer has the ids of what was added. */
  readonly appendNew: (findings: ReadonlyArray<ReflectionFinding>) => Effect.Effect<ReadonlySet<string>, StorageError>
  /** Null for an id that nobody knows. */
  readonly get: (id: string) => Effect.Effect<ReflectionFinding | null, StorageError>
  /** In the order in which they were found. */
  readonly findings: (wanted?: Wanted) => Effect.Effect<ReadonlyArray<ReflectionFinding>, StorageError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Leaves out what was found longer ago; says how much. */
  readonly prune: (options: { readonly maxAge: Duration.DurationInput }) => Effect.Effect<number, StorageError>
  /** How many lines are no finding. */
  readonly unreadable: Effect.Effect<number, StorageError>
}

const mostKnown = 5000

/** Nothing was found in the future: what says so would hide what is found until then. */
const notAfter = (finding: ReflectionFinding, now: number): ReflectionFinding =>
  Date.parse(finding.at) > now ? { ...finding, at: new Date(now).toISOString() } : finding

type Given = ReflectionFinding | ReadonlyArray<ReflectionFinding>

const listed = (given: Given): ReadonlyArray<ReflectionFinding> => ("id" in given ? [given] : given)

/** Of two lines of an id the later one counts: both go, or none. */
const goneBefore = (all: ReadonlyArray<ReflectionFinding>, before: number): Records.Gone<ReflectionFinding> => {
  const last = new Map(all.map((one) => [one.id, one]))
  const old = new Set([...last.values()].filter(({ at }) => Date.parse(at) < before).map(({ id }) => id))
  return { rows: new Set(all.filter(({ id }) => old.has(id))), count: old.size }
}

const make = Effect.fnUntraced(function* (open: Records.Open<ReflectionFinding>) {
  const byId = new Map<string, ReflectionFinding>()
  const clock = yield* Effect.clock
  const records = open({
    reset: () => byId.clear(),
    take: (finding) => {
      // One that is said again stays in its place.
      byId.set(finding.id, notAfter(finding, clock.unsafeCurrentTimeMillis()))
      const [oldest] = byId.keys()
      if (byId.size > mostKnown && oldest !== undefined) byId.delete(oldest)
    }
  })

  const wanted = ({ limit = mostKnown, rule, since }: Wanted): ReadonlyArray<ReflectionFinding> => {
    const most = limit > 0 ? Math.floor(limit) : 0
    const all = [...byId.values()].filter(
      (one) => (rule === undefined || one.rule === rule) && (since === undefined || Date.parse(one.at) >= since)
    )
    return all.slice(Math.max(0, all.length - most))
  }

  // A file that cannot be read says so when it is opened.
  yield* records.look(() => undefined)

  const service: Service = {
    append: (given) => {
      const all = listed(given).map(clean)
      return all.length === 0 ? Effect.void : records.add(() => all)
    },
    appendNew: Effect.fnUntraced(function* (given) {
      let added: ReadonlyArray<ReflectionFinding> = []
      const fresh = () => (added = given.map(clean).filter(({ id }) => !byId.has(id)))
      if (given.length > 0) yield* records.add(fresh)
      return new Set(added.map(({ id }) => id))
    }),
    get: (id) => records.look(() => byId.get(id) ?? null),
    findings: (which = {}) => records.look(() => wanted(which)),
    heldBack: Effect.succeed(null),
    prune: Effect.fn("FindingLog.prune")(function* ({ maxAge }) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      return yield* records.drop((all) => goneBefore(all, before))
    }),
    unreadable: Effect.map(records.check(), ({ invalidCount }) => invalidCount)
  }
  return service
})

export type LiveOptions = Records.LiveOptions

const live = (options: LiveOptions) =>
  Effect.flatMap(
    make((fold) => Records.onDisk(options.path, { read, problemIn }, fold)),
    (log) => Records.lasting(log, options)
  )

const held = Effect.orDie(make((fold) => Records.inMemory(fold)))

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

const recording = Effect.gen(function* () {
  const log = yield* held
  const appended = yield* Ref.make<ReadonlyArray<ReflectionFinding>>([])
  const failing = yield* Ref.make(false)
  const full = new StorageError({ reason: "full", detail: "the test's log has no room" })
  const unlessFull = <A>(work: Effect.Effect<A, StorageError>): Effect.Effect<A, StorageError> =>
    Effect.flatMap(Ref.get(failing), (is) => (is ? full : work))
  const note = (all: ReadonlyArray<ReflectionFinding>) => Ref.update(appended, (before) => [...before, ...all])
  const service: Service = {
    ...log,
    append: (given) => unlessFull(Effect.zipRight(log.append(given), note(listed(given)))),
    appendNew: (given) =>
      unlessFull(Effect.tap(log.appendNew(given), (added) => note(given.filter(({ id }) => added.has(id)))))
  }
  return Context.make(FindingLog, service).pipe(
    Context.add(FindingRecord, { appended: Ref.get(appended), fail: (value) => Ref.set(failing, value) })
  )
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

  /** Over whatever keeps records for many machines, such as a database. */
  static readonly Over = (open: Records.Open<ReflectionFinding>): Layer.Layer<FindingLog, StorageError> =>
    Layer.effect(FindingLog, make(open))

  /** `Memory`, and what it was told, through `FindingRecord`. */
  static readonly Test: Layer.Layer<FindingLog | FindingRecord> = Layer.effectContext(recording)
}
