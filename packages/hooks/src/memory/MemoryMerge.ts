/**
 * What a linked work tree learned for itself, put into the memory that its clone shares: each lesson once, by its id, and each
 * event once. A crash at any point leaves all of it in one of the two files, the work tree's goes once all of it was read back, and the next merge adds what is lacking.
 */
import * as TornLine from "@reflexion/core/internal/learn/log/TornLine"
import * as ReviewLesson from "@reflexion/core/internal/learn/outcomes/ReviewLesson"
import * as LogFiles from "@reflexion/node/LogFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { UserDirectories } from "../places/UserDirectories.ts"
import * as LearnedFile from "./LearnedFile.ts"
import * as LessonTrust from "./LessonTrust.ts"
import * as MemoryPlace from "./MemoryPlace.ts"

/** A line of a memory, and by what it is known again: a lesson by its id, an event by all that it says. */
interface Line {
  readonly key: string
  readonly isLesson: boolean
  readonly text: string
}

/** Nothing for a line that nobody can read. What was kept under the work tree's name is the clone's. */
const linesIn = (texts: ReadonlyArray<string>, from: string, to: string): ReadonlyArray<Line> =>
  texts.flatMap((said) => {
    const { events, reflections } = LearnedFile.learnedIn([said])
    const [one] = [...reflections, ...events]
    if (one === undefined) return []
    const text = JSON.stringify({ ...JSON.parse(said), ...(one.taskId === from && { taskId: to }) })
    return [{ text, isLesson: "id" in one, key: "id" in one ? `id ${one.id}` : text }]
  })

const counted = (keys: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Of a lesson that was changed the last line counts; nothing is changed that the clone has. */
const lacking = (own: ReadonlyArray<Line>, known: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const there = counted(known.map(({ key }) => key))
  const last = new Map(own.map((line, index) => [line.key, index]))
  return own.filter(({ isLesson, key }, index) => {
    const count = there.get(key) ?? 0
    if (isLesson) return count === 0 && last.get(key) === index
    there.set(key, count - 1)
    return count <= 0
  })
}

/**
 * The lines that a clone's memory lacks of a work tree's own, in their order. `from` and `to`: the names of the two in a task's.
 *
 * @category accessors
 */
export const missing = (
  own: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  { from, to }: { readonly from: string; readonly to: string }
): ReadonlyArray<string> => lacking(linesIn(own, from, to), linesIn(known, to, to)).map(({ text }) => text)

const linesOf = (log: LogFiles.LogFile): ReadonlyArray<string> =>
  log.read(0, log.size()).toString("utf8").split("\n").slice(0, -1)

/**
 * `root`: the work tree's; `most`: the bytes of its own file up to which it is merged, for a host waits.
 *
 * @category models
 */
export interface Asked {
  readonly root: string
  readonly directories: UserDirectories
  readonly most?: number
}

/** What is the user's own under the work tree's name is so under the clone's. */
const believe = ({ directories, root }: Asked, place: MemoryPlace.MemoryPlace, lines: ReadonlyArray<string>): void => {
  const [from, to] = [ReviewLesson.projectOf(root), ReviewLesson.projectOf(place.root)]
  const renamed = LearnedFile.learnedIn(lines).reflections.filter(({ taskId }) => taskId === from)
  LessonTrust.own(
    directories,
    LessonTrust.owned(directories, renamed).map((one) => ({ ...one, taskId: to }))
  )
}

const move = (asked: Asked, place: MemoryPlace.MemoryPlace, own: string): void => {
  const lines = LearnedFile.within(own, LogFiles.openToAdd, (log) => {
    LearnedFile.mend(own, log)
    return linesOf(log)
  })
  MemoryPlace.prepare(place.file)
  const names = { from: ReviewLesson.projectOf(asked.root), to: ReviewLesson.projectOf(place.root) }
  believe(asked, place, lines)
  LearnedFile.addWhole(place.file, (log) => missing(lines, linesOf(log), names))
  const unreadable = lines.filter((line) => line !== "" && linesIn([line], names.from, names.to).length === 0)
  if (unreadable.length > 0) TornLine.keep(LogFiles.openToAdd, own, Buffer.from(unreadable.join("\n")))
  // No copy is left: what is deleted from the clone's memory is to be nowhere.
  FS.rmSync(own)
  FS.rmSync(`${own}.index`, { force: true })
  LogFiles.syncFolder(Path.dirname(own))
}

const merge = (asked: Asked, place: MemoryPlace.MemoryPlace, own: string): void => {
  const { size } = FS.lstatSync(own)
  if (size > (asked.most ?? Number.POSITIVE_INFINITY))
    throw new Error(`${own} has ${size} bytes: \`reflexion recall\` there merges it into ${place.file}`)
  // Another may have been quicker.
  LearnedFile.locked(own, () => {
    if (MemoryPlace.isThere(own)) move(asked, place, own)
  })
}

/**
 * Merges what a work tree has of its own, and removes it; says why that could not be, null where it could. It waits where
 * the clone may not be written to, and where a journal speaks of the file, for whoever opens that sees to both.
 *
 * @category handlers
 */
export const run = (asked: Asked, place: MemoryPlace.MemoryPlace): string | null => {
  const own = MemoryPlace.waiting(place)
  if (own === null || FS.existsSync(`${own}.journal`)) return null
  try {
    merge(asked, place, own)
    return null
  } catch (cause) {
    return LogFiles.isReadOnly(cause) ? null : cause instanceof Error ? cause.message : String(cause)
  }
}
