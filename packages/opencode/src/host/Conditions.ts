/** When the user calls a session's task done, in their words, for as long as they don't take it back. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import { safeName } from "@reflexion/core/internal/ground/system/FileNames"
import { inFolder, refuseLink, writeWhole } from "@reflexion/core/internal/ground/system/PlainFiles"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/** They could not be kept, so they do not hold. */
export class ConditionsError extends Schema.TaggedError<ConditionsError>("@reflexion/opencode/ConditionsError")(
  "ConditionsError",
  { cause: Schema.Defect }
) {
  override get message() {
    const detail = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `reflexion could not write down when the task is done: ${detail}`
  }
}

interface Service {
  readonly of: (sessionId: string) => Effect.Effect<ReadonlyArray<DoneWhen.AcceptanceItem>>
  /** An empty text takes back what was said. */
  readonly say: (sessionId: string, text: string) => Effect.Effect<void, ConditionsError>
}

const makeLive = Effect.fnUntraced(function* ({ directory }: Options) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fileOf = (sessionId: string): string => path.join(directory, `${safeName(sessionId)}.donewhen`)
  const of = Effect.fn("Conditions.of")(
    function* (sessionId: string) {
      const file = fileOf(sessionId)
      return DoneWhen.parse(yield* Effect.zipRight(refuseLink(file), fs.readFileString(file)))
    },
    Effect.provide(context),
    Effect.orElseSucceed((): ReadonlyArray<DoneWhen.AcceptanceItem> => [])
  )
  const say = Effect.fn("Conditions.say")(
    (sessionId: string, text: string) =>
      text === ""
        ? fs.remove(fileOf(sessionId), { force: true })
        : inFolder(directory, writeWhole(fileOf(sessionId), text)),
    Effect.provide(context),
    Effect.mapError((cause) => new ConditionsError({ cause }))
  )
  const service: Service = { of, say }
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
