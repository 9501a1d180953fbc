/**
 * A file of JSON lines that several processes share. What was added outlasts a power cut when the call returns; half a line
 * that a killed writer left is put aside; nothing is ever taken out but by `rewrite`. Synchronous and without a service, so
 * that a hook's process and a program keep it by the same rules. Throws what the file system throws, and `FileLock.Busy`.
 *
 * A call that waits for the lock keeps the thread for up to `patience` ms: an Effect gives 0, and tries again itself.
 */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as FileLock from "../../base/system/FileLock.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as RecordFolder from "../../base/system/RecordFolder.ts"

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = FS.constants

const lineBreak = 10

/** Where half a line is kept. */
export const tornOf = (path: string): string => `${path}.torn`

export const lockOf = (path: string): string => `${path}.lock`

const joined = (lines: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.of(lineBreak)]))

/** In one write, all of it or none: what a full disk took of it goes again. */
const addTo = (descriptor: number, bytes: Uint8Array): void => {
  const { size } = FS.fstatSync(descriptor)
  try {
    if (FS.writeSync(descriptor, bytes) !== bytes.length)
      throw Object.assign(new Error("there is no room for all of it"), { code: "ENOSPC" })
  } catch (cause) {
    if (FS.fstatSync(descriptor).size > size) FS.ftruncateSync(descriptor, size)
    throw cause
  }
}

const isJson = (text: string): boolean => JsonScan.parse(text) !== JsonScan.failed

/** Nobody writes a line as long as this, and a workspace may bring a file of any size. */
const mostTorn = 1024 * 1024

/**
 * `patience`: for how many ms another process is waited for, half a second unless said otherwise. `warn` is told what was put
 * aside.
 */
export interface WriteOptions {
  readonly patience?: number
  readonly warn?: (words: string) => void
}

/** What follows the last line break was being written when its writer ended. A line that only lacks its break gets it. */
const endWhole = (path: string, descriptor: number, { warn }: WriteOptions): void => {
  const { size } = FS.fstatSync(descriptor)
  if (size === 0 || PlainFiles.readBetween(descriptor, size - 1, size)[0] === lineBreak) return
  const tail = PlainFiles.readBetween(descriptor, Math.max(0, size - mostTorn), size)
  const torn = tail.subarray(tail.lastIndexOf(lineBreak) + 1)
  if (torn.length === mostTorn)
    throw new Error(`${path} ends in 1 MiB or more without a line break, and is no file of lines: move it away`)
  if (isJson(torn.toString("utf8"))) return addTo(descriptor, Buffer.of(lineBreak))
  PlainFiles.within(tornOf(path), O_RDWR | O_APPEND | O_CREAT, (aside) => {
    addTo(aside, joined([torn]))
    FS.fsyncSync(aside)
  })
  FS.ftruncateSync(descriptor, size - torn.length)
  warn?.(`${path} ended in the middle of a line: its ${torn.length} bytes were moved to ${tornOf(path)}`)
}

/** Does something while nobody else writes a file. */
const locked = <A>(path: string, { patience = 500 }: WriteOptions, work: () => A): A =>
  FileLock.within(lockOf(path), patience, ({ isOver }) => {
    // What a killed process did with names is synchronised before anything is added to a file that has one of them.
    if (isOver) PlainFiles.syncFolder(Path.dirname(path))
    return work()
  })

/** Git passes over a project's first log: anyone who may push would write what is believed. */
const makeFolder = (path: string): void => {
  const folder = Path.dirname(path)
  PlainFiles.makeFolder(folder)
  if (Path.basename(folder) === RecordFolder.directory && !FS.existsSync(path)) RecordFolder.ignore(folder)
}

/**
 * Adds what `lines` gives, each line with its break, in one write; nothing for an empty text. It is asked under the lock,
 * when the file is whole.
 */
export const append = (path: string, lines: () => string, writing: WriteOptions = {}): void => {
  makeFolder(path)
  locked(path, writing, () => {
    const isNew = !FS.existsSync(path)
    PlainFiles.within(path, O_RDWR | O_APPEND | O_CREAT, (descriptor) => {
      endWhole(path, descriptor, writing)
      const text = lines()
      if (text !== "") addTo(descriptor, Buffer.from(text))
      FS.fdatasyncSync(descriptor)
    })
    if (isNew) PlainFiles.syncFolder(Path.dirname(path))
  })
}

const broken = (bytes: Buffer): ReadonlyArray<Buffer> => {
  const lines: Array<Buffer> = []
  for (let from = 0, end = bytes.indexOf(lineBreak); end >= 0; from = end + 1, end = bytes.indexOf(lineBreak, from))
    lines.push(bytes.subarray(from, end))
  return lines
}

