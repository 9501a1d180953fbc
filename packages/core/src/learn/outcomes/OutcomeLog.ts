/**
 * The log of how attempts ended, over all tasks, sessions and processes that share its file.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as Stream from "effect/Stream"
import type { AttemptOutcome, Status } from "./AttemptOutcome.ts"
import * as Disk from "./onDisk.ts"
import * as Held from "./inMemory.ts"
import { logOf } from "./store.ts"
import { retained } from "../log/Retention.ts"
import type { LogDisk, LogDiskError } from "../log/LogDisk.ts"
import { TrackedFiles } from "../../ground/system/TrackedFiles.ts"

/**
 * Which outcomes, and how many: the newest 1,000 unless said otherwise.
 *
 * @since 0.1.0
 * @category models
 */
export interface Wanted {
  readonly status?: Status | ReadonlyArray<Status>
  readonly limit?: number
}

/**
 * A line that is no outcome. `line` is counted from 1, `at` is its offset in bytes.
 *
 * @since 0.1.0
 * @category models
 */
export interface InvalidLine {
  readonly line: number
  readonly at: number
  readonly problem: string
}

/**
 * What a log has, every line decoded. `repeated` counts lines of an id that stands before; `invalid` names at most 100
 * lines, `invalidCount` counts all.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verification {
  readonly outcomes: number
  readonly repeated: number
  readonly blank: number
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<InvalidLine>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Prune {
  readonly maxAge: Duration.DurationInput
  readonly slack?: Duration.DurationInput
}

/**
 * Outcomes stand in the order in which they were added, whatever their times.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Keeps outcomes as `AttemptOutcome.clean` leaves them: when it succeeds they outlast a power cut. An id that is known
   * changes nothing.
   */
  readonly append: (outcomes: AttemptOutcome | ReadonlyArray<AttemptOutcome>) => Effect.Effect<void, LogDiskError>
  /** What ended at `since` (in ms since the epoch) or later, oldest first. */
  readonly outcomesSince: (since: number, wanted?: Wanted) => Effect.Effect<ReadonlyArray<AttemptOutcome>, LogDiskError>
  /** How many attempts at a task failed or timed out since the last that succeeded; counts to `limit`, 100 if none is given. */
  readonly failureStreak: (taskId: string, limit?: number) => Effect.Effect<number, LogDiskError>
  /** The same of attempts without a task id, by what they were told to do; 0 for a text of under 16 bytes. */
  readonly failureStreakOf: (objective: string, limit?: number) => Effect.Effect<number, LogDiskError>
  /** What ended at `since` or later, oldest first, however many they are. */
  readonly stream: (since: number) => Stream.Stream<AttemptOutcome, LogDiskError>
  /**
   * What is added from now on, whoever adds it: of what other processes add the system tells, or else it is seen when this
   * one adds, asks or `refresh`es. It ends with the log; one that reads it slowly keeps nobody waiting, and misses nothing
   * but what `Memory` holds no more. Where what it read last was pruned, it gives what is left once more.
   */
  readonly changes: Stream.Stream<AttemptOutcome, LogDiskError>
  /** `stream`, and then `changes`, with nothing lost or twice between them. */
  readonly follow: (since: number) => Stream.Stream<AttemptOutcome, LogDiskError>
  readonly refresh: Effect.Effect<void, LogDiskError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /**
   * Leaves out what is older, but for the newest of all, by which a reader knows where it stands; says how much. With
   * `slack` only once something is older by so much more, so that the file is not written anew for each line.
   */
  readonly prune: (options: Prune) => Effect.Effect<number, LogDiskError>
  /** How many lines cannot be decoded, which is known without reading them again; `verify` names them. */
  readonly unreadable: Effect.Effect<number, LogDiskError>
  /** Decodes every line. With `repair`, those that cannot be decoded are moved to a file beside the log. */
  readonly verify: (options?: { readonly repair?: boolean }) => Effect.Effect<Verification, LogDiskError>
}

/**
 * What a test reads of the log that it runs with.
 *
 * @since 0.1.0
 * @category testing
 */
export class OutcomeRecord extends Context.Tag("@reflexion/core/OutcomeLog/OutcomeRecord")<
  OutcomeRecord,
  { readonly appended: Effect.Effect<ReadonlyArray<AttemptOutcome>> }
>() {}

/**
 * `trusted`: what the file says may be believed though git tracks it, and so whoever may push can write it. `retention`:
 * what is older goes when the log is opened and while it is added to, once it is older by a tenth; without it nothing goes
 * but by `prune`. It has to be longer than the window of a cycle over the log.
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
  const log = yield* retained(yield* logOf(yield* Disk.open({ path })), retention)
  const { isTracked } = yield* TrackedFiles
  const reason = `git tracks ${path}, so whoever may push can write it: take it out of git (git rm --cached), or open it with trusted: true`
  const heldBack = trusted ? Effect.succeed(null) : Effect.map(isTracked(path), (is) => (is ? reason : null))
  return { ...log, heldBack } satisfies Service
})

const held = Effect.suspend(() => logOf(Held.make()))

/**
 * Where outcomes are kept.
 *
 * @example
 * ```ts
 * import { OutcomeLog } from "@reflexion/core/OutcomeLog"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { append, failureStreak, outcomesSince } = yield* OutcomeLog
 *   for (const [id, status] of [["a1", "completed"], ["a2", "failed"], ["a3", "failed"]] as const) {
 *     yield* append({
 *       id,
 *       taskId: "prices",
 *       sessionId: id,
 *       objective: "Refresh the shop's price list.",
 *       status,
 *       durationMs: 1_500,
 *       tools: ["read"],
 *       loaded: [{ kind: "skill", name: "skills/prices.md" }],
 *       resultLength: 0,
 *       backend: "script",
 *       at: `2026-03-01T09:0${id.slice(1)}:00.000Z`
 *     })
 *   }
 *   console.log(yield* failureStreak("prices")) // => 2
 *   const since = yield* outcomesSince(Date.parse("2026-03-01T09:02:00.000Z"))
 *   console.log(since.map(({ id }) => id).join(" ")) // => a2 a3
 * })
 *
 * await Effect.runPromise(Effect.provide(program, OutcomeLog.Memory))
 * ```
 *
 * @since 0.1.0
 * @category services
 */
export class OutcomeLog extends Context.Tag("@reflexion/core/OutcomeLog")<OutcomeLog, Service>() {
  /** One JSON line for each, in a file that several processes may share. */
  static readonly Live = (options: LiveOptions): Layer.Layer<OutcomeLog, LogDiskError, LogDisk> =>
    Layer.scoped(OutcomeLog, live(options))

  /** The newest 50,000, as long as the process lasts: a reader who is further behind goes on with the oldest of them. */
  static readonly Memory: Layer.Layer<OutcomeLog> = Layer.scoped(OutcomeLog, held)

  /** `Memory`, and what was added to it, through `OutcomeRecord`. */
  static readonly Test: Layer.Layer<OutcomeLog | OutcomeRecord> = Layer.scopedContext(
    Effect.gen(function* () {
      const log = yield* held
      const appended = yield* Ref.make<ReadonlyArray<AttemptOutcome>>([])
      const append: Service["append"] = (outcomes) =>
        Effect.zipRight(
          log.append(outcomes),
          Ref.update(appended, (before) => [...before, ...("id" in outcomes ? [outcomes] : outcomes)])
        )
      return Context.make(OutcomeLog, { ...log, append }).pipe(
        Context.add(OutcomeRecord, { appended: Ref.get(appended) })
      )
    })
  )
}
