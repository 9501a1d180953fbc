import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { answer } from "../src/places/RepoDisk.ts"

const read = (path: string) => answer({ want: "read", path })

describe("the working copy's files", () => {
  it("are read only where they are plain and small, whatever they were when they were looked at", () => {
    const folder = mkdtempSync(join(tmpdir(), "reflexion-repo-"))
    try {
      const at = (name: string) => join(folder, name)
      writeFileSync(at("AGENTS.md"), "Run the tests.")
      assert.strictEqual(read(at("AGENTS.md")), "Run the tests.")
      symlinkSync(at("AGENTS.md"), at("link.md"))
      writeFileSync(at("huge.md"), "")
      truncateSync(at("huge.md"), 2 ** 31)
      execFileSync("mkfifo", [at("pipe.md")])
      for (const name of ["link.md", "huge.md", "pipe.md", "absent.md", "."]) assert.isNull(read(at(name)), name)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
