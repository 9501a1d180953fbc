/**
 * The files of the logs, by Node's own file system: opened through no link, readable by the user alone, added to in
 * one write, and replaced in one step under their lock. Without a service, so that a host's process, which has no time for
 * any, writes by the rules of `NodeLogDisk`. Throws what the file system throws.
 */
import type * as Disk from "@reflexion/core/LogDisk"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PidLock from "./PidLock.ts"
import * as PlainFiles from "./PlainFiles.ts"

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

/**
 * What tells a file from one that takes its place.
 *
 * @category reading
 */
export const idOf = ({ dev, ino }: FS.Stats): string => `${dev}:${ino}`

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = FS.constants

/**
 * Flags for opening what others may have put there.
 *
 * @category constants
 */
// Without O_NONBLOCK, a pipe in the file's place would be waited for. Windows has neither flag.
export const careful = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)

export const mode = 0o600

/**
 * A name is as lasting as the folder that has it.
 *
 * @category writing
 */
export const syncFolder = (folder: string): void => {
  // Windows opens no folder, and keeps its entries by itself.
  if (process.platform === "win32") return
  const descriptor = FS.openSync(folder, O_RDONLY)
  try {
    FS.fsyncSync(descriptor)
  } finally {
    FS.closeSync(descriptor)
  }
}

/**
 * Whether what was thrown says that something may only be read.
 *
 * @category predicates
 */
export const isReadOnly = (cause: unknown): boolean => ["EACCES", "EPERM", "EROFS"].includes(String(codeOf(cause)))

interface Opened {
  readonly descriptor: number
  /** Why it can only be read; null where it can be written. */
  readonly refusal: { readonly cause: unknown } | null
}

/** To add to where that is allowed, else to read. */
const openThere = (path: string): Opened | null => {
  try {
    return { descriptor: FS.openSync(path, O_RDWR | O_APPEND | careful), refusal: null }
  } catch (cause) {
    if (PlainFiles.isAbsent(cause)) return null
    if (isReadOnly(cause)) return { descriptor: FS.openSync(path, O_RDONLY | careful), refusal: { cause } }
    throw cause
  }
}

const openNew = (path: string): Opened => {
  PlainFiles.makeFolder(Path.dirname(path))
  try {
    const descriptor = FS.openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | careful, mode)
    syncFolder(Path.dirname(path))
    return { descriptor, refusal: null }
  } catch (cause) {
    const there = PlainFiles.isPresent(cause) ? openThere(path) : null
    if (there === null) throw cause
    return there
  }
}

/**
 * In one write, all of it or none that counts.
 *
 * @category writing
 */
export const writeWhole = (descriptor: number, bytes: Uint8Array): void => {
  if (FS.writeSync(descriptor, bytes) !== bytes.length)
    throw Object.assign(new Error("there is no room for all of it"), { code: "ENOSPC" })
}

/** What a full disk took of it goes again. */
const appendTo = (descriptor: number, bytes: Uint8Array, size?: number): void => {
  const before = size ?? FS.fstatSync(descriptor).size
  try {
    writeWhole(descriptor, bytes)
  } catch (cause) {
    if (FS.fstatSync(descriptor).size > before) FS.ftruncateSync(descriptor, before)
    throw cause
  }
}

let changed = 0

/**
 * How often this process has changed a log, or tried to.
 *
 * @category reading
 */
export const changes = (): number => changed

const quiet = { throwIfNoEntry: false } as const

/**
 * What is at a path, null where nothing is.
 *
 * @category reading
 */
export const find = (path: string): { readonly id: string; readonly size: number } | null => {
  const found = FS.lstatSync(path, quiet)
  return found === undefined ? null : { id: idOf(found), size: found.size }
}

/**
 * An open file.
 *
 * @category models
 */
export interface LogFile extends Pick<Disk.LogFile, "append" | "sync" | "truncate" | "close"> {
  readonly descriptor: number
  readonly found: FS.Stats
  readonly size: () => number
  readonly read: (at: number, length: number) => Buffer
}

