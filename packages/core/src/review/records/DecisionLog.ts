/** The log of all decisions. Hosts do not show what happens in their hooks, so a person looks here. */
import * as Clock from "effect/Clock"
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

const attributes = (decision: Decision.Decision): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(Decision.bounded(decision)).flatMap(([name, value]) =>
      value === null ? [] : [[`reflexion.${name}`, value]]
    )
  )

/**
 * Writes decisions to the log.
 *
 * @category services
 */
export class DecisionLog extends Context.Tag("@reflexion/core/DecisionLog")<
  DecisionLog,
  {
    /** Removes secrets. Never fails: a decision is valid even if it could not be written. */
    readonly append: (decision: Decision.Decision) => Effect.Effect<void>
  }
>() {
  static readonly Live = ({ file }: { readonly file: string }): Layer.Layer<DecisionLog> =>
    Layer.succeed(DecisionLog, {
      append: Effect.fn("DecisionLog.append")((decision: Decision.Decision) =>
        Effect.zipRight(
          Effect.logDebug(Decision.encode(decision).trimEnd()),
          doing(() => DecisionFile.append(file, decision))
        ).pipe(Effect.catchAll((cause) => Effect.logWarning(`${file} cannot be written: ${messageOf(cause)}`)))
      )
    })

  /**
   * Also adds each decision to the current span, as the event `reflexion.decision`. A tracer such as
   * `@effect/opentelemetry` sends it to your collector.
   */
  static readonly Traced: Layer.Layer<DecisionLog, never, DecisionLog> = Layer.effect(
    DecisionLog,
    Effect.map(DecisionLog, ({ append }) => ({
      append: (decision: Decision.Decision) =>
        Effect.all([Effect.currentSpan, Clock.currentTimeNanos]).pipe(
          Effect.map(([span, now]) => span.event("reflexion.decision", now, attributes(decision))),
          Effect.ignore,
          Effect.zipRight(append(decision))
        )
    }))
  )

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
