/**
 * The log of all decisions and their reasons. Hosts do not show what happens in their hooks, so a person looks here.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { doing } from "../../base/system/Doing.ts"
import { messageOf } from "../../base/text/Text.ts"
import * as Decision from "../machine/Decision.ts"
import * as DecisionFile from "./DecisionFile.ts"

export { maxBytes } from "./DecisionFile.ts"

/**
 * The decisions of a log in memory, oldest first.
 *
 * @category testing
 */
export class DecisionRecord extends Context.Tag("@reflexion/core/DecisionLog/DecisionRecord")<
  DecisionRecord,
  { readonly decisions: Effect.Effect<ReadonlyArray<Decision.Decision>> }
>() {}

/**
 * Writes decisions to the log.
 *
 * @category services
 */
export class DecisionLog extends Context.Tag("@reflexion/core/DecisionLog")<
  DecisionLog,
  {
    /** Appends a decision without its secrets. Never fails: a decision is valid even if it could not be written. */
    readonly append: (decision: Decision.Decision) => Effect.Effect<void>
  }
>() {
  /** Writes one JSON line per decision to a file. */
  static readonly Live = ({ file }: { readonly file: string }): Layer.Layer<DecisionLog> =>
    Layer.succeed(DecisionLog, {
      append: Effect.fn("DecisionLog.append")((decision: Decision.Decision) =>
        Effect.zipRight(
          Effect.logDebug(Decision.encode(decision).trimEnd()),
          doing(() => DecisionFile.append(file, decision))
        ).pipe(Effect.catchAll((cause) => Effect.logWarning(`${file} cannot be written: ${messageOf(cause)}`)))
      )
    })

  /** Keeps the decisions in memory until the process ends. `DecisionRecord` reads them. */
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
