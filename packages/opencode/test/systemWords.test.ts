import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import * as SystemWords from "../src/plugin/systemWords.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import { agent, type Fields, user } from "./support/messages.ts"
import { inWorld, world } from "./support/world.ts"

const compacted = (sessionID: string) => ({ type: "session.compacted", properties: { sessionID } })

const idle = (sessionID: string) => ({ type: "session.idle", properties: { sessionID } })

const deleted = (id: string) => ({ type: "session.deleted", properties: { info: { id } } })

const list = "- [x] read\n- [ ] write"

/**
 * A session. The folder for the guidance of all sessions does not exist yet. What is set and cleared is in
 * words.rows.txt.
 */
const working = (given: { readonly infos?: Fields }) =>
  Effect.map(
    world({
      stored: {
        ses_1: [
          user("u1", 0, "Use the rounding mode BANKERS-9 for cart 4711."),
          agent("a1", 1, "I changed it; next I run the tests.")
        ]
      }
    }),
    ({ infos, layer, root }) => {
      infos.set("ses_1", given.infos ?? {})
      const directory = `${root}/guidance`
      const own = Layer.mergeAll(
        OpenCodeHost.layer({ root: "/repo", raceWindow: 0 }),
        Guidance.Guidance.Live({ directory })
      )
      const { happened, words } = SystemWords.make()
      const said = (id: string) => words(id) ?? Effect.succeedNone
      return { directory, happened, words, said, layer: Layer.provideMerge(own, layer) }
    }
  )

const test = inWorld(working)

describe("after a compaction", () => {
  test("requests have the task and the checklist until the session is idle", {}, function* ({ happened, said, words }) {
    yield* Guidance.set("ses_1", "- [ ] half cents go up")
    assert.isNull(words("ses_1"))
    happened(compacted("ses_1"))
    assert.isNull(words("ses_2"))
    const first = yield* said("ses_1")
    const system = ["You are an agent."]
    SystemWords.say(system)(first)
    assert.lengthOf(system, 1)
    assert.match(system[0] ?? "", /^You are an agent\.\n\n[^]*BANKERS-9[^]*half cents go up/)
    assert.deepStrictEqual(yield* said("ses_1"), first)
    happened(idle("ses_1"))
    assert.isNull(words("ses_1"))
    happened(compacted("ses_1"))
    happened(idle("ses_1"))
    assert.isNotNull(words("ses_1"))
  })

  test("a subagent's requests get nothing", { infos: { parentID: "ses_0" } }, function* ({ happened, said }) {
    happened(compacted("ses_1"))
    assert.isTrue(Option.isNone(yield* said("ses_1")))
  })

  test("a host that does not answer delays a request by two seconds at most", {}, function* ({ happened, said }) {
    happened(compacted("ses_1"))
    const stuck = { read: () => Effect.never, write: () => Effect.void }
    const words = yield* Effect.fork(Effect.provideService(said("ses_1"), Guidance.Guidance, stuck))
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(Option.isNone(yield* words))
  })

  it("deleted sessions are forgotten, as are the oldest of many", () => {
    const { happened, words } = SystemWords.make()
    happened(compacted("ses_1"))
    happened(deleted("ses_1"))
    assert.isNull(words("ses_1"))
    for (let index = 0; index < 600; index++) happened(compacted(`s${index}`))
    assert.isNull(words("s0"))
    assert.isNotNull(words("s599"))
    for (const event of [null, 7, {}, { type: "session.compacted" }]) happened(event)
  })
})

describe("a session's guidance", () => {
  test(
    "stays in its folder under any id, hides secrets, is deleted only with its session",
    {},
    function* ({ directory }) {
      const fs = yield* FileSystem.FileSystem
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
    }
  )

  test("follows no symbolic link, and a failed save has a message", {}, function* ({ directory }) {
    const fs = yield* FileSystem.FileSystem
    yield* fs.writeFileString(directory, "a file")
    assert.match((yield* Effect.flip(Guidance.set("ses_1", list))).message, /could not save the guidance: /)
    yield* fs.remove(directory)
    yield* fs.makeDirectory(directory)
    yield* fs.writeFileString(`${directory}-elsewhere`, "theirs")
    yield* fs.symlink(`${directory}-elsewhere`, `${directory}/ses_1.md`)
    assert.isNull(yield* Guidance.get("ses_1"))
    yield* Guidance.set("ses_1", list)
    const kept = yield* Guidance.get("ses_1")
    assert.deepStrictEqual([yield* fs.readFileString(`${directory}-elsewhere`), kept], ["theirs", list])
  })
})
