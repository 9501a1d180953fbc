/** A project's memory as a hook reads and writes it: the end of its file, and lines added to it, without any service. */
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as JsonlFile from "@reflexion/core/internal/memory/log/JsonlFile"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import type * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as MemoryPlace from "./MemoryPlace.ts"

const tailBytes = 256 * 1024

/** The whole lines at the end of a file, of its last `most` bytes; nothing where there is none. */
export const linesOf = (file: string, most: number): ReadonlyArray<string> =>
  MemoryPlace.isThere(file) ? JsonlFile.lastLines(file, most) : []

/** What the end of a memory says, or its last `most` bytes; nothing where there is none. Throws what the file system throws. */
export const read = ({ file }: MemoryPlace.MemoryPlace, most: number = tailBytes): ReviewLesson.ProjectLessons => {
  const rows = linesOf(file, most).flatMap((line) => MemoryLine.decode(line) ?? [])
  const reflections = new Map<string, Reflection>()
  for (const row of rows) {
    if (MemoryLine.isEvent(row)) continue
    // A later line of the same id replaces it, and is the newest.
    reflections.delete(row.id)
    reflections.set(row.id, row)
  }
  return { reflections: [...reflections.values()], events: rows.filter(MemoryLine.isEvent) }
}

/** Adds lines, each with its break, to a file of the project's, whose path it gives. Throws what the file system throws. */
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

/** Larger ones are left to `reflexion memory prune` and `reflexion cycle prune`: the host waits. */
const mostForgotten = 16 * 1024 * 1024

/** So many lines at its beginning say whether a file has what is old: that stands first. */
const looked = 8

interface Ages<A> {
  /** By how much older, in ms, something has to be before the file is rewritten. */
  readonly slack: number
  readonly read: (line: string) => A | null
  readonly timeOf: (record: A) => string
  /** What is older than `before`, in ms, and goes. */
  readonly older: (all: ReadonlyArray<A>, before: number) => ReadonlySet<A>
}

/** Leaves out of a file what is older than `before`, in ms, where it begins with that. Throws what the file system throws. */
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
