import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, background, edit, fail, fill, type Live, say, shell } from "../src/contract/HostContract.ts"
import { green, fix, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as Files from "../src/contract/files.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import { broken, defect } from "../src/sandbox/ShopProject.ts"

const begin = (world: World.World, model: ReadonlyArray<Answer>, resume?: string) =>
  World.start(world, { model, ...(resume === undefined ? {} : { resume }) })

const answeredBy = (live: Live) =>
  Effect.map(live.requests, (requests) => requests.map((request) => request.answeredBy).filter((by) => by !== "title"))

const held = (world: World.World) =>
  shell(`touch ${world.sandbox.root}/held; while [ -e ${world.sandbox.root}/held ]; do sleep 0.05; done`)

/** A plugin that reminds the agent once, as late as it likes, and logs and shows what it does. */
const reminder = (log: string) => `import fs from "node:fs"
const wait = () => new Promise((resolve) => setTimeout(resolve, 200))
let stops = 0
export default {
  id: "reminder",
  server: async ({ client }) => {
    const decide = async (sessionId, decision) => {
      const at = new Date().toISOString()
      const line = { at, host: "opencode", sessionId, directory: null, event: "session.idle", decision, reason: "", attempt: null }
      fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify(line) + "\\n")
      await wait()
      await client.tui.showToast({ body: { title: "reminder", message: decision, variant: "info" } })
    }
    const remind = async (id) => {
      stops += 1
      await wait()
      if (stops > 1) return decide(id, "notice")
      await decide(id, "nudge")
      await wait()
      await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: "And the tests?" }] } })
    }
    return { event: async ({ event }) => { if (event.type === "session.idle") void remind(event.properties.sessionID) } }
  }
}
`

describe.concurrent("OpenCode, driven by its server", () => {
  it.scopedLive("plays a turn with tools and keeps a record of it", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const live = yield* begin(world, [[say("First the fix."), fix, runTests], [green]])
      yield* World.prompt(live, task)
      const record = (yield* Files.textOf((yield* live.record) ?? "")) ?? ""
      assert.include(record, "First the fix.")
      assert.include(record, "# fail 0")
      assert.include(yield* Files.textOf(`${world.sandbox.workspace}/src/cart.js`), defect.after)
      assert.deepStrictEqual(yield* answeredBy(live), ["turn 1", "turn 2"])
      yield* live.close
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is interrupted in the middle of a tool, and takes the next prompt", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const live = yield* begin(world, [[held(world)], [say("Hello!")]])
      yield* live.send(task)
      yield* Files.appears(`${world.sandbox.root}/held`)
      yield* live.interrupt
      yield* live.ended
      assert.include((yield* Files.textOf((yield* live.record) ?? "")) ?? "", "MessageAbortedError")
      yield* World.prompt(live, "Hello")
      assert.deepStrictEqual(yield* answeredBy(live), ["turn 1", "turn 2"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("goes on in a new process with a session that ended, or that was cut off", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const first = yield* begin(world, [[say("Hello!")]])
      yield* World.prompt(first, "Hello")
      yield* first.close
      const second = yield* begin(world, [[held(world)]], first.sessionId)
      yield* second.send(task)
      yield* Files.appears(`${world.sandbox.root}/held`)
      yield* second.crash
      const third = yield* begin(world, [[say("I was cut off.")]], first.sessionId)
      yield* third.ended
      assert.deepStrictEqual(yield* third.requests, [])
      yield* World.prompt(third, "Where were we?")
      const [request] = yield* third.requests
      for (const text of ["Hello!", task, "Where were we?"]) assert.include(request?.conversation, text)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("compacts when the user asks for it and when the context is full", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const full = [edit("src/cart.js", defect.before, defect.after), fill]
      const live = yield* begin(world, [[say("Hello!")], full, [say("Go on.")]])
      yield* World.prompt(live, "Hello")
      yield* live.compact
      yield* World.prompt(live, task)
      assert.deepStrictEqual(yield* answeredBy(live), ["turn 1", "summary", "turn 2", "summary", "turn 3"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("ends a turn whose model fails for good, and takes the next prompt", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const live = yield* begin(world, [[fail(529, "Overloaded")], [fail(401, "Bad key")], [say("Hello!")]])
      yield* World.prompt(live, task)
      assert.lengthOf(yield* answeredBy(live), 6)
      yield* World.prompt(live, task)
      assert.lengthOf(yield* answeredBy(live), 7)
      yield* World.prompt(live, "Hello")
      assert.lengthOf(yield* answeredBy(live), 8)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is woken by an agent in the background, whose work is no part of the turn before", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const wait = background(
        `while [ -d ${world.sandbox.root} ] && [ ! -e ${world.sandbox.root}/go ]; do sleep 0.05; done`
      )
      const live = yield* begin(world, [[wait], [say("It runs.")], [say("It is through.")]])
      yield* World.prompt(live, task)
      const turns = Effect.map(answeredBy(live), (all) => all.filter((by) => by !== "subagent"))
      assert.deepStrictEqual(yield* turns, ["turn 1", "turn 2"])
      yield* Files.touch(world, "go")
      yield* live.ended
      assert.deepStrictEqual(yield* turns, ["turn 1", "turn 2", "turn 3"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("keeps two sessions at once apart", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const play = (name: string) =>
        Effect.gen(function* () {
          const live = yield* begin(world, [[shell(`echo ${name} > ${name}`)], [say(name)]])
          yield* World.prompt(live, `Write ${name}.`)
          return (yield* Files.textOf((yield* live.record) ?? "")) ?? ""
        })
      const [one, two] = yield* Effect.all([play("one"), play("two")], { concurrency: 2 })
      assert.notInclude(one, "Write two")
      assert.notInclude(two, "Write one")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("with a plugin of the user's, a turn is over once the plugin has said so", () =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const fs = yield* FileSystem.FileSystem
      const folder = yield* OpenCodeHost.configFolder(world.sandbox)
      yield* fs.makeDirectory(world.state, { recursive: true })
      yield* Files.write({ [`${folder}/plugin/reminder.js`]: reminder(`${world.state}/log.jsonl`) })
      const live = yield* begin(world, [...untested, [runTests], [green]])
      yield* World.prompt(live, task)
      assert.deepStrictEqual(yield* live.notices, ["reminder: nudge", "reminder: notice"])
      assert.deepStrictEqual(yield* answeredBy(live), ["turn 1", "turn 2", "turn 3", "turn 4"])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe.concurrent("opencode run", () => {
  it.scopedLive("plays one prompt to its end", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ name: "shop", project: broken })
      const { url } = yield* ScriptedChat.make({ turns: [{ content: [{ text: "Hello!", deltas: 6 }] }] })
      const played = yield* OpenCodeHost.run({ sandbox, url }, "run", "Hello")
      assert.strictEqual(played.exitCode, 0, played.errors)
      assert.include(played.output, "Hello!")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
