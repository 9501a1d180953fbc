import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { regexpsOf, sourceFiles } from "../support/regexps.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

const folders = [...readdirSync(resolve(root, "packages")).map((name) => `packages/${name}/src`), "evals/src"]
  .map((folder) => resolve(root, folder))
  .filter((folder) => existsSync(folder))

describe("patterns", () => {
  it("have at most 200 characters each, so that they can be reviewed", () => {
    const found = folders.flatMap(sourceFiles).flatMap((file) => regexpsOf(file, relative(root, file)))
    assert.isAbove(found.length, 500)
    assert.deepStrictEqual(
      found.filter(({ source }) => source.length > 200).map(({ name }) => name),
      []
    )
  })
})
