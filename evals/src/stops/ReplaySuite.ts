/**
 * Feeds the attempts of the Reflexion paper's ALFWorld runs to the memory, in their order, and compares what it gives each
 * of them with the memories that stood in that attempt's prompt: the last three.
 */
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformPath from "@effect/platform/Path"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Times from "../measure/Times.ts"

const Attempt = Schema.Struct({
  task_id: Schema.String,
  trial: Schema.NonNegativeInt,
  memories_in_prompt: Schema.Array(Schema.String),
  outcome: Schema.Literal("success", "fail"),
  reflection_written: Schema.NullOr(Schema.String)
})

export type Attempt = typeof Attempt.Type

const decode = Schema.decodeUnknownSync(Schema.parseJson(Attempt))

const fileOf = (root: string): string => Path.join(root, "reflexion", "alfworld-replay.jsonl")

/** Whether the corpus has the runs. */
export const isThere = (root: string): boolean => Fs.existsSync(fileOf(root))

export const load = (root: string): ReadonlyArray<Attempt> =>
  Fs.readFileSync(fileOf(root), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => decode(line))

/**
 * How many attempts were given exactly the memories of their prompt, in their order; `withMemories` of them had any.
 * `altered` counts reflections that the memory did not keep word for word, such as where it took something for a secret;
 * `shortened` the attempts whose section leaves memories out that say the same as a newer one, or that have no room.
 */
export interface ReplaySummary {
  readonly attempts: number
  readonly withMemories: number
  readonly reflections: number
  readonly same: number
  readonly altered: number
  readonly shortened: number
}

const reflectionOf = ({ task_id, trial }: Attempt, analysis: string): Reflection => ({
  id: `${task_id}-${trial}`,
  sessionId: "alfworld",
  taskId: task_id,
  subtaskId: task_id,
  attemptNumber: trial + 1,
  category: "approach_flaw",
  analysis,
  suggestion: "",
  actionItems: [],
  confidence: 0.5,
  createdAt: new Date().toISOString(),
  source: "model",
  model: null,
  tags: []
})

const isSame = (found: ReadonlyArray<Reflection>, { memories_in_prompt: wanted }: Attempt): boolean =>
  found.length === wanted.length && found.toReversed().every(({ analysis }, index) => analysis === wanted[index])

/** Forgets what is old before each attempt, as a retry does; nothing of it is. */
const attemptWith = Effect.fnUntraced(function* (store: typeof ReflexionStore.Service, attempt: Attempt) {
  yield* store.prune({ maxAge: Duration.days(30) })
  const found = yield* store.getRecent(attempt.task_id)
  const written = attempt.reflection_written
  if (written !== null) yield* store.append(reflectionOf(attempt, written))
  const kept = written === null ? null : (yield* store.getRecent(attempt.task_id, 1))[0]?.analysis
  return {
    same: isSame(found, attempt),
    altered: kept !== written,
    shortened: RetryPrompt.select(found).length < found.length
  }
})

const count = (rows: ReadonlyArray<boolean>): number => rows.filter(Boolean).length

const replayed = (attempts: ReadonlyArray<Attempt>): Effect.Effect<ReplaySummary, Error, ReflexionStore> =>
  Effect.gen(function* () {
    const store = yield* ReflexionStore
    const rows = yield* Effect.forEach(attempts, (attempt) =>
      Effect.map(Effect.timed(attemptWith(store, attempt)), ([took, row]) => {
        Times.keep("replay", { session: attempt.task_id, stops: 1, ms: Duration.toMillis(took) })
        return row
      })
    )
    return {
      attempts: attempts.length,
      withMemories: count(attempts.map(({ memories_in_prompt }) => memories_in_prompt.length > 0)),
      reflections: count(attempts.map(({ reflection_written }) => reflection_written !== null)),
      same: count(rows.map(({ same }) => same)),
      altered: count(rows.map(({ altered }) => altered)),
      shortened: count(rows.map(({ shortened }) => shortened))
    }
  })

/** git is not asked about a memory that is trusted. */
const noPrograms = Layer.mergeAll(
  FileSystem.layerNoop({}),
  PlatformPath.layer,
  Layer.succeed(
    CommandExecutor.CommandExecutor,
    CommandExecutor.makeExecutor(() => Effect.dieMessage("nothing is run"))
  )
)

const scratch = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-replay-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

/** The same attempts through both memories: the one that lasts as long as the process, and the one on disk. */
export const run = (
  attempts: ReadonlyArray<Attempt>
): Effect.Effect<{ readonly memory: ReplaySummary; readonly live: ReplaySummary }, Error> =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = Path.join(yield* scratch, "reflections.jsonl")
      const Live = Layer.provide(ReflexionStore.Live({ path, trusted: true }), noPrograms)
      return {
        memory: yield* Effect.provide(replayed(attempts), ReflexionStore.Memory),
        live: yield* Effect.provide(replayed(attempts), Live)
      }
    })
  )
