/** The decision log as it is read back. */
import { Decision } from "@reflexion/core/internal/turn/machine/Decision"
import * as DecisionLog from "@reflexion/hooks/session/DecisionLog"
import type { UserDirectories } from "@reflexion/hooks/places/UserDirectories"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { lstatSync, readFileSync } from "node:fs"

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

const textOf = (file: string): string => {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return ""
  if (!found.isFile()) throw new Error(`${file} is not a plain file`)
  return readFileSync(file, "utf8")
}

/**
 * Both files of the log. Throws what the file system throws.
 *
 * @category reading
 */
export const read = (directories: UserDirectories): LogFile => {
  const files = DecisionLog.files(directories).map((file) => parse(textOf(file)))
  return {
    decisions: files.flatMap(({ decisions }) => decisions),
    damaged: files.reduce((sum, { damaged }) => sum + damaged, 0)
  }
}