const fileOf = (path: string, { descriptor, refusal }: Opened): LogFile => {
  const mayWrite = (): void => {
    if (refusal !== null) throw refusal.cause
  }
  const found = FS.fstatSync(descriptor)
  try {
    if (!found.isFile()) throw new Error(`${path} is not a plain file`)
    PlainFiles.refuseShared(path, found)
  } catch (cause) {
    FS.closeSync(descriptor)
    throw cause
  }
  return {
    descriptor,
    found,
    size: () => FS.fstatSync(descriptor).size,
    read: (at, length) => {
      const target = Buffer.allocUnsafe(length)
      return target.subarray(0, PlainFiles.readAt(descriptor, target, at))
    },
    append: (bytes, size) => {
      mayWrite()
      changed += 1
      appendTo(descriptor, bytes, size)
    },
    sync: () => FS.fdatasyncSync(descriptor),
    truncate: (size) => {
      mayWrite()
      changed += 1
      FS.ftruncateSync(descriptor, size)
    },
    close: () => FS.closeSync(descriptor)
  }
}

/**
 * Opens a file to add to it, or to read it where that is all that is allowed; null where there is none.
 *
 * @category constructors
 */
export const open = (path: string): LogFile | null => {
  const opened = openThere(path)
  return opened === null ? null : fileOf(path, opened)
}

/**
 * The same; makes a file where there is none.
 *
 * @category constructors
 */
export const openToAdd = (path: string): LogFile => fileOf(path, openThere(path) ?? openNew(path))

export const openToRead = (path: string): LogFile =>
  fileOf(path, { descriptor: FS.openSync(path, O_RDONLY | careful), refusal: null })

/**
 * The lock of a file.
 *
 * @category locking
 */
export const lockOf = (path: string): string => `${path}.lock`

/**
 * Takes the lock of a file, null while another holds it. What a killed process did with names is synchronised before anything
 * is added to a file that has one of them.
 *
 * @category locking
 */
export const lock = (
  path: string,
  take: () => PidLock.Held | null = () => PidLock.take(lockOf(path), Date.now())
): PidLock.Held | null => {
  const held = take()
  if (held?.isOver !== true) return held
  try {
    syncFolder(Path.dirname(path))
    return held
  } catch (cause) {
    held.release()
    throw cause
  }
}

const touchEveryMs = 5000

/** Who holds the lock, by what it is a link to; null where it is none. */
const holderOf = (path: string): string | null => {
  try {
    return FS.readlinkSync(lockOf(path))
  } catch {
    return null
  }
}

/** A file and whoever may change it now. */
const stateOf = (path: string): string => {
  const found = find(path)
  return `${found === null ? "none" : `${found.id} ${found.size}`} ${holderOf(path)}`
}

/**
 * A process may stand still for so long that its lock is taken over from another machine's view, and some programs know of
 * no lock: what they added meanwhile would be lost.
 */
const unchanged = (path: string, before: string): void => {
  if (stateOf(path) !== before) throw new Error("another program changed it meanwhile; it is left as it is, try again")
}

/**
 * What is to take a file's place, under its lock.
 *
 * @category writing
 */
export const replace = (path: string): Disk.Replacement => {
  const next = `${path}.next`
  // One that is there was left by a process that was killed, for the lock is ours.
  FS.rmSync(next, { force: true })
  const found = FS.lstatSync(path, quiet)
  const before = stateOf(path)
  const descriptor = FS.openSync(next, O_WRONLY | O_CREAT | O_EXCL | careful, mode)
  // A group that shares the log keeps it, whatever the process's mask takes from a new file.
  if (found !== undefined) FS.fchmodSync(descriptor, found.mode & 0o777)
  let isOpen = true
  let touched = Date.now()
  const close = (): void => {
    if (isOpen) FS.closeSync(descriptor)
    isOpen = false
  }
  return {
    write: (bytes) => {
      if (bytes.length > 0) writeWhole(descriptor, bytes)
      const now = Date.now()
      if (now - touched < touchEveryMs) return
      touched = now
      unchanged(path, before)
      FS.lutimesSync(lockOf(path), now / 1000, now / 1000)
    },
    commit: () => {
      FS.fsyncSync(descriptor)
      close()
      unchanged(path, before)
      changed += 1
      FS.renameSync(next, path)
      syncFolder(Path.dirname(path))
    },
    abandon: () => {
      close()
      FS.rmSync(next, { force: true })
    }
  }
}
