import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CodexContract from "../src/hosts/CodexContract.ts"
import * as CodexHost from "../src/hosts/CodexHost.ts"
import { green, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script as scriptOf } from "../src/hosts/codexMoves.ts"
import { ScriptedResponses } from "../src/servers/ScriptedResponses.ts"

const script = scriptOf([...untested, [runTests], [green]])

const play = (world: World.World, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const session = yield* CodexHost.run({ sandbox: world.sandbox, steps: [{ prompt: task }], args })
    const { requests } = yield* ScriptedResponses
    const decisions = (yield* World.decisions(world, session.threadId)).map(({ decision }) => decision)
    return { exitCode: session.steps[0]?.exitCode, requests: (yield* requests).length, decisions }
  }).pipe(Effect.provide(ScriptedResponses.layer(script)))

describe.concurrent("codex exec", () => {
  it.scopedLive("is nudged and let go as a session of the app-server is", () =>
    Effect.gen(function* () {
      const world = yield* World.make(CodexContract.host)
      const played = yield* play(world, ["--dangerously-bypass-hook-trust"])
      assert.deepStrictEqual(played, { exitCode: 0, requests: 4, decisions: ["nudge", "notice"] })
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("runs no hook that the user has not approved", () =>
    Effect.gen(function* () {
      const world = yield* World.make(CodexContract.host)
      const played = yield* play(world, [])
      assert.deepStrictEqual(played, { exitCode: 0, requests: 2, decisions: [] })
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
