/** Reads the decision log. */
import { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { lstatSync, readFileSync } from "node:fs"
import { CliFailure } from "../process/CliError.ts"

/** Oldest first. */
export interface LogFile {
  readonly decisions: ReadonlyArray<Decision>
  /** The number of lines that are not decisions, for example because the disk was full. */
  readonly damaged: number
}

const decode = Schema.decodeOption(Schema.parseJson(Decision))

const unfit = (file: string): string | null => {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return null
  const what = found.isDirectory() ? "a folder where the log is needed" : "not a plain file"
  return `${file} is ${what}: move it away, and the next decision starts a new log`
}

/** Null if the files can be used. Throws what the file system throws. */
export const problemOf = (directories: UserDirectories.UserDirectories): string | null =>
  UserDirectories.logFiles(directories)
    .map(unfit)
    .find((problem) => problem !== null) ?? null

export const read = (directories: UserDirectories.UserDirectories): LogFile => {
  const lines = UserDirectories.logFiles(directories).flatMap((file) => {
    const problem = unfit(file)
    if (problem !== null) throw new CliFailure({ problem })
    const text = lstatSync(file, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(file, "utf8")
    return text.split("\n").filter((line) => line.trim() !== "")
  })
  const decisions = lines.flatMap((line) => Option.toArray(decode(line)))
  return { decisions, damaged: lines.length - decisions.length }
}

const leastShown = 8

const shared = (left: string, right: string): number => {
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  return at
}

/** Each id's shortest unique beginning, for `--session`. Codex's and OpenCode's are long: they begin with the time. */
export const shortIds = (ids: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const sorted = [...new Set(ids)].toSorted()
  return new Map(
    sorted.map((id, index) => {
      const common = [sorted[index - 1], sorted[index + 1]].map((other) => shared(id, other ?? ""))
      return [id, id.slice(0, Math.max(leastShown, ...common.map((count) => count + 1)))]
    })
  )
}
