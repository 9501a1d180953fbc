import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Commands from "../src/plugin/commands.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const typed = Commands.answer({ command: "reflection", sessionID: "s1", arguments: " Wrong " })

const marking: Commands.MarkWrong = (sessionId, root) => ({
  text: `${sessionId} in ${root}`,
  lowered: ["loops/planning", "gates/not-run"]
})

const failing: Commands.MarkWrong = () => {
  throw new Error("the disk is full")
}

const means = (mark: (sessionId: string) => string) => ({ mark, verify: () => Effect.succeed(""), waits: true })

describe("a push that the user calls wrong", () => {
  it.effect("is marked by its session and project, answered on the screen, and its rule lowered at once", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    const limits: Commands.Limits = { "loops/planning": "off", "host/cut-off": "tell" }
    return Effect.gen(function* () {
      yield* Effect.provideService(
        typed,
        Commands.Commanding,
        means(() => Commands.lowering(marking("s1", "/shop"), limits))
      )
      assert.deepStrictEqual(toasts, [{ message: "s1 in /shop", variant: "info" }])
      assert.deepStrictEqual(limits, { "loops/planning": "off", "host/cut-off": "tell", "gates/not-run": "tell" })
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("and cannot be marked, is said on the screen", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* Effect.provideService(
        typed,
        Commands.Commanding,
        means(() => Commands.lowering(failing("s1", "/"), {}))
      )
      assert.deepStrictEqual(toasts, [
        { message: "reflexion could not mark the push: the disk is full", variant: "warning" }
      ])
    }).pipe(Effect.provide(layer))
  })

  it("is ours under another's command of that name", () => {
    assert.isTrue(Commands.isOurs({ command: "reflection", sessionID: "s1", arguments: "wrong" }, false))
  })
})
