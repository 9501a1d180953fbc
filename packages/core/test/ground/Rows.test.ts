import { assert, beforeAll, describe, it } from "@effect/vitest"
import { relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { everyRow } from "../../src/ground/text/Rows.ts"
import { regexpsOf, sourceFiles } from "../support/regexps.ts"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

const wings = ["session", "judge"].flatMap((wing) => sourceFiles(resolve(source, wing)))

/** What reads programs or their output, not prose. */
const readsOutput = /^session\/(?:output\/|shell\/|evidence\/|checkedits\/)/

describe("the rows that read prose", () => {
  beforeAll(async () => {
    await Promise.all(wings.map((file) => import(pathToFileURL(file).href)))
  })

  it("are there", () => assert.isAbove(everyRow.length, 20))

  it("take what they say, and not what they must not", () => {
    const wrong = everyRow.flatMap(({ no, pattern, yes }) => [
      ...(pattern.test(yes) ? [] : [`does not take: ${yes}`]),
      ...(pattern.test(no) ? [`takes: ${no}`] : [])
    ])
    assert.deepStrictEqual(wrong, [])
  })

  it("can be reviewed: no pattern has more than 200 characters", () => {
    const long = [
      ...everyRow.flatMap(({ pattern, yes }) => (pattern.pattern().source.length > 200 ? [yes] : [])),
      ...wings
        .map((file) => relative(source, file).replaceAll("\\", "/"))
        .filter((name) => !readsOutput.test(name))
        .filter((name) => regexpsOf(resolve(source, name), name).some((found) => found.source.length > 200))
    ]
    assert.deepStrictEqual([...new Set(long)], [])
  })
})
