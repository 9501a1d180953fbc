import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Trust from "../src/Trust.ts"
import * as UserDirectories from "../src/UserDirectories.ts"

const put = (root: string, name: string, text: string): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

const scratch = Effect.acquireRelease(
  Effect.sync(() => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "reflexion-trust-")))
    const root = join(home, "project")
    put(root, ".reflection/config.json", "{}")
    return { home, root, directories: UserDirectories.make({ HOME: home }) }
  }),
  ({ home }) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
)

describe("Trust", () => {
  it.scoped("trusts the files as they are, and no others", () =>
    Effect.gen(function* () {
      const { directories, home, root } = yield* scratch
      assert.strictEqual(Trust.status(directories, root), "untrusted")
      Trust.trust(directories, root)
      assert.strictEqual(Trust.status(directories, root), "trusted")
      assert.strictEqual(Trust.status(directories, join(home, "other")), "untrusted")
    })
  )

  it.scoped.each([
    ["a changed file", ".reflection/config.json", '{"maxAttempts":3}'],
    ["a file added", ".reflection.md", "Be strict."],
    ["another added", "reflection.md", "Be strict."]
  ] as const)("is void after %s, until it is as it was", ([, name, text]) =>
    Effect.gen(function* () {
      const { directories, root } = yield* scratch
      Trust.trust(directories, root)
      put(root, name, text)
      assert.strictEqual(Trust.status(directories, root), "changed")
      rmSync(join(root, name))
      put(root, ".reflection/config.json", "{}")
      assert.strictEqual(Trust.status(directories, root), "trusted")
    })
  )

  it.scoped("tells a text from the same text under another name", () =>
    Effect.gen(function* () {
      const { root } = yield* scratch
      put(root, ".reflection.md", "x")
      const one = Trust.fingerprint(root)
      rmSync(join(root, ".reflection.md"))
      put(root, "reflection.md", "x")
      assert.notStrictEqual(Trust.fingerprint(root), one)
    })
  )

  it.scoped("is taken back once", () =>
    Effect.gen(function* () {
      const { directories, root } = yield* scratch
      Trust.trust(directories, root)
      assert.deepStrictEqual([Trust.untrust(directories, root), Trust.untrust(directories, root)], [true, false])
      assert.strictEqual(Trust.status(directories, root), "untrusted")
    })
  )

  it.scoped("belongs to the project's root, whatever path leads there", () =>
    Effect.gen(function* () {
      const { directories, home, root } = yield* scratch
      mkdirSync(join(root, ".git"))
      writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
      mkdirSync(join(home, ".git"))
      mkdirSync(join(root, "src", "deep"), { recursive: true })
      symlinkSync(root, join(home, "link"))
      assert.strictEqual(Trust.rootOf(join(home, "link", "src", "deep")), root)
      assert.strictEqual(Trust.rootOf(home), home)
      Trust.trust(directories, join(home, "link"))
      assert.strictEqual(Trust.status(directories, root), "trusted")
    })
  )

  it.scoped("refuses symbolic links, the file's and its folder's", () =>
    Effect.gen(function* () {
      const { directories, home, root } = yield* scratch
      put(home, "elsewhere/config.json", "{}")
      Trust.trust(directories, root)
      rmSync(join(root, ".reflection"), { recursive: true })
      symlinkSync(join(home, "elsewhere"), join(root, ".reflection"))
      assert.strictEqual(Trust.status(directories, root), "changed")
      assert.throws(() => Trust.trust(directories, root), /symbolic link/)
      rmSync(join(root, ".reflection"))
      symlinkSync(join(home, "elsewhere/config.json"), join(root, "reflection.md"))
      assert.throws(() => Trust.trust(directories, root), /symbolic link/)
    })
  )

  it.scoped("trusts nothing by a damaged state, and does not overwrite it", () =>
    Effect.gen(function* () {
      const { directories, root } = yield* scratch
      Trust.trust(directories, root)
      const file = join(directories.state, "trust.json")
      for (const damaged of ["{", "[]", '{"roots":[]}', '{"roots":{"x":1}']) {
        writeFileSync(file, damaged)
        assert.strictEqual(Trust.status(directories, root), "untrusted")
        assert.throws(() => Trust.trust(directories, root), /trust\.json is damaged/)
        assert.strictEqual(readFileSync(file, "utf8"), damaged)
      }
    })
  )
})
