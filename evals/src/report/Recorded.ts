/** The last recorded run, the tables that are generated from it, and in what a run differs from it. */
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import * as Report from "./Report.ts"

const file = fileURLToPath(new URL("../../results/latest.json", import.meta.url))
const page = fileURLToPath(new URL("../../../docs/evaluation.md", import.meta.url))

const begin = "<!-- eval:begin -->"
const end = "<!-- eval:end -->"

export const load = (): Report.Results => {
  const results: Report.Results = JSON.parse(Fs.readFileSync(file, "utf8"))
  return results
}

/** The page's parts: before the tables, the tables, and after them. */
const partsOf = (text: string): readonly [before: string, tables: string, after: string] => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`docs/evaluation.md has lost its markers ${begin} and ${end}`)
  return [text.slice(0, from + begin.length), text.slice(from + begin.length, to), text.slice(to)]
}

/** Writes the run and the page's tables. */
export const write = (results: Report.Results): void => {
  Fs.mkdirSync(fileURLToPath(new URL("../../results/", import.meta.url)), { recursive: true })
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

type Run = Readonly<Record<string, unknown>>

const isRun = (value: unknown): value is Run => typeof value === "object" && value !== null

/** What was recorded and this run has not, for a suite was not run: by its name in the record, at most two levels deep. */
export const notRun = (before: unknown, after: unknown, path = ""): ReadonlyArray<string> => {
  if (!isRun(before) || !isRun(after)) return []
  return Object.keys(before).flatMap((key) => {
    const [was, is] = [before[key], after[key]]
    if (isRun(was) && (is === null || is === undefined)) return [`${path}${key}`]
    return path === "" ? notRun(was, is, `${key}.`) : []
  })
}

/** Without what was not run, if `isPart`, and without the times, which are another machine's. */
const compared = (changed: ReadonlyArray<string>, left: ReadonlyArray<string>): ReadonlyArray<string> =>
  changed.filter((line) => !line.startsWith("times.") && !left.some((path) => isBelow(line, path)))

const isBelow = (line: string, path: string): boolean => line.startsWith(`${path}.`) || line.startsWith(`${path}:`)

/** In what a run differs from the recorded one; of a part of the suites, in what those differ. */
export const differences = (before: unknown, after: unknown, { isPart }: { readonly isPart: boolean }) => {
  const left = isPart ? notRun(before, after) : []
  return { left: left.filter((path) => !path.startsWith("times")), changed: compared(changes(before, after), left) }
}

/** Every figure that differs between two runs, with both values. */
export const changes = (before: unknown, after: unknown): ReadonlyArray<string> => {
  const [was, is] = [leaves(before, "", new Map()), leaves(after, "", new Map())]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => was.get(path) !== is.get(path))
    .map((path) => `${path}: ${was.get(path) ?? "–"} → ${is.get(path) ?? "–"}`)
}
