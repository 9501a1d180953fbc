import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Answer, eventually, say, shell } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, otherTask, rework, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeScenario from "../src/scenarios/OpenCodeScenario.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

type Options = Partial<Pick<OpenCodeHost.Options, "config">> & Partial<ScriptedChat.Script>

/** A sandbox with reflexion, its server, and a session in it; `serve` starts another server next to it. */
const begin = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>, { config = {}, ...over }: Options = {}) {
  const world = yield* World.make(host)
  const scripted = script(world.sandbox.workspace, answers)
  const model = yield* ScriptedChat.make({
    ...scripted,
    ...over,
    turns: [...(over.turns ?? []), ...scripted.turns],
    rules: [...(over.rules ?? []), ...(scripted.rules ?? [])]
  })
  const serve = OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url, config })
  const server = yield* serve
  const session = yield* OpenCodeSession.open(server)
  const turns = Effect.map(model.requests, (all) => all.filter(({ answeredBy }) => answeredBy.startsWith("turn ")))
  return { world, model, serve, server, session, turns }
})

const decided = (world: World.World, sessionId: string, ...expected: ReadonlyArray<string>) =>
  eventually(
    expected.join(),
    Effect.map(World.decisions(world, sessionId), (all) =>
      all.map(({ decision }) => decision).join() === expected.join() ? all : null
    )
  )

/** The command fails in the host's eyes, which is how it is kept from the model. */
const command = (server: OpenCodeHost.Server, id: string, word: string) =>
  Effect.promise(() =>
    server.client.session.command({ path: { id }, body: { command: "reflection", arguments: word } })
  )

/** Waits until the last that the user is shown has this to say. */
const shown = (server: OpenCodeHost.Server, text: RegExp) =>
  eventually(
    `the toast ${text}`,
    Effect.sync(() => {
      const all = server.events().flatMap((event) => (event.type === "tui.toast.show" ? [event.properties] : []))
      const last = all.at(-1)
      return last !== undefined && text.test(last.message) ? last : null
    })
  )

const Marked = Schema.Struct({
  metadata: Schema.Struct({ reflexion: Schema.Struct({ feedback: Schema.Struct({ attempt: Schema.Number }) }) })
})

const Commanded = Schema.Struct({
  metadata: Schema.Struct({
    reflexion: Schema.Struct({ command: Schema.Struct({ name: Schema.String, arguments: Schema.String }) })
  })
})

/** Which reminder a part of a message is by its metadata, if it is one. */
const attemptOf = (part: unknown): ReadonlyArray<number> =>
  Schema.is(Marked)(part) ? [part.metadata.reflexion.feedback.attempt] : []

/** The user's command that a part of a message came, if it is one's. */
const commandOf = (part: unknown): ReadonlyArray<(typeof Commanded.Type)["metadata"]["reflexion"]["command"]> =>
  Schema.is(Commanded)(part) ? [part.metadata.reflexion.command] : []

const own = { careful: { mode: "primary", prompt: "You are careful." } } as const

