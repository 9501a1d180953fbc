/** A project's memory as a hook reads and writes it: the end of its file, and lines added to it, without any service. */
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import * as ArtifactFiles from "@reflexion/core/internal/turn/records/ArtifactFiles"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as MemoryEvent from "@reflexion/core/internal/learn/memory/MemoryEvent"
import type { Reflection } from "@reflexion/core/Reflection"
import type * as ReviewLesson from "@reflexion/core/internal/learn/outcomes/ReviewLesson"
import * as TornLine from "@reflexion/core/internal/learn/log/TornLine"
import * as LogFiles from "@reflexion/node/LogFiles"
import type * as PidLock from "@reflexion/node/PidLock"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as ReviewFiles from "../session/ReviewFiles.ts"
import * as MemoryPlace from "./MemoryPlace.ts"

const texts = (value: unknown): ReadonlyArray<string> | null =>
  Array.isArray(value) && value.every((one) => typeof one === "string") ? value : null

/** Whatever stands there is put into prompts: a category is a word, and nothing else. */
const isWord = (value: unknown): boolean => typeof value === "string" && /^[a-z_]{1,24}$/.test(value)

const isReflection = (value: Json.Json): boolean =>
  ["id", "sessionId", "taskId", "subtaskId", "analysis", "suggestion", "createdAt"].every(
    (name) => typeof value[name] === "string"
  ) &&
  Number.isSafeInteger(value["attemptNumber"]) &&
  Number(value["attemptNumber"]) > 0 &&
  isWord(value["category"]) &&
  texts(value["actionItems"]) !== null &&
  typeof value["confidence"] === "number" &&
  value["confidence"] >= 0 &&
  value["confidence"] <= 1

const isEvent = (value: Json.Json): boolean =>
  (value["event"] === "use" || (value["event"] === "outcome" && typeof value["success"] === "boolean")) &&
  typeof value["at"] === "string" &&
  texts(value["reflectionIds"]) !== null

