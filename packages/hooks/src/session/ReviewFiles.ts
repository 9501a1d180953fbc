/** Which folders are workspaces, and the files of a review in one. */
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import type * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

type Env = Readonly<Record<string, string | undefined>>

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
    ReviewFolder.write(root, review)
    return null
  } catch (cause) {
    return `the review was not written to ${root}: ${messageOf(cause)}`
  }
}
