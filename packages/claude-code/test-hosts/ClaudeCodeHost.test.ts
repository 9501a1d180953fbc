import { Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { task } from "@reflexion/testing/contract/HostContractTask"
import * as ClaudeCode from "@reflexion/testing/hosts/ClaudeCodeHost"
import * as HeldStops from "@reflexion/testing/samples/HeldStops"
import * as HookSocket from "@reflexion/testing/samples/HookSocket"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import { broken, defect } from "@reflexion/testing/sandbox/ShopProject"
import { act, bash, edit, read, say } from "@reflexion/testing/scenarios/ClaudeCodeScenario"
import * as ScriptedAnthropic from "@reflexion/testing/servers/ScriptedAnthropic"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import * as ClaudeCodeHost from "../src/ClaudeCodeHost.ts"

const tools = ["Bash", "Edit", "Read"]

const script = (workspace: string) => ({
  turns: [
    act("", read(`${workspace}/src/cart.js`)),
    act("", edit(`${workspace}/src/cart.js`, defect.before, defect.after)),
    say("`discounted` in `src/cart.js` takes a percentage of the total now."),
    act("", bash("npm test", "Run the test suite")),
    say("All 3 tests pass; `discounted` takes a percentage of the total now.")
  ]
})

describe("Claude Code as a host of a program's own", () => {
  it.scopedLive("goes on by the program's word, until its tests have run", () =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const sandbox = yield* Sandbox.make({ name: "shop", project: broken })
      const socket = path.join(sandbox.home, "hooks.sock")
      yield* HeldStops.started
      yield* Layer.build(HookSocket.layer(socket))
      const playing = Effect.gen(function* () {
        yield* ClaudeCode.run({
          sandbox,
          sessionId: randomUUID(),
          steps: [{ prompt: task }],
          tools,
          permissions: { allow: tools, ask: false },
          settings: HookSocket.hooks(socket, ["UserPromptSubmit", "StopFailure", "Stop"])
        })
        return yield* Effect.flatMap(ScriptedAnthropic.ScriptedAnthropic, ({ requests }) => requests)
      })
      const requests = yield* Effect.provide(
        playing,
        ScriptedAnthropic.ScriptedAnthropic.layer(script(sandbox.workspace))
      )
      const prompts = requests.filter(({ answeredBy }) => answeredBy.startsWith("turn ")).map((one) => one.lastUser)
      assert.strictEqual(prompts.length, 5)
      assert.include(prompts[3], "[reflexion 1/3]")
      const { decisions } = yield* DecisionRecord
      assert.deepStrictEqual(
        (yield* decisions).map(({ decision, status }) => [decision, status]),
        [
          ["push", "incomplete"],
          ["notice", "complete"]
        ]
      )
    }).pipe(Effect.provide(Layer.provideMerge(HeldStops.services(ClaudeCodeHost.layer()), NodeContext.layer)))
  )
})
