/** How an attempt ended, and what the log of such outcomes is asked and answers. */
import * as Schema from "effect/Schema"
import { isTime, statuses } from "./outcomeText.ts"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { StorageError } from "../log/StorageError.ts"

export const Status = Schema.Literal(...statuses)

export type Status = typeof Status.Type

/**
 * A skill that the agent was given, by its name, or a file that it read, by its path.
 *
 * @category models
 */
export const Loaded = Schema.Struct({ kind: Schema.Literal("skill", "file"), name: Schema.NonEmptyString })

export type Loaded = typeof Loaded.Type

const Time = Schema.String.pipe(
  Schema.filter(isTime, {
    message: () => "a time with its zone is expected, such as 2026-03-01T10:00:00.000Z"
  })
)

const Count = Schema.Finite.pipe(Schema.nonNegative())

/**
 * `id` names the attempt: what is reported twice counts once. `taskId` is null where nobody gave the task an id, and one
 * of more than 200 characters is kept shortened, with a hash at its end: so findings and `TaskControl` name the task.
 * `objective` is what the agent was told to do; `durationMs` is in milliseconds, `resultLength` the characters of its
 * answer, null where nobody knows them; `tools` are the names of the tools that it called, each once; `backend` is what ran it, such as `claude-code`;
 * `at` is when it ended, in ISO 8601 with a zone.
 *
 * @category models
 */
export const AttemptOutcome = Schema.Struct({
  id: Schema.NonEmptyString,
  taskId: Schema.optionalWith(Schema.NullOr(Schema.NonEmptyString), { default: () => null }),
  sessionId: Schema.String,
  objective: Schema.String,
  status: Status,
  durationMs: Count,
  tools: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  loaded: Schema.optionalWith(Schema.Array(Loaded), { default: () => [] }),
  resultLength: Schema.NullOr(Count),
  backend: Schema.String,
  at: Time
})

export type AttemptOutcome = typeof AttemptOutcome.Type

/**
 * Which outcomes, and how many: the newest 1,000 unless said otherwise.
 *
 * @category models
 */
export interface Wanted {
  readonly status?: Status | ReadonlyArray<Status>
  readonly limit?: number
}

/**
 * A line that is no outcome. `line` is counted from 1, `at` is its offset in bytes.
 *
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
 * @category models
 */
export interface Verification {
  readonly outcomes: number
  readonly repeated: number
  readonly blank: number
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<InvalidLine>
}

export interface Prune {
  readonly maxAge: Duration.DurationInput
  readonly slack?: Duration.DurationInput
}

/**
 * Outcomes stand in the order in which they were added, whatever their times.
 *
 * @category models
 */
export interface Service {
  /**
   * Keeps outcomes as `AttemptOutcome.clean` leaves them: when it succeeds they outlast a power cut. An id that is known
   * changes nothing.
   */
  readonly append: (outcomes: AttemptOutcome | ReadonlyArray<AttemptOutcome>) => Effect.Effect<void, StorageError>
  /** What ended at `since` (in ms since the epoch) or later, oldest first. */
  readonly outcomesSince: (since: number, wanted?: Wanted) => Effect.Effect<ReadonlyArray<AttemptOutcome>, StorageError>
  /** How many attempts at a task failed or timed out since the last that succeeded; counts to `limit`, 100 if none is given. */
  readonly failureStreak: (taskId: string, limit?: number) => Effect.Effect<number, StorageError>
  /** The same of attempts without a task id, by what they were told to do; 0 for a text of under 16 bytes. */
  readonly failureStreakOf: (objective: string, limit?: number) => Effect.Effect<number, StorageError>
  /** What ended at `since` or later, oldest first, however many they are. */
  readonly stream: (since: number) => Stream.Stream<AttemptOutcome, StorageError>
  /**
   * What is added from now on, whoever adds it: what other processes add is seen within a second, or when this one adds, asks
   * or `refresh`es. It ends with the log; one that reads it slowly keeps nobody waiting, and misses nothing
   * but what `Memory` holds no more. Where what it read last was pruned, it gives what is left once more.
   */
  readonly changes: Stream.Stream<AttemptOutcome, StorageError>
  /** `stream`, and then `changes`, with nothing lost or twice between them. */
  readonly follow: (since: number) => Stream.Stream<AttemptOutcome, StorageError>
  readonly refresh: Effect.Effect<void, StorageError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /**
   * Leaves out what is older, but for the newest of all, by which a reader knows where it stands; says how much. With
   * `slack` only once something is older by so much more, so that the file is not written anew for each line.
   */
  readonly prune: (options: Prune) => Effect.Effect<number, StorageError>
  /** How many lines cannot be decoded, which is known without reading them again; `verify` names them. */
  readonly unreadable: Effect.Effect<number, StorageError>
  /** Decodes every line. With `repair`, those that cannot be decoded are moved to a file beside the log. */
  readonly verify: (options?: { readonly repair?: boolean }) => Effect.Effect<Verification, StorageError>
}
