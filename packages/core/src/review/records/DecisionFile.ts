/** The decision log on disk: one JSON line per decision, in the user's state directory. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as Decision from "../machine/Decision.ts"

/**
 * The maximum size in bytes. A log of this size becomes the older log, and a new log begins.
 *
 * @category limits
 */
export const maxBytes = 4 * 1024 * 1024

/** `log.jsonl` becomes `log.older.jsonl`. */
export const olderOf = (file: string): string => {
  const { dir, ext, name } = Path.parse(file)
  return Path.join(dir, `${name}.older${ext}`)
}

/** Throws if the file system fails. */
export const append = (file: string, decision: Decision.Decision): void => {
  const found = FS.statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) PlainFiles.moveFolder(file)
  else if (found !== undefined && found.size >= maxBytes) {
    const older = olderOf(file)
    PlainFiles.moveFolder(older)
    FS.renameSync(file, older)
  }
  PlainFiles.appendLine(file, Decision.encode(decision))
}
