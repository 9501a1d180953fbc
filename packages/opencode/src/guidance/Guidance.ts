/**
 * What the agent's work in a session has to come to, in its own words: a text with a checklist, which outlasts compactions
 * and restarts. It proves nothing; a model that reviews the session is shown it where the user trusts the project.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as PlainText from "@reflexion/core/internal/base/text/PlainText"
import * as Redaction from "@reflexion/core/Redaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as SessionNotes from "../host/SessionNotes.ts"

/**
 * Most characters of a guidance.
 *
 * @category limits
 */
export const maxLength = 4000

/**
 * The guidance could not be kept.
 *
 * @category errors
 */
export class GuidanceError extends Schema.TaggedError<GuidanceError>("@reflexion/opencode/GuidanceError")(
  "GuidanceError",
  { reason: Schema.Literal("too_long", "empty", "unwritable"), detail: Schema.String }
) {
  override get message() {
    return this.detail
  }
}

const item = /^[ \t]{0,12}[-*][ \t]{1,4}\[(?<mark>[ xX])\]/

/**
 * How many points a checklist has, and how many of them are ticked.
 *
 * @category accessors
 */
export const progress = (guidance: string): { readonly done: number; readonly all: number } => {
  const marks = guidance.split("\n").flatMap((line) => item.exec(line)?.groups?.["mark"] ?? [])
  return { done: marks.filter((mark) => mark !== " ").length, all: marks.length }
}

const understood = (given: string) => {
  const text = Redaction.redact(PlainText.clean(given)).trim()
  if (text === "") {
    const detail = "The guidance is empty. Give a text, or `clear: true` to remove the one that is set."
    return new GuidanceError({ reason: "empty", detail })
  }
  if (text.length <= maxLength) return Effect.succeed(text)
  const detail = `The guidance has ${text.length} characters; at most ${maxLength} are kept. Shorten it and set it again.`
  return new GuidanceError({ reason: "too_long", detail })
}

const unwritable = ({ message }: SessionNotes.NoteError) => new GuidanceError({ reason: "unwritable", detail: message })

const makeLive = Effect.fnUntraced(function* (directory: string) {
  const notes = yield* SessionNotes.make({ directory, ending: "md", what: "the guidance" })
  const get = (sessionId: string) =>
    Effect.match(notes.read(sessionId), {
      onFailure: () => Option.none(),
      onSuccess: (text) => Option.map(Option.fromNullable(text), (all) => all.slice(0, maxLength))
    })
  const set = (sessionId: string, given: string) =>
    Effect.flatMap(understood(given), (text) => Effect.mapError(notes.write(sessionId, text), unwritable))
  const clear = (sessionId: string) => Effect.mapError(notes.write(sessionId, ""), unwritable)
  return { get, set, clear }
})

/**
 * The guidance of each session.
 *
 * @category services
 */
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
  static readonly Live = (options: {
    readonly directory: string
  }): Layer.Layer<Guidance, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(Guidance, makeLive(options.directory))

  /** In memory. */
  static readonly Test: Layer.Layer<Guidance> = Layer.effect(
    Guidance,
    Effect.map(Ref.make(HashMap.empty<string, string>()), (all) => ({
      get: (sessionId: string) => Effect.map(Ref.get(all), HashMap.get(sessionId)),
      set: (sessionId: string, given: string) =>
        Effect.flatMap(understood(given), (text) => Ref.update(all, HashMap.set(sessionId, text))),
      clear: (sessionId: string) => Ref.update(all, HashMap.remove(sessionId))
    }))
  )
}
