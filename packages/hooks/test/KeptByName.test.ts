import { assert, describe, it } from "@effect/vitest"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as KeptByName from "../src/config/KeptByName.ts"

const keptOf = (read: (value: unknown) => string | null) =>
  KeptByName.make({ file: "kept.json", key: "words", read, remedy: "say it again" })

const plain = keptOf((value) => (typeof value === "string" ? value : null))

const inFolder = (test: (directories: KeptByName.Directories) => void): void => {
  const state = FS.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-kept-"))
  try {
    test({ state })
  } finally {
    FS.rmSync(state, { recursive: true, force: true })
  }
}

describe("what is kept by name", () => {
  it("is kept and forgotten, and the file goes with the last", () =>
    inFolder((directories) => {
      plain.keep(directories, "a", "one")
      plain.keep(directories, "b", "two")
      assert.deepStrictEqual(
        [...plain.read(directories)],
        [
          ["a", "one"],
          ["b", "two"]
        ]
      )
      assert.isTrue(plain.forget(directories, "a"))
      assert.isFalse(plain.forget(directories, "a"))
      assert.isTrue(plain.forget(directories, "b"))
      assert.deepStrictEqual(FS.readdirSync(directories.state), [])
    }))

  it.each(["keep", "forget"] as const)(
    "is written by nobody else between the reading and the writing of a %s",
    (what) =>
      inFolder((directories) => {
        plain.keep(directories, "a", "one")
        // Before it takes the lock, a forget looks whether there is anything.
        let looks = what === "forget" ? -1 : 0
        const meanwhile = keptOf((value) => {
          looks += 1
          if (looks > 0) assert.throws(() => plain.keep(directories, "b", "two"), FileLock.Busy)
          return typeof value === "string" ? value : null
        })
        if (what === "keep") meanwhile.keep(directories, "c", "three")
        else meanwhile.forget(directories, "a")
        assert.strictEqual(looks, 1)
      })
  )
})
