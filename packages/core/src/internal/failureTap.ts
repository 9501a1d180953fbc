/** What node:test says below a failing test, in TAP: where it stands, what was thrown, what was expected. */
import type { Difference } from "./failureAssertions.ts"
import type { Thrown } from "./failureExceptions.ts"

export interface TapFailure {
  readonly name: string
  readonly thrown: Thrown
  readonly difference: Difference | null
}

const notOk = /^\s{0,20}not ok \d{1,6} - (?<name>.{1,300})$/
const field = /^\s{2,24}(?<key>location|error|name|code|expected|actual|failureType): (?<value>.{1,400})$/
const location = /^(?:file:\/\/)?(?<file>.{1,300}):(?<line>\d{1,7}):\d{1,7}$/
const maxBlock = 60

const unquoted = (value: string): string => value.replace(/^'(.*)'$/, "$1").replace(/^"(.*)"$/, "$1")

/** A text of several lines: the first of them that says something. */
const folded = (lines: ReadonlyArray<string>, at: number): string =>
  (lines.slice(at + 1, at + 4).find((line) => line.trim() !== "") ?? "").trim()

const fieldsOf = (block: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>()
  block.forEach((line, at) => {
    const { key, value } = field.exec(line)?.groups ?? {}
    if (key === undefined || value === undefined || fields.has(key)) return
    fields.set(key, /^[|>][-+]?$/.test(value) ? folded(block, at) : unquoted(value))
  })
  return fields
}

const failureOf = (name: string, fields: ReadonlyMap<string, string>): TapFailure => {
  const place = location.exec(fields.get("location") ?? "")?.groups
  const [expected, received] = [fields.get("expected"), fields.get("actual")]
  const at = { file: place?.["file"] ?? null, line: place === undefined ? null : Number(place["line"]) }
  return {
    name,
    thrown: { type: fields.get("name") ?? "Error", message: fields.get("error") ?? "", ...at },
    difference: expected === undefined || received === undefined ? null : { expected, received }
  }
}

/** Only what failed by itself: a suite fails with its tests. */
export const tapFailuresIn = (lines: ReadonlyArray<string>): ReadonlyArray<TapFailure> =>
  lines.flatMap((line, at) => {
    const name = notOk.exec(line)?.groups?.["name"]
    if (name === undefined || (lines[at + 1] ?? "").trim() !== "---") return []
    const rest = lines.slice(at + 2, at + maxBlock)
    const end = rest.findIndex((later) => later.trim() === "...")
    const fields = fieldsOf(end === -1 ? rest : rest.slice(0, end))
    return fields.get("failureType") === "subtestsFailed" ? [] : [failureOf(name, fields)]
  })
