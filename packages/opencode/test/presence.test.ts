import { NodeContext } from "@effect/platform-node"
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SessionWords } from "../src/host/SessionWords.ts"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import * as Commands from "../src/plugin/commands.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const typed = (words: string) => Commands.answer({ command: "reflection", sessionID: "s1", arguments: words })

const said = (session = "s1") => Effect.flatMap(SessionWords, ({ attended }) => attended(session))

/** The same folder in a process that answers one prompt, and in one that stays. */
const within = <A, E, R>(directory: string, otherwise: boolean | null, effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.provide(Layer.provideMerge(SessionWords.Live({ directory, otherwise }), NodeContext.layer)))

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeContext.layer)
)

describe("whether somebody is there", () => {
  it.scoped("is what the user said of the session last, else what the command line tells", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      const directory = yield* folder
      assert.isNull(yield* within(directory, null, said()))
      assert.isFalse(yield* within(directory, false, said()))
      yield* within(directory, null, typed("away"))
      assert.match(toasts.at(-1)?.message ?? "", /nobody to be there in this session.*`\/reflection here`/)
      assert.isFalse(yield* within(directory, null, said()))
      assert.isNull(yield* within(directory, null, said("s2")))
      yield* within(directory, null, typed(" HERE "))
      assert.match(toasts.at(-1)?.message ?? "", /takes you to be there/)
      assert.isTrue(yield* within(directory, false, said()))
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.provide(layer))
  })

  it.scoped("stands in the session that is judged", () => {
    const { infos, layer, messages } = obeyingPlugin()
    messages.set("s1", [])
    infos.set("s1", { id: "s1", permission: [{ permission: "question", pattern: "*", action: "deny" }] })
    return Effect.gen(function* () {
      const directory = yield* folder
      const attended = (otherwise: boolean | null) =>
        within(
          directory,
          otherwise,
          Effect.map(OpenCodeRecord.transcript("s1"), (transcript) => transcript.attended)
        )
      assert.isFalse(yield* attended(false))
      assert.isNull(yield* attended(null))
    }).pipe(Effect.provide(layer))
  })

  it.scoped("that cannot be kept is said on the screen", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      const directory = yield* folder
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(`${directory}/file`, "")
      yield* within(`${directory}/file`, null, typed("away"))
      assert.strictEqual(toasts.at(-1)?.variant, "warning")
      assert.match(toasts.at(-1)?.message ?? "", /could not write down/)
    }).pipe(Effect.provide(Layer.merge(layer, NodeContext.layer)))
  })
})
