import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { due, get, Guidance, set } from "../src/host/Guidance.ts"

const list = "- [x] read\n- [ ] write"

/** The guidance of every session, in an empty folder that is not there yet. What is set and cleared is in words.rows.txt. */
const kept = (use: (directory: string, fs: FileSystem.FileSystem) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${yield* fs.makeTempDirectoryScoped()}/guidance`
    yield* Effect.provide(use(directory, fs), Guidance.Live({ directory }))
  }).pipe(Effect.provide(NodeContext.layer))

const event = (type: string, id: string) => ({ type, properties: { sessionID: id, info: { id } } })

describe("a session's guidance", () => {
  it.scoped("lies in its own folder, whatever the session is called, holds no secret, and goes with it alone", () =>
    kept((directory, fs) =>
      Effect.gen(function* () {
        const [id, secret] = ["../../ses_1", "sk-proj-Zk3vQ9xLr7TbW2mNp8HcYd4FgJs6KuEa1VoXiRtB"]
        yield* set(id, `- [ ] use ${secret}`)
        yield* set("ses_2", list)
        assert.lengthOf(yield* fs.readDirectory(directory), 2)
        assert.match((yield* get(id)) ?? "", /^- \[ \] use (?!sk-)/)
        for (const other of [event("session.updated", id), { type: "session.deleted" }]) assert.isNull(due(other))
        yield* due(event("session.deleted", id)) ?? Effect.dieMessage("nothing is due")
        assert.deepStrictEqual([yield* get(id), yield* get("ses_2")], [null, list])
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["ses_2.md"])
      })
    )
  )

  it.scoped("follows no symbolic link, and is refused where it cannot be written", () =>
    kept((directory, fs) =>
      Effect.gen(function* () {
        yield* fs.writeFileString(directory, "a file")
        assert.match((yield* Effect.flip(set("ses_1", list))).message, /could not write down the guidance: /)
        yield* fs.remove(directory)
        yield* fs.makeDirectory(directory)
        yield* fs.writeFileString(`${directory}-elsewhere`, "theirs")
        yield* fs.symlink(`${directory}-elsewhere`, `${directory}/ses_1.md`)
        assert.isNull(yield* get("ses_1"))
        yield* set("ses_1", list)
        assert.deepStrictEqual(
          [yield* fs.readFileString(`${directory}-elsewhere`), yield* get("ses_1")],
          ["theirs", list]
        )
      })
    )
  )
})
