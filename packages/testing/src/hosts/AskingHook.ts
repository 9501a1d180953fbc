/** A Stop hook that asks a host's own model and writes what came of it into a file, a line for every time it runs. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import type { ModelFailure } from "@reflexion/core/ModelCall"
import { Model } from "@reflexion/core/Model"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { appendFileSync } from "node:fs"

const question = {
  purpose: "judge",
  system: "",
  prompt: "What is missing?",
  schema: { type: "object" },
  objectName: "answer",
  maxOutputTokens: null
} as const

/**
 * Runs the hook: `program` is the host's, `log` the file. Both come from the command line, as a host calls it.
 *
 * @category programs
 */
export const run = (
  layer: (options: { readonly program: string }) => Layer.Layer<Model, ModelFailure, NodeContext.NodeContext>
): void => {
  const [, , program = "", log = ""] = process.argv
  const asked = Effect.flatMap(Model, ({ ask }) => ask(question)).pipe(
    Effect.match({ onSuccess: ({ text }) => text, onFailure: ({ message }) => `failed: ${message}` }),
    Effect.provide(Layer.provide(layer({ program }), NodeContext.layer)),
    Effect.catchAll(({ message }) => Effect.succeed(`failed: ${message}`))
  )
  void Effect.runPromise(asked).then((line) => appendFileSync(log, `${line}\n`))
}
