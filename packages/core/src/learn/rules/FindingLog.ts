/**
 * The log of what the reflection cycle found, over all processes that share its file.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Findings from "./findingShelf.ts"
import { retained } from "../log/Retention.ts"
import type { LogDisk, LogDiskError } from "../log/LogDisk.ts"
import type { ReflectionFinding } from "./ReflectionFinding.ts"
import { TrackedFiles } from "../../ground/system/TrackedFiles.ts"

/**
 * Which findings: of a rule, of `since` (in ms since the epoch) or later, and how many of the newest.
 *
 * @since 0.1.0
 * @category models
 */
export interface Wanted {
  readonly rule?: ReflectionFinding["rule"]
  readonly since?: number
  readonly limit?: number
}

/**
 * What a finding is about.
 *
 * @since 0.1.0
 * @category models
 */
export type Subject = Pick<ReflectionFinding, "rule" | "subjectType" | "subjectId">

/**
 * What a log has, every line decoded. `replaced` counts lines of whose id there is a later one; of those that are no
 * finding `invalid` names at most 100, with the line, from 1, and its offset in bytes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verification {
  readonly findings: number
  readonly replaced: number
  readonly blank: number
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly at: number; readonly problem: string }>
}

/**
 * The newest 5,000 findings are known; the file has all. One whose time lies in the future is taken to be of the time at
 * which it was read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Keeps findings, secrets taken out of all but ids: when it succeeds they outlast a power cut. A known id is replaced. */
  readonly append: (findings: ReflectionFinding | ReadonlyArray<ReflectionFinding>) => Effect.Effect<void, LogDiskError>
  /** The same of those whose ids nobody knows yet, whoever else adds them meanwhile; the answer has the ids of what was added. */
  readonly appendNew: (findings: ReadonlyArray<ReflectionFinding>) => Effect.Effect<ReadonlySet<string>, LogDiskError>
  /** Null for an id that nobody knows. */
  readonly get: (id: string) => Effect.Effect<ReflectionFinding | null, LogDiskError>
  /** What a rule found last of a subject, without what a person looked for. */
  readonly latest: (subject: Subject) => Effect.Effect<ReflectionFinding | null, LogDiskError>
  /** In the order in which they were found. */
  readonly findings: (wanted?: Wanted) => Effect.Effect<ReadonlyArray<ReflectionFinding>, LogDiskError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Leaves out what was found longer ago; says how much. */
  readonly prune: (options: { readonly maxAge: Duration.DurationInput }) => Effect.Effect<number, LogDiskError>
  /** Decodes every line. With `repair`, those that cannot be decoded are moved to a file beside the log. */
  readonly verify: (options?: { readonly repair?: boolean }) => Effect.Effect<Verification, LogDiskError>
}

/**
 * What a test reads of the log that it runs with: every line, in order. `fail` makes adding fail, or succeed again.
 *
 * @since 0.1.0
 * @category testing
 */
export class FindingRecord extends Context.Tag("@reflexion/core/FindingLog/FindingRecord")<
  FindingRecord,
  {
    readonly appended: Effect.Effect<ReadonlyArray<ReflectionFinding>>
    readonly fail: (failing: boolean) => Effect.Effect<void>
  }
>() {}

const makeTest = Effect.gen(function* () {
  const log = yield* Findings.held
  const appended = yield* Ref.make<ReadonlyArray<ReflectionFinding>>([])
  const failing = yield* Ref.make(false)
  const unlessFull = <A>(work: Effect.Effect<A, LogDiskError>): Effect.Effect<A, LogDiskError> =>
    Effect.flatMap(Ref.get(failing), (is) => (is ? Effect.fail(Findings.full) : work))
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
 * @since 0.1.0
 * @category models
 */
export interface LiveOptions {
  readonly path: string
  readonly trusted?: boolean
  readonly retention?: Duration.DurationInput
}

const live = Effect.fnUntraced(function* ({ path, retention, trusted = false }: LiveOptions) {
  const log = yield* retained(yield* Findings.onDisk({ path }), retention)
  const { isTracked } = yield* TrackedFiles
  const reason = `git tracks ${path}, so whoever may push can write it: take it out of git (git rm --cached), or open it with trusted: true`
  const heldBack = trusted ? Effect.succeed(null) : Effect.map(isTracked(path), (is) => (is ? reason : null))
  return { ...log, heldBack } satisfies Service
})

/**
 * Where findings are kept.
 *
 * @since 0.1.0
 * @category services
 */
export class FindingLog extends Context.Tag("@reflexion/core/FindingLog")<FindingLog, Service>() {
  /** One JSON line for each, in a file that several processes may share, such as `.reflection/findings.jsonl`. */
  static readonly Live = (options: LiveOptions): Layer.Layer<FindingLog, LogDiskError, LogDisk> =>
    Layer.scoped(FindingLog, live(options))

  /** As long as the process lasts. */
  static readonly Memory: Layer.Layer<FindingLog> = Layer.effect(FindingLog, Findings.held)

  /** `Memory`, and what it was told, through `FindingRecord`. */
  static readonly Test: Layer.Layer<FindingLog | FindingRecord> = Layer.effectContext(makeTest)
}
