/**
 * Safely reads and writes small plain files of state. It never blocks on a pipe, and uses only Node, because a hook has
 * little time. It throws the errors of the file system, because their meaning differs from file to file.
 */
import * as FS from "node:fs"
import * as Path from "node:path"

export const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : null

export const isAbsent = (cause: unknown): boolean => codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR"

export const isPresent = (cause: unknown): boolean => codeOf(cause) === "EEXIST"

export const isReadOnly = (cause: unknown): boolean => ["EACCES", "EPERM", "EROFS"].includes(codeOf(cause) ?? "")

/** Gives the error for a symbolic link a clear message. */
export const refuseLink = (file: string, cause: unknown): unknown =>
  codeOf(cause) === "ELOOP" ? new Error(`${file} is a symbolic link, which reflexion does not follow`) : cause

/** A write would also change the file under its other names. In a workspace, anybody may have made such a hard link. */
export const refuseShared = (file: string, { nlink }: Pick<FS.Stats, "nlink">): void => {
  if (nlink > 1)
    throw new Error(
      `${file} is a hard link: the file has another name too, so reflexion does not use it. Replace it with a copy, or remove it`
    )
}

/** Windows does not have these two flags. */
const unhurried = FS.constants.O_NONBLOCK ?? 0
const careful = unhurried | (FS.constants.O_NOFOLLOW ?? 0)

const opened = <A>(file: string, flags: number, work: (descriptor: number, found: FS.Stats) => A): A => {
  let descriptor: number
  try {
    descriptor = FS.openSync(file, flags, 0o600)
  } catch (cause) {
    throw refuseLink(file, cause)
  }
  try {
    const found = FS.fstatSync(descriptor)
    if (!found.isFile()) throw new Error(`${file} is not a plain file`)
    return work(descriptor, found)
  } finally {
    FS.closeSync(descriptor)
  }
}

/** Opens a plain file that has only one name. `flags` are the system's flags for opening a file. */
export const within = <A>(file: string, flags: number, work: (descriptor: number, found: FS.Stats) => A): A =>
  opened(file, flags | careful, (descriptor, found) => {
    refuseShared(file, found)
    return work(descriptor, found)
  })

/** Like `within`, but follows links and allows several names. Only for the user's own files. */
export const following = <A>(file: string, work: (descriptor: number, found: FS.Stats) => A): A =>
  opened(file, FS.constants.O_RDONLY | unhurried, work)

/** Reads from position `at` until `into` is full or the file ends. Returns the number of bytes. */
export const readAt = (descriptor: number, into: Uint8Array, at: number): number => {
  let filled = 0
  while (filled < into.length) {
    const more = FS.readSync(descriptor, into, filled, into.length - filled, at + filled)
    if (more === 0) break
    filled += more
  }
  return filled
}

export const readBetween = (descriptor: number, from: number, to: number): Buffer => {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  return bytes.subarray(0, readAt(descriptor, bytes, from))
}

/**
 * Makes a folder and its parents, readable only by the user. Node's recursive `mkdir` never ends where a file system
 * refuses new folders, for example in `/proc`.
 */
export const makeFolder = (folder: string): void => {
  if (FS.existsSync(folder)) return
  const parent = Path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    FS.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    // Another process was faster.
    if (!isPresent(cause)) throw cause
  }
}

/** Makes the names in the folder survive a power cut. Windows saves these names itself. */
export const syncFolder = (folder: string): void => {
  if (process.platform === "win32") return
  const descriptor = FS.openSync(folder, FS.constants.O_RDONLY)
  try {
    FS.fsyncSync(descriptor)
  } finally {
    FS.closeSync(descriptor)
  }
}

/** The default maximum size of a file to read. */
export const maxBytes = 4 * 1024 * 1024

/**
 * Null if there is no file. Throws if the path is not a plain file, is a symbolic link (unless `follow` is set), or is
 * too large. With `ofWorkspace`, it also throws for a hard link. The user's own files may have hard links, for example
 * from a backup.
 */
export const read = (
  file: string,
  options: { readonly follow?: boolean; readonly ofWorkspace?: boolean; readonly maxBytes?: number } = {}
): string | null => {
  const { maxBytes: most = maxBytes } = options
  try {
    return opened(file, options.follow === true ? unhurried : careful, (descriptor, found) => {
      if (options.ofWorkspace === true) refuseShared(file, found)
      if (found.size > most) throw new Error(`${file} is larger than ${most / 1024} kB`)
      return FS.readFileSync(descriptor, "utf8")
    })
  } catch (cause) {
    if (isAbsent(cause)) return null
    throw cause
  }
}

const temporary = (file: string): string =>
  Path.join(Path.dirname(file), `.${Path.basename(file)}.${process.pid}.${process.hrtime.bigint().toString(36)}`)

/**
 * Replaces a file in one step, and makes its folders. Only the user can read it, unless `mode` says otherwise. A link
 * at the path is replaced and never followed.
 */
export const write = (file: string, content: string | Uint8Array, options: { readonly mode?: number } = {}): void => {
  const part = temporary(file)
  makeFolder(Path.dirname(file))
  try {
    FS.writeFileSync(part, content, { mode: options.mode ?? 0o600, flag: "wx" })
    FS.renameSync(part, file)
  } catch (cause) {
    FS.rmSync(part, { force: true })
    throw cause
  }
}

/**
 * If a folder is at the path of a file, moves the folder away. Otherwise the file could never be written. Returns true
 * if there was a folder. Only for the user's own directories.
 */
export const moveFolder = (file: string): boolean => {
  if (FS.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  FS.renameSync(file, `${file}.folder-${process.pid}-${process.hrtime.bigint().toString(36)}`)
  return true
}

/** Uses one write, so that lines of several processes never mix. */
export const appendLine = (file: string, line: string): void => {
  makeFolder(Path.dirname(file))
  opened(file, FS.constants.O_WRONLY | FS.constants.O_APPEND | FS.constants.O_CREAT | careful, (descriptor) =>
    FS.writeSync(descriptor, `${line}\n`)
  )
}
