/** What people and agents really wrote, as far as it lies in this repository or in a corpus beside it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"

const repository = fileURLToPath(new URL("../../../../", import.meta.url))

const corpus = process.env["REFLEXION_CORPUS"] ?? join(repository, "../shared/data")

const filesBelow = (folder: string, name: RegExp): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => name.test(path))
        .map((path) => join(folder, path))
        .toSorted()
    : []

const textOf = (file: string): string =>
  (file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString("utf8")

/** The JSON strings of a file that read like sentences; code in TypeScript writes most of its strings the same way. */
const stringsOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9a-f]{4}){8,2000}"/g)].flatMap(([literal]) => {
    const text: unknown = JSON.parse(literal)
    return typeof text === "string" && / \w+ /.test(text) ? [text] : []
  })

/** Evenly spread over the list. */
const sample = <A>(items: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, index) => index % step === 0)
}

/** The lines of the recorded sessions, of the evaluation's cases and of the corpus where there is one. */
export const realLines = (): ReadonlyArray<string> => {
  const files = [
    ...filesBelow(join(repository, "packages", "testing", "recordings"), /\.jsonl$/),
    ...filesBelow(join(repository, "evals", "src", "cases"), /\.ts$/),
    ...sample(filesBelow(corpus, /\.jsonl\.gz$/), 8)
  ]
  return [
    ...new Set(
      files.flatMap((file) =>
        sample(stringsOf(textOf(file)), 1500)
          .flatMap((text) => text.split("\n"))
          .filter((line) => / \w+ /.test(line))
          .map((line) => line.slice(0, 400))
      )
    )
  ]
}
