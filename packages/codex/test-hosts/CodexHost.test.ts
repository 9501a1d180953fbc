import { Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { green, runTests, task, untested } from "@reflexion/testing/contract/HostContractTask"
import * as Codex from "@reflexion/testing/hosts/CodexHost"
import { script } from "@reflexion/testing/hosts/codexMoves"
import * as HeldStops from "@reflexion/testing/samples/HeldStops"
import * as HookSocket from "@reflexion/testing/samples/HookSocket"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import { broken } from "@reflexion/testing/sandbox/ShopProject"
import { ScriptedResponses } from "@reflexion/testing/servers/ScriptedResponses"
import { Effect, Layer } from "effect"
import * as CodexHost from "../src/CodexHost.ts"

describe("Codex as a host of a program's own", () => {
  it.scopedLive("goes on by the program's word, until its tests have run", () =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const sandbox = yield* Sandbox.make({ name: "shop", project: broken })
      const socket = path.join(sandbox.home, "hooks.sock")
      yield* HeldStops.started
      yield* Layer.build(HookSocket.layer(socket))
      const hooks = HookSocket.hooks(socket, ["UserPromptSubmit", "Interrupt", "Stop"])
      const { steps } = yield* Codex.run({ sandbox, steps: [{ prompt: task }], hooks })
      assert.strictEqual(steps[0]?.exitCode, 0)
      const prompts = (yield* Effect.flatMap(ScriptedResponses, ({ requests }) => requests)).map((one) => one.lastUser)
      assert.strictEqual(prompts.length, 4)
      assert.include(prompts[2], "[reflexion 1/3]")
      const { decisions } = yield* DecisionRecord
      assert.deepStrictEqual(
        (yield* decisions).map(({ decision, status }) => [decision, status]),
        [
          ["push", "incomplete"],
          ["notice", "complete"]
        ]
      )
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          HeldStops.services(CodexHost.layer()),
          ScriptedResponses.layer(script([...untested, [runTests], [green]]))
        ).pipe(Layer.provideMerge(NodeContext.layer))
      )
    )
  )
})
