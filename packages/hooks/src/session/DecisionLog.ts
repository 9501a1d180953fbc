/**
 * The decision log on disk: one JSON line per decision, in the user's own state directory, for the hosts hide what their
 * hooks do.
 */
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as UserDirectories from "../places/UserDirectories.ts"

/**
 * When the log is as long as this, it becomes the older log and a new one begins.
 *
 * @category limits
 */
export const maxBytes = 4 * 1024 * 1024

/**
 * The log's files, the older first; either may be absent.
 *
 * @category accessors
 */
export const files = (directories: UserDirectories.UserDirectories): readonly [older: string, current: string] => [
  Path.join(directories.state, "log.older.jsonl"),
  UserDirectories.logFile(directories)
]

const statOf = (file: string): FS.Stats | undefined => FS.statSync(file, { throwIfNoEntry: false })

type Env = Readonly<Record<string, string | undefined>>

/**
 * What is said of a decision on standard error, where the user wants to see them as they are made: the line of the log, which
 * has no secrets; null where they do not.
 *
 * @category writing
 */
export const told = (env: Env, decision: Decision.Decision): string | null =>
  env["REFLECTION_DEBUG"] === "1" ? `reflexion: ${Decision.encode(decision).trimEnd()}\n` : null

const standardError = 2

/**
 * Says it, where it is to be said. Never throws.
 *
 * @category writing
 */
export const tell = (env: Env, decision: Decision.Decision): void => {
  try {
    const line = told(env, decision)
    if (line !== null) FS.writeSync(standardError, line)
  } catch {
    // Nobody listens.
  }
}

/**
 * Adds a decision. Throws what the file system throws: the caller goes on without a log.
 *
 * @category writing
 */
export const append = (directories: UserDirectories.UserDirectories, decision: Decision.Decision): void => {
  const [older, current] = files(directories)
  const found = statOf(current)
  if (found?.isDirectory() === true) PlainFiles.moveFolder(current)
  else if (found !== undefined && found.size >= maxBytes) {
    PlainFiles.moveFolder(older)
    FS.renameSync(current, older)
  }
  PlainFiles.appendLine(current, Decision.encode(decision))
}
