import { NodeContext } from "@effect/platform-node"
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SessionWords } from "../src/host/SessionWords.ts"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import * as Commands from "../src/plugin/commands.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const typed = (words: string) => Commands.answer({ command: "reflection", sessionID: "s1", arguments: words })

const within = <A, E, R>(directory: string, effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.provide(Layer.provideMerge(SessionWords.Live({ directory, otherwise: null }), NodeContext.layer)))

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeContext.layer)
)

describe("when the task is done, as the user types it", () => {
  it.scoped("is shown, stands in the session that is judged, and is taken back", () => {
    const { infos, layer, messages, toasts } = obeyingPlugin()
    messages.set("s1", [])
    infos.set("s1", { id: "s1" })
    return Effect.gen(function* () {
      const directory = yield* folder
      const doneWhen = within(
        directory,
        Effect.map(OpenCodeRecord.transcript("s1"), (transcript) => transcript.doneWhen)
      )
      assert.isUndefined(yield* doneWhen)
      yield* within(directory, typed("done-when `npm run e2e` passes; the docs name the flag"))
      assert.include(toasts.at(-1)?.message, "d1: `npm run e2e` passes (proved by `npm run e2e`)")
      assert.deepStrictEqual(yield* doneWhen, [
        { id: "d1", text: "`npm run e2e` passes", command: "npm run e2e" },
        { id: "d2", text: "the docs name the flag", command: null }
      ])
      yield* within(directory, typed("done-when ---"))
      assert.include(toasts.at(-1)?.message, "understood no condition")
      assert.strictEqual((yield* doneWhen)?.length, 2)
      yield* within(directory, typed("done-when"))
      assert.isUndefined(yield* doneWhen)
    }).pipe(Effect.provide(layer))
  })

  it.scoped("that cannot be kept is said on the screen", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* within("/dev/null/state", typed("done-when $ make"))
      assert.include(toasts.at(-1)?.message, "could not write down when the task is done")
    }).pipe(Effect.provide(layer))
  })
})
