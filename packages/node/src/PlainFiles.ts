/**
 * Small plain files, read and written the way state must be: whole, capped, through no link. Synchronous, for
 * a hook has nothing else to do. The caller catches: what a failure means differs from file to file.
 */
import { isAbsent, makeFolder, refuseLink, refuseShared } from "@reflexion/core/internal/base/system/CarefulFiles"
import * as FS from "node:fs"
import * as Path from "node:path"

/**
 * Larger files are refused when they are read, unless the caller says another size.
 *
 * @category limits
 */
export const maxBytes = 4 * 1024 * 1024

export { isAbsent, isPresent, makeFolder } from "@reflexion/core/internal/base/system/CarefulFiles"

// Without O_NONBLOCK, a pipe in the file's place would be waited for.
const flags = FS.constants.O_RDONLY | FS.constants.O_NONBLOCK

/**
 * The file's text, null where there is none. Throws for what is no plain file, too large or unreadable, and for a
 * symbolic link unless `follow` is set. `ofWorkspace`: nobody has to be trusted with a hard link either, which the user's
 * own files may be, as where a backup has them.
 *
 * @category reading
 */
export const read = (
  file: string,
  options: { readonly follow?: boolean; readonly ofWorkspace?: boolean; readonly maxBytes?: number } = {}
): string | null => {
  const { maxBytes: most = maxBytes } = options
  let descriptor: number
  try {
    descriptor = FS.openSync(file, options.follow === true ? flags : flags | FS.constants.O_NOFOLLOW)
  } catch (cause) {
    if (isAbsent(cause)) return null
    throw refuseLink(file, cause)
  }
  try {
    const found = FS.fstatSync(descriptor)
    if (!found.isFile()) throw new Error(`${file} is not a plain file`)
    if (options.ofWorkspace === true) refuseShared(file, found)
    if (found.size > most) throw new Error(`${file} is larger than ${most / 1024} kB`)
    return FS.readFileSync(descriptor, "utf8")
  } finally {
    FS.closeSync(descriptor)
  }
}

/**
 * Reads an open file from a place on, until `into` is full or the file ends; the bytes read.
 *
 * @category reading
 */
export const readAt = (descriptor: number, into: Uint8Array, at: number): number => {
  let filled = 0
  while (filled < into.length) {
    const more = FS.readSync(descriptor, into, filled, into.length - filled, at + filled)
    if (more === 0) break
    filled += more
  }
  return filled
}

const temporary = (file: string): string =>
  Path.join(Path.dirname(file), `.${Path.basename(file)}.${process.pid}.${process.hrtime.bigint().toString(36)}`)

/**
 * Puts a text or bytes in a file's place in one step, readable by the user alone unless `mode` says otherwise; folders
 * are made. A link in the file's place is replaced, never followed.
 *
 * @category writing
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
 *
 * @category writing
 */
export const moveFolder = (file: string): boolean => {
  if (FS.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  FS.renameSync(file, `${file}.folder-${process.pid}-${process.hrtime.bigint().toString(36)}`)
  return true
}

/**
 * Adds a line in one write, so that lines of several processes never mix.
 *
 * @category writing
 */
export const appendLine = (file: string, line: string): void => {
  const flags = FS.constants.O_WRONLY | FS.constants.O_APPEND | FS.constants.O_CREAT | FS.constants.O_NOFOLLOW
  makeFolder(Path.dirname(file))
  const descriptor = FS.openSync(file, flags, 0o600)
  try {
    FS.writeSync(descriptor, `${line}\n`)
  } finally {
    FS.closeSync(descriptor)
  }
}
