/** A shell script instead of a coding agent's program, in a folder that goes when the test ends. */
import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Layer } from "effect"
import * as HostModel from "../../src/model/calls/HostModel.ts"
import { Model } from "../../src/model/calls/Model.ts"
import { ofStatus } from "../../src/model/calls/ModelFailures.ts"

const usage = { inputTokens: 3, outputTokens: 2 }

/** What it printed is the answer. A code of null means a signal. */
const read = ({ code, err, out }: HostModel.Printed): HostModel.Reading =>
  code === 0 ? Either.right({ text: out, model: "small", usage }) : Either.left(ofStatus(code ?? 0, err))

export const host = (more: Partial<HostModel.Host>): HostModel.Host => ({
  name: "Agent",
  id: "agent",
  install: "install it",
  program: "/bin/sh",
  invoke: () => Effect.succeed({ words: ["-c", "cat"] }),
  read,
  ...more
})

/** Gives an effect this script as its model: `$1` is the folder, `$2` the file of the system prompt. */
export const world = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "host-model-" }))
  const asking = (script: string, more: HostModel.Options & Partial<HostModel.Host> = {}) => {
    const invoke = ({ system }: HostModel.Question) => Effect.succeed({ words: ["-c", script, "sh", folder, system] })
    const layer = Layer.effect(Model, HostModel.make(host({ invoke, ...more }), { timeout: "20 seconds", ...more }))
    return <A, E>(effect: Effect.Effect<A, E, Model>) => Effect.provide(effect, layer)
  }
  const text = (name: string) => Effect.orElseSucceed(fs.readFileString(path.join(folder, name)), () => "")
  return { folder, fs, asking, text }
})
