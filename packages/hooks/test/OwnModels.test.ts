import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OwnModels from "../src/config/OwnModels.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-own-"))),
  (state) => Effect.sync(() => rmSync(state, { recursive: true, force: true }))
)

const at = "2026-11-27T10:00:00.000Z"

describe("OwnModels", () => {
  it.scoped("is no where nobody said anything, and holds for each host by itself", () =>
    Effect.gen(function* () {
      const directories = { state: join(yield* scratch, "deeper") }
      assert.strictEqual(OwnModels.read(directories).size, 0)
      assert.isFalse(OwnModels.agreed(directories, "codex"))
      OwnModels.keep(directories, "claude-code", { asked: true, at: at })
      OwnModels.keep(directories, "codex", { asked: false, at: at })
      assert.isTrue(OwnModels.agreed(directories, "claude-code"))
      assert.isFalse(OwnModels.agreed(directories, "codex"))
      assert.isFalse(OwnModels.agreed(directories, "toString"))
      assert.deepStrictEqual(JSON.parse(readFileSync(OwnModels.fileOf(directories), "utf8")), {
        version: 1,
        hosts: { "claude-code": { asked: true, at }, codex: { asked: false, at } }
      })
      assert.strictEqual(statSync(OwnModels.fileOf(directories)).mode & 0o777, 0o600)
    })
  )

  it.scoped("forgets a host, and the file with the last one", () =>
    Effect.gen(function* () {
      const directories = { state: yield* scratch }
      OwnModels.forget(directories, "codex")
      OwnModels.keep(directories, "claude-code", { asked: true, at: at })
      OwnModels.keep(directories, "codex", { asked: true, at: at })
      OwnModels.forget(directories, "claude-code")
      assert.deepStrictEqual([...OwnModels.read(directories)], [["codex", { asked: true, at }]])
      OwnModels.forget(directories, "codex")
      assert.isFalse(existsSync(OwnModels.fileOf(directories)))
    })
  )

  it.scoped("is offered once, to a user who said nothing, until it is forgotten", () =>
    Effect.gen(function* () {
      const directories = { state: join(yield* scratch, "deeper") }
      const offers = () => [1, 2].map(() => OwnModels.mayOffer(directories, "opencode"))
      assert.deepStrictEqual(offers(), [true, false])
      OwnModels.forget(directories, "opencode")
      assert.deepStrictEqual(offers(), [true, false])
      OwnModels.forget(directories, "opencode")
      OwnModels.keep(directories, "opencode", { asked: false, at: at })
      assert.deepStrictEqual(offers(), [false, false])
    })
  )

  it.scoped("asks nobody by a damaged file, says which it is and leaves it", () =>
    Effect.gen(function* () {
      const directories = { state: yield* scratch }
      const file = OwnModels.fileOf(directories)
      const damaged = [
        "",
        "{",
        "[]",
        '{"version":2,"hosts":{}}',
        '{"version":1}',
        '{"version":1,"hosts":[]}',
        `{"version":1,"hosts":{"codex":{"asked":"yes","at":"${at}"}}}`,
        '{"version":1,"hosts":{"codex":{"asked":true}}}',
        `{"version":1,"hosts":{"codex":{"asked":true,"at":"${at}"},"x":1}}`
      ]
      for (const text of damaged) {
        writeFileSync(file, text)
        assert.isFalse(OwnModels.agreed(directories, "codex"), text)
        assert.throws(() => OwnModels.read(directories), file)
        assert.throws(() => OwnModels.keep(directories, "codex", { asked: true, at: at }), /remove it/)
        assert.strictEqual(readFileSync(file, "utf8"), text)
      }
    })
  )

  it.scoped("follows no link", () =>
    Effect.gen(function* () {
      const state = yield* scratch
      const elsewhere = join(state, "elsewhere.json")
      writeFileSync(elsewhere, `{"version":1,"hosts":{"codex":{"asked":true,"at":"${at}"}}}`)
      symlinkSync(elsewhere, OwnModels.fileOf({ state }))
      assert.isFalse(OwnModels.agreed({ state }, "codex"))
      assert.throws(() => OwnModels.read({ state }), /symbolic link/)
    })
  )
})
