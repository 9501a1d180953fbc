/** The values that a failing run printed: those that it was given, and those that it wanted. */
import { redact } from "../../ground/redaction/Redaction.ts"
import { literalsOf, plainValue } from "./statements.ts"

const isGiven =
  /\b(?:received|actual|got|given|have|left|but was|was|returned|found|Actual)\b|^\s{0,40}[+]\s|!=|==|\bto (?:\w+ ){0,2}(?:equal|be|eq)\b|^E\s|=.{1,80}\bwant/i
const isWanted =
  /\b(?:expected|want|wanted|should|right|expects)\b|^\s{0,40}[-]\s|!=|==|\bto (?:\w+ ){0,2}(?:equal|be|eq)\b|^E\s/i

const mostValues = 40
const mostRead = 16_000
const maxInputs = 80

const clean = (values: ReadonlySet<string>, most = mostValues): ReadonlyArray<string> =>
  redact([...values].slice(0, most).join("\n")).split("\n")

const valuesIn = (line: string): ReadonlyArray<string> => {
  const behind = /:\s{1,20}<?(\S.{0,79}?)>?$/.exec(line.trimEnd())?.[1]
  const values = literalsOf(line.replaceAll(/["`]/g, "'")).map(plainValue)
  return behind === undefined ? values : [...values, plainValue(behind)]
}

/** Read from the run's output, its head and its end, without secrets. */
export const printedValues = (
  output: string
): {
  readonly given: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<string>
} => {
  const whole =
    output.length <= mostRead ? output : `${output.slice(0, mostRead / 4)}\n${output.slice((-mostRead * 3) / 4)}`
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
