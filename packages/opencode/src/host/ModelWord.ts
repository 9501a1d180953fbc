/** Whether a model is asked in a session: what the user said of it there, for as long as they don't take it back. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { safeName } from "@reflexion/core/internal/ground/system/FileNames"
import { inFolder, refuseLink, writeWhole } from "@reflexion/core/internal/ground/system/PlainFiles"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

export type Word = "on" | "off"

export const isWord = (word: string): word is Word => word === "on" || word === "off"

/** It could not be kept, so it does not hold. */
export class ModelWordError extends Schema.TaggedError<ModelWordError>("@reflexion/opencode/ModelWordError")(
  "ModelWordError",
  { cause: Schema.Defect }
) {
  override get message() {
    const detail = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `reflexion could not write down whether a model is asked: ${detail}`
  }
}

/** Nothing was said where there is no file; what cannot be read is no consent. */
interface Service {
  readonly of: (sessionId: string) => Effect.Effect<Word | null>
  readonly say: (sessionId: string, word: Word) => Effect.Effect<void, ModelWordError>
}

const makeLive = Effect.fnUntraced(function* ({ directory }: { readonly directory: string }) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fileOf = (sessionId: string): string => path.join(directory, `${safeName(sessionId)}.model`)
  const of = Effect.fn("ModelWord.of")(
    function* (sessionId: string) {
      const file = fileOf(sessionId)
      yield* refuseLink(file)
      if (!(yield* fs.exists(file))) return null
      const said = (yield* fs.readFileString(file)).trim()
      return isWord(said) ? said : "off"
    },
    Effect.provide(context),
    Effect.orElseSucceed((): Word => "off")
  )
  const say = Effect.fn("ModelWord.say")(
    (sessionId: string, word: Word) => inFolder(directory, writeWhole(fileOf(sessionId), word)),
    Effect.provide(context),
    Effect.mapError((cause) => new ModelWordError({ cause }))
  )
  const service: Service = { of, say }
  return service
})

/** Without a layer nothing is known, and nothing is kept. */
export class ModelWord extends Context.Reference<ModelWord>()("@reflexion/opencode/ModelWord", {
  defaultValue: (): Service => ({ of: () => Effect.succeed(null), say: () => Effect.void })
}) {
  /** A file for each session of which the user has said it, in a folder of their own. */
  static readonly Live = (options: {
    readonly directory: string
  }): Layer.Layer<ModelWord, never, FileSystem.FileSystem | Path.Path> => Layer.effect(ModelWord, makeLive(options))
}
