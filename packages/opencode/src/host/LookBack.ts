/** The end of a session, as far back as what is looked for: a turn can have hundreds of messages. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "./OpenCodeClient.ts"
import { lastOf } from "./Prompting.ts"

/** With this many pages it is read as a whole. */
const most = 4

/** The last `page` messages, or so many more that they hold what is looked for; `whole`: there are no others. */
export const lookBack = Effect.fnUntraced(function* (
  sessionId: string,
  options: { readonly page: number; readonly holds: (messages: ReadonlyArray<unknown>) => boolean }
) {
  const client = yield* OpenCodeClient
  for (let pages = 0; pages < most; pages++) {
    const limit = options.page * 4 ** pages
    const messages = yield* client.messages(sessionId, limit)
    const whole = messages.length < limit
    if (whole || options.holds(messages)) return { messages, whole }
  }
  return { messages: yield* client.messages(sessionId, null), whole: true }
})

const hasUser = (messages: ReadonlyArray<unknown>): boolean => lastOf(messages).userMessageId !== null

/** What was said in the user's place last, and the messages since a person's. */
export const lookBackToUser = (sessionId: string) =>
  Effect.map(lookBack(sessionId, { page: 64, holds: hasUser }), (found) => ({
    ...found,
    last: lastOf(found.messages)
  }))

const hasPrompt = (messages: ReadonlyArray<unknown>): boolean =>
  messages.some((message) => Json.object(Json.object(message)["info"])["role"] === "user")

/** The model that a session is with, by what was said in the user's place last: in most turns that is not far back. */
export const modelOf = (sessionId: string) =>
  Effect.map(lookBack(sessionId, { page: 4, holds: hasPrompt }), ({ messages }) => lastOf(messages).model)
