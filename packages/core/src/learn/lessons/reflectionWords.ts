/** What a lesson is, and the parts that the sentences of all of them are made of. */
import type { FailureContext } from "./FailureContext.ts"
import type { Category } from "./Reflection.ts"
import type { FailingItem } from "../../session/output/RunnerOutput.ts"
import { oneLine } from "../../ground/text/Text.ts"

export interface Lesson {
  readonly category: Category
  readonly analysis: string
  readonly suggestion: string
  readonly items: ReadonlyArray<string>
  readonly confidence: number
  /** What two failures of one cause have in common, empty where the cause is not known. */
  readonly sign: string
}

/** It stands within a sentence of ours, which has its own end. */
export const short = (text: string, limit = 120): string => oneLine(text, limit).replace(/\.$/, "")

/** The end of a sentence, where what is quoted has not its own. */
export const ended = (text: string): string => (/[?!]$/.test(text) ? text : `${text.replace(/[:;,]$/, "")}.`)

export const quoted = (name: string): string => `"${short(name, 100).replaceAll('"', "'")}"`

export const placeOf = ({ file, line }: Pick<FailingItem, "file" | "line">): string =>
  file === null ? "" : line === null ? file : `${file}:${line}`

export const at = (item: Pick<FailingItem, "file" | "line">): string => {
  const place = placeOf(item)
  return place === "" ? "" : ` (${place})`
}

const edited = ({ filesModified }: FailureContext): string => {
  const shown = filesModified.slice(0, 3).map((file) => short(file, 80))
  return filesModified.length > 3 ? `${shown.join(", ")} and ${filesModified.length - 3} more` : shown.join(", ")
}

export const where = (failure: FailureContext): string =>
  failure.filesModified.length === 0 ? "the code under test" : edited(failure)
