/**
 * The files of a review, written into the workspace. A workspace is not trusted: nothing is written through a link.
 *
 * @since 0.1.0
 */
import * as ArtifactFiles from "@reflexion/core/ArtifactFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import * as ProjectRoot from "./internal/projectRoot.ts"

/**
 * The folder for a project's files, made where there is none, which git leaves alone. Throws what the file system throws,
 * and for a symbolic link.
 *
 * @since 0.1.0
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
 * @since 0.1.0
 * @category predicates
 */
export const isWorkspace = (root: string, home: string): boolean =>
  (root !== home && root !== Path.parse(root).root) || ProjectRoot.isWorkingCopy(root)

/**
 * Writes the files of a review below a project's root and deletes old ones; none into the user's `home` itself. The
 * answer says what went wrong, null if nothing did.
 *
 * @since 0.1.0
 * @category writing
 */
export const write = (root: string, home: string, review: ArtifactFiles.Review): string | null => {
  try {
    if (!FS.existsSync(root) || !isWorkspace(root, home)) return null
    const place = folder(root)
    for (const { name, text } of ArtifactFiles.files(review)) PlainFiles.write(Path.join(place, name), text)
    for (const name of ArtifactFiles.prune(FS.readdirSync(place))) FS.rmSync(Path.join(place, name), { force: true })
    return null
  } catch (cause) {
    return `the review was not written to ${root}: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