const valueOf = (line: string): Json.Json | null => {
  try {
    const value: unknown = JsonScan.strict(line)
    return Json.isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Lines that are neither, and records of others without the newer fields, are as the store takes them. */
export const learnedIn = (lines: ReadonlyArray<string>): ReviewLesson.Learned => {
  const reflections = new Map<string, Reflection>()
  const events: Array<MemoryEvent.MemoryEvent> = []
  for (const line of lines) {
    const value = valueOf(line)
    if (value === null) continue
    if ("event" in value) {
      if (isEvent(value)) events.push(JSON.parse(line))
    } else if (isReflection(value)) {
      const reflection: Reflection = { ...JSON.parse(line), tags: texts(value["tags"]) ?? [] }
      // A later line of the same id replaces it.
      reflections.delete(reflection.id)
      reflections.set(reflection.id, reflection)
    }
  }
  return { reflections: [...reflections.values()], events }
}

const tailBytes = 256 * 1024

type Open = (file: string) => LogFiles.LogFile

const opened = (file: string, open: Open): LogFiles.LogFile => {
  try {
    return open(file)
  } catch (cause) {
    throw PlainFiles.refuseLink(file, cause)
  }
}

/** What is done with an open file, which is closed then. */
export const within = <A>(file: string, open: Open, work: (log: LogFiles.LogFile) => A): A => {
  const log = opened(file, open)
  try {
    return work(log)
  } finally {
    log.close()
  }
}

/** The whole lines at the end of a file; throws what the file system throws. */
export const lastLines = (file: string, most: number): ReadonlyArray<string> =>
  within(file, LogFiles.openToRead, (log) => {
    const size = log.size()
    const from = Math.max(0, size - most)
    const lines = log
      .read(from, size - from)
      .toString("utf8")
      .split("\n")
    return lines.slice(from === 0 ? 0 : 1, -1)
  })

/** The same, nothing where there is no file. */
export const linesOf = (file: string, most: number): ReadonlyArray<string> =>
  MemoryPlace.isThere(file) ? lastLines(file, most) : []

/**
 * What the end of a memory says, or its last `most` bytes, and what a work tree has that is still to be merged; nothing where
 * there is none. Throws what the file system throws.
 */
export const read = (place: MemoryPlace.MemoryPlace, most: number = tailBytes): ReviewLesson.Learned =>
  learnedIn([place.file, MemoryPlace.waiting(place)].flatMap((file) => (file === null ? [] : linesOf(file, most))))

const nap = new Int32Array(new SharedArrayBuffer(4))
const napMs = 10
const patienceMs = 500

const held = (file: string): PidLock.Held => {
  for (let waited = 0; ; waited += napMs) {
    const lock = LogFiles.lock(file)
    if (lock !== null) return lock
    if (waited >= patienceMs) throw new Error(`another process holds ${LogFiles.lockOf(file)}`)
    Atomics.wait(nap, 0, 0, napMs)
  }
}

/** Nobody writes a line as long as this: the host waits, and a workspace may bring a file of any size. */
const mostTorn = 1024 * 1024

const tailOf = (file: string, log: LogFiles.LogFile): TornLine.Tail => {
  const from = log.size() - mostTorn
  return {
    ...log,
    read: (at, length) => {
      if (at < from)
        throw new Error(`${file} ends in 1 MiB or more without a line break; reflexion's own commands move that aside`)
      return log.read(at, length)
    }
  }
}

/** What is done while nobody else writes a file. */
export const locked = (file: string, work: () => void): void => {
  const lock = held(file)
  try {
    work()
  } finally {
    lock.release()
  }
}

/** An open file without the half line that a killed process left in it. */
export const mend = (file: string, log: LogFiles.LogFile): void =>
  void TornLine.mend(tailOf(file, log), (torn) => TornLine.keep(LogFiles.openToAdd, file, torn))

/**
 * Adds lines, each with its break, to a file in one write, which outlast a power cut. What they are is asked while nobody else
 * writes. Throws what the file system throws.
 */
export const add = (file: string, lines: (log: LogFiles.LogFile) => string): void =>
  locked(file, () =>
    within(file, LogFiles.openToAdd, (log) => {
      mend(file, log)
      const text = lines(log)
      if (text === "") return
      log.append(Buffer.from(text))
      log.sync()
    })
  )

/** The same, and nothing is left of them to add once they are read back; what is to be added is asked twice. Throws otherwise. */
export const addWhole = (file: string, lines: (log: LogFiles.LogFile) => ReadonlyArray<string>): void =>
  locked(file, () =>
    within(file, LogFiles.openToAdd, (log) => {
      mend(file, log)
      const added = lines(log)
      if (added.length === 0) return
      log.append(Buffer.from(added.map((line) => `${line}\n`).join("")))
      log.sync()
      if (lines(log).length > 0) throw new Error(`${file} does not have what was written to it`)
    })
  )

/** The same to a file of the project's. */
export const appendTo = (root: string, name: string, lines: () => string): void =>
  add(Path.join(ReviewFiles.folder(root), name), lines)

/** The same of what was learned. */
export const append = (
  place: MemoryPlace.MemoryPlace,
  records: ReadonlyArray<Reflection | MemoryEvent.MemoryEvent>
): void => {
  const file = MemoryPlace.toAdd(place)
  MemoryPlace.prepare(file)
  add(file, () => records.map((one) => `${JSON.stringify(one)}\n`).join(""))
}

/** Larger ones are left to `reflexion prune` and `reflexion outcomes prune`: the host waits. */
const mostForgotten = 16 * 1024 * 1024

const headBytes = 16 * 1024

/** What a file's lines say of their age. */
export interface Ages {
  /** By how much older, in ms, something has to be before the file is written anew. */
  readonly slack: number
  readonly times: (lines: ReadonlyArray<string>) => ReadonlyArray<string>
  /** What stays of a file: what is as young as `before`, in ms, and what nobody can read. */
  readonly stays: (lines: ReadonlyArray<string>, before: number) => ReadonlyArray<boolean>
}

export const isBefore =
  (before: number) =>
  (time: string): boolean =>
    Date.parse(time) < before

/** Whether a memory begins with what is older than `before`, in ms: what can be forgotten stands first. */
const hasOld = (file: string, before: number, { slack, times }: Ages): boolean =>
  within(file, LogFiles.openToRead, (log) => {
    const lines = log.read(0, headBytes).toString("utf8").split("\n").slice(0, -1)
    return log.size() <= mostForgotten && times(lines.slice(0, 8)).some(isBefore(before - slack))
  })

const young = (lines: ReadonlyArray<string>, before: number): ReadonlyArray<boolean> => {
  const isOld = isBefore(before)
  const { reflections } = learnedIn(lines)
  // Of an id the last line counts: without it the one before would be back.
  const made = new Map(reflections.map(({ createdAt, id }) => [id, createdAt] as const))
  const isGone = (id: string): boolean => isOld(made.get(id) ?? "")
  return lines.map((line) => {
    const { events, reflections } = learnedIn([line])
    const [event, reflection] = [events[0], reflections[0]]
    if (reflection !== undefined) return !isGone(reflection.id)
    if (event === undefined) return true
    return !isOld(event.at) && (event.reflectionIds.length === 0 || !event.reflectionIds.every(isGone))
  })
}

const learned: Ages = {
  slack: 0,
  times: (lines) => {
    const { events, reflections } = learnedIn(lines)
    return [...events.map(({ at }) => at), ...reflections.map(({ createdAt }) => createdAt)]
  },
  stays: young
}

/** Byte for byte, for not every line has to be text. */
const withoutOld = (all: Buffer, before: number, ages: Ages): Buffer | null => {
  const lines = all.toString("latin1").split("\n")
  const stays = ages.stays(
    lines.map((line) => Buffer.from(line, "latin1").toString("utf8")),
    before
  )
  return stays.includes(false) ? Buffer.from(lines.filter((_, index) => stays[index]).join("\n"), "latin1") : null
}

/**
 * Leaves out of a file what is older than `before`, in ms, where it begins with that. A crash leaves the old file or the new
 * one. Throws what the file system throws.
 */
const leaveOut = (file: string, before: number, ages: Ages): void => {
  if (!MemoryPlace.isThere(file) || !hasOld(file, before, ages)) return
  locked(file, () => {
    // A journal speaks of the file that is there; who opens the memory next sees to both.
    if (FS.existsSync(`${file}.journal`)) return
    const next = LogFiles.replace(file)
    try {
      const rest = withoutOld(
        within(file, LogFiles.openToRead, (log) => log.read(0, log.size())),
        before,
        ages
      )
      if (rest !== null) {
        next.write(rest)
        next.commit()
      }
    } finally {
      next.abandon()
    }
  })
}

/** The same of a file of the project's. */
export const forgetIn = (root: string, name: string, before: number, ages: Ages): void =>
  leaveOut(Path.join(root, ArtifactFiles.directory, name), before, ages)

/** The same of what was learned. */
export const forget = ({ file }: Pick<MemoryPlace.MemoryPlace, "file">, before: number): void =>
  leaveOut(file, before, learned)
