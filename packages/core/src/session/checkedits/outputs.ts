/** What a call's output shows: the values of a failing run, or a whole file. */
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import { literalsOf, plainValue } from "./statements.ts"
import * as Json from "../../ground/json/Json.ts"
import { isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import { isTestPath } from "./files.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

const isGiven =
  /\b(?:received|actual|got|given|have|left|but was|was|returned|found|Actual)\b|^\s{0,40}[+]\s|!=|==|\bto (?:\w+ ){0,2}(?:equal|be|eq)\b|^E\s|=.{1,80}\bwant/i
const isWanted =
  /\b(?:expected|want|wanted|should|right|expects)\b|^\s{0,40}[-]\s|!=|==|\bto (?:\w+ ){0,2}(?:equal|be|eq)\b|^E\s/i

const mostValues = 40
const mostRead = 16_000
const maxInputs = 80

const maxValue = 80

const clean = (values: ReadonlySet<string>, most = mostValues): ReadonlyArray<string> =>
  [...values].slice(0, most).map((value) => value.slice(0, maxValue))

/** What is left of a private key where its beginning was cut off. */
const keyEnd = /^(?:(?!-----BEGIN)[\s\S]){0,24000}?-----END [^\n]{0,80}/

/** An output's head and end, without secrets, nor what the cut would leave of one. */
export const readable = (output: string): string => {
  if (output.length <= mostRead) return redact(output)
  const end = output.slice((-mostRead * 3) / 4)
  const lines = end.slice(end.indexOf("\n") + 1)
  return `${redactedHead(output, mostRead / 4)}\n${redact(lines.replace(keyEnd, ""))}`
}

const valuesIn = (line: string): ReadonlyArray<string> => {
  const behind = /:\s{1,20}<?(\S.{0,79}?)>?$/.exec(line.trimEnd())?.[1]
  const values = literalsOf(line.replaceAll(/["`]/g, "'")).map(plainValue)
  return behind === undefined ? values : [...values, plainValue(behind)]
}

/** Read from the run's output, as it may be read. */
export const printedValues = (
  whole: string
): {
  readonly given: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<string>
} => {
  const given = new Set<string>()
  const wanted = new Set<string>()
  const inputs = new Set<string>()
  let last: number | null = null
  for (const raw of whole.split("\n")) {
    const line = raw.slice(0, 400)
    if (inputs.size < maxInputs)
      for (const value of literalsOf(line.replaceAll(/["`]/g, "'"))) inputs.add(plainValue(value))
    const gives = given.size < mostValues && isGiven.test(line)
    const wants = wanted.size < mostValues && isWanted.test(line)
    if (!gives && !wants) continue
    for (const value of valuesIn(line)) {
      if (gives) given.add(value)
      if (wants) wanted.add(value)
      // What is missing to the wanted value, which a table of corrections has.
      const number = value === "" ? Number.NaN : Number(value)
      if (Number.isNaN(number)) continue
      if (last !== null && number !== last) wanted.add(`±${Math.abs(Number((number - last).toFixed(8)))}`)
      last = number
    }
  }
  return { given: clean(given), wanted: clean(wanted), inputs: clean(inputs, maxInputs) }
}

/** `     1→text`, `  1\ttext`, `00001| text` */
const numbered = /^\s{0,8}\d{1,6}(?:→|\t|\| ?|: )/

const withoutNumbers = (output: string): string => {
  const lines = output.slice(0, 100_000).split("\n")
  const isNumbered = lines.filter((line) => numbered.test(line)).length > lines.length / 2
  return isNumbered
    ? lines.flatMap((line) => (numbered.test(line) ? [line.replace(numbered, "")] : [])).join("\n")
    : lines.join("\n")
}

/** What is shown behind the file is taken for a part of it: it only makes it look fuller. */
const catenated =
  /^\s{0,4}(?:cat|bat|nl)(?: -[nAb]{1,2})? ["']?([\w@./+-]{1,300})["']?\s{0,4}(?:$|(;|&&)(?!.{0,300}\bcat\b))/

/** A file and all that it has; null where a call shows a part, or none. */
export const readWhole = (call: ToolCall): { readonly path: string; readonly text: string } | null => {
  const output = call.output ?? ""
  if (
    output === "" ||
    call.status === "error" ||
    output.length > 100_000 ||
    /truncated|omitted/i.test(output.slice(-300))
  )
    return null
  const kind = toolKind(call.tool)
  if (kind === "shell") {
    const path = catenated.exec(shellCommand(call)?.slice(0, 1000) ?? "")?.[1]
    const isAlone = catenated.exec(shellCommand(call)?.slice(0, 1000) ?? "")?.[2] === undefined
    return path === undefined || (!isAlone && isTestPath(path, null)) ? null : { path, text: withoutNumbers(output) }
  }
  if (kind !== "read" && !isView(call)) return null
  const input = Json.object(call.input)
  if (["offset", "limit", "view_range", "start_line", "end_line", "line_range"].some((key) => input[key] != null))
    return null
  const path = [
    input["file_path"],
    input["filePath"],
    input["path"],
    input["absolute_path"],
    input["target_file"]
  ].find((value) => typeof value === "string")
  return typeof path === "string" ? { path, text: withoutNumbers(output) } : null
}
