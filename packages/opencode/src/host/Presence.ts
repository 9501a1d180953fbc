/**
 * Whether a person is there to answer: what the user said of a session, for as long as they don't take it back, else what the
 * host's command line tells. Nothing in OpenCode's record says it.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionNotes from "./SessionNotes.ts"

export type Word = "away" | "here"

export const isWord = (word: string): word is Word => word === "away" || word === "here"

interface Service {
  /** Null where nobody says it. */
  readonly attended: (sessionId: string) => Effect.Effect<boolean | null>
  readonly say: (sessionId: string, word: Word) => Effect.Effect<void, SessionNotes.NoteError>
}

const makeLive = Effect.fnUntraced(function* ({ directory, otherwise }: Options) {
  const notes = yield* SessionNotes.make({ directory, ending: "attended", what: "whether you are there" })
  const attendedOf = (text: string | null): boolean | null => {
    const said = text?.trim() ?? ""
    return isWord(said) ? said === "here" : otherwise
  }
  const service: Service = {
    attended: (sessionId) => Effect.match(notes.read(sessionId), { onFailure: () => otherwise, onSuccess: attendedOf }),
    say: notes.write
  }
  return service
})

/** `otherwise`: what holds where the user has said nothing. */
interface Options {
  readonly directory: string
  readonly otherwise: boolean | null
}

/** Without a layer nothing is known, and nothing is kept. */
export class Presence extends Context.Reference<Presence>()("@reflexion/opencode/Presence", {
  defaultValue: (): Service => ({ attended: () => Effect.succeed(null), say: () => Effect.void })
}) {
  /** A file for each session of which the user has said it, in a folder of their own. */
  static readonly Live = (options: Options): Layer.Layer<Presence, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(Presence, makeLive(options))
}
