/** What fails beside an attempt is said, and costs the attempt nothing: neither its result nor its own error. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** The first thing that went wrong, in a line. */
const messageOf = (cause: Cause.Cause<unknown>): string => {
  const found = Cause.squash(cause)
  return found instanceof Error ? found.message : String(found)
}

/** What fails, throws or has a defect gives `otherwise`, and a warning; an interruption stays one. */
export const orElse = <A, E, R, B>(
  work: () => Effect.Effect<A, E, R>,
  { otherwise, what }: { readonly what: string; readonly otherwise: B }
): Effect.Effect<A | B, never, R> =>
  Effect.catchAllCause(Effect.suspend(work), (cause) =>
    Cause.isInterrupted(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logWarning(`${what}: ${messageOf(cause)}`), otherwise)
  )