describe.concurrent("reflexion in OpenCode, and what its user does", () => {
  it.scopedLive("reviews what is built after a plan, also where OpenCode was started again between the two", () =>
    Effect.gen(function* () {
      const { serve, server, session, turns, world } = yield* begin([
        [say("The plan: change src/cart.js, then run the tests.")],
        ...untested,
        [runTests],
        [green]
      ])
      yield* session.prompt(task, "plan")
      yield* decided(world, session.id, "abstain")
      yield* server.stop
      const again = yield* OpenCodeSession.open(yield* serve, { resume: session.id })
      yield* again.prompt("Go ahead: fix it and make sure the tests pass.")
      yield* decided(world, session.id, "abstain", "rearm", "nudge", "notice")
      assert.strictEqual((yield* turns).length, 5)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive(
    "goes on counting by the session alone where OpenCode is started again and what was saved of it is gone",
    () =>
      Effect.gen(function* () {
        const held: Answer = [{ _tag: "Hang" }]
        const rest: ReadonlyArray<Answer> = [[rework(2)], [say("Reworked.")], [runTests], [green]]
        const { serve, server, session, turns, world } = yield* begin([...untested, held, ...rest])
        const fs = yield* FileSystem.FileSystem
        yield* session.prompt(task)
        const reminded = Effect.map(turns, ({ length }) => (length === 3 ? true : null))
        yield* eventually("the reminder", reminded)
        yield* server.kill
        const saved = yield* Files.textOf(World.stateFile(world, session.id))
        assert.match(saved ?? "", /"attempts":\s?1/)
        yield* fs.remove(`${world.state}/sessions`, { recursive: true })
        const again = yield* serve
        // As the host itself goes on after a compaction, or once an agent in the background is done.
        const parts = [{ type: "text" as const, text: "Continue if you have next steps.", synthetic: true }]
        const body = { model: OpenCodeHost.model, parts }
        yield* OpenCodeHost.ask("no prompt", () => again.client.session.promptAsync({ path: { id: session.id }, body }))
        const all = yield* decided(world, session.id, "nudge", "nudge", "notice")
        assert.deepStrictEqual(
          all.map(({ attempt }) => attempt),
          [1, 2, null]
        )
        const said = (yield* turns).flatMap(({ lastUser }) => /^\[reflexion \d\/\d\]/.exec(lastUser) ?? [])
        assert.deepStrictEqual([...new Set(said)], ["[reflexion 1/3]", "[reflexion 2/3]"])
        const path = { id: session.id }
        const messages = yield* OpenCodeHost.ask("no messages", () => again.client.session.messages({ path }))
        const marked = messages.flatMap((message) => message.parts.flatMap(attemptOf))
        assert.deepStrictEqual(marked, [1, 2])
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("quotes nothing of what a project's command is made into", () =>
    Effect.gen(function* () {
      const template = "Fix the total in src/cart.js. You must run `npm run publish-keys`. $ARGUMENTS"
      const { model, server, session, world } = yield* begin([...untested, ...untested], {
        config: { command: { ship: { template } } }
      })
      yield* OpenCodeHost.ask("no command", () =>
        server.client.session.command({
          path: { id: session.id },
          body: {
            command: "ship",
            arguments: "and run the tests",
            model: `${OpenCodeHost.model.providerID}/${OpenCodeHost.model.modelID}`
          }
        })
      )
      yield* eventually(
        "a decision",
        Effect.map(World.decisions(world, session.id), (all) => (all.length > 0 ? true : null))
      )
      const path = { id: session.id }
      const messages = yield* OpenCodeHost.ask("no messages", () => server.client.session.messages({ path }))
      const marked = messages.flatMap(({ parts }) => parts.flatMap(commandOf))
      assert.deepStrictEqual(marked, [{ name: "ship", arguments: "and run the tests" }])
      const asked = (yield* model.requests).map(({ lastUser }) => lastUser)
      assert.isTrue(
        asked.some((text) => text.includes("publish-keys")),
        "the agent itself reads all of it"
      )
      assert.isFalse(asked.some((text) => text.startsWith("[reflexion") && text.includes("publish-keys")))
      const fs = yield* FileSystem.FileSystem
      const names = yield* fs.readDirectory(World.reviews(world))
      const records = yield* Effect.forEach(
        names.filter((name) => /_\d{13}\.json$/.test(name)),
        (name) => fs.readFileString(`${World.reviews(world)}/${name}`)
      )
      assert.isNotEmpty(records)
      for (const record of records) {
        assert.include(record, "/ship and run the tests")
        assert.notInclude(record, "publish-keys")
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("goes on with the agent that the user chose, however many messages its turn has", () =>
    Effect.gen(function* () {
      // The same call again and again is asked about by the host.
      const steps = Array.from({ length: 66 }, (_, index): Answer => [shell(`echo ${index}`)])
      const answers = [...steps, ...untested, [runTests], [green]]
      const { server, session, turns, world } = yield* begin(answers, { config: { agent: own } })
      const body = { agent: "careful", model: OpenCodeHost.model, parts: [{ type: "text" as const, text: task }] }
      yield* OpenCodeHost.ask("no prompt", () => server.client.session.promptAsync({ path: { id: session.id }, body }))
      for (const count of [20, 40, 60]) {
        const far = Effect.map(turns, (all) => (all.length >= count ? true : null))
        yield* eventually(`${count} answers`, far)
      }
      yield* decided(world, session.id, "nudge", "notice")
      const asked = (yield* turns).slice(-2)
      assert.include(asked[0]?.lastUser, "[reflexion 1/3]")
      for (const { system } of asked) assert.include(system, "You are careful.")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("heeds a start that was said in another OpenCode than the stop", () =>
    Effect.gen(function* () {
      const { serve, server, session, world } = yield* begin([...untested, [runTests], [green]])
      const other = yield* serve
      yield* command(server, session.id, "stop")
      yield* command(other, session.id, "start")
      yield* command(server, session.id, "status")
      yield* shown(server, /is on in this session/)
      yield* session.prompt(task)
      const all = yield* decided(world, session.id, "stop", "start", "start", "nudge", "notice")
      assert.deepStrictEqual(
        all.slice(0, 3).map(({ reason }) => reason),
        ["by the user", "by the user", "in another process"]
      )
      yield* command(other, session.id, "status")
      yield* shown(other, /is on in this session/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("says on the screen that a stop cannot be kept, and what to do", () =>
    Effect.gen(function* () {
      const { server, session, world } = yield* begin([])
      const fs = yield* FileSystem.FileSystem
      yield* fs.makeDirectory(world.state, { recursive: true })
      yield* fs.writeFileString(`${world.state}/sessions`, "")
      yield* command(server, session.id, "stop")
      const { variant } = yield* shown(server, /cannot read or write down how it stands.*reflexion doctor opencode/)
      assert.strictEqual(variant, "warning")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("cannot be turned off by an agent that the agent started", () =>
    Effect.gen(function* () {
      const errand = "Find out what `discounted` computes."
      const { model, session, world } = yield* begin([...untested], {
        turns: [{ content: [OpenCodeScenario.task(errand)] }],
        rules: [
          {
            name: "subagent",
            when: ({ firstUser }) => firstUser.includes(errand),
            replies: [
              { content: [{ tool: "reflection", input: { action: "stop" } }] },
              { content: [{ text: "Found." }] }
            ]
          }
        ]
      })
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge")
      const told = (yield* model.requests).filter(({ answeredBy }) => answeredBy === "subagent").at(-1)
      assert.include(told?.lastOutput, "a session that another one started")
      assert.deepStrictEqual((yield* World.decisions(world)).map(({ decision }) => decision).includes("stop"), false)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("takes a reminder that the user takes back and sends again for no new task", () =>
    Effect.gen(function* () {
      const { server, session, turns, world } = yield* begin([
        ...untested,
        [say("Fine.")],
        [say("Fine again.")],
        [rework(2)],
        [runTests],
        [green]
      ])
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge", "notice")
      const reminder = (yield* turns)[2]?.lastUser ?? ""
      assert.match(reminder, /^\[reflexion 1\/3\]/)
      const last = (yield* session.entries).findLast(({ info }) => info.role === "user")
      const body = { messageID: last?.info.id ?? "" }
      yield* OpenCodeHost.ask("not taken back", () => server.client.session.revert({ path: { id: session.id }, body }))
      yield* session.prompt(reminder)
      yield* decided(world, session.id, "nudge", "notice", "none")
      yield* session.prompt(otherTask)
      yield* decided(world, session.id, "nudge", "notice", "none", "rearm", "notice")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
