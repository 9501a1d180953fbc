/** Reflexion turned off and on in a session, and what is said of it. */
import * as Notice from "@reflexion/core/Notice"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewState from "@reflexion/core/ReviewState"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Effect from "effect/Effect"
import { EventInbox } from "../OpenCodeHost.ts"

export type Word = "stop" | "start" | "status"

export const isWord = (word: string): word is Word => word === "stop" || word === "start" || word === "status"

const load = Effect.fnUntraced(function* (sessionId: string) {
  const states = yield* ReviewStates
  return (yield* states.load(sessionId)) ?? ReviewState.initial
})

const advisory = "reflexion is on in this session and only tells the user: the profile is advisory."

const standing = Effect.fnUntraced(function* ({ attempts, enabled }: ReviewState.ReviewState) {
  const { maxAttempts, profile } = yield* CurrentConfig
  if (enabled && profile === "advisory") return advisory
  return Notice.render({ notice: enabled ? "on" : "off", verdict: null, attempts, maxAttempts })
})

/** Does what the word says and tells how it stands then; the user is shown the same. */
export const perform = Effect.fnUntraced(function* (sessionId: string, word: Word) {
  const inbox = yield* EventInbox
  yield* inbox.command(sessionId, word)
  const state = yield* load(sessionId)
  if (word === "status" || state.enabled === (word === "start")) return yield* standing(state)
  return `reflexion could not be turned ${word === "stop" ? "off" : "on"}: the host's log says why.`
})
