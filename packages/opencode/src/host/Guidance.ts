/**
 * What the agent's work in a session has to come to, in its own words: a text with a checklist, which outlasts compactions
 * and restarts. It proves nothing; a model that reviews the session is shown it where the user trusts the project.
 */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SessionWords from "./SessionWords.ts"

/** Most characters of a guidance. */
export const maxLength = 4000

/** The guidance could not be kept. */
export class GuidanceError extends Schema.TaggedError<GuidanceError>("@reflexion/opencode/GuidanceError")(
  "GuidanceError",
  { reason: Schema.Literal("too_long", "empty", "unwritable"), detail: Schema.String }
) {
  override get message() {
    return this.detail
  }
}

const item = /^[ \t]{0,12}[-*][ \t]{1,4}\[(?<mark>[ xX])\]/

/** How many points a checklist has, and how many of them are ticked. */
export const progress = (guidance: string): { readonly done: number; readonly all: number } => {
  const marks = guidance.split("\n").flatMap((line) => item.exec(line)?.groups?.["mark"] ?? [])
  return { done: marks.filter((mark) => mark !== " ").length, all: marks.length }
}

const understood = (given: string) => {
  const text = safeText(given).trim()
  if (text === "") {
    const detail = "The guidance is empty. Give a text, or `clear: true` to remove the one that is set."
    return new GuidanceError({ reason: "empty", detail })
  }
  if (text.length <= maxLength) return Effect.succeed(text)
  const detail = `The guidance has ${text.length} characters; at most ${maxLength} are kept. Shorten it and set it again.`
  return new GuidanceError({ reason: "too_long", detail })
}

/** The guidance of each session. */
export class Guidance extends Context.Tag("@reflexion/opencode/Guidance")<
  Guidance,
  {
    readonly get: (sessionId: string) => Effect.Effect<Option.Option<string>>
    /** Replaces what was set before; secrets are taken out. */
    readonly set: (sessionId: string, text: string) => Effect.Effect<void, GuidanceError>
    readonly clear: (sessionId: string) => Effect.Effect<void, GuidanceError>
  }
>() {
  /** A file for each session, in a folder of the user's own. */
  static readonly Live = ({ directory }: { readonly directory: string }): Layer.Layer<Guidance> =>
    Layer.sync(Guidance, () => {
      const { read, write } = SessionWords.files(directory)
      const kept = (sessionId: string, text: string) =>
        Effect.mapError(
          write(sessionId, "md", text),
          ({ message }) => new GuidanceError({ reason: "unwritable", detail: message })
        )
      return {
        get: (sessionId) =>
          Effect.match(read(sessionId, "md"), {
            onFailure: () => Option.none(),
            onSuccess: (text) => Option.map(Option.fromNullable(text), (all) => all.slice(0, maxLength))
          }),
        set: (sessionId, given) => Effect.flatMap(understood(given), (text) => kept(sessionId, text)),
        clear: (sessionId) => kept(sessionId, "")
      }
    })
}

const described = (guidance: string): string => {
  const { all, done } = progress(guidance)
  return all === 0 ? "without a checklist" : `${done} of ${all} points of its checklist ticked`
}

/** Set by the agent or by its user; what it answers and fails with is for either. */
export const set = (sessionId: string, text: string) =>
  Effect.as(
    Effect.flatMap(Guidance, (guidance) => guidance.set(sessionId, text)),
    `The guidance is set, ${described(text)}.`
  )

export const clear = (sessionId: string) =>
  Effect.as(
    Effect.flatMap(Guidance, (guidance) => guidance.clear(sessionId)),
    "The guidance is removed."
  )

/** A session's guidance in words, empty where it has none. */
export const told = (sessionId: string) =>
  Effect.map(
    Effect.flatMap(Guidance, ({ get }) => get(sessionId)),
    Option.match({ onNone: () => "", onSome: (text) => `Guidance, ${described(text)}:\n\n${text}` })
  )

/** What is due at an event of the host's, null for nothing: what was kept for the agent of a session goes with the session. */
export const due = (event: unknown) => {
  const { properties, type } = Json.object(event)
  const id = Json.string(Json.object(Json.object(properties)["info"])["id"])
  return type === "session.deleted" && id !== null ? Effect.asVoid(clear(id)) : null
}
