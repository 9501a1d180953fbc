import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { Event } from "@opencode-ai/sdk/client"
import { Effect } from "effect"
import { type Answer, eventually, fail, fill, say } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, fix, otherTask, rework, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

/** A sandbox with reflexion, its server, and a session in it. */
const begin = Effect.fnUntraced(function* (
  answers: ReadonlyArray<Answer>,
  change: (scripted: ScriptedChat.Script) => ScriptedChat.Script = (scripted) => scripted
) {
  const world = yield* World.make(host)
  const model = yield* ScriptedChat.make(change(script(world.sandbox.workspace, answers)))
  const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
  const session = yield* OpenCodeSession.open(server)
  const turns = Effect.map(model.requests, (all) => all.filter(({ answeredBy }) => answeredBy.startsWith("turn ")))
  return { world, model, server, session, turns }
})

const idles = (server: OpenCodeHost.Server, sessionId: string) =>
  server.events().filter((event) => event.type === "session.idle" && event.properties.sessionID === sessionId).length

/** Waits for the moment at which the host is idle, which is before anything is decided. */
const idle = (server: OpenCodeHost.Server, sessionId: string, times = 1) =>
  eventually(
    `idle ${times}`,
    Effect.sync(() => (idles(server, sessionId) >= times ? true : null))
  )

const kindsOf = (world: World.World, sessionId: string) =>
  Effect.map(World.decisions(world, sessionId), (all) => all.map(({ decision }) => decision))

const decided = (world: World.World, sessionId: string, ...expected: ReadonlyArray<string>) =>
  eventually(
    expected.join(),
    Effect.map(kindsOf(world, sessionId), (kinds) => (kinds.join() === expected.join() ? true : null))
  )

/** The same with an agent that first calls some of our tools. */
const beginWith = Effect.fnUntraced(function* (...calls: ReadonlyArray<ScriptedChat.Block>) {
  const world = yield* World.make(host)
  const { rules = [], turns } = script(world.sandbox.workspace, untested)
  const first = calls.map((call) => ({ content: [call] }))
  const model = yield* ScriptedChat.make({ turns: [...first, ...turns], rules })
  const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
  return { world, model, server, session: yield* OpenCodeSession.open(server) }
})

const isRetry = (event: Event): boolean => event.type === "session.status" && event.properties.status.type === "retry"

const stop: ScriptedChat.Block = { tool: "reflection", input: { action: "stop" } }

const guide = (guidance: string): ScriptedChat.Block => ({ tool: "set_reflection", input: { guidance, clear: false } })

const reworked = [[rework(2)], [say("Reworked.")], [runTests], [green]]

