/** A project's memory as a hook reads and writes it: the end of its file, and lines added to it, without any service. */
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as JsonlFile from "@reflexion/core/internal/memory/log/JsonlFile"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import type * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as MemoryPlace from "./MemoryPlace.ts"

/** Lines that are neither, and records of others without the newer fields, are as the store takes them. */
const learnedIn = (lines: ReadonlyArray<string>): ReviewLesson.Learned => {
  const reflections = new Map<string, Reflection>()
  const events: Array<MemoryLine.MemoryEvent> = []
  for (const line of lines) {
    const row = MemoryLine.decode(line)
    if (row === null) continue
    if (MemoryLine.isEvent(row)) events.push(row)
    else {
      // A later line of the same id replaces it.
      reflections.delete(row.id)
      reflections.set(row.id, row)
    }
  }
  return { reflections: [...reflections.values()], events }
}

const tailBytes = 256 * 1024

/** The whole lines at the end of a file, of its last `most` bytes; nothing where there is none. */
export const linesOf = (file: string, most: number): ReadonlyArray<string> =>
  MemoryPlace.isThere(file) ? JsonlFile.lastLines(file, most) : []

/** What the end of a memory says, or its last `most` bytes; nothing where there is none. Throws what the file system throws. */
export const read = ({ file }: MemoryPlace.MemoryPlace, most: number = tailBytes): ReviewLesson.Learned =>
  learnedIn(linesOf(file, most))

/** Adds lines, each with its break, to a file of the project's. Throws what the file system throws. */
export const appendTo = (root: string, name: string, lines: () => string): void =>
  JsonlFile.append(Path.join(ReviewFolder.make(root), name), lines)

/** Adds lessons, and what came of them, to a memory. Throws what the file system throws. */
export const append = ({ file }: MemoryPlace.MemoryPlace, records: ReadonlyArray<MemoryLine.Row>): void => {
  MemoryPlace.prepare(file)
  JsonlFile.append(file, () => records.map((one) => `${JSON.stringify(one)}\n`).join(""))
}

/** Larger ones are left to `reflexion prune` and `reflexion outcomes prune`: the host waits. */
const mostForgotten = 16 * 1024 * 1024

/** So many lines at its beginning say whether a file has what is old: that stands first. */
const looked = 8

/** What a file's lines say of their age. `A` is what a line says. */
export interface Ages<A> {
  /** By how much older, in ms, something has to be before the file is rewritten. */
  readonly slack: number
  readonly read: (line: string) => A | null
  readonly timeOf: (record: A) => string
  /** What is older than `before`, in ms, and goes. */
  readonly older: (all: ReadonlyArray<A>, before: number) => ReadonlySet<A>
}

const hasOld = <A>(file: string, before: number, { read, slack, timeOf }: Ages<A>): boolean =>
  FS.statSync(file).size <= mostForgotten &&
  JsonlFile.firstLines(file, looked).some((line) => {
    const record = read(line)
    return record !== null && Date.parse(timeOf(record)) < before - slack
  })

/** Leaves out of a file what is older than `before`, in ms, where it begins with that. Throws what the file system throws. */
const leaveOut = <A>(file: string, before: number, ages: Ages<A>): void => {
  if (!MemoryPlace.isThere(file) || !hasOld(file, before, ages)) return
  JsonlFile.rewrite(file, (lines) => {
    const all = lines.map((line) => ages.read(line.toString("utf8")))
    const gone = ages.older(
      all.filter((one) => one !== null),
      before
    )
    return all.map((one) => one !== null && gone.has(one))
  })
}

/** Forgets what a file of the project's has that is older than `before`, in ms. Throws what the file system throws. */
export const forgetIn = <A>(root: string, name: string, before: number, ages: Ages<A>): void =>
  leaveOut(Path.join(root, ArtifactFiles.directory, name), before, ages)

const learned: Ages<MemoryLine.Row> = {
  slack: 0,
  read: MemoryLine.decode,
  timeOf: (row) => (MemoryLine.isEvent(row) ? row.at : row.createdAt),
  older: (all, before) => MemoryLine.older(all, before).rows
}

/** Forgets the lessons of a memory that are older than `before`, in ms. Throws what the file system throws. */
export const forget = ({ file }: Pick<MemoryPlace.MemoryPlace, "file">, before: number): void =>
  leaveOut(file, before, learned)
