#!/usr/bin/env node
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FileAnswers } from "@reflexion/core/internal/session/project/Load"
import * as RepoDisk from "@reflexion/hooks/places/RepoDisk"
import { CliProcess } from "./process/CliProcess.ts"
import * as Main from "./Main.ts"

/** A reader that goes away, as `head` does, is no fault: what is left is not printed. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
  })
}

const program = Main.run(process.argv.slice(2)).pipe(
  Effect.provide(Layer.mergeAll(NodeContext.layer, CliProcess.Live, Layer.succeed(FileAnswers, RepoDisk.answer)))
)

process.exitCode = await Effect.runPromise(program)
