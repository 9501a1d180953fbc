/**
 * Small plain files, read and written the way state must be: whole, capped, through no link of either kind, and without
 * waiting for a pipe in a file's place. Plain Node and no service, for a hook's process has no time for any. Throws what the
 * file system throws: what a failure means differs from file to file.
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
const unhurried = FS.constants.O_NONBLOCK ?? 0
const careful = unhurried | (FS.constants.O_NOFOLLOW ?? 0)

/** What is done with a plain file, which is closed then. */
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

/** What is done with a plain file of one name, which is closed then. `flags` are those of the system. */
export const within = <A>(file: string, flags: number, work: (descriptor: number, found: FS.Stats) => A): A =>
  opened(file, flags | careful, (descriptor, found) => {
    refuseShared(file, found)
    return work(descriptor, found)
  })

/** The same through links, and with any number of names: only for files of the user's own. */
export const following = <A>(file: string, work: (descriptor: number, found: FS.Stats) => A): A =>
  opened(file, FS.constants.O_RDONLY | unhurried, work)

/** Reads an open file from a place on, until `into` is full or the file ends; the bytes read. */
export const readAt = (descriptor: number, into: Uint8Array, at: number): number => {
  let filled = 0
  while (filled < into.length) {
    const more = FS.readSync(descriptor, into, filled, into.length - filled, at + filled)
    if (more === 0) break
    filled += more
  }
  return filled
}

/** The bytes of an open file from one place to another, fewer where it ends before. */
export const readBetween = (descriptor: number, from: number, to: number): Buffer => {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  return bytes.subarray(0, readAt(descriptor, bytes, from))
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

/** Larger files are refused when they are read, unless the caller says another size. */
export const maxBytes = 4 * 1024 * 1024

/**
 * The file's text, null where there is none. Throws for what is no plain file, too large or unreadable, and for a
 * symbolic link unless `follow` is set. `ofWorkspace`: nobody has to be trusted with a hard link either, which the user's
 * own files may be, as where a backup has them.
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
 * Puts a text or bytes in a file's place in one step, readable by the user alone unless `mode` says otherwise; folders
 * are made. A link in the file's place is replaced, never followed.
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
 * Moves a folder out of the place of a file, which else could never be written again; says whether there was one. Only for
 * the user's own directories.
 */
export const moveFolder = (file: string): boolean => {
  if (FS.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  FS.renameSync(file, `${file}.folder-${process.pid}-${process.hrtime.bigint().toString(36)}`)
  return true
}

/** Adds a line in one write, so that lines of several processes never mix. */
export const appendLine = (file: string, line: string): void => {
  makeFolder(Path.dirname(file))
  opened(file, FS.constants.O_WRONLY | FS.constants.O_APPEND | FS.constants.O_CREAT | careful, (descriptor) =>
    FS.writeSync(descriptor, `${line}\n`)
  )
}
