/** A session's guidance set and cleared, by the agent or by its user, and what is said of it. */
import * as Effect from "effect/Effect"
import * as Guidance from "./Guidance.ts"

export const described = (guidance: string): string => {
  const { all, done } = Guidance.progress(guidance)
  return all === 0 ? "without a checklist" : `${done} of ${all} points of its checklist ticked`
}

/** What it answers and fails with is for whoever asked for it. */
export const set = Effect.fnUntraced(function* (sessionId: string, text: string) {
  const guidance = yield* Guidance.Guidance
  yield* guidance.set(sessionId, text)
  return `The guidance is set, ${described(text)}.`
})

export const clear = Effect.fnUntraced(function* (sessionId: string) {
  const guidance = yield* Guidance.Guidance
  yield* guidance.clear(sessionId)
  return "The guidance is removed."
})
