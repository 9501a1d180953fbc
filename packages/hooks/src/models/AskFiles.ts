/** The questions to models that were kept, read and added to at once: for a process that has nothing else to do. */
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * Where they lie, with the day's tokens.
 *
 * @category accessors
 */
export const folder = ({ state }: Pick<UserDirectories, "state">): string => Path.join(state, "models")

/**
 * Those of the last 30 days, oldest first. Throws where they are there and cannot be read.
 *
 * @category reading
 */
export const read = (directories: Pick<UserDirectories, "state">, now: number): ReadonlyArray<AskLines.AskLine> => {
  const place = folder(directories)
  if (!FS.existsSync(place)) return []
  const { recent } = AskLines.filesIn(FS.readdirSync(place), now)
  return AskLines.parse(...recent.map((name) => PlainFiles.read(Path.join(place, name)) ?? ""))
}

/**
 * Keeps the user's word to ask again. Throws what the file system throws.
 *
 * @category writing
 */
export const again = (directories: Pick<UserDirectories, "state">, line: AskLines.AgainLine): void => {
  const file = Path.join(folder(directories), AskLines.fileOf(line.at))
  PlainFiles.appendLine(file, AskLines.printAgain(line))
}
