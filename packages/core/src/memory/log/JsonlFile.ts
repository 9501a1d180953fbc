/**
 * A file of JSON lines that several processes share. Written lines survive a power cut. Half a line of a killed writer
 * is moved to another file. The functions are synchronous, so that a hook can use them. They throw the errors of the
 * file system, and `FileLock.Busy`. A wait for the lock blocks the thread for up to `patience` ms, so an Effect should
 * pass 0 and try again itself.
 */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as FileLock from "../../base/system/FileLock.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as RecordFolder from "../../base/system/RecordFolder.ts"

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = FS.constants

const lineBreak = 10

export const tornOf = (path: string): string => `${path}.torn`

export const lockOf = (path: string): string => `${path}.lock`

const joined = (lines: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.of(lineBreak)]))

/** If the disk gets full, the part that was written is removed again. */
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

/** In bytes. No writer makes such a long line, but a workspace may have a file of any size. */
const mostTorn = 1024 * 1024

export interface WriteOptions {
  /** How many ms to wait for another process. The default is 500. */
  readonly patience?: number
  /** Receives a message when half a line was moved to another file. */
  readonly warn?: (words: string) => void
}

/** Text after the last line break is from a killed writer. Unless it is JSON, it is moved to another file. */
const endWhole = (path: string, descriptor: number, { warn }: WriteOptions): void => {
  const { size } = FS.fstatSync(descriptor)
  if (size === 0 || PlainFiles.readBetween(descriptor, size - 1, size)[0] === lineBreak) return
  const tail = PlainFiles.readBetween(descriptor, Math.max(0, size - mostTorn), size)
  const torn = tail.subarray(tail.lastIndexOf(lineBreak) + 1)
  if (torn.length === mostTorn)
    throw new Error(`${path} has no line break in its last 1 MiB, so it is not a file of lines: move it away`)
  if (isJson(torn.toString("utf8"))) return addTo(descriptor, Buffer.of(lineBreak))
  PlainFiles.within(tornOf(path), O_RDWR | O_APPEND | O_CREAT, (aside) => {
    addTo(aside, joined([torn]))
    FS.fsyncSync(aside)
  })
  FS.ftruncateSync(descriptor, size - torn.length)
  warn?.(`${path} ended in the middle of a line: its ${torn.length} bytes were moved to ${tornOf(path)}`)
}

const locked = <A>(path: string, { patience = 500 }: WriteOptions, work: () => A): A =>
  FileLock.within(lockOf(path), patience, ({ isOver }) => {
    // The last holder was killed, so its renames may not be on disk yet.
    if (isOver) PlainFiles.syncFolder(Path.dirname(path))
    return work()
  })

/** Makes git ignore a project's log before the first write. Otherwise, all who can push could write trusted records. */
const makeFolder = (path: string): void => {
  const folder = Path.dirname(path)
  PlainFiles.makeFolder(folder)
  if (Path.basename(folder) === RecordFolder.directory && !FS.existsSync(path)) RecordFolder.ignore(folder)
}

/** `lines` is called under the lock, after the end was repaired. Each line includes its line break. */
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

/** After a crash, either the old or the new file is there. */
const replace = (path: string, lines: ReadonlyArray<Buffer>, before: string, mode: number): void => {
  const next = `${path}.next`
  // We hold the lock. So if this file exists, it comes from a killed process.
  FS.rmSync(next, { force: true })
  try {
    PlainFiles.within(next, O_WRONLY | O_CREAT | O_EXCL, (descriptor) => {
      // Keeps the permissions of the old file, for example for a group. The umask of the process does not apply.
      FS.fchmodSync(descriptor, mode & 0o777)
      FS.writeFileSync(descriptor, joined(lines))
      FS.fsyncSync(descriptor)
    })
    // Some programs do not use the lock. Without this check, the lines that they added meanwhile would be lost.
    if (placeOf(path) !== before)
      throw new Error(`another program changed ${path} in the meantime; reflexion did not write to it, try again`)
    FS.renameSync(next, path)
    PlainFiles.syncFolder(Path.dirname(path))
  } catch (cause) {
    FS.rmSync(next, { force: true })
    throw cause
  }
}

/** Removes the lines that `plan` marks with true, and returns how many. `plan` is called under the lock. */
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

/** Returns the position after the last whole line. A last record without its line break counts as whole. */
const readFrom = (descriptor: number, from: number, size: number, take: (line: string) => void): number => {
  const bytes = PlainFiles.readBetween(descriptor, from, size)
  const end = bytes.lastIndexOf(lineBreak) + 1
  if (end > 0) for (const line of bytes.toString("utf8", 0, end - 1).split("\n")) take(line)
  const tail = bytes.toString("utf8", end)
  if (!tail.startsWith("{") || !isJson(tail)) return from + end
  take(tail)
  return from + bytes.length
}

/** The whole lines in the last `most` bytes. Empty if there is no file. */
export const lastLines = (path: string, most: number): ReadonlyArray<string> => {
  if (!FS.existsSync(path)) return []
  return PlainFiles.within(path, O_RDONLY, (descriptor, { size }) => {
    const lines: Array<string> = []
    readFrom(descriptor, Math.max(0, size - most), size, (line) => lines.push(line))
    return lines.slice(size > most ? 1 : 0)
  })
}

const headBytes = 16 * 1024

/** At most `most` lines. Only whole lines in the first 16 kB count. */
export const firstLines = (path: string, most: number): ReadonlyArray<string> =>
  PlainFiles.within(path, O_RDONLY, (descriptor) =>
    PlainFiles.readBetween(descriptor, 0, headBytes).toString("utf8").split("\n").slice(0, -1).slice(0, most)
  )

export interface Follower {
  /** Called when the file was replaced. All earlier lines are no longer valid. */
  readonly reset: () => void
  readonly line: (text: string) => void
}

/** Each call of the returned function passes on the lines that were added or rewritten since the previous call. */
export const follow = (path: string, { line, reset }: Follower): (() => void) => {
  let [of, known] = ["none", 0]
  return () => {
    const found = FS.lstatSync(path, { throwIfNoEntry: false })
    // The inode number alone is not enough, because another file may get the same number later.
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
