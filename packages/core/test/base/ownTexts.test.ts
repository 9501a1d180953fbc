import { assert, describe, it } from "@effect/vitest"
import { findSecrets } from "@reflexion/core/Redaction"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|md)$/u.test(entry.name))
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)))
    .filter((file) => !file.includes("node_modules") && !file.includes("dist/"))

const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`)

/** What stands in a file as a secret by its form: made up, so that a case shows that it leaves nowhere. */
const madeUp = [
  ["ghp_9sK2mQ7v", "testing/src/contract/faults.ts"],
  ["wJalrXUtnFEMI", "testing/src/contract/faults.ts"],
  ["kT7-vQz9", "testing/src/contract/faults.ts"]
] as const

describe("redaction of this repository's own texts", () => {
  it("takes next to nothing for a secret but what is made up to be one", () => {
    const files = [...packages, "docs", "scripts", "evals/src"].flatMap(filesIn)
    const texts = files.map((file) => [file, readFileSync(join(root, file), "utf8")] as const)
    assert.isAbove(
      texts.reduce((sum, [, text]) => sum + text.length, 0),
      2_000_000
    )
    const taken = texts.flatMap(([file, text]) =>
      findSecrets(text)
        .map(({ end, start }) => text.slice(start, end))
        .filter((value) => !madeUp.some(([part, place]) => value.includes(part) && file.includes(place)))
        .map((value) => `${file}: ${value}`)
    )
    assert.isAtMost(taken.length, 2, taken.join("\n"))
  })
})
