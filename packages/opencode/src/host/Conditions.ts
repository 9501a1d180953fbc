/** When the user calls a session's task done, in their words, for as long as they don't take it back. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionNotes from "./SessionNotes.ts"

interface Service {
  readonly of: (sessionId: string) => Effect.Effect<ReadonlyArray<DoneWhen.AcceptanceItem>>
  /** An empty text takes back what was said. */
  readonly say: (sessionId: string, text: string) => Effect.Effect<void, SessionNotes.NoteError>
}

const makeLive = Effect.fnUntraced(function* ({ directory }: Options) {
  const notes = yield* SessionNotes.make({ directory, ending: "donewhen", what: "when the task is done" })
  const service: Service = {
    of: (sessionId) =>
      Effect.match(notes.read(sessionId), {
        onFailure: () => [],
        onSuccess: (text) => (text === null ? [] : DoneWhen.parse(text))
      }),
    say: notes.write
  }
  return service
})

interface Options {
  readonly directory: string
}

/** Without a layer nothing is known, and nothing is kept. */
export class Conditions extends Context.Reference<Conditions>()("@reflexion/opencode/Conditions", {
  defaultValue: (): Service => ({ of: () => Effect.succeed([]), say: () => Effect.void })
}) {
  /** A file for each session of which the user has said it, in a folder of their own. */
  static readonly Live = (options: Options): Layer.Layer<Conditions, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(Conditions, makeLive(options))
}
