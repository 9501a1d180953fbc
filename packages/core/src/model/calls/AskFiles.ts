/** The log of questions to models: one file per UTC day, kept for 30 days. Throws if the file system fails. */
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
    // Another process may have deleted the files. Otherwise the next day's first question deletes them.
  }
}

/** `now` is in milliseconds since the epoch. */
export const append = (directory: string, name: string, line: string, now: number): void => {
  const file = Path.join(directory, name)
  if (!FS.existsSync(file)) prune(directory, now)
  PlainFiles.appendLine(file, line)
}

/** Oldest first. */
export const read = (directory: string, now: number): ReadonlyArray<Lines.AskLine> =>
  Lines.parse(...Lines.filesIn(names(directory), now).recent.map((name) => text(directory, name)))
