import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, fill } from "../src/contract/HostContract.ts"
import { green, fix, fixed, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as Files from "../src/contract/files.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

/** One prompt on the command line, in a sandbox with reflexion. */
const play = Effect.fnUntraced(function* (
  answers: ReadonlyArray<Answer>,
  configuration = "{}",
  ...words: ReadonlyArray<string>
) {
  const world = yield* World.make(host)
  yield* Files.write({ [`${world.config}/config.json`]: configuration })
  const model = yield* ScriptedChat.make(script(world.sandbox.workspace, answers))
  const played = yield* OpenCodeHost.run({ sandbox: world.sandbox, url: model.url }, "run", ...words, task)
  const requests = (yield* model.requests).filter(({ answeredBy }) => answeredBy !== "title")
  return { world, played, requests, decisions: yield* World.decisions(world) }
})

describe.concurrent("reflexion in `opencode run`", () => {
  it.scopedLive("takes the summary of a compaction for no stop", () =>
    Effect.gen(function* () {
      const { decisions, played, requests } = yield* play([[fix], [fill, fixed], [runTests], [green]])
      assert.strictEqual(played.exitCode, 0)
      assert.deepStrictEqual(
        decisions.map(({ decision }) => decision),
        ["nudge", "notice"]
      )
      assert.deepStrictEqual(
        requests.map(({ answeredBy }) => answeredBy),
        ["turn 1", "turn 2", "summary", "turn 3", "turn 4"]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("tells the agent its task after a compaction whose summary lost it, until it stops", () =>
    Effect.gen(function* () {
      const { requests } = yield* play([[fill, fix], [runTests], [green]])
      assert.deepStrictEqual(
        requests.map(({ answeredBy, conversation }) => [answeredBy, conversation.includes("cart of 50.00 should")]),
        [
          ["turn 1", true],
          ["summary", true],
          ["turn 2", true],
          ["turn 3", true]
        ]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("keeps the guidance that a command gives, and asks no model about it", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const model = yield* ScriptedChat.make(script(world.sandbox.workspace, []))
      const words = ["set", 'Say "done" last.\n\n- [ ] Run the tests']
      yield* OpenCodeHost.run({ sandbox: world.sandbox, url: model.url }, "run", "--command", "reflection", ...words)
      const kept = yield* Files.filesBelow(`${world.state}/guidance`)
      assert.lengthOf(kept, 1)
      assert.strictEqual(yield* Files.textOf(kept[0] ?? ""), words[1])
      assert.deepStrictEqual(
        (yield* model.requests).filter(({ answeredBy }) => answeredBy !== "title"),
        []
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("writes down why it reviews nothing under a configuration that cannot be used", () =>
    Effect.gen(function* () {
      const { decisions, played, requests } = yield* play(untested, `{ "foo": 1 }`, "--print-logs")
      assert.strictEqual(played.exitCode, 0)
      assert.strictEqual(requests.length, 2)
      assert.deepStrictEqual(
        decisions.map(({ decision }) => decision),
        ["failure"]
      )
      assert.match(decisions[0]?.reason ?? "", /foo/)
      const logged = played.errors.split("\n").filter((line) => line.includes("service=reflexion"))
      assert.match(logged.join("\n"), /level=ERROR .{0,300}is paused until this is fixed: .{0,200}foo/)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
