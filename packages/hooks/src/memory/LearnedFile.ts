/**
 * Reads and writes a project's memory in a hook without Effect services: reads the end of the file and appends lines.
 */
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as JsonlFile from "@reflexion/core/internal/memory/log/JsonlFile"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import type * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as MemoryPlace from "./MemoryPlace.ts"

const tailBytes = 256 * 1024

/** Returns the complete lines within the last `most` bytes of a file. Empty if there is no file. */
export const linesOf = (file: string, most: number): ReadonlyArray<string> =>
  MemoryPlace.isThere(file) ? JsonlFile.lastLines(file, most) : []

/**
 * Returns the memory in the last `most` bytes of the file. Empty if there is no file. Throws what the file system
 * throws.
 */
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

/**
 * Appends lines to a file in the project's review folder and returns its path. Each line includes its line break.
 * Throws what the file system throws.
 */
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

/**
 * In bytes. Old entries of larger files are not removed here, because the host is waiting. `reflexion memory prune` and
 * `reflexion cycle prune` remove them.
 */
const mostForgotten = 16 * 1024 * 1024

/**
 * How many first lines are read. Old entries are at the beginning of a file, so these lines show whether it has any.
 */
const looked = 8

interface Ages<A> {
  /** In ms. The file is rewritten only if one of its first entries is older than the limit by more than this time. */
  readonly slack: number
  /** Decodes a line. Returns null if it cannot be read. */
  readonly read: (line: string) => A | null
  readonly timeOf: (record: A) => string
  /** Returns the entries older than `before`, in ms since the epoch. These are removed. */
  readonly older: (all: ReadonlyArray<A>, before: number) => ReadonlySet<A>
}

/**
 * Removes entries older than `before` (ms since the epoch) if the file begins with old entries. Throws what the file
 * system throws.
 */
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
