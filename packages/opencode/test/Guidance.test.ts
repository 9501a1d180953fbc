import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { clear, due, get, Guidance, set } from "../src/host/Guidance.ts"

const list = "- [x] read\n- [ ] write"

/** The guidance of every session, in an empty folder that is not there yet. */
const kept = <A, E>(use: (directory: string) => Effect.Effect<A, E, FileSystem.FileSystem>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${yield* fs.makeTempDirectoryScoped()}/guidance`
    yield* Effect.provide(use(directory), Guidance.Live({ directory }))
  }).pipe(Effect.provide(NodeContext.layer))

const event = (type: string, id: string) => ({ type, properties: { sessionID: id, info: { id } } })

describe("a session's guidance", () => {
  it.scoped("is what was set last, and gone when it is cleared, which may be done again", () =>
    kept((directory) =>
      Effect.gen(function* () {
        yield* set("ses_1", "first")
        yield* set("ses_1", list)
        yield* set("ses_2", "another's")
        assert.strictEqual(yield* get("ses_1"), list)
        yield* clear("ses_1")
        yield* clear("ses_1")
        assert.deepStrictEqual([yield* get("ses_1"), yield* get("ses_2")], [null, "another's"])
        const fs = yield* FileSystem.FileSystem
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["ses_2.md"])
      })
    )
  )

  it.scoped.each(["", " \n\t ", "\u0000\u0007"])(
    "is refused where %j says nothing, and what was set before stays",
    (none) =>
      kept(() =>
        Effect.gen(function* () {
          yield* set("ses_1", list)
          const error = yield* Effect.flip(set("ses_1", none))
          assert.include(error.message, "`clear: true`")
          assert.strictEqual(yield* get("ses_1"), list)
        })
      )
  )

  it.scoped("lies in its own folder, whatever the session is called, and holds no secret", () =>
    kept((directory) =>
      Effect.gen(function* () {
        const secret = "sk-proj-Zk3vQ9xLr7TbW2mNp8HcYd4FgJs6KuEa1VoXiRtB"
        yield* set("../../ses_1", `- [ ] use ${secret}`)
        const fs = yield* FileSystem.FileSystem
        assert.lengthOf(yield* fs.readDirectory(directory), 1)
        assert.match((yield* get("../../ses_1")) ?? "", /^- \[ \] use /)
        assert.notInclude(yield* get("../../ses_1"), secret)
      })
    )
  )

  it.scoped("that cannot be written is refused", () =>
    kept((directory) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(directory, "a file")
        const error = yield* Effect.flip(set("ses_1", list))
        assert.match(error.message, /could not write down the guidance: /)
      })
    )
  )

  it.scoped("follows no symbolic link", () =>
    kept((directory) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const elsewhere = `${directory}-elsewhere`
        yield* fs.makeDirectory(directory)
        yield* fs.writeFileString(elsewhere, "theirs")
        yield* fs.symlink(elsewhere, `${directory}/ses_1.md`)
        assert.isNull(yield* get("ses_1"))
        yield* set("ses_1", list)
        assert.strictEqual(yield* fs.readFileString(elsewhere), "theirs")
        assert.strictEqual(yield* get("ses_1"), list)
      })
    )
  )

  it.scoped("goes with its session, and no other's does", () =>
    kept(() =>
      Effect.gen(function* () {
        for (const id of ["ses_1", "ses_2"]) yield* set(id, list)
        for (const other of [event("session.updated", "ses_1"), { type: "session.deleted" }]) assert.isNull(due(other))
        yield* due(event("session.deleted", "ses_1")) ?? Effect.dieMessage("nothing is due")
        assert.deepStrictEqual(yield* Effect.forEach(["ses_1", "ses_2"], get), [null, list])
      })
    )
  )
})
