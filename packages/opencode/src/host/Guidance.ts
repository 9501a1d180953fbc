/** What the work in a session has to come to, in the agent's own words. It proves nothing; a reviewing model may be shown it. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionWords from "./SessionWords.ts"

export const maxLength = 4000

/** Where it is kept: in a folder of the user's own, a file for each session. Without a layer nothing is. */
export class Guidance extends Context.Reference<Guidance>()("@reflexion/opencode/Guidance", {
  defaultValue: (): Pick<ReturnType<typeof SessionWords.files>, "read" | "write"> => ({
    read: () => Effect.succeed(null),
    write: () => Effect.void
  })
}) {
  static readonly Live = ({ directory }: { readonly directory: string }): Layer.Layer<Guidance> =>
    Layer.sync(Guidance, () => SessionWords.files(directory))
}

/** A session's guidance, null where it has none. */
export const get = Effect.fnUntraced(function* (sessionId: string) {
  const { read } = yield* Guidance
  const text = yield* Effect.orElseSucceed(read(sessionId, "md"), () => null)
  return text === null ? null : text.slice(0, maxLength)
})

const put = (sessionId: string, text: string) => Effect.flatMap(Guidance, ({ write }) => write(sessionId, "md", text))

export const clean = (text: string): string => safeText(text).trim()

/** Set by the agent or by its user; what it answers and fails with is for either. Secrets are taken out. */
export const set = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const text = clean(given)
  const problem =
    text === ""
      ? "The guidance is empty. Give a text, or `clear: true` to remove the one that is set."
      : text.length > maxLength
        ? `The guidance has ${text.length} characters; at most ${maxLength} are kept. Shorten it and set it again.`
        : null
  if (problem !== null) return yield* Effect.fail(new Error(problem))
  yield* put(sessionId, text)
  return "The guidance is set."
})

export const clear = (sessionId: string) => Effect.as(put(sessionId, ""), "The guidance is removed.")

/** A session's guidance in words, empty where it has none. */
export const told = (sessionId: string) =>
  Effect.map(get(sessionId), (text) => (text === null ? "" : `Guidance:\n\n${text}`))

/** What is due at an event of the host's, null for nothing: what was kept for the agent of a session goes with the session. */
export const due = (event: unknown) => {
  const { properties, type } = Json.object(event)
  const id = Json.string(Json.object(Json.object(properties)["info"])["id"])
  return type === "session.deleted" && id !== null ? put(id, "") : null
}
