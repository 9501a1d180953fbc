/** Whether version control tracks a file: what whoever may push to a repository can write. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Tracker {
  readonly isTracked: (path: string) => Effect.Effect<boolean>
}

/**
 * How that is found out. Without one no file is tracked; `NodeLogDisk` of `@reflexion/node` brings one that asks git.
 *
 * @category references
 */
export class TrackedFiles extends Context.Reference<TrackedFiles>()("@reflexion/core/TrackedFiles", {
  defaultValue: (): Tracker => ({ isTracked: () => Effect.succeed(false) })
}) {}
