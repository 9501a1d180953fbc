import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("../../../scripts/check-house.mjs", import.meta.url))

/** What the check says of a house with these files. */
const look = (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "reflexion-house-"))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" })
    return { status, said: stderr.trim() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const core = "packages/core/src"

const sound = {
  [`${core}/ground/text/Text.ts`]: 'import type { Short } from "./model.ts"\nexport const text: Short = ""\n',
  [`${core}/ground/text/model.ts`]: "export type Short = string\n",
  [`${core}/ground/text/words.ts`]: "export const words = 1\n",
  [`${core}/judge/verdict/Verdict.ts`]: 'export { text } from "../../ground/text/Text.ts"\n',
  "packages/node/src/Disk.ts": "export const disk = 1\n"
}

describe("the check of the walls", { timeout: 60_000 }, () => {
  it("says nothing of a house that is sound", () => {
    assert.deepStrictEqual(look(sound), { status: 0, said: "" })
  })

  it.each([
    [
      "a circle",
      `${core}/ground/text/model.ts`,
      'import type { text } from "./Text.ts"\nexport type Short = typeof text'
    ],
    [
      "ground may not import a wing above it",
      `${core}/ground/text/words.ts`,
      'import type * as Verdict from "../../judge/verdict/Verdict.ts"\nexport type Words = typeof Verdict'
    ],
    ["past a room's face", `${core}/judge/verdict/Verdict.ts`, 'export { words } from "../../ground/text/words.ts"'],
    [
      "past a room's face",
      `${core}/judge/verdict/Verdict.ts`,
      'export const load = () => import("../../ground/text/words.ts")'
    ],
    ["node may not import that package", "packages/node/src/Disk.ts", 'export * from "../../retry/src/Retry.ts"'],
    ["an import that leads nowhere", "packages/node/src/Disk.ts", 'export * from "./Absent.ts"'],
    ["too deep", `${core}/ground/text/words/of/Many.ts`, "export const many = 1"]
  ])("names %s", (kind, file, text) => {
    const { said, status } = look({ ...sound, "packages/retry/src/Retry.ts": "export const retry = 1\n", [file]: text })
    assert.strictEqual(status, 1)
    assert.match(said, new RegExp(`^${kind}: `, "m"))
  })

  it("names a folder that is too full", () => {
    const many = Array.from({ length: 27 }, (_, index) => [
      `${core}/ground/text/Text${index}.ts`,
      "export const a = 1\n"
    ])
    assert.match(look({ ...sound, ...Object.fromEntries(many) }).said, /^too full: .*ground\/text has 30 modules/m)
  })
})
