/** Clears away what is left of sessions of long ago. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as SessionFile from "./SessionFile.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

const keptDays = 30
const dayMs = 86_400_000

/**
 * Removes the sessions of a host that nobody touched for 30 days. What the user said is kept, to stop, whether they are there, when the task is done or whether a model is asked: it holds until they
 * take it back.
 *
 * @category writing
 */
export const run = (directories: UserDirectories, host: string, now: number): void =>
  runFolder(SessionFile.folder(directories, host), now)

const said = Object.values(SessionFile.endings)

/**
 * The same for any folder with a file for each session.
 *
 * @category writing
 */
export const runFolder = (place: string, now: number): void => {
  if (!FS.existsSync(place)) return
  for (const name of FS.readdirSync(place)) {
    if (said.some((ending) => name.endsWith(`.${ending}`))) continue
    const file = Path.join(place, name)
    const found = FS.lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && now - found.mtimeMs > keptDays * dayMs) FS.rmSync(file, { force: true, recursive: true })
  }
}
