/** What was found in a file of lines that was verified, to read. Pure: the terminal is a parameter. */
import { counted, oneLine } from "./Layout.ts"
import { paint, symbols, type TerminalStyle } from "./TerminalStyle.ts"

/**
 * `unsettled`: how many bytes only the journal has. `repair`: whether lines that cannot be read were moved away.
 *
 * @category models
 */
export interface Verified {
  readonly path: string
  readonly repair: boolean
  readonly unsettled: number
}

/**
 * The file's own words: what it `holds`, what is said of its journal where it is `lacking`, and which command repairs it.
 *
 * @category models
 */
export interface Lines {
  readonly holds: string
  readonly lacking: string
  readonly command: string
  readonly invalidCount: number
  /** The first of them. */
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly problem: string }>
}

export const render = (
  style: TerminalStyle,
  { command, holds, invalid, invalidCount, lacking }: Lines,
  { path, repair, unsettled }: Verified
): string => {
  const { failed, passed } = symbols(style)
  const isWell = unsettled === 0 && (invalidCount === 0 || repair)
  const sign = isWell ? paint(style, ["green"], passed) : paint(style, ["red"], failed)
  const head = `${sign} ${path}: ${holds}`
  const journal = unsettled === 0 ? [] : [lacking]
  if (invalidCount === 0) return [`${head}; every line can be read`, ...journal].join("\n")
  const lines = invalid.map(({ line, problem }) => `  ${path}:${line}: ${oneLine(problem.slice(0, 300))}`)
  const more = invalidCount - invalid.length
  return [
    `${head}; ${counted(invalidCount, "line")} that cannot be read${repair ? `, moved to ${path}.rejected` : ""}`,
    ...lines,
    ...(more > 0 ? [`  (and ${more} more)`] : []),
    ...journal,
    ...(repair ? [] : [`They do no harm where they are; \`${command} --repair\` moves them away.`])
  ].join("\n")
}
