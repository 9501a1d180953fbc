/** Changes the user's files. A file is written in one step and keeps its mode. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Option from "effect/Option"
import { isUtf8 } from "node:buffer"
import * as FS from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { CliFailure } from "../process/CliError.ts"

export interface FoundFile {
  readonly file: string
  /** The path to write. For a symbolic link, this is the link's target. */
  readonly real: string
  /** Null if the file does not exist. */
  readonly text: string | null
}

const refuse = (problem: string) => new CliFailure({ problem })

const isLink = (path: string): boolean => FS.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** A project may come from anybody, so a link in it could lead anywhere. */
const refuseLinks = (root: string, file: string): void => {
  let path = root
  for (const part of relative(root, file).split(sep)) {
    path = join(path, part)
    if (isLink(path))
      throw refuse(`${path} is a symbolic link, and reflexion follows no links in a project. Nothing was changed.`)
  }
}

const realOf = Option.liftThrowable((file: string) => FS.realpathSync(file))

const target = (file: string): string =>
  isLink(file)
    ? Option.getOrThrowWith(realOf(file), () =>
        refuse(`${file} is a symbolic link whose target does not exist. Correct or remove it, then run this again.`)
      )
    : file

const bytesOf = (file: string): Buffer | null => {
  const found = FS.statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile()) throw refuse(`${file} is not a plain file. Nothing was changed.`)
  if (found.size > PlainFiles.maxBytes)
    throw refuse(`${file} is larger than ${PlainFiles.maxBytes} bytes. Nothing was changed.`)
  return FS.readFileSync(file)
}

/** Throws if the file must not be changed. `root` is the file's project, or null for the user's own files. */
export const find = (file: string, root: string | null): FoundFile => {
  if (root !== null) refuseLinks(root, file)
  const real = target(file)
  const bytes = bytesOf(real)
  if (bytes !== null && !isUtf8(bytes)) throw refuse(`${file} is not UTF-8 text. Nothing was changed.`)
  return { file, real, text: bytes?.toString() ?? null }
}

/** Fails if the file changed in the meantime: hosts write these files too. */
const refuseStale = ({ file, real, text }: FoundFile): void => {
  if ((bytesOf(real)?.toString() ?? null) !== text)
    throw refuse(`${file} was changed by another program just now. Nothing was changed; run this again.`)
}

/** The folders that writing a file would create, the innermost first. */
export const foldersToMake = ({ real }: FoundFile): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let folder = dirname(real); !FS.existsSync(folder); folder = dirname(folder)) folders.push(folder)
  return folders
}

export const write = (found: FoundFile, content: string): void => {
  refuseStale(found)
  const before = FS.statSync(found.real, { throwIfNoEntry: false })
  PlainFiles.write(found.real, content, { mode: before === undefined ? 0o600 : before.mode & 0o7777 })
  if (before === undefined) return
  const after = FS.statSync(found.real)
  const isRoot = process.getuid?.() === 0
  if (isRoot && (after.uid !== before.uid || after.gid !== before.gid)) FS.chownSync(found.real, before.uid, before.gid)
  FS.chmodSync(found.real, before.mode & 0o7777)
}

/** Fails if the folder is not empty. */
const removeEmpty = Option.liftThrowable((folder: string) => FS.rmdirSync(folder))

export const remove = (found: FoundFile, folders: ReadonlyArray<string>): void => {
  refuseStale(found)
  FS.rmSync(found.real, { force: true })
  for (const folder of folders) if (Option.isNone(removeEmpty(folder))) return
}
