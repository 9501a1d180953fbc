/** Finds a project's memory: in a clone's main work tree or bare folder. All work trees of the clone share it. */
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as TrackedFile from "@reflexion/core/internal/base/system/TrackedFile"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as Worktree from "../places/Worktree.ts"

export interface MemoryPlace {
  /** The main work tree, or a bare clone's folder. The memory's tasks are named after it. Trust is saved for it. */
  readonly root: string
  readonly file: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Not hidden, because nobody would find a hidden folder inside a bare clone. Git ignores the folder there. */
const bareFolder = "reflection"

const fileIn = (folder: string): string => Path.join(folder, "reflections.jsonl")

const ownFile = (root: string): string => fileIn(Path.join(root, ArtifactFiles.directory))

const sharedBy = ({ common, main }: Worktree.Clone): MemoryPlace =>
  main === null ? { root: common, file: fileIn(Path.join(common, bareFolder)) } : { root: main, file: ownFile(main) }

/** False if the path exists but is no real folder, for example a link to another place. */
const isUsable = (file: string): boolean =>
  FS.lstatSync(Path.dirname(file), { throwIfNoEntry: false })?.isDirectory() !== false

export const isThere = (file: string): boolean =>
  FS.lstatSync(Path.dirname(file), { throwIfNoEntry: false })?.isDirectory() === true &&
  FS.lstatSync(file, { throwIfNoEntry: false }) !== undefined

/** Why other people may be able to write the file. Null if git does not track it. */
export const tracked = (root: string, file: string, env: Env): TrackedFile.SharingReason | null =>
  ProjectRoot.isWorkingCopy(root) ? TrackedFile.shared(root, file, env) : null

const isTracked = (root: string, file: string, env: Env): boolean => isThere(file) && tracked(root, file, env) !== null

/** If git tracks a memory in a work tree, the memory belongs to the branch and stays there. */
export const of = (root: string, env: Env = process.env): MemoryPlace => {
  const own = ownFile(root)
  const clone = Worktree.cloneOf(root)
  const place = clone === null ? null : sharedBy(clone)
  if (place === null || !isUsable(place.file) || isTracked(root, own, env) || isTracked(place.root, place.file, env))
    return { root, file: own }
  return place
}

/** Must be fast, because it runs at every stop. */
export const exists = (root: string): boolean => {
  if (isThere(ownFile(root))) return true
  const clone = Worktree.cloneOf(root)
  return clone !== null && isThere(sharedBy(clone).file)
}

/** Git ignores the folder. Throws if it is a symbolic link. */
export const prepare = (file: string): void => {
  const folder = Path.dirname(file)
  if (Path.basename(folder) === ArtifactFiles.directory) return void ReviewFolder.make(Path.dirname(folder))
  PlainFiles.makeFolder(folder)
  if (!FS.lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder, or is a symbolic link`)
}