const placeOf = (path: string): string => {
  const found = FS.lstatSync(path, { throwIfNoEntry: false })
  return found === undefined ? "none" : `${found.dev} ${found.ino} ${found.size}`
}

/** Puts lines in a file's place, and in one step: a crash leaves the old file or the new one. */
const replace = (path: string, lines: ReadonlyArray<Buffer>, before: string, mode: number): void => {
  const next = `${path}.next`
  // One that is there was left by a process that was killed, for the lock is ours.
  FS.rmSync(next, { force: true })
  try {
    PlainFiles.within(next, O_WRONLY | O_CREAT | O_EXCL, (descriptor) => {
      // A group that shares the log keeps it, whatever the process's mask takes from a new file.
      FS.fchmodSync(descriptor, mode & 0o777)
      FS.writeFileSync(descriptor, joined(lines))
      FS.fsyncSync(descriptor)
    })
    // Some programs know of no lock: what they added meanwhile would be lost.
    if (placeOf(path) !== before)
      throw new Error(`another program changed ${path} meanwhile; it is left as it is, try again`)
    FS.renameSync(next, path)
    PlainFiles.syncFolder(Path.dirname(path))
  } catch (cause) {
    FS.rmSync(next, { force: true })
    throw cause
  }
}

/**
 * Leaves out the lines that `plan` says are gone, byte for byte, and says how many those are. It is made under the lock, of
 * all lines as they are then; what others add meanwhile waits.
 */
export const rewrite = (
  path: string,
  plan: (lines: ReadonlyArray<Buffer>) => ReadonlyArray<boolean>,
  writing: WriteOptions = {}
): number => {
  if (!FS.existsSync(path)) return 0
  return locked(path, writing, () => {
    const { before, lines, mode } = PlainFiles.within(path, O_RDWR | O_APPEND, (descriptor, { mode }) => {
      endWhole(path, descriptor, writing)
      const before = placeOf(path)
      return { before, lines: broken(PlainFiles.readBetween(descriptor, 0, FS.fstatSync(descriptor).size)), mode }
    })
    const gone = plan(lines)
    const kept = lines.filter((_, index) => gone[index] !== true)
    if (kept.length < lines.length) replace(path, kept, before, mode)
    return lines.length - kept.length
  })
}

/** The whole lines from a place on; says where they end. One that only lacks its break is a line too. */
const readFrom = (descriptor: number, from: number, size: number, take: (line: string) => void): number => {
  const bytes = PlainFiles.readBetween(descriptor, from, size)
  const end = bytes.lastIndexOf(lineBreak) + 1
  if (end > 0) for (const line of bytes.toString("utf8", 0, end - 1).split("\n")) take(line)
  const tail = bytes.toString("utf8", end)
  if (!tail.startsWith("{") || !isJson(tail)) return from + end
  take(tail)
  return from + bytes.length
}

/** The whole lines at the end of a file, of its last `most` bytes; nothing where there is none. */
export const lastLines = (path: string, most: number): ReadonlyArray<string> => {
  if (!FS.existsSync(path)) return []
  return PlainFiles.within(path, O_RDONLY, (descriptor, { size }) => {
    const lines: Array<string> = []
    readFrom(descriptor, Math.max(0, size - most), size, (line) => lines.push(line))
    return lines.slice(size > most ? 1 : 0)
  })
}

/** The beginning of a file says how old it is. */
const headBytes = 16 * 1024

/** The whole lines among the first `most` of a file, as far as 16 kB have them. */
export const firstLines = (path: string, most: number): ReadonlyArray<string> =>
  PlainFiles.within(path, O_RDONLY, (descriptor) =>
    PlainFiles.readBetween(descriptor, 0, headBytes).toString("utf8").split("\n").slice(0, -1).slice(0, most)
  )

/** What keeps up with a file. `reset`: what was said is over, for the file is another one. */
export interface Follower {
  readonly reset: () => void
  readonly line: (text: string) => void
}

/** Gives what keeps a follower up with a file: each call tells it what others added or rewrote since. */
export const follow = (path: string, { line, reset }: Follower): (() => void) => {
  let [of, known] = ["none", 0]
  return () => {
    const found = FS.lstatSync(path, { throwIfNoEntry: false })
    // A number alone may be another file's by now.
    const now = found === undefined ? "none" : `${found.dev} ${found.ino} ${found.birthtimeMs}`
    if (now !== of || (found?.size ?? 0) < known) {
      ;[of, known] = [now, 0]
      reset()
    }
    if (found === undefined || found.size === known) return
    PlainFiles.within(path, O_RDONLY, (descriptor, { size }) => {
      known = readFrom(descriptor, known, size, line)
    })
  }
}