describe.concurrent("reflexion in OpenCode", () => {
  it.scopedLive(
    "nudges nobody where a stop is aborted before its review, and judges the next task ten seconds later",
    () =>
      Effect.gen(function* () {
        const { server, session, turns, world } = yield* begin([...untested, ...reworked])
        yield* session.prompt(task)
        yield* idle(server, session.id)
        yield* session.abort
        yield* decided(world, session.id, "abstain")
        assert.strictEqual((yield* turns).length, 2)
        yield* session.prompt(otherTask)
        yield* decided(world, session.id, "abstain", "rearm", "nudge", "notice")
        assert.strictEqual((yield* turns).length, 6)
        const [aborted, , nudged] = (yield* World.decisions(world)).map(({ at }) => Date.parse(at))
        assert.isAtLeast((nudged ?? 0) - (aborted ?? 0), 10_000)
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves alone what was aborted while the host waited to ask the model again", () =>
    Effect.gen(function* () {
      const down = { status: 500, error: "Out of order", retryAfterMillis: 60_000 }
      const answers = [[fix], [say("One line of the cart.")]]
      const { server, session, turns, world } = yield* begin(answers, ({ turns, ...rest }) => ({
        ...rest,
        turns: [...turns.slice(0, 1), down, ...turns.slice(1)]
      }))
      yield* session.prompt(task)
      yield* eventually(
        "the wait for the model",
        Effect.sync(() => (server.events().some(isRetry) ? true : null))
      )
      yield* session.abort
      yield* World.decided(world, "an interruption", ({ reason }) => reason === "the user interrupted the agent")
      yield* session.prompt("What did you change?")
      yield* session.settled
      assert.notInclude((yield* turns)[2]?.conversation ?? "", "[reflexion")
      assert.deepStrictEqual(yield* kindsOf(world, session.id), ["abstain", "rearm"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves alone what was aborted while its context was compacted, and judges the next task", () =>
    Effect.gen(function* () {
      const { model, session, turns, world } = yield* begin([[fix, fill], ...reworked], ({ rules = [], ...rest }) => ({
        ...rest,
        rules: rules.map((rule) =>
          rule.name === "summary" ? { ...rule, replies: [{ content: [{ hangs: true }] }, ...rule.replies] } : rule
        )
      }))
      yield* session.prompt(task)
      yield* eventually(
        "the compaction",
        Effect.map(model.requests, (all) => (all.some(({ answeredBy }) => answeredBy === "summary") ? true : null))
      )
      yield* session.abort
      yield* decided(world, session.id, "abstain")
      assert.strictEqual((yield* turns).length, 1)
      yield* session.prompt(otherTask)
      yield* decided(world, session.id, "abstain", "rearm", "nudge", "notice")
      assert.strictEqual((yield* turns).length, 5)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("reviews one stop, the last, where the user writes on while the agent works", () =>
    Effect.gen(function* () {
      // What the agent says last of the first task is held back until the second one is asked for.
      const latch = yield* Effect.makeLatch()
      const { server, session, turns, world } = yield* begin(
        [...untested, [say("I'll run them."), runTests], [green]],
        (scripted) => ({ ...scripted, before: ({ messages }) => (messages > 2 ? latch.await : Effect.void) })
      )
      yield* session.prompt(task)
      yield* eventually(
        "the last answer",
        Effect.map(turns, ({ length }) => (length === 2 ? true : null))
      )
      yield* session.prompt("Now run the tests.")
      yield* latch.open
      yield* decided(world, session.id, "rearm", "notice")
      const asked = yield* turns
      assert.strictEqual(asked.length, 4)
      assert.notInclude(asked[3]?.conversation ?? "", "[reflexion")
      assert.strictEqual(idles(server, session.id), 1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("says nothing where the user writes on before the stop is reviewed", () =>
    Effect.gen(function* () {
      const { server, session, turns, world } = yield* begin([...untested, [runTests], [green]])
      yield* session.prompt(task)
      yield* idle(server, session.id)
      yield* session.prompt("Now run the tests.")
      yield* decided(world, session.id, "none", "rearm", "notice")
      assert.strictEqual((yield* turns).length, 4)
      assert.notInclude((yield* turns).at(-1)?.conversation ?? "", "[reflexion")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("takes no shell command of the user's for a stop", () =>
    Effect.gen(function* () {
      const { server, session, turns, world } = yield* begin([...untested, [runTests], [green]])
      yield* session.shell("npm test")
      yield* idle(server, session.id)
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge", "notice")
      assert.strictEqual((yield* turns).length, 4)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive(
    "says in the log that a stop is not reviewed where the user runs a command or compacts before that",
    () =>
      Effect.gen(function* () {
        const { server, session, world } = yield* begin([...untested, ...reworked.slice(0, 2)])
        yield* session.prompt(task)
        yield* idle(server, session.id)
        yield* session.shell("true")
        yield* decided(world, session.id, "none")
        yield* session.prompt(otherTask)
        yield* idle(server, session.id, 3)
        yield* session.compact
        yield* decided(world, session.id, "none", "rearm", "none")
        const reasons = (yield* World.decisions(world)).map(({ reason }) => reason)
        assert.deepStrictEqual(reasons, [
          "the stop was not reviewed: the agent continues",
          "a new message of the user",
          "the stop was not reviewed: the agent continues"
        ])
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("does nothing about a model that refuses the key, and reviews the next task", () =>
    Effect.gen(function* () {
      const { server, session, turns, world } = yield* begin([
        [fail(401, "no such key")],
        ...untested,
        [runTests],
        [green]
      ])
      yield* session.prompt(task)
      yield* idle(server, session.id, 2)
      assert.deepStrictEqual(yield* kindsOf(world, session.id), [])
      yield* session.prompt(task)
      yield* decided(world, session.id, "rearm", "nudge", "notice")
      assert.strictEqual((yield* turns).length, 5)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves it to the host to ask a model again that broke down, and reviews the stop", () =>
    Effect.gen(function* () {
      const broken = { status: 500, error: "Out of order", retryAfterMillis: 1 }
      const { session, turns, world } = yield* begin([...untested, [runTests], [green]], ({ turns, ...rest }) => ({
        ...rest,
        turns: [...turns.slice(0, 1), broken, broken, ...turns.slice(1)]
      }))
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge", "notice")
      assert.strictEqual((yield* turns).length, 6)
      assert.include((yield* turns).at(-2)?.lastUser, "[reflexion 1/3]")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is turned off by its tool, which says so, and the user sees it", () =>
    Effect.gen(function* () {
      const { model, server, session, world } = yield* beginWith(guide("- [x] the discount\n- [ ] its tests"), stop)
      yield* session.prompt(task)
      yield* decided(world, session.id, "stop", "abstain")
      const last = (yield* model.requests).findLast(({ answeredBy }) => answeredBy.startsWith("turn "))
      assert.include(last?.conversation, "is off in this session")
      assert.include(last?.conversation, "The guidance is set.")
      const toasts = server
        .events()
        .flatMap((event) => (event.type === "tui.toast.show" ? [event.properties.message] : []))
      assert.match(toasts.join("\n"), /is off in this session/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("keeps the task alive over a compaction, and what the agent measures itself by", () =>
    Effect.gen(function* () {
      const { model, session, world } = yield* beginWith(guide("- [ ] half cents go up"), stop)
      yield* session.prompt(task)
      yield* decided(world, session.id, "stop", "abstain")
      yield* session.compact
      const summary = (yield* model.requests).find(({ conversation }) => conversation.includes("word for word"))
      assert.include(summary?.conversation, "A 10 % discount on a cart of 50.00 should give 45.00")
      assert.include(summary?.conversation, "half cents go up")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("reviews two directories of one server, each by its own", () =>
    Effect.gen(function* () {
      const { server, session, world } = yield* begin([...untested, [runTests], [green], [say("Hello!")]])
      const other = `${world.sandbox.home}/other`
      const fs = yield* FileSystem.FileSystem
      yield* fs.makeDirectory(other)
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge", "notice")
      const query = { directory: other }
      const { id } = yield* OpenCodeHost.ask("no session", () => server.client.session.create({ body: {}, query }))
      const parts = [{ type: "text" as const, text: "Say hello." }]
      yield* OpenCodeHost.ask("no prompt", () =>
        server.client.session.promptAsync({ path: { id }, query, body: { model: OpenCodeHost.model, parts } })
      )
      yield* decided(world, id, "none")
      const directories = (yield* World.decisions(world)).map(({ directory }) => directory)
      assert.deepStrictEqual([...new Set(directories)], [world.sandbox.workspace, other])
      assert.isNotEmpty(yield* Files.filesBelow(`${other}/.reflection`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("reviews the one stop of a prompt on the command line, and writes nothing there", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const model = yield* ScriptedChat.make(script(world.sandbox.workspace, [...untested, [runTests], [green]]))
      const options = { sandbox: world.sandbox, url: model.url }
      const { errors, exitCode, output } = yield* OpenCodeHost.run(options, "run", "--format", "json", task)
      assert.deepStrictEqual([exitCode, errors], [0, ""])
      assert.notMatch(output, /\[reflexion|reflexion:|asked the agent/)
      const turns = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      assert.strictEqual(turns.length, 4)
      assert.include(turns[2]?.lastUser, "[reflexion 1/3]")
      assert.deepStrictEqual(
        (yield* World.decisions(world)).map(({ decision }) => decision),
        ["nudge", "notice"]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("takes back on the command line what it made of a text that a tool call follows", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const answers: ReadonlyArray<Answer> = [
        [say("I take a look."), ...(untested[0] ?? [])],
        [say("Now the tests."), runTests],
        [green]
      ]
      const model = yield* ScriptedChat.make(script(world.sandbox.workspace, answers))
      yield* OpenCodeHost.run({ sandbox: world.sandbox, url: model.url }, "run", "--format", "json", task)
      const turns = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      assert.strictEqual(turns.length, 3)
      assert.deepStrictEqual(
        (yield* World.decisions(world)).map(({ decision }) => decision),
        ["notice"]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves a verdict that other programs read, no session of its own, and nothing on its outputs", () =>
    Effect.gen(function* () {
      const { server, session, world } = yield* begin([...untested, [runTests], [green]])
      yield* session.prompt(task)
      yield* decided(world, session.id, "nudge", "notice")
      const text = yield* Files.textOf(`${World.reviews(world)}/verdict_${session.id.slice(0, 8)}.json`)
      const verdict: Record<string, unknown> = JSON.parse(text ?? "{}")
      assert.deepStrictEqual(
        [verdict["sessionId"], verdict["complete"], verdict["severity"], typeof verdict["timestamp"]],
        [session.id, true, "NONE", "number"]
      )
      const sessions = yield* OpenCodeHost.ask("no sessions", () => server.client.session.list())
      assert.deepStrictEqual(
        sessions.map(({ id }) => id),
        [session.id]
      )
      assert.notMatch(server.output(), /reflexion|Error/)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
