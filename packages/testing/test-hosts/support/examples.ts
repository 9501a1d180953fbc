/** The programs of `examples/`, compiled as their headers say to run them. */
import { Command } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

export const exampleFile = (name: string): string => join(root, "examples", "dist", `${name}.js`)

export const CompiledExamples = Layer.effectDiscard(
  Effect.gen(function* () {
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc")
    const said = yield* Command.lines(
      Command.workingDirectory(Command.make(process.execPath, compiler, "-b", "examples"), root)
    )
    assert.deepStrictEqual(said, [])
  })
).pipe(Layer.provideMerge(NodeContext.layer))
