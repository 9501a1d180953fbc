import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { say } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, otherTask, rework, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

/** A plugin of somebody else's that makes the host give nobody a session's messages while a file is there. */
const refusing = `
import { existsSync } from "node:fs"
const server = async ({ client }, { file }) => {
  const { session } = client
  const messages = session.messages.bind(session)
  session.messages = async (options) =>
    existsSync(file) ? { error: { name: "Broken", message: "no messages today" } } : messages(options)
  return {}
}
export default { id: "refusing", server }
`

// What the contract shows of hosts with hooks by wrapping or breaking their program, shown where it is a plugin.
describe.concurrent("reflexion in OpenCode, where something is broken", () => {
  it.scopedLive("abstains where it cannot judge, says so in the log, and judges the next task", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const [plugin, file] = [`${world.sandbox.root}/refusing.js`, `${world.sandbox.root}/refuse`]
      yield* Files.write({ [plugin]: refusing, [file]: "" })
      const answers = [...untested, [rework(2)], [say("Reworked.")], [runTests], [green]]
      const model = yield* ScriptedChat.make(script(world.sandbox.workspace, answers))
      const config = { plugin: [[`file://${plugin}`, { file }]] }
      const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url, config })
      const session = yield* OpenCodeSession.open(server)
      yield* session.prompt(task)
      yield* World.decided(world, "the failure", ({ decision }) => decision === "failure")
      const fs = yield* FileSystem.FileSystem
      yield* fs.remove(file)
      yield* session.prompt(otherTask)
      yield* World.decided(world, "the end", ({ decision }) => decision === "notice")
      const [failed, ...rest] = yield* World.decisions(world)
      assert.match(failed?.reason ?? "", /^abstained, because the judge failed: .*no messages today/)
      assert.deepStrictEqual(
        rest.map(({ decision }) => decision),
        ["rearm", "nudge", "notice"]
      )
      assert.strictEqual((yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn ")).length, 6)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("costs the user nothing but the reviews where the plugin's file is damaged or gone", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const fs = yield* FileSystem.FileSystem
      const [copy = "missing"] = (yield* Files.filesBelow(`${world.data}/hooks/opencode`)).filter((file) =>
        file.endsWith(".js")
      )
      const damage = fs.writeFileString(copy, "throw new Error('damaged')\n")
      for (const breaking of [damage, fs.remove(copy)]) {
        yield* breaking
        const model = yield* ScriptedChat.make(script(world.sandbox.workspace, untested))
        const { exitCode, output } = yield* OpenCodeHost.run({ sandbox: world.sandbox, url: model.url }, "run", task)
        const turns = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
        assert.deepStrictEqual([exitCode, turns.length, yield* World.decisions(world)], [0, 2, []])
        assert.notInclude(output, "reflexion")
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
