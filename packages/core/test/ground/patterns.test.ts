/** What reads a record can be reviewed. */
import { assert, describe, it } from "@effect/vitest"
import { relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { regexpsOf, sourceFiles } from "../support/regexps.ts"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

describe("patterns", () => {
  it("are there", () => {
    assert.isAbove(regexpsOf(resolve(source, "session/stop/LastWords.ts"), "").length, 20)
  })

  it("have at most 200 characters each", () => {
    const all = ["ground", "session", "judge"].flatMap((folder) => sourceFiles(resolve(source, folder)))
    const long = all.flatMap((file) =>
      regexpsOf(file, relative(source, file)).filter((found) => found.source.length > 200)
    )
    assert.deepStrictEqual(
      long.map(({ name }) => name),
      []
    )
  })
})
