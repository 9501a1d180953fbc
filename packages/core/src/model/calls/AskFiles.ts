/**
 * What was asked of models, on disk: a file for each day of UTC in a folder of the user's own state. Files older than 30 days
 * go. Throws what the file system throws.
 */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as Lines from "./AskLines.ts"

export const names = (directory: string): ReadonlyArray<string> =>
  FS.existsSync(directory) ? FS.readdirSync(directory) : []

export const text = (directory: string, name: string): string => PlainFiles.read(Path.join(directory, name)) ?? ""

const prune = (directory: string, now: number): void => {
  try {
    for (const name of Lines.filesIn(names(directory), now).outdated) FS.rmSync(Path.join(directory, name))
  } catch {
    // Another process did so, or the next day's first question does.
  }
}

/** `now` in ms since the epoch. */
export const append = (directory: string, name: string, line: string, now: number): void => {
  const file = Path.join(directory, name)
  if (!FS.existsSync(file)) prune(directory, now)
  PlainFiles.appendLine(file, line)
}

/** The questions of the last 30 days, oldest first. */
export const read = (directory: string, now: number): ReadonlyArray<Lines.AskLine> =>
  Lines.parse(...Lines.filesIn(names(directory), now).recent.map((name) => text(directory, name)))
