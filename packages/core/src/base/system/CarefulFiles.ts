/**
 * Opening what others may have put in a file's place: through no link of either kind, and without waiting for a pipe. Plain
 * Node and no service, for a hook's process has no time for any. Throws what the file system throws.
 */
import * as FS from "node:fs"
import * as Path from "node:path"

export const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : null

export const isAbsent = (cause: unknown): boolean => codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR"

/** Whether an exclusive creation failed because something is there. */
export const isPresent = (cause: unknown): boolean => codeOf(cause) === "EEXIST"

/** Whether what was thrown says that something may only be read. */
export const isReadOnly = (cause: unknown): boolean => ["EACCES", "EPERM", "EROFS"].includes(codeOf(cause) ?? "")

/** What went wrong, in words where a symbolic link did. */
export const refuseLink = (file: string, cause: unknown): unknown =>
  codeOf(cause) === "ELOOP" ? new Error(`${file} is a symbolic link, which is not followed here`) : cause

/**
 * Throws for an open file that has more than one name: what is written to it is written to wherever the others are. In a
 * workspace anybody may have made them.
 */
export const refuseShared = (file: string, { nlink }: Pick<FS.Stats, "nlink">): void => {
  if (nlink > 1)
    throw new Error(
      `${file} is a hard link to a file that has another name too, which is not followed here: put a copy in its place, or remove it`
    )
}

/** Windows has neither flag. */
const careful = (FS.constants.O_NOFOLLOW ?? 0) | (FS.constants.O_NONBLOCK ?? 0)

/** What is done with a plain file of one name, which is closed then. `flags` are those of the system. */
export const within = <A>(file: string, flags: number, work: (descriptor: number, found: FS.Stats) => A): A => {
  let descriptor: number
  try {
    descriptor = FS.openSync(file, flags | careful, 0o600)
  } catch (cause) {
    throw refuseLink(file, cause)
  }
  try {
    const found = FS.fstatSync(descriptor)
    if (!found.isFile()) throw new Error(`${file} is not a plain file`)
    refuseShared(file, found)
    return work(descriptor, found)
  } finally {
    FS.closeSync(descriptor)
  }
}

/** The bytes of an open file from one place to another, fewer where it ends before. */
export const readBetween = (descriptor: number, from: number, to: number): Buffer => {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let filled = 0
  while (filled < bytes.length) {
    const more = FS.readSync(descriptor, bytes, filled, bytes.length - filled, from + filled)
    if (more === 0) break
    filled += more
  }
  return bytes.subarray(0, filled)
}

/**
 * Makes a folder, and those above it, readable by the user alone. Step by step: Node's own recursion never ends where a
 * file system denies a folder below one that is there, as `/proc` does.
 */
export const makeFolder = (folder: string): void => {
  if (FS.existsSync(folder)) return
  const parent = Path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    FS.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    // Another process was quicker.
    if (!isPresent(cause)) throw cause
  }
}

/** A name is as lasting as the folder that has it. Windows opens no folder, and keeps its entries by itself. */
export const syncFolder = (folder: string): void => {
  if (process.platform === "win32") return
  const descriptor = FS.openSync(folder, FS.constants.O_RDONLY)
  try {
    FS.fsyncSync(descriptor)
  } finally {
    FS.closeSync(descriptor)
  }
}
