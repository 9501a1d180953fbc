/** What an outcome log needs of whatever keeps its rows. */
import type * as Effect from "effect/Effect"
import type { AttemptOutcome } from "./AttemptOutcome.ts"
import type { LogDiskError, Watcher } from "../log/LogDisk.ts"
import type { Service } from "./OutcomeLog.ts"
import type { OutcomeView } from "./view.ts"

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
