/** The files of a review, written into the workspace. A workspace is not trusted: nothing is written through a link. */
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

type Env = Readonly<Record<string, string | undefined>>

/**
 * The folder for a project's files, made where there is none, which git leaves alone. Throws what the file system throws,
 * and for a symbolic link.
 *
 * @category writing
 */
export const folder = (root: string): string => {
  const place = Path.join(root, ArtifactFiles.directory)
  // Made without looking first: another session of the workspace may do so meanwhile.
  try {
    FS.mkdirSync(place)
  } catch (cause) {
    if (!PlainFiles.isPresent(cause)) throw cause
  }
  if (!FS.lstatSync(place).isDirectory()) throw new Error(`${place} is no folder, or a symbolic link`)
  const ignore = Path.join(place, ".gitignore")
  if (!FS.existsSync(ignore)) PlainFiles.write(ignore, ArtifactFiles.gitignore, { mode: 0o644 })
  return place
}

/**
 * A session begun in the home directory or at the root of the disk is in no project, unless that is under git.
 *
 * @category predicates
 */
export const isWorkspace = (root: string, env: Env): boolean =>
  ![Path.parse(root).root, ...UserDirectories.homes(env).map(ProjectRoot.real)].includes(root) ||
  ProjectRoot.isWorkingCopy(root)

/**
 * Writes the files of a review below a project's root and deletes old ones; none where there is no project. The answer says what went wrong, null if nothing did.
 *
 * @category writing
 */
export const write = (root: string, env: Env, review: ArtifactFiles.Review): string | null => {
  try {
    if (!FS.existsSync(root) || !isWorkspace(root, env)) return null
    const place = folder(root)
    for (const { name, text } of ArtifactFiles.files(review)) PlainFiles.write(Path.join(place, name), text)
    for (const name of ArtifactFiles.prune(FS.readdirSync(place))) FS.rmSync(Path.join(place, name), { force: true })
    return null
  } catch (cause) {
    return `the review was not written to ${root}: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
