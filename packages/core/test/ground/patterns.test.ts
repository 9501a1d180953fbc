import { assert, it } from "@effect/vitest"
import { relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { regexpsOf, sourceFiles } from "../support/regexps.ts"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

const wings = ["ground", "session", "judge"].flatMap((wing) => sourceFiles(resolve(source, wing)))

/** What reads programs or their output, not prose. */
const readsOutput = /^session\/(?:output\/|shell\/|evidence\/|checkedits\/(?!openly|orders))/

it("patterns can be reviewed: none has more than 200 characters", () => {
  const names = wings
    .map((file) => relative(source, file).replaceAll("\\", "/"))
    .filter((name) => !readsOutput.test(name))
  assert.isAbove(names.length, 100)
  const long = names.filter((name) => regexpsOf(resolve(source, name), name).some((found) => found.source.length > 200))
  assert.deepStrictEqual(long, [])
})
