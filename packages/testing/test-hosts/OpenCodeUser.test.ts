import { FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { call, delegate, hang, say } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, rework, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import { begin, decided, until } from "./support/openCode.ts"
import { live } from "./support/live.ts"

const tested = [[runTests], [green]]

/** What our mark on a part of a message says. */
const markOf = (part: unknown) => (Schema.is(Marked)(part) ? [part.metadata.reflexion] : [])

const Marked = Schema.Struct({ metadata: Schema.Struct({ reflexion: Schema.Unknown }) })

const marksOf = ({ client }: OpenCodeHost.Server, id: string) =>
  Effect.map(
    OpenCodeHost.ask("no messages", () => client.session.messages({ path: { id } })),
    (messages) => messages.flatMap(({ parts }) => parts.flatMap(markOf))
  )

describe.concurrent("reflexion in OpenCode, and what its user does", () => {
  live("counts nudges from the session itself after a restart that lost the saved state", function* () {
    const answers = [...untested, [hang], [rework(2)], [say("Reworked.")], ...tested]
    const { serve, server, session, turns, world } = yield* begin(answers)
    const fs = yield* FileSystem.FileSystem
    yield* session.prompt(task)
    yield* until(
      "the reminder",
      Effect.map(turns, ({ length }) => length === 3)
    )
    yield* server.kill
    assert.match((yield* Files.textOf(World.stateFile(world, session.id))) ?? "", /"attempts":\s?1/)
    yield* fs.remove(`${world.state}/sessions`, { recursive: true })
    const again = yield* serve
    // The host itself continues so after a compaction, or when an agent in the background is done.
    const parts = [{ type: "text" as const, text: "Continue if you have next steps.", synthetic: true }]
    const body = { model: OpenCodeHost.model, parts }
    yield* OpenCodeHost.ask("no prompt", () => again.client.session.promptAsync({ path: { id: session.id }, body }))
    const all = yield* decided(world, session.id, "nudge", "nudge", "notice")
    const attempts = all.map(({ attempt }) => attempt)
    assert.deepStrictEqual(attempts, [1, 2, null])
    const marks = JSON.stringify(yield* marksOf(again, session.id))
    assert.deepStrictEqual(marks.match(/"attempt":\d/g), ['"attempt":1', '"attempt":2'])
  })

  live("quotes a project's command as typed, never its expanded template", function* () {
    const template = "Fix the total in src/cart.js. You must run `npm run publish-keys`. $ARGUMENTS"
    const { model, server, session, world } = yield* begin([...untested, ...untested], {
      hosts: { command: { ship: { template } } }
    })
    const { modelID, providerID } = OpenCodeHost.model
    yield* OpenCodeHost.ask("no command", () =>
      server.client.session.command({
        path: { id: session.id },
        body: { command: "ship", arguments: "and run the tests", model: `${providerID}/${modelID}` }
      })
    )
    yield* World.decided(world, "any", () => true)
    assert.deepInclude(yield* marksOf(server, session.id), {
      command: { name: "ship", arguments: "and run the tests" }
    })
    const asked = (yield* model.requests).map(({ lastUser }) => lastUser)
    // The agent itself reads all of it.
    const read = asked.filter((text) => text.includes("publish-keys"))
    assert.isTrue(read.length > 0 && !read.some((text) => text.startsWith("[reflexion")))
    const files = (yield* Files.filesBelow(World.reviews(world))).filter((name) => /_\d{13}\.json$/.test(name))
    assert.isNotEmpty(files)
    for (const file of files) {
      const record = (yield* Files.textOf(file)) ?? ""
      assert.include(record, "/ship and run the tests")
      assert.notInclude(record, "publish-keys")
    }
  })

  live("continues with the agent that the user chose", function* () {
    const agent = { careful: { mode: "primary", prompt: "You are careful." } }
    const { server, session, turns, world } = yield* begin([...untested, ...tested], { hosts: { agent } })
    const body = { agent: "careful", model: OpenCodeHost.model, parts: [{ type: "text" as const, text: task }] }
    yield* OpenCodeHost.ask("no prompt", () => server.client.session.promptAsync({ path: { id: session.id }, body }))
    yield* decided(world, session.id, "nudge", "notice")
    const asked = (yield* turns).slice(-2)
    assert.include(asked[0]?.lastUser, "[reflexion 1/3]")
    for (const { system } of asked) assert.include(system, "You are careful.")
  })

  live("a subagent cannot turn it off", function* () {
    const stops = [[call("reflection", { action: "stop" })], [say("Found.")]]
    const delegated = delegate("Find out what `discounted` computes.", ...stops)
    const { model, session, world } = yield* begin([[delegated], ...untested])
    yield* session.prompt(task)
    yield* decided(world, session.id, "nudge")
    const told = (yield* model.requests).filter(({ answeredBy }) => answeredBy === "subagent").at(-1)
    assert.include(told?.lastOutput, "a session that another session started")
    assert.notInclude(World.kinds({ decisions: yield* World.decisions(world) }), "stop")
  })
})
