/** The log of how attempts ended, over all tasks, sessions and processes that share its file. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { AttemptOutcome, Service } from "./model.ts"
import * as Log from "./log.ts"
import { heldBack, type Platform } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import { retained } from "../log/Retention.ts"
import type { StorageError } from "../log/StorageError.ts"

export type { InvalidLine, Prune, Service, Verification, Wanted } from "./model.ts"

/**
 * What a test reads of the log that it runs with.
 *
 * @category testing
 */
export class OutcomeRecord extends Context.Tag("@reflexion/core/OutcomeLog/OutcomeRecord")<
  OutcomeRecord,
  { readonly appended: Effect.Effect<ReadonlyArray<AttemptOutcome>> }
>() {}

/**
 * `trusted`: what the file says may be believed though git tracks it, and so anyone who may push can write it. `retention`:
 * what is older goes when the log is opened and while it is added to, once it is older by a tenth; without it nothing goes
 * but by `prune`. It has to be longer than the window of a cycle over the log.
 *
 * @category models
 */
export interface LiveOptions {
  readonly path: string
  readonly trusted?: boolean
  readonly retention?: Duration.DurationInput
}

const live = Effect.fnUntraced(function* ({ path, retention, trusted = false }: LiveOptions) {
  const log = yield* retained(yield* Log.make((fold) => Records.onDisk(path, Log.format, fold)), retention)
  return { ...log, heldBack: yield* heldBack({ path, trusted }) } satisfies Service
})

/** How many are held at least; at most it is as many again. */
const most = 50_000

const held = Effect.orDie(Log.make((fold) => Records.inMemory(fold, most)))

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
 * @category services
 */
export class OutcomeLog extends Context.Tag("@reflexion/core/OutcomeLog")<OutcomeLog, Service>() {
  /** One JSON line for each, in a file that several processes may share. */
  static readonly Live = (options: LiveOptions): Layer.Layer<OutcomeLog, StorageError, Platform> =>
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
