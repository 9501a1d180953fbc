/** A Stop hook that asks Claude Code's own model and writes what came of it into a file, a line for every time it runs. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Model } from "@reflexion/core/Model"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { appendFileSync } from "node:fs"
import * as ClaudeCodeModel from "../../src/ClaudeCodeModel.ts"

const [, , program = "", log = ""] = process.argv

const model = Layer.provide(ClaudeCodeModel.layer({ program }), NodeContext.layer)

const question = {
  purpose: "judge",
  system: "",
  prompt: "What is missing?",
  schema: { type: "object" },
  objectName: "answer",
  maxOutputTokens: null
} as const

const asked = Effect.flatMap(Model, ({ ask }) => ask(question)).pipe(
  Effect.match({ onSuccess: ({ text }) => text, onFailure: ({ message }) => `failed: ${message}` }),
  Effect.provide(model)
)

void Effect.runPromise(asked).then((line) => appendFileSync(log, `${line}\n`))
