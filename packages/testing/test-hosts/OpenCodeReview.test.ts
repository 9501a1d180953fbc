import { FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { call, edit, say } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, fix, otherTask, rework, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import { live } from "./support/live.ts"
import { begin, decided, prepared, toasts, until } from "./support/openCode.ts"

/** Waits until the host is idle. At this moment nothing is decided yet. */
const idle = (server: OpenCodeHost.Server, id: string, times = 1) =>
  until(
    `idle ${times}`,
    Effect.sync(() => {
      const all = server.events().filter(({ type }) => type === "session.idle")
      return all.filter(({ properties }) => "sessionID" in properties && properties.sessionID === id).length >= times
    })
  )

const reworked = [[rework(2)], [say("Reworked.")], [runTests], [green]]

/** Another author's plugin: while a file exists, nobody gets a session's messages from the host. */
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

describe.concurrent("reflexion in OpenCode", () => {
  live("does not nudge a stop aborted before its review, and judges the next task", function* () {
    const { server, session, turns, world } = yield* begin([...untested, ...reworked])
    yield* session.prompt(task)
    yield* idle(server, session.id)
    yield* session.abort
    yield* decided(world, session.id, "abstain")
    assert.strictEqual((yield* turns).length, 2)
    yield* session.prompt(otherTask)
    yield* decided(world, session.id, "abstain", "rearm", "nudge", "notice")
    assert.strictEqual((yield* turns).length, 6)
  })

  live("leaves a turn alone that was aborted while the host waited to retry the model", function* () {
    const down = { status: 500, error: "Out of order", retryAfterMillis: 60_000 }
    const { server, session, turns, world } = yield* begin([[fix], [say("One line of the cart.")]], {
      change: ({ turns: [first = down, ...rest], ...more }) => ({ ...more, turns: [first, down, ...rest] })
    })
    yield* session.prompt(task)
    const isRetried = () =>
      server.events().some((one) => one.type === "session.status" && one.properties.status.type === "retry")
    yield* until("the wait for the model", Effect.sync(isRetried))
    yield* session.abort
    yield* World.decided(world, "an interruption", ({ reason }) => reason === "the user interrupted the agent")
    yield* session.prompt("What did you change?")
    yield* session.settled
    assert.notInclude((yield* turns)[2]?.conversation ?? "", "[reflexion")
    yield* decided(world, session.id, "abstain", "rearm")
  })

  live("says nothing if the user writes before the stop is reviewed", function* () {
    const { server, session, turns, world } = yield* begin([...untested, [runTests], [green]])
    yield* session.prompt(task)
    yield* idle(server, session.id)
    yield* session.prompt("Now run the tests.")
    yield* decided(world, session.id, "none", "rearm", "notice")
    assert.strictEqual((yield* turns).length, 4)
    assert.notInclude((yield* turns).at(-1)?.conversation ?? "", "[reflexion")
  })

  live("a user's shell command or compaction is no stop; stops before it are not reviewed", function* () {
    const { server, session, world } = yield* begin([...untested, ...reworked.slice(0, 2)])
    yield* session.shell("npm test")
    yield* idle(server, session.id)
    yield* session.prompt(task)
    yield* idle(server, session.id, 2)
    yield* session.shell("true")
    yield* decided(world, session.id, "none")
    yield* session.prompt(otherTask)
    yield* idle(server, session.id, 4)
    yield* session.compact
    const all = yield* decided(world, session.id, "none", "rearm", "none")
    const [unreviewed, asked] = ["the stop was not reviewed: the agent continues", "a new message of the user"]
    const reasons = all.map(({ reason }) => reason)
    assert.deepStrictEqual(reasons, [unreviewed, asked, unreviewed])
  })

  live("its tool turns it off, and tells the agent and the user", function* () {
    const guidance = "- [x] the discount\n- [ ] its tests"
    const { server, session, turns, world } = yield* begin([
      [call("set_reflection", { guidance, clear: false })],
      [call("reflection", { action: "stop" })],
      ...untested
    ])
    yield* session.prompt(task)
    yield* decided(world, session.id, "stop", "abstain")
    const last = (yield* turns).at(-1)
    assert.include(last?.conversation, "is off in this session")
    assert.include(last?.conversation, "The guidance is set.")
    assert.match(toasts(server).join("\n"), /is off in this session/)
  })

  live("reviews two directories of one server separately", function* () {
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
  })

  live("reviews the one stop of a command-line prompt, and prints nothing", function* () {
    const { hosted, turns, world } = yield* prepared([...untested, [runTests], [green]])
    const { errors, exitCode, output } = yield* OpenCodeHost.run(hosted, "run", "--format", "json", task)
    assert.deepStrictEqual([exitCode, errors], [0, ""])
    assert.notMatch(output, /\[reflexion|reflexion:|nudged the agent/)
    const asked = yield* turns
    assert.strictEqual(asked.length, 4)
    assert.include(asked[2]?.lastUser, "[reflexion 1/3]")
    assert.deepStrictEqual(World.kinds({ decisions: yield* World.decisions(world) }), ["nudge", "notice"])
  })

  live("runs a check at a stop, names the failing test, and shows the running check", function* () {
    const checks = [{ name: "tests", command: "npm test" }]
    const number = "export const findOrder = (number) => orders.get(number)"
    const aside = edit("src/orders.js", number, number.replaceAll("number", "id"))
    const { server, session, turns, world } = yield* begin([[aside], [green], [green]], { reflexion: { checks } })
    yield* session.prompt(task)
    yield* decided(world, session.id, "nudge", "notice")
    assert.match((yield* turns)[2]?.lastUser ?? "", /\[reflexion 1\/3\][^]*takes ten percent off/)
    assert.match(toasts(server).join("\n"), /^reflexion runs `npm test`/m)
  })

  live("continues a task with the model that the configuration's routing names", function* () {
    const { model, small } = OpenCodeHost
    const routing = { default: `${small.providerID}/${small.modelID}` }
    const { session, turns, world } = yield* begin([...untested, [runTests], [green]], { reflexion: { routing } })
    yield* session.prompt(task)
    yield* decided(world, session.id, "nudge", "notice")
    const models = (yield* turns).map((request) => request.model)
    assert.deepStrictEqual(models, [model.modelID, model.modelID, small.modelID, small.modelID])
  })
})

// For hosts with hooks, the contract wraps or breaks the hook's program. These cases test the same faults for the
// plugin.
describe.concurrent("reflexion in OpenCode, if something is broken", () => {
  live("abstains if it cannot judge, logs the failure, and judges the next task", function* () {
    const { hosted, turns, world } = yield* prepared([...untested, ...reworked])
    const [plugin, file] = [`${world.sandbox.root}/refusing.js`, `${world.sandbox.root}/refuse`]
    yield* Files.write({ [plugin]: refusing, [file]: "" })
    const server = yield* OpenCodeHost.serve({ ...hosted, config: { plugin: [[`file://${plugin}`, { file }]] } })
    const session = yield* OpenCodeSession.open(server)
    yield* session.prompt(task)
    yield* World.decided(world, "the failure", ({ decision }) => decision === "failure")
    const fs = yield* FileSystem.FileSystem
    yield* fs.remove(file)
    yield* session.prompt(otherTask)
    const [failed] = yield* decided(world, session.id, "failure", "rearm", "nudge", "notice")
    assert.match(failed?.reason ?? "", /^abstained, because the judge failed: .*no messages today/)
    assert.strictEqual((yield* turns).length, 6)
  })

  live("a damaged plugin file costs the user only the reviews", function* () {
    const { hosted, turns, world } = yield* prepared(untested)
    const [copy = "missing"] = (yield* Files.filesBelow(`${world.data}/hooks/opencode`)).filter((file) =>
      file.endsWith(".js")
    )
    yield* Files.write({ [copy]: "throw new Error('damaged')\n" })
    const { exitCode, output } = yield* OpenCodeHost.run(hosted, "run", task)
    assert.deepStrictEqual([exitCode, (yield* turns).length, yield* World.decisions(world)], [0, 2, []])
    assert.notInclude(output, "reflexion")
  })
})
