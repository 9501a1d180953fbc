/** Finds the clone of a linked git work tree. The two must name each other, and the user must own both. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"

export interface Clone {
  /** The clone's objects and refs are in this folder. */
  readonly common: string
  /** The folder whose `.git` is `common`. Null for a bare clone. */
  readonly main: string | null
}

const maxBytes = 16 * 1024

const lineOf = (file: string): string | null =>
  PlainFiles.read(file, { maxBytes, ofWorkspace: true })?.replace(/[\r\n]+$/, "") ?? null

/** Null if `.git` is not a file that names a folder. */
const namedBy = (dotGit: string): string | null => {
  if (FS.lstatSync(dotGit, { throwIfNoEntry: false })?.isFile() !== true) return null
  const said = lineOf(dotGit)
  return said?.startsWith("gitdir: ") === true
    ? FS.realpathSync(Path.resolve(Path.dirname(dotGit), said.slice("gitdir: ".length)))
    : null
}

/** True if `.git` in this folder is the folder `common`, or a file that names `common`. */
const isOf = (folder: string, common: string): boolean => {
  const dotGit = Path.join(folder, ".git")
  return Path.basename(common) === ".git" && folder === Path.dirname(common)
    ? FS.lstatSync(dotGit).isDirectory()
    : namedBy(dotGit) === common
}

const mainOf = (common: string): string | null => {
  const beside = Path.dirname(common)
  return isOf(beside, common) ? beside : null
}

const isMine = (path: string): boolean => process.getuid === undefined || FS.lstatSync(path).uid === process.getuid()

const isBare = (folder: string): boolean =>
  FS.lstatSync(Path.join(folder, "HEAD"), { throwIfNoEntry: false })?.isFile() === true &&
  ["objects", "refs"].every(
    (name) => FS.lstatSync(Path.join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true
  )

const linked = (root: string): Clone | null => {
  const dotGit = Path.join(root, ".git")
  const own = namedBy(dotGit)
  if (own === null || Path.basename(Path.dirname(own)) !== "worktrees") return null
  const common = Path.dirname(Path.dirname(own))
  const [said, back] = [lineOf(Path.join(own, "commondir")), lineOf(Path.join(own, "gitdir"))]
  if (said === null || back === null || FS.realpathSync(Path.resolve(own, said)) !== common) return null
  if (FS.realpathSync(Path.resolve(own, back)) !== dotGit) return null
  const main = mainOf(common)
  // Anybody can make a folder with `worktrees` in it, so the folder must look like a bare clone.
  if (main === null && !isBare(common)) return null
  const all = [dotGit, own, common, ...(main === null ? [] : [main])]
  return all.every(isMine) ? { common, main } : null
}

/** Null if `root` is neither a linked work tree nor a bare clone. `root` must have no symbolic links. */
export const cloneOf = (root: string): Clone | null => {
  try {
    const dotGit = FS.lstatSync(Path.join(root, ".git"), { throwIfNoEntry: false })
    if (dotGit === undefined) return isBare(root) ? { common: root, main: null } : null
    return dotGit.isFile() ? linked(root) : null
  } catch {
    return null
  }
}
