/** Reads and writes a project's memory in a hook without Effect services. */
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as JsonlFile from "@reflexion/core/internal/memory/log/JsonlFile"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import type * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as MemoryPlace from "./MemoryPlace.ts"

const tailBytes = 256 * 1024

/** Leaves out an incomplete line. Empty if there is no file. */
export const linesOf = (file: string, most: number): ReadonlyArray<string> =>
  MemoryPlace.isThere(file) ? JsonlFile.lastLines(file, most) : []

/** Empty if there is no file. */
export const read = ({ file }: MemoryPlace.MemoryPlace, most: number = tailBytes): ReviewLesson.ProjectLessons => {
  const rows = linesOf(file, most).flatMap((line) => MemoryLine.decode(line) ?? [])
  const reflections = new Map<string, Reflection>()
  for (const row of rows) {
    if (MemoryLine.isEvent(row)) continue
    // A later line with the same id replaces the earlier one and becomes the newest.
    reflections.delete(row.id)
    reflections.set(row.id, row)
  }
  return { reflections: [...reflections.values()], events: rows.filter(MemoryLine.isEvent) }
}

/** Writes into the project's review folder. Each line includes its line break. Returns the path. */
export const appendTo = (root: string, name: string, lines: () => string): string => {
  const file = Path.join(ReviewFolder.make(root), name)
  JsonlFile.append(file, lines)
  return file
}

export const append = ({ file }: MemoryPlace.MemoryPlace, records: ReadonlyArray<MemoryLine.Row>): void => {
  if (records.length === 0) return
  MemoryPlace.prepare(file)
  JsonlFile.append(file, () => records.map((one) => `${JSON.stringify(one)}\n`).join(""))
}

/** In bytes. The host is waiting, so only `reflexion memory prune` and `cycle prune` shorten a larger file. */
const mostForgotten = 16 * 1024 * 1024

/** Old entries are at the beginning, so these first lines show whether a file has old entries. */
const looked = 8

interface Ages<A> {
  /** In ms. The file is rewritten only if one of its first entries exceeds the age limit by more than this. */
  readonly slack: number
  /** Null if the line cannot be read. */
  readonly read: (line: string) => A | null
  readonly timeOf: (record: A) => string
  /** `before` is in ms since the epoch. */
  readonly older: (all: ReadonlyArray<A>, before: number) => ReadonlySet<A>
}

/** Removes entries older than `before` (ms since the epoch), if the file begins with old entries. */
export const leaveOut = <A>(file: string, before: number, { older, read, slack, timeOf }: Ages<A>): void => {
  if (!MemoryPlace.isThere(file) || FS.statSync(file).size > mostForgotten) return
  const begun = JsonlFile.firstLines(file, looked).flatMap((line) => read(line) ?? [])
  if (!begun.some((record) => Date.parse(timeOf(record)) < before - slack)) return
  JsonlFile.rewrite(file, (lines) => {
    const all = lines.map((line) => read(line.toString("utf8")))
    const known = all.filter((one) => one !== null)
    const gone = older(known, before)
    return all.map((one) => one !== null && gone.has(one))
  })
}

export const forget = ({ file }: Pick<MemoryPlace.MemoryPlace, "file">, before: number): void =>
  leaveOut(file, before, {
    slack: 0,
    read: MemoryLine.decode,
    timeOf: (row) => (MemoryLine.isEvent(row) ? row.at : row.createdAt),
    older: (all, time) => MemoryLine.older(all, time).rows
  })
