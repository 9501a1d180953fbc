/** What a session's work must achieve, in the agent's words. It proves nothing, but a reviewing model may get it. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionWords from "./SessionWords.ts"

export const maxLength = 4000

/** One file per session in the user's own folder. Without a layer nothing is stored. */
export class Guidance extends Context.Reference<Guidance>()("@reflexion/opencode/Guidance", {
  defaultValue: (): Pick<ReturnType<typeof SessionWords.files>, "read" | "write"> => ({
    read: () => Effect.succeed(null),
    write: () => Effect.void
  })
}) {
  static readonly Live = ({ directory }: { readonly directory: string }): Layer.Layer<Guidance> =>
    Layer.sync(Guidance, () => SessionWords.files(directory))
}

export const get = Effect.fnUntraced(function* (sessionId: string) {
  const { read } = yield* Guidance
  const text = yield* Effect.orElseSucceed(read(sessionId, "md"), () => null)
  return text === null ? null : text.slice(0, maxLength)
})

const put = (sessionId: string, text: string) => Effect.flatMap(Guidance, ({ write }) => write(sessionId, "md", text))

export const clean = (text: string): string => safeText(text).trim()

/** Saves the guidance without secrets. The agent and the user may read the answer and the error messages. */
export const set = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const text = clean(given)
  const problem =
    text === ""
      ? "The guidance is empty. Give a text, or `clear: true` to remove the present guidance."
      : text.length > maxLength
        ? `The guidance has ${text.length} characters; at most ${maxLength} are kept. Shorten it and set it again.`
        : null
  if (problem !== null) return yield* Effect.fail(new Error(problem))
  yield* put(sessionId, text)
  return "The guidance is set."
})

export const clear = (sessionId: string) => Effect.as(put(sessionId, ""), "The guidance is removed.")

export const told = (sessionId: string) =>
  Effect.map(get(sessionId), (text) => (text === null ? "" : `Guidance:\n\n${text}`))

/** Removes the guidance of a deleted session. Null for any other event. */
export const due = (event: unknown) => {
  const { properties, type } = Json.object(event)
  const id = Json.string(Json.object(Json.object(properties)["info"])["id"])
  return type === "session.deleted" && id !== null ? put(id, "") : null
}
