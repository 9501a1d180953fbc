import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Trust from "../src/config/Trust.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"

const put = (root: string, name: string, text: string): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

const status = (directories: UserDirectories.UserDirectories, root: string): Trust.Status =>
  Trust.Workspace.at(directories, root).status

const trust = (directories: UserDirectories.UserDirectories, root: string): void =>
  Trust.trust(directories, Trust.Workspace.at(directories, root))

const scratch = Effect.acquireRelease(
  Effect.sync(() => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "reflexion-trust-")))
    const root = join(home, "project")
    put(root, ".reflection/config.json", "{}")
    return { home, root, directories: UserDirectories.make({ HOME: home }) }
  }),
  ({ home }) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
)

const inPlace = (title: string, work: (place: Effect.Effect.Success<typeof scratch>) => void) =>
  it.scoped(title, () => Effect.map(scratch, work))

describe("Trust", () => {
  inPlace("trusts the files as they are, and no others", ({ directories, home, root }) => {
    assert.strictEqual(status(directories, root), "untrusted")
    trust(directories, root)
    assert.strictEqual(status(directories, root), "trusted")
    assert.strictEqual(status(directories, join(home, "other")), "untrusted")
  })

  it.scoped.each([
    ["a changed file", ".reflection/config.json", '{"maxAttempts":3}'],
    ["a file added", ".reflection.md", "Be strict."],
    ["another added", "reflection.md", "Be strict."]
  ] as const)("is void after %s, until it is as it was", ([, name, text]) =>
    Effect.gen(function* () {
      const { directories, root } = yield* scratch
      trust(directories, root)
      put(root, name, text)
      assert.strictEqual(status(directories, root), "changed")
      rmSync(join(root, name))
      put(root, ".reflection/config.json", "{}")
      assert.strictEqual(status(directories, root), "trusted")
    })
  )

  inPlace("tells a text from the same text under another name", ({ directories, root }) => {
    put(root, ".reflection.md", "x")
    const one = Trust.Workspace.at(directories, root).fingerprint
    rmSync(join(root, ".reflection.md"))
    put(root, "reflection.md", "x")
    assert.notStrictEqual(Trust.Workspace.at(directories, root).fingerprint, one)
  })

  inPlace("is taken back once", ({ directories, root }) => {
    trust(directories, root)
    assert.deepStrictEqual([Trust.untrust(directories, root), Trust.untrust(directories, root)], [true, false])
    assert.strictEqual(status(directories, root), "untrusted")
  })

  inPlace("belongs to the project's root, whatever path leads there", ({ directories, home, root }) => {
    mkdirSync(join(root, ".git"))
    writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
    mkdirSync(join(home, ".git"))
    mkdirSync(join(root, "src", "deep"), { recursive: true })
    symlinkSync(root, join(home, "link"))
    assert.strictEqual(Trust.rootOf(join(home, "link", "src", "deep")), root)
    assert.strictEqual(Trust.rootOf(home), home)
    trust(directories, join(home, "link"))
    assert.strictEqual(status(directories, root), "trusted")
  })

  inPlace("refuses symbolic links, the file's and its folder's", ({ directories, home, root }) => {
    put(home, "elsewhere/config.json", "{}")
    trust(directories, root)
    rmSync(join(root, ".reflection"), { recursive: true })
    symlinkSync(join(home, "elsewhere"), join(root, ".reflection"))
    assert.strictEqual(status(directories, root), "changed")
    assert.throws(() => trust(directories, root), /symbolic link/)
    rmSync(join(root, ".reflection"))
    symlinkSync(join(home, "elsewhere/config.json"), join(root, "reflection.md"))
    assert.throws(() => trust(directories, root), /symbolic link/)
  })

  inPlace("trusts nothing by a damaged state, and does not overwrite it", ({ directories, root }) => {
    trust(directories, root)
    const file = join(directories.state, "trust.json")
    for (const damaged of ["{", "[]", '{"roots":[]}', '{"roots":{"x":1}']) {
      writeFileSync(file, damaged)
      assert.strictEqual(status(directories, root), "untrusted")
      assert.throws(() => trust(directories, root), /trust\.json is damaged/)
      assert.strictEqual(readFileSync(file, "utf8"), damaged)
    }
  })

  inPlace("is a reading's, whatever lies there afterwards", ({ directories, root }) => {
    put(root, ".reflection.md", "Be strict.")
    const before = Trust.Workspace.at(directories, root)
    assert.lengthOf(before.contents, 2)
    put(root, ".reflection/config.json", '{"maxAttempts":3}')
    put(root, ".reflection.md", "Be lax.")
    Trust.trust(directories, before)
    assert.strictEqual(status(directories, root), "changed")
    put(root, ".reflection/config.json", "{}")
    put(root, ".reflection.md", "Be strict.")
    const trusted = Trust.Workspace.at(directories, root)
    assert.deepStrictEqual([trusted.status, trusted.guidance], ["trusted", ["Be strict."]])
    assert.strictEqual(trusted.configuration?.trusted, before.fingerprint)
    put(root, ".reflection/config.json", '{"maxAttempts":3}')
    assert.strictEqual(trusted.configuration?.text, "{}")
  })

  inPlace("gives a stranger's guidance to nobody", ({ directories, root }) => {
    put(root, ".reflection.md", "Be lax.")
    const { configuration, guidance } = Trust.Workspace.at(directories, root)
    assert.deepStrictEqual([configuration?.text, configuration?.trusted, guidance], ["{}", null, null])
  })

  it("is made of no other texts", () => {
    const directories = UserDirectories.make({ HOME: "/nonexistent" })
    const workspace = Trust.Workspace.at(directories, "/nonexistent")
    // @ts-expect-error: a copy with other texts is none
    const copy: Trust.Workspace = { ...workspace, guidance: ["Be lax."] }
    // @ts-expect-error: neither is one that names all that it has
    const named: Trust.Workspace = { root: "/", contents: [], fingerprint: "", status: "trusted", guidance: [] }
    // @ts-expect-error: nor one that is built of them
    const built = () => new Trust.Workspace(directories, "/nonexistent")
    assert.isFalse(copy instanceof Trust.Workspace)
    assert.isFalse(named instanceof Trust.Workspace)
    assert.isFunction(built)
  })
})
