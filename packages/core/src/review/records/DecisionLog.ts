/** The log of every decision and its reason: hosts hide what happens behind them, so this is where a person looks. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Decision from "../machine/Decision.ts"
import { appendLine, inFolder, isAbsent } from "../../base/system/EffectFiles.ts"

/**
 * When a log is as long as this, it becomes the older log and a new one begins.
 *
 * @category limits
 */
export const maxBytes = 4 * 1024 * 1024

/**
 * The decisions of a log in memory, oldest first.
 *
 * @category testing
 */
export class DecisionRecord extends Context.Tag("@reflexion/core/DecisionLog/DecisionRecord")<
  DecisionRecord,
  { readonly decisions: Effect.Effect<ReadonlyArray<Decision.Decision>> }
>() {}

/** `log.jsonl` becomes `log.older.jsonl`. */
const rotate = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const size = yield* fs.stat(file).pipe(
    Effect.map((found) => Number(found.size)),
    Effect.catchIf(isAbsent, () => Effect.succeed(0))
  )
  if (size < maxBytes) return
  const { dir, ext, name } = path.parse(file)
  yield* fs.rename(file, path.join(dir, `${name}.older${ext}`))
})

const write = Effect.fnUntraced(function* (file: string, decision: Decision.Decision) {
  const path = yield* Path.Path
  yield* rotate(file)
  yield* inFolder(path.dirname(file), appendLine(file, Decision.encode(decision)))
})

/**
 * Where decisions are logged.
 *
 * @category services
 */
export class DecisionLog extends Context.Tag("@reflexion/core/DecisionLog")<
  DecisionLog,
  {
    /** Adds a decision, its secrets taken out. Never fails: a decision stands although nobody could write it down. */
    readonly append: (decision: Decision.Decision) => Effect.Effect<void>
  }
>() {
  /** One JSON line per decision. */
  static readonly Live = (options: {
    readonly file: string
  }): Layer.Layer<DecisionLog, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(
      DecisionLog,
      Effect.gen(function* () {
        const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const append = Effect.fn("DecisionLog.append")((decision: Decision.Decision) =>
          Effect.zipRight(Effect.logDebug(Decision.encode(decision).trimEnd()), write(options.file, decision)).pipe(
            Effect.catchAll((error) => Effect.logWarning(`${options.file} cannot be written: ${error.message}`)),
            Effect.provide(context)
          )
        )
        return { append }
      })
    )

  /** Decisions that last as long as the process, to be read through `DecisionRecord`. */
  static readonly Memory: Layer.Layer<DecisionLog | DecisionRecord> = Layer.effectContext(
    Effect.gen(function* () {
      const decisions = yield* Ref.make<ReadonlyArray<Decision.Decision>>([])
      const append = Effect.fn("DecisionLog.append")((decision: Decision.Decision) =>
        Ref.update(decisions, (all) => [...all, decision])
      )
      return Context.make(DecisionLog, { append }).pipe(Context.add(DecisionRecord, { decisions: Ref.get(decisions) }))
    })
  )
}
