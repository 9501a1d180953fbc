/** Where decisions are logged, for the hosts hide what their hooks do, and what is said of one. */
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import * as FS from "node:fs"
import * as UserDirectories from "../places/UserDirectories.ts"

/**
 * The log's files, the older first; either may be absent.
 *
 * @category accessors
 */
export const files = (directories: UserDirectories.UserDirectories): readonly [older: string, current: string] => [
  DecisionFile.olderOf(UserDirectories.logFile(directories)),
  UserDirectories.logFile(directories)
]

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
