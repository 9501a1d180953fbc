/** The decision log as it is read back. */
import { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { existsSync, lstatSync, readFileSync } from "node:fs"
import { InstallError } from "../process/CliError.ts"

/**
 * Oldest first. `damaged` counts the lines that are no decision: torn by a full disk, or not reflexion's.
 *
 * @category models
 */
export interface LogFile {
  readonly decisions: ReadonlyArray<Decision>
  readonly damaged: number
}

const decode = Schema.decodeOption(Schema.parseJson(Decision))

export const parse = (text: string): LogFile => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const decisions = lines.flatMap((line) => Option.toArray(decode(line)))
  return { decisions, damaged: lines.length - decisions.length }
}

const unfit = (file: string): string | null => {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return null
  const what = found.isDirectory() ? "a folder in the place of the log" : "not a plain file"
  return `${file} is ${what}: move it away, and the next decision begins a log`
}

/**
 * Why no log can be at its place, null where one can. Throws what the file system throws.
 *
 * @category reading
 */
export const problemOf = (directories: UserDirectories.UserDirectories): string | null =>
  UserDirectories.logFiles(directories)
    .map(unfit)
    .find((problem) => problem !== null) ?? null

const textOf = (file: string): string => {
  const problem = unfit(file)
  if (problem !== null) throw new InstallError({ problem })
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

/**
 * Both files of the log. Throws what the file system throws.
 *
 * @category reading
 */
export const read = (directories: UserDirectories.UserDirectories): LogFile => {
  const files = UserDirectories.logFiles(directories).map((file) => parse(textOf(file)))
  return {
    decisions: files.flatMap(({ decisions }) => decisions),
    damaged: files.reduce((sum, { damaged }) => sum + damaged, 0)
  }
}
