/** The last recorded run, the tables that are generated from it, and in what a run differs from it. */
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import * as Report from "./Report.ts"

const file = fileURLToPath(new URL("../results/latest.json", import.meta.url))
const page = fileURLToPath(new URL("../../docs/accuracy.md", import.meta.url))

const begin = "<!-- eval:begin -->"
const end = "<!-- eval:end -->"

export const load = (): Report.Results => {
  const results: Report.Results = JSON.parse(Fs.readFileSync(file, "utf8"))
  return results
}

/** The page's parts: before the tables, the tables, and after them. */
const partsOf = (text: string): readonly [before: string, tables: string, after: string] => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`docs/accuracy.md has lost its markers ${begin} and ${end}`)
  return [text.slice(0, from + begin.length), text.slice(from + begin.length, to), text.slice(to)]
}

/** Writes the run and the page's tables. */
export const write = (results: Report.Results): void => {
  Fs.mkdirSync(fileURLToPath(new URL("../results/", import.meta.url)), { recursive: true })
  Fs.writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  const [before, , after] = partsOf(Fs.readFileSync(page, "utf8"))
  Fs.writeFileSync(page, `${before}\n\n${Report.documentation(results)}\n\n${after}`)
}

/** Lines without what only aligns the columns of a table. */
const bare = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/\s+/gu, " ")
        .replaceAll(/(?<=\| )-+(?=:? \|)/gu, "---")
        .trim()
    )
    .filter((line) => line !== "")

/** The first line of the page's tables that is not what the run gives; null where they agree. */
export const staleLine = (text: string, results: Report.Results): string | null => {
  const shown = bare(partsOf(text)[1])
  const wanted = bare(Report.documentation(results))
  const at = Array.from({ length: Math.max(shown.length, wanted.length) }, (_, index) => index).find(
    (index) => shown[index] !== wanted[index]
  )
  return at === undefined
    ? null
    : `"${shown[at] ?? "the end"}" stands where the recorded run gives "${wanted[at] ?? "nothing"}"`
}

export const staleTable = (): string | null => staleLine(Fs.readFileSync(page, "utf8"), load())

type Leaf = string | number | boolean | null

const leaves = (value: unknown, path: string, found: Map<string, Leaf>): Map<string, Leaf> => {
  if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) leaves(inner, path === "" ? key : `${path}.${key}`, found)
  else if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    found.set(path, value)
  return found
}

/** Every figure that differs between two runs, with both values. */
export const changes = (before: unknown, after: unknown): ReadonlyArray<string> => {
  const [was, is] = [leaves(before, "", new Map()), leaves(after, "", new Map())]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => was.get(path) !== is.get(path))
    .map((path) => `${path}: ${was.get(path) ?? "–"} → ${is.get(path) ?? "–"}`)
}
