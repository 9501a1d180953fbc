/** A process that asks a model whose program is a shell script: `node hostModelWorker.mjs FOLDER SCRIPT`. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HostModel from "../../src/model/calls/HostModel.ts"
import { Model } from "../../src/model/calls/Model.ts"
import { host } from "./hostProgram.ts"

const [, , folder = "", script = ""] = process.argv

const invoke = () => Effect.succeed({ words: ["-c", script, "sh", folder] })

const model = Layer.provide(Layer.effect(Model, HostModel.make(host({ invoke }), {})), NodeContext.layer)

const question = { purpose: "self_assessment", system: "", prompt: "Done?", schema: {}, objectName: "opinion" } as const

const asked = Effect.flatMap(Model, ({ ask }) => ask({ ...question, maxOutputTokens: null }))

void Effect.runPromise(Effect.provide(asked, model))
