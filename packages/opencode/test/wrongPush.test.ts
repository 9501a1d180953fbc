import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Commands from "../src/plugin/commands.ts"
import * as WrongPush from "../src/plugin/wrongPush.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const typed = Commands.answer({ command: "reflection", sessionID: "s1", arguments: " Wrong " })

const marking: WrongPush.Mark = (sessionId, root) => ({
  text: `${sessionId} in ${root}`,
  lowered: ["loops/planning", "gates/not-run"]
})

const failing: WrongPush.Mark = () => {
  throw new Error("the disk is full")
}

describe("a push that the user calls wrong", () => {
  it.effect("is marked by its session and project, answered on the screen, and its rule lowered at once", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    const limits: WrongPush.Shared = { "loops/planning": "off", "host/cut-off": "tell" }
    return Effect.gen(function* () {
      yield* Effect.provideService(typed, WrongPush.WrongPush, WrongPush.make(marking, { limits, root: "/shop" }))
      assert.deepStrictEqual(toasts, [{ message: "s1 in /shop", variant: "info" }])
      assert.deepStrictEqual(limits, { "loops/planning": "off", "host/cut-off": "tell", "gates/not-run": "tell" })
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("and cannot be marked, is said on the screen", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* Effect.provideService(typed, WrongPush.WrongPush, WrongPush.make(failing, { limits: {}, root: "/" }))
      assert.deepStrictEqual(toasts, [
        { message: "reflexion could not mark the push: the disk is full", variant: "warning" }
      ])
    }).pipe(Effect.provide(layer))
  })

  it("is ours under another's command of that name", () => {
    assert.isTrue(Commands.isOurs({ command: "reflection", sessionID: "s1", arguments: "wrong" }, false))
  })
})
