import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Trust from "../src/config/Trust.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"
import { inScratch, type Scratch } from "./support/session.ts"

/** A project with a configuration, and what is said of its trust. */
const place = ({ hook: { directories }, put, root, ...rest }: Scratch) => {
  put(".reflection/config.json", "{}")
  const at = (folder = root) => Trust.Workspace.at(directories, folder)
  const trust = (folder = root) => Trust.trust(directories, at(folder))
  return { ...rest, directories, root, put, at, trust, status: (folder = root) => at(folder).status }
}

const inPlace = (title: string, work: (given: ReturnType<typeof place>) => void) =>
  inScratch(title, (scratched) => work(place(scratched)))

describe("Trust", () => {
  inPlace("covers the files exactly as they are, until it is taken back", ({ at, directories, put, root, ...one }) => {
    assert.strictEqual(one.status(), "untrusted")
    one.trust()
    assert.deepStrictEqual([one.status(), one.status(join(one.home, "other"))], ["trusted", "untrusted"])
    const changes = { ".reflection/config.json": '{"maxAttempts":3}', ".reflection.md": "x", "reflection.md": "x" }
    const prints = Object.entries(changes).map(([name, text]) => {
      put(name, text)
      const { fingerprint, status } = at()
      assert.strictEqual(status, "changed", name)
      rmSync(join(root, name))
      put(".reflection/config.json", "{}")
      assert.strictEqual(one.status(), "trusted", name)
      return fingerprint
    })
    assert.strictEqual(new Set(prints).size, 3, "the same text under another name is another")
    assert.deepStrictEqual([Trust.untrust(directories, root), Trust.untrust(directories, root)], [true, false])
    assert.strictEqual(one.status(), "untrusted")
  })

  inPlace("belongs to the project's root, whatever path leads there", ({ home, root, status, trust }) => {
    mkdirSync(join(home, ".git"))
    mkdirSync(join(root, "src", "deep"), { recursive: true })
    symlinkSync(root, join(home, "link"))
    assert.deepStrictEqual([join(home, "link", "src", "deep"), home].map(Trust.rootOf), [root, home])
    trust(join(home, "link"))
    assert.strictEqual(status(), "trusted")
  })

  inPlace("refuses a symbolic link as the file or its folder", ({ home, root, status, trust }) => {
    mkdirSync(join(home, "elsewhere"))
    writeFileSync(join(home, "elsewhere/config.json"), "{}")
    trust()
    rmSync(join(root, ".reflection"), { recursive: true })
    symlinkSync(join(home, "elsewhere"), join(root, ".reflection"))
    assert.strictEqual(status(), "changed")
    assert.throws(() => trust(), /symbolic link/)
    rmSync(join(root, ".reflection"))
    symlinkSync(join(home, "elsewhere/config.json"), join(root, "reflection.md"))
    assert.throws(() => trust(), /symbolic link/)
  })

  inPlace("a damaged state → nothing is trusted, and the state's file stays", ({ directories, status, trust }) => {
    trust()
    const file = join(directories.state, "trust.json")
    for (const damaged of ["{", "[]", '{"roots":[]}', '{"roots":{"x":1}']) {
      writeFileSync(file, damaged)
      assert.strictEqual(status(), "untrusted")
      assert.throws(() => trust(), /trust\.json is damaged/)
      assert.strictEqual(readFileSync(file, "utf8"), damaged)
    }
  })

  inPlace("covers what was read, not later files, and gives no untrusted guidance", ({ at, directories, put }) => {
    put(".reflection.md", "Be strict.")
    const before = at()
    assert.deepStrictEqual([before.contents.length, before.configuration?.trusted, before.guidance], [2, null, null])
    put(".reflection.md", "Be lax.")
    Trust.trust(directories, before)
    assert.strictEqual(at().status, "changed")
    put(".reflection.md", "Be strict.")
    const trusted = at()
    assert.deepStrictEqual([trusted.status, trusted.guidance], ["trusted", ["Be strict."]])
    put(".reflection/config.json", '{"maxAttempts":3}')
    assert.deepStrictEqual({ ...trusted.configuration }, { ...before.configuration, trusted: before.fingerprint })
  })

  it("a workspace cannot be made from other texts", () => {
    const directories = UserDirectories.make({ HOME: "/nonexistent" })
    // @ts-expect-error: a copy with other texts is none
    const copy: Trust.Workspace = { ...Trust.Workspace.at(directories, "/nonexistent"), guidance: ["Be lax."] }
    // @ts-expect-error: neither is one that names all that it has
    const named: Trust.Workspace = { root: "/", contents: [], fingerprint: "", status: "trusted", guidance: [] }
    // @ts-expect-error: nor one that is built of them
    const built = () => new Trust.Workspace(directories, "/nonexistent")
    assert.isFalse(copy instanceof Trust.Workspace || named instanceof Trust.Workspace)
    assert.isFunction(built)
  })
})
