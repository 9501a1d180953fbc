/**
 * What a linked work tree learned for itself, put into the memory that its clone shares: each lesson once, by its id, and each
 * event once. A crash at any point leaves all of it in one of the two files, the work tree's goes once all of it was read back, and the next merge adds what is lacking.
 */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as JsonlFile from "@reflexion/core/internal/memory/log/JsonlFile"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
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

/** `from` and `to`: the names of a work tree and its clone in those of tasks. `now`: in ms, nothing can have happened after it. */
interface Names {
  readonly from: string
  readonly to: string
  readonly now: number
}

/** Clocks of one machine may differ by so much, as in a container. */
const slack = 24 * 60 * 60 * 1000

/** Nothing for a line that nobody can read. What was kept under the work tree's name is the clone's. */
const linesIn = (texts: ReadonlyArray<string>, { from, now, to }: Names): ReadonlyArray<Line> =>
  texts.flatMap((said) => {
    const { events, reflections } = LearnedFile.learnedIn([said])
    const [one] = [...reflections, ...events]
    // An outcome of a day to come would settle whatever fails until then.
    if (one === undefined || ("at" in one && !(Date.parse(one.at) <= now + slack))) return []
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
 * The lines that a clone's memory lacks of a work tree's own, in their order.
 *
 * @category accessors
 */
export const missing = (
  own: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  names: Names
): ReadonlyArray<string> =>
  lacking(linesIn(own, names), linesIn(known, { ...names, from: names.to, now: Infinity })).map(({ text }) => text)

const linesOf = (file: string): ReadonlyArray<string> => JsonlFile.lastLines(file, Number.MAX_SAFE_INTEGER)

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

/** What is the user's own under the work tree's name is so under the clone's, and noted once, however often that is tried. */
const believe = ({ directories }: Asked, lines: ReadonlyArray<string>, { from, to }: Names): void => {
  const renamed = LearnedFile.learnedIn(lines).reflections.filter(({ taskId }) => taskId === from)
  const ours = LessonTrust.owned(directories, renamed).map((one) => ({ ...one, taskId: to }))
  const known = new Set(LessonTrust.owned(directories, ours))
  LessonTrust.own(
    directories,
    ours.filter((one) => !known.has(one))
  )
}

/**
 * Whether a program of the user's keeps its memory in the file too, under names of its own for its tasks: it may have the file
 * open, and would miss what was taken away.
 */
const isShared = ({ directories }: Asked, lines: ReadonlyArray<string>, { from, to }: Names): boolean => {
  const { events, reflections } = LearnedFile.learnedIn(lines)
  const ours = new Set([from, to, ...LessonTrust.owned(directories, reflections).map(({ taskId }) => taskId)])
  return [...reflections, ...events].some(
    ({ taskId }) => taskId !== null && !ours.has(taskId) && !ReviewLesson.isProject(taskId)
  )
}

/** Under the lock of the work tree's own. */
const move = (asked: Asked, place: MemoryPlace.MemoryPlace, own: string): void => {
  const lines = linesOf(own)
  const names = { from: ReviewLesson.projectOf(asked.root), to: ReviewLesson.projectOf(place.root), now: Date.now() }
  if (isShared(asked, lines, names)) return
  MemoryPlace.prepare(place.file)
  JsonlFile.append(place.file, () => {
    const added = missing(lines, linesOf(place.file), names)
    // Before they are there, for a crash in between would make the user's own somebody else's; not before they can be.
    if (added.length > 0) believe(asked, lines, names)
    return added.map((line) => `${line}\n`).join("")
  })
  if (missing(lines, linesOf(place.file), names).length > 0)
    throw new Error(`${place.file} does not have what was written to it`)
  const unreadable = lines.filter((line) => line !== "" && linesIn([line], names).length === 0)
  if (unreadable.length > 0)
    JsonlFile.keepAside(
      JsonlFile.tornOf(own),
      unreadable.map((line) => Buffer.from(line))
    )
  // No copy is left: what is deleted from the clone's memory is to be nowhere.
  FS.rmSync(own)
  PlainFiles.syncFolder(Path.dirname(own))
}

const merge = (asked: Asked, place: MemoryPlace.MemoryPlace, own: string): void => {
  const { size } = FS.lstatSync(own)
  if (size > (asked.most ?? Number.POSITIVE_INFINITY))
    throw new Error(`${own} has ${size} bytes: \`reflexion recall\` there merges it into ${place.file}`)
  // Another may have been quicker.
  JsonlFile.whole(own, () => {
    if (MemoryPlace.isThere(own)) move(asked, place, own)
  })
}

/**
 * Merges what a work tree has of its own, and removes it; says why that could not be, null where it could. It waits where
 * the clone may not be written to, and where a program keeps its memory there as well.
 *
 * @category handlers
 */
export const run = (asked: Asked, place: MemoryPlace.MemoryPlace): string | null => {
  const own = MemoryPlace.waiting(place)
  if (own === null) return null
  try {
    merge(asked, place, own)
    return null
  } catch (cause) {
    return PlainFiles.isReadOnly(cause) ? null : cause instanceof Error ? cause.message : String(cause)
  }
}
