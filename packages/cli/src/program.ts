/** The program `reflexion` with the layers for its own process. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FileAnswers } from "@reflexion/core/internal/session/project/Load"
import * as RepoDisk from "@reflexion/hooks/places/RepoDisk"
import { CliProcess } from "./process/CliProcess.ts"
import * as Main from "./Main.ts"

export const run = (words: ReadonlyArray<string>): Promise<number> =>
  Main.run(words).pipe(
    Effect.provide(Layer.mergeAll(NodeContext.layer, CliProcess.Live, Layer.succeed(FileAnswers, RepoDisk.answer))),
    Effect.runPromise
  )
