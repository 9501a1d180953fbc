/** Whether a model is asked in a session: what the user said of it there, for as long as they don't take it back. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionNotes from "./SessionNotes.ts"

export type Word = "on" | "off"

export const isWord = (word: string): word is Word => word === "on" || word === "off"

/** Nothing was said where there is no file; what cannot be read is no consent. */
interface Service {
  readonly of: (sessionId: string) => Effect.Effect<Word | null>
  readonly say: (sessionId: string, word: Word) => Effect.Effect<void, SessionNotes.NoteError>
}

const wordOf = (text: string | null): Word | null => {
  const said = text?.trim() ?? null
  return said === null || isWord(said) ? said : "off"
}

const makeLive = Effect.fnUntraced(function* ({ directory }: Options) {
  const notes = yield* SessionNotes.make({ directory, ending: "model", what: "whether a model is asked" })
  const service: Service = {
    of: (sessionId) => Effect.match(notes.read(sessionId), { onFailure: () => "off" as const, onSuccess: wordOf }),
    say: notes.write
  }
  return service
})

interface Options {
  readonly directory: string
}

/** Without a layer nothing is known, and nothing is kept. */
export class ModelWord extends Context.Reference<ModelWord>()("@reflexion/opencode/ModelWord", {
  defaultValue: (): Service => ({ of: () => Effect.succeed(null), say: () => Effect.void })
}) {
  /** A file for each session of which the user has said it, in a folder of their own. */
  static readonly Live = (options: Options): Layer.Layer<ModelWord, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(ModelWord, makeLive(options))
}
