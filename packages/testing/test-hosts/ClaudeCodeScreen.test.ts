import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ClaudeCodeScreen from "@reflexion/testing/hosts/ClaudeCodeScreen"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import { broken } from "@reflexion/testing/sandbox/ShopProject"
import { say } from "@reflexion/testing/servers/ModelScript"
import { Effect } from "effect"

describe("Claude Code's screen", () => {
  it.scopedLive("opens", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ name: "shop", project: broken })
      const screen = yield* ClaudeCodeScreen.open({ sandbox, turns: [say("Hello! What is to be done?")] })
      yield* screen.say("Hello there")
      yield* screen.shows(/What is to be done/)
      console.log(yield* screen.shown)
      console.log((yield* screen.record).slice(0, 1500))
      assert.isTrue(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
