import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, eventually, say, shell } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, fix, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

/** A session whose agent counts as silent after ten seconds. */
const begin = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>) {
  const world = yield* World.make(host)
  yield* Files.write({ [`${world.config}/config.json`]: `{ "stuck": { "silence": 2, "stall": 10 } }` })
  const model = yield* ScriptedChat.make(script(world.sandbox.workspace, answers))
  const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
  return { world, model, server, session: yield* OpenCodeSession.open(server) }
})

const decided = (world: World.World, sessionId: string, ...expected: ReadonlyArray<string>) =>
  eventually(
    expected.join(),
    Effect.map(World.decisions(world, sessionId), (all) =>
      all.map(({ decision }) => decision).join() === expected.join() ? all : null
    )
  )

const hang: Answer = [{ _tag: "Hang" }]

describe.concurrent("reflexion in OpenCode, when an agent gives no sign of life", () => {
  it.scopedLive("ends what a model hangs in, asks once to go on, and reviews what comes of it", () =>
    Effect.gen(function* () {
      const { model, session, world } = yield* begin([hang, [fix], [runTests], [green]])
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge")
      const [nudge] = yield* decided(world, session.id, "nudge", "notice")
      assert.match(nudge?.reason ?? "", /no word of the agent/)
      const asked = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      assert.strictEqual(asked.length, 4)
      assert.include(asked[1]?.lastUser, "[reflexion 1/3]")
      const last = (yield* session.settled).at(-1)
      assert.include(JSON.stringify(last?.parts), "tests pass")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("tells the user where the model hangs again, and sends nothing more", () =>
    Effect.gen(function* () {
      const { model, session, world } = yield* begin([hang, hang])
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge")
      yield* decided(world, session.id, "nudge", "notice")
      const asked = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      assert.strictEqual(asked.length, 2)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("watches an agent that it sent on after a stop, and tells the user that nothing comes of it", () =>
    Effect.gen(function* () {
      const { model, session, world } = yield* begin([...untested, hang])
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge")
      const [, told] = yield* decided(world, session.id, "nudge", "notice")
      assert.match(told?.reason ?? "", /no word of the agent/)
      const asked = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      assert.strictEqual(asked.length, 3)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves a command that takes long alone", () =>
    Effect.gen(function* () {
      const { session, world } = yield* begin([[shell("sleep 14")], [fix], [runTests], [green], [say("unasked")]])
      yield* session.prompt(task)
      const [looked] = yield* decided(world, session.id, "abstain")
      yield* decided(world, session.id, "abstain", "notice")
      assert.match(looked?.reason ?? "", /^still running/)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
