/** A Stop hook that asks Codex's own model and writes what came of it into a file, a line for every time it runs. */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { appendFileSync } from "node:fs"
import * as CodexModel from "../../src/CodexModel.ts"

const [, , program = "", log = ""] = process.argv

const model = Layer.provide(CodexModel.layer({ program }), NodeContext.layer)

const asked = LanguageModel.generateText({ prompt: "What is missing?" }).pipe(
  Effect.match({ onSuccess: ({ text }) => text, onFailure: ({ message }) => `failed: ${message}` }),
  Effect.provide(model)
)

void Effect.runPromise(asked).then((line) => appendFileSync(log, `${line}\n`))
