/** What node:test says below a failing test, in TAP: where it stands, what was thrown, what was expected. */
import { type Difference, differencesIn } from "./assertions.ts"
import { inNode } from "./NodeFailures.ts"
import type { Thrown } from "./FailurePlaces.ts"

export interface TapFailure {
  readonly name: string
  readonly thrown: Thrown
  readonly difference: Difference | null
}

const notOk = /^\s{0,20}not ok \d{1,6} - (?<name>.{1,300}?)(?: # EXPECTED FAILURE.{0,200})?$/
const field = /^\s{2,24}(?<key>location|error|name|code|expected|actual|failureType|exitCode): (?<value>.{1,400})$/
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

/** Values of several lines stand in the message alone. */
const differenceIn = (block: ReadonlyArray<string>): Difference | null => {
  const [first] = differencesIn(block)
  return first === undefined ? null : { expected: first.expected, received: first.received }
}

const failureOf = (name: string, fields: ReadonlyMap<string, string>, block: ReadonlyArray<string>): TapFailure => {
  const place = location.exec(fields.get("location") ?? "")?.groups
  const [expected, received] = [fields.get("expected"), fields.get("actual")]
  const at = { file: place?.["file"] ?? null, line: place === undefined ? null : Number(place["line"]) }
  return {
    name,
    thrown: { type: fields.get("name") ?? "Error", message: fields.get("error") ?? "", ...at },
    difference: expected === undefined || received === undefined ? differenceIn(block) : { expected, received }
  }
}

/** What a file's own process wrote stands as comments above its line: of one that could not be loaded, why. */
const writtenAbove = (lines: ReadonlyArray<string>, at: number): Thrown | undefined => {
  const before = lines.slice(Math.max(0, at - maxBlock), at)
  const written = before.slice(before.findLastIndex((line) => !line.startsWith("#")) + 1).map((line) => line.slice(2))
  return written.flatMap((_, index) => inNode(written, index) ?? [])[0]
}

/** What failed only with another: a suite with its tests, a test with the hook of its suite. */
const isFollowing = (type: string | undefined): boolean => type === "subtestsFailed" || type === "cancelledByParent"

/** Only what failed by itself. */
export const tapFailuresIn = (lines: ReadonlyArray<string>): ReadonlyArray<TapFailure> =>
  lines.flatMap((line, at) => {
    const name = notOk.exec(line)?.groups?.["name"]
    if (name === undefined || (lines[at + 1] ?? "").trim() !== "---") return []
    const rest = lines.slice(at + 2, at + maxBlock)
    const end = rest.findIndex((later) => later.trim() === "...")
    const block = end === -1 ? rest : rest.slice(0, end)
    const fields = fieldsOf(block)
    if (isFollowing(fields.get("failureType"))) return []
    const failure = failureOf(name, fields, block)
    return [{ ...failure, thrown: (fields.has("exitCode") && writtenAbove(lines, at)) || failure.thrown }]
  })
