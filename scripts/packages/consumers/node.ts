/** Puts a text in a file's place, and reads it again. */
import { PlainFiles } from "@reflexion/node"
import * as assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "reflexion-consumer-"))

try {
  const file = join(folder, "kept.json")
  assert.equal(PlainFiles.read(file), null)
  PlainFiles.write(file, "{}")
  assert.equal(PlainFiles.read(file), "{}")
} finally {
  rmSync(folder, { recursive: true })
}
