/** How an attempt ended, and what the log of such outcomes is asked and answers. */
import * as Schema from "effect/Schema"
import { isTime, statuses } from "./outcomeText.ts"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { LogDiskError, Watcher } from "../log/LogDisk.ts"

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

export interface Shelf {
  /** Looks at the rows as they are now. */
  readonly look: <A>(read: (view: OutcomeView) => A) => Effect.Effect<A, LogDiskError>
  readonly add: (outcomes: ReadonlyArray<AttemptOutcome>) => Effect.Effect<void, LogDiskError>
  /** Leaves rows out, and those that repeat an id; says how many rows went that did not. */
  readonly drop: (plan: (view: OutcomeView) => (row: number) => boolean) => Effect.Effect<number, LogDiskError>
  readonly verify: Service["verify"]
  /** Has others' rows told of, as `LogDisk` does. */
  readonly watch: (watcher: Watcher) => Effect.Effect<() => void, LogDiskError>
}

export interface OutcomeView {
  /** Changes when the rows are others than before, and not only more. */
  readonly epoch: number
  /** The oldest row that is held, and where the newest ends. */
  readonly first: number
  readonly end: number
  /** How many lines are no outcome. */
  readonly unreadable: number
  /** Whether no earlier row has its id. */
  readonly isAlive: (row: number) => boolean
  /** In ms since the epoch. */
  readonly timeOf: (row: number) => number
  readonly statusOf: (row: number) => Status
  /** The newest row whose subject has this hash, and the next older one; -1 where there is none. */
  readonly newestOf: (subject: number) => number
  readonly olderOf: (row: number, subject: number) => number
  /** The row of an id, -1 where there is none. */
  readonly rowOf: (id: string) => number
  /** Null where the row cannot be read any more. */
  readonly outcome: (row: number) => AttemptOutcome | null
}
