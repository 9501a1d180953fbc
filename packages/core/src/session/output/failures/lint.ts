/** What linters point at, in the formats that many of them share. */
import type { FailingItem } from "../RunnerOutput.ts"

/** A rule's name stands in every finding of one line: that alone tells it from what a compiler or a log says. */
const inOneLine: ReadonlyArray<RegExp> = [
  // flake8, Ruff, Pylint
  /^(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}: (?<name>[A-Z]{1,5}\d{2,5}:? .{1,400})$/,
  // oxlint
  /^(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}: (?:(?:error|warning) )?(?<name>[\w@/-]{1,60}\([\w@/-]{1,80}\): .{1,400}|.{1,400} \[(?:Error|Warning)(?:\/.{1,100})?\])$/,
  // as GitHub wants them
  /^::(?:error|warning) file=(?<file>[^,]{1,300}),line=(?<line>\d{1,7}),.{0,300}?::(?:[^\s:]{1,300}:\d{1,7}:\d{1,7}: )?(?<name>.{1,400})$/,
  // formatters, which name no line
  /^(?:\[warn\]|[Ww]ould reformat:?) (?<file>\S{1,300}\.\w{1,8})$/
]

/** What is said stands above the place, at most some lines. */
const above = 3
const boxed = /^\s{1,12}(?:╭─|,-)\[(?<file>[^\]]{1,300}):(?<line>\d{1,7}):\d{1,7}\]$/u
const boxedHead = /^\s{1,4}[⚠×✖x!] (?<name>\S.{0,400})$/u
const arrow = /^\s{1,8}--> (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/
const arrowHead = /^(?:error|warning)?(?<name>(?:[A-Z]{1,5}\d{2,5}|\[[a-z][\w/-]{1,80}\]:) .{1,400})$/

/** Biome says it below. */
const ruled = /^(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} (?:lint|assist|parse)\b/
const ruledSaid = /^\s{2}[×!✖] (?<name>\S.{0,400})$/u

/** Rows below the name of their file: ESLint, Stylelint. */
const named = /^(?<file>(?:[A-Za-z]:)?[^\s:]{1,300}\.\w{1,8})$/
const row =
  /^\s{1,8}(?<line>\d{1,7}):\d{1,7}\s{1,12}(?:error|warning|[✖⚠])\s{1,12}(?<name>\S.{0,400}?)(?:\s{2,200}\S{1,100})?$/u

const warns =
  /^\s{0,8}(?:[⚠!] |::warning |warning\[|(?:\S{1,300}:)?\d{1,7}:\d{1,7}:?\s{1,12}(?:warning|⚠)\s)|\[Warning\b/u

interface Said {
  readonly name: string | undefined
  /** The line that says it. */
  readonly text: string
}

const saidIn = (lines: ReadonlyArray<string>, on: RegExp): Said | undefined => {
  const text = lines.find((line) => on.test(line))
  return text === undefined ? undefined : { name: on.exec(text)?.groups?.["name"], text }
}

type Place = Readonly<Record<string, string | undefined>>

/** What one line points at, if it does; `under` is the file whose rows these are. */
const findingAt = (
  lines: ReadonlyArray<string>,
  at: number,
  under: string | undefined
): readonly [place: Place, said: Said | undefined] | null => {
  const line = lines[at] ?? ""
  const before = lines.slice(Math.max(0, at - above), at).toReversed()
  for (const rule of inOneLine) {
    const place = rule.exec(line)?.groups
    if (place !== undefined) return [place, { name: place["name"] ?? "it is not formatted", text: line }]
  }
  const inBox = boxed.exec(line)?.groups
  if (inBox !== undefined) return [inBox, saidIn(before, boxedHead)]
  const atArrow = arrow.exec(line)?.groups
  if (atArrow !== undefined) return [atArrow, saidIn(before, arrowHead)]
  const ofRule = ruled.exec(line)?.groups
  if (ofRule !== undefined) return [ofRule, saidIn(lines.slice(at + 1, at + 5), ruledSaid)]
  const ofRow = row.exec(line)?.groups
  return ofRow === undefined
    ? null
    : [
        { ...ofRow, file: under },
        { name: ofRow["name"], text: line }
      ]
}

const most = 10

/** Errors first, each kind in its order. */
export const findingsIn = (lines: ReadonlyArray<string>): ReadonlyArray<FailingItem> => {
  const [errors, warnings]: readonly [Array<FailingItem>, Array<FailingItem>] = [[], []]
  let under: string | undefined
  for (let at = 0; at < lines.length && errors.length < most; at++) {
    const line = lines[at] ?? ""
    under = line === "" ? undefined : (named.exec(line)?.groups?.["file"] ?? under)
    const [place, said] = findingAt(lines, at, under) ?? []
    if (place?.["file"] === undefined || said?.name === undefined) continue
    const number = place["line"]
    const item = { name: said.name, file: place["file"], line: number === undefined ? null : Number(number) }
    if (!warns.test(said.text)) errors.push(item)
    else if (warnings.length < most) warnings.push(item)
  }
  return [...errors, ...warnings].slice(0, most)
}
