/**
 * Whether a person is there to answer: what the user said of a session, for as long as they don't take it back, else what the
 * host's command line tells. Nothing in OpenCode's record says it.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { safeName } from "@reflexion/core/internal/ground/system/FileNames"
import { inFolder, refuseLink, writeWhole } from "@reflexion/core/internal/ground/system/PlainFiles"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

export type Word = "away" | "here"

export const isWord = (word: string): word is Word => word === "away" || word === "here"

/** It could not be kept, so it does not hold. */
export class PresenceError extends Schema.TaggedError<PresenceError>("@reflexion/opencode/PresenceError")(
  "PresenceError",
  { cause: Schema.Defect }
) {
  override get message() {
    const detail = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `reflexion could not write down whether you are there: ${detail}`
  }
}

interface Service {
  /** Null where nobody says it. */
  readonly attended: (sessionId: string) => Effect.Effect<boolean | null>
  readonly say: (sessionId: string, word: Word) => Effect.Effect<void, PresenceError>
}

const makeLive = Effect.fnUntraced(function* ({ directory, otherwise }: Options) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fileOf = (sessionId: string): string => path.join(directory, `${safeName(sessionId)}.attended`)
  const attended = Effect.fn("Presence.attended")(
    function* (sessionId: string) {
      const file = fileOf(sessionId)
      const said = (yield* Effect.zipRight(refuseLink(file), fs.readFileString(file))).trim()
      return isWord(said) ? said === "here" : otherwise
    },
    Effect.provide(context),
    Effect.orElseSucceed(() => otherwise)
  )
  const say = Effect.fn("Presence.say")(
    (sessionId: string, word: Word) => inFolder(directory, writeWhole(fileOf(sessionId), word)),
    Effect.provide(context),
    Effect.mapError((cause) => new PresenceError({ cause }))
  )
  const service: Service = { attended, say }
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
