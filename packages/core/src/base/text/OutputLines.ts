/** Splits a command's output into plain lines, up to a limit. A carriage return also starts a new line. */

const maxPart = 65_536
const maxLines = 4_000
const maxLine = 2_000

export interface OutputLine {
  readonly raw: string
  /** Without the prefix of a monorepo runner, a compose service or a CI log. */
  readonly bare: string
}

export interface OutputText {
  readonly lines: ReadonlyArray<OutputLine>
  /** All lines as one text, for a quick search. */
  readonly text: string
}

const ansi = new RegExp(
  String.raw`\u001b(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)|[@-Z\\^_=>])`,
  "g"
)

const prefixes = [
  /^[^\t]{1,120}\t[^\t]{1,120}\t\d{4}-\d\d-\d\dT[\d:.]{8,20}Z /,
  /^\d{4}-\d\d-\d\dT[\d:.]{8,20}Z /,
  /^@?[\w./-]{1,100}:[\w:.-]{1,60}: /,
  /^(?:\.|@?[\w-]{0,60}[./][\w@./-]{0,100}) [\w:.-]{1,60}: /,
  /^(?!ok |FAILED )(?:\s{0,40}\+)?[\w.-]{1,60} {1,20}\| /
]

const withoutPrefix = (line: string): string =>
  line.slice(prefixes.map((prefix) => prefix.exec(line)?.[0].length).find((length) => length !== undefined) ?? 0)

const plain = (line: string): string => line.slice(0, maxLine).replace(ansi, "").trimEnd()

const split = (part: string): ReadonlyArray<string> => part.split(/\r\n|\n|\r/)

/** The first and the last lines. A line that is cut at the omitted middle is dropped. */
const boundedLines = (output: string): ReadonlyArray<string> => {
  const whole = output.length <= 2 * maxPart
  const first = split(whole ? output : output.slice(0, maxPart))
  const last = whole ? [] : split(output.slice(-maxPart)).slice(1)
  const lines = whole ? first : [...first.slice(0, -1), ...last]
  return lines.length <= 2 * maxLines ? lines : [...lines.slice(0, maxLines), ...lines.slice(-maxLines)]
}

export const outputLines = (output: string): OutputText => {
  const lines = boundedLines(output).map((part) => {
    const raw = plain(part)
    return { raw, bare: withoutPrefix(raw) }
  })
  return { lines, text: `${lines.map((line) => line.raw).join("\n")}\n` }
}
