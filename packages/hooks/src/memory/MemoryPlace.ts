/** Where a project's memory is: all work trees of a clone share one, in the main work tree or a bare clone's folder. */
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as TrackedFile from "@reflexion/core/internal/base/system/TrackedFile"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as Worktree from "../places/Worktree.ts"

/** `root` names the tasks that the memory has, and is what the user trusts it by: the main work tree, or a bare clone's folder. */
export interface MemoryPlace {
  readonly root: string
  readonly file: string
}

type Env = Readonly<Record<string, string | undefined>>

/** In a bare clone git sees no folder but its own, and a hidden one would be found by nobody. */
const bareFolder = "reflection"

const fileIn = (folder: string): string => Path.join(folder, "reflections.jsonl")

const ownFile = (root: string): string => fileIn(Path.join(root, ArtifactFiles.directory))

const sharedBy = ({ common, main }: Worktree.Clone): MemoryPlace =>
  main === null ? { root: common, file: fileIn(Path.join(common, bareFolder)) } : { root: main, file: ownFile(main) }

/** What is no folder, as a link that leads elsewhere, is nobody's memory. */
const isUsable = (file: string): boolean =>
  FS.lstatSync(Path.dirname(file), { throwIfNoEntry: false })?.isDirectory() !== false

export const isThere = (file: string): boolean =>
  FS.lstatSync(Path.dirname(file), { throwIfNoEntry: false })?.isDirectory() === true &&
  FS.lstatSync(file, { throwIfNoEntry: false }) !== undefined

/** Why others may be able to write a file of a project's, null where git does not track it. */
export const tracked = (root: string, file: string, env: Env): TrackedFile.SharingReason | null =>
  ProjectRoot.isWorkingCopy(root) ? TrackedFile.shared(root, file, env) : null

const isTracked = (root: string, file: string, env: Env): boolean => isThere(file) && tracked(root, file, env) !== null

/** The memory that a project reads and adds to. One that git tracks in a work tree is of its branch, and stays there. */
export const of = (root: string, env: Env = process.env): MemoryPlace => {
  const own = ownFile(root)
  const clone = Worktree.cloneOf(root)
  const place = clone === null ? null : sharedBy(clone)
  if (place === null || !isUsable(place.file) || isTracked(root, own, env) || isTracked(place.root, place.file, env))
    return { root, file: own }
  return place
}

/** Whether a project has a memory: asked at every stop. */
export const exists = (root: string): boolean => {
  if (isThere(ownFile(root))) return true
  const clone = Worktree.cloneOf(root)
  return clone !== null && isThere(sharedBy(clone).file)
}

/** Makes the folder of a memory's file, which git passes over. Throws what the file system throws, and for a symbolic link. */
export const prepare = (file: string): void => {
  const folder = Path.dirname(file)
  if (Path.basename(folder) === ArtifactFiles.directory) return void ReviewFolder.make(Path.dirname(folder))
  PlainFiles.makeFolder(folder)
  if (!FS.lstatSync(folder).isDirectory()) throw new Error(`${folder} is no folder, or a symbolic link`)
}
