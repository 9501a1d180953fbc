/** Reflexion turned off and on in a session, and what is said of it. */
import type { HostEvent } from "@reflexion/core/AgentHost"
import * as Notice from "@reflexion/core/Notice"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewState from "@reflexion/core/ReviewState"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EventInbox } from "../OpenCodeHost.ts"

export type Word = "stop" | "start" | "status"

export const isWord = (word: string): word is Word => word === "stop" || word === "start" || word === "status"

const load = Effect.fnUntraced(function* (sessionId: string) {
  const states = yield* ReviewStates
  return (yield* states.load(sessionId)) ?? ReviewState.initial
})

/** The review takes the word in its turn; it holds from when it is saved. */
const saved = (sessionId: string, enabled: boolean) =>
  Effect.repeat(Effect.delay(load(sessionId), "10 millis"), { until: (state) => state.enabled === enabled }).pipe(
    Effect.timeoutOption("2 seconds")
  )

const advisory = "reflexion is on in this session and only tells the user: the profile is advisory."

const standing = Effect.fnUntraced(function* ({ attempts, enabled }: ReviewState.ReviewState) {
  const { maxAttempts, profile } = yield* CurrentConfig
  if (enabled && profile === "advisory") return advisory
  return Notice.render({ notice: enabled ? "on" : "off", verdict: null, attempts, maxAttempts })
})

const command = (sessionId: string, word: Word, at: number): HostEvent => ({
  sessionId,
  name: "command",
  event: { _tag: "Command", command: word, at }
})

/** Does what the word says and tells how it stands then; the user sees the same. */
export const perform = Effect.fnUntraced(function* (sessionId: string, word: Word) {
  const inbox = yield* EventInbox
  inbox.tell(command(sessionId, word, yield* Clock.currentTimeMillis))
  if (word === "status") return yield* Effect.flatMap(load(sessionId), standing)
  const state = yield* saved(sessionId, word === "start")
  return yield* Option.match(state, {
    onNone: () =>
      Effect.succeed(`reflexion could not be turned ${word === "stop" ? "off" : "on"}: see the host's log.`),
    onSome: standing
  })
})
