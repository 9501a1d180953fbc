import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import { guidance } from "./support/guidance.ts"
import * as SystemWords from "../src/plugin/systemWords.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import { agent, user } from "./support/messages.ts"
import { storedHost } from "./support/storedHost.ts"

const compacted = (sessionID: string) => ({ type: "session.compacted", properties: { sessionID } })

const idle = (sessionID: string) => ({ type: "session.idle", properties: { sessionID } })

const deleted = (id: string) => ({ type: "session.deleted", properties: { info: { id } } })

const begin = () => {
  const host = storedHost()
  host.messages.set("ses_1", [
    user("u1", 0, "Use the rounding mode BANKERS-9 for cart 4711."),
    agent("a1", 1, "I changed it; next I run the tests.")
  ])
  const layer = Layer.mergeAll(guidance, OpenCodeHost.layer({ root: "/repo", raceWindow: 0 })).pipe(
    Layer.provideMerge(host.layer),
    Layer.provideMerge(NodeContext.layer)
  )
  return { ...host, layer, revival: SystemWords.make() }
}

describe("after a compaction", () => {
  it.effect("the session's requests have the task and the agent's checklist until it rests", () => {
    const { layer, revival } = begin()
    return Effect.gen(function* () {
      yield* Guidance.set("ses_1", "- [ ] half cents go up")
      assert.isNull(revival.words("ses_1"))
      revival.happened(compacted("ses_1"))
      assert.isNull(revival.words("ses_2"))
      const words = yield* revival.words("ses_1") ?? Effect.succeedNone
      const system = ["You are an agent."]
      SystemWords.say(system)(words)
      assert.lengthOf(system, 1)
      assert.match(system[0] ?? "", /^You are an agent\.\n\n[^]*BANKERS-9[^]*half cents go up/)
      assert.deepStrictEqual(yield* revival.words("ses_1") ?? Effect.succeedNone, words)
      revival.happened(idle("ses_1"))
      assert.isNull(revival.words("ses_1"))
      revival.happened(compacted("ses_1"))
      revival.happened(idle("ses_1"))
      assert.isNotNull(revival.words("ses_1"))
    }).pipe(Effect.provide(layer))
  })

  it.effect("an agent of the session's own is told nothing", () => {
    const { infos, layer, revival } = begin()
    infos.set("ses_1", { parentID: "ses_0" })
    revival.happened(compacted("ses_1"))
    const words = revival.words("ses_1") ?? Effect.succeedNone
    return Effect.provide(
      Effect.map(words, (said) => assert.isTrue(Option.isNone(said))),
      layer
    )
  })

  it.effect("a host that does not answer is waited for two seconds", () => {
    const { layer, revival } = begin()
    revival.happened(compacted("ses_1"))
    return Effect.gen(function* () {
      const stuck = Layer.succeed(Guidance.Guidance, { read: () => Effect.never, write: () => Effect.void })
      const words = yield* Effect.fork(Effect.provide(revival.words("ses_1") ?? Effect.succeedNone, stuck))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Option.isNone(yield* words))
    }).pipe(Effect.provide(layer))
  })

  it("sessions that are gone, and many at once, are forgotten", () => {
    const { revival } = begin()
    revival.happened(compacted("ses_1"))
    revival.happened(deleted("ses_1"))
    assert.isNull(revival.words("ses_1"))
    for (let index = 0; index < 600; index++) revival.happened(compacted(`s${index}`))
    assert.isNull(revival.words("s0"))
    assert.isNotNull(revival.words("s599"))
    for (const event of [null, 7, {}, { type: "session.compacted" }]) revival.happened(event)
  })
})

const list = "- [x] read\n- [ ] write"

/** The guidance of every session, in an empty folder that does not exist yet. What is set and cleared is in words.rows.txt. */
const kept = (use: (directory: string, fs: FileSystem.FileSystem) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${yield* fs.makeTempDirectoryScoped()}/guidance`
    yield* Effect.provide(use(directory, fs), Guidance.Guidance.Live({ directory }))
  }).pipe(Effect.provide(NodeContext.layer))

describe("a session's guidance", () => {
  it.scoped("lies in its own folder, whatever the session is called, holds no secret, and goes with it alone", () =>
    kept((directory, fs) =>
      Effect.gen(function* () {
        const [id, secret] = ["../../ses_1", "sk-proj-Zk3vQ9xLr7TbW2mNp8HcYd4FgJs6KuEa1VoXiRtB"]
        yield* Guidance.set(id, `- [ ] use ${secret}`)
        yield* Guidance.set("ses_2", list)
        assert.lengthOf(yield* fs.readDirectory(directory), 2)
        assert.match((yield* Guidance.get(id)) ?? "", /^- \[ \] use (?!sk-)/)
        for (const other of [{ ...deleted(id), type: "session.updated" }, { type: "session.deleted" }])
          assert.isNull(Guidance.due(other))
        yield* Guidance.due(deleted(id)) ?? Effect.dieMessage("nothing is due")
        assert.deepStrictEqual([yield* Guidance.get(id), yield* Guidance.get("ses_2")], [null, list])
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["ses_2.md"])
      })
    )
  )

  it.scoped("follows no symbolic link, and is refused where it cannot be written", () =>
    kept((directory, fs) =>
      Effect.gen(function* () {
        yield* fs.writeFileString(directory, "a file")
        assert.match((yield* Effect.flip(Guidance.set("ses_1", list))).message, /could not save the guidance: /)
        yield* fs.remove(directory)
        yield* fs.makeDirectory(directory)
        yield* fs.writeFileString(`${directory}-elsewhere`, "theirs")
        yield* fs.symlink(`${directory}-elsewhere`, `${directory}/ses_1.md`)
        assert.isNull(yield* Guidance.get("ses_1"))
        yield* Guidance.set("ses_1", list)
        assert.deepStrictEqual(
          [yield* fs.readFileString(`${directory}-elsewhere`), yield* Guidance.get("ses_1")],
          ["theirs", list]
        )
      })
    )
  )
})
