/** What was found in a file of lines that was verified, to read. Pure: the terminal is a parameter. */
import { counted, oneLine } from "./Layout.ts"
import { paint, symbols, type TerminalStyle } from "./TerminalStyle.ts"

/**
 * `repair`: whether lines that cannot be read were moved away.
 *
 * @category models
 */
export interface Verified {
  readonly path: string
  readonly repair: boolean
}

/**
 * The file's own words: what it `holds`, and which command repairs it.
 *
 * @category models
 */
export interface Lines {
  readonly holds: string
  readonly command: string
  readonly invalidCount: number
  /** The first of them. */
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly problem: string }>
}

export const render = (
  style: TerminalStyle,
  { command, holds, invalid, invalidCount }: Lines,
  { path, repair }: Verified
): string => {
  const { failed, passed } = symbols(style)
  const isWell = invalidCount === 0 || repair
  const sign = isWell ? paint(style, ["green"], passed) : paint(style, ["red"], failed)
  const head = `${sign} ${path}: ${holds}`
  if (invalidCount === 0) return `${head}; every line can be read`
  const lines = invalid.map(({ line, problem }) => `  ${path}:${line}: ${oneLine(problem.slice(0, 300))}`)
  const more = invalidCount - invalid.length
  return [
    `${head}; ${counted(invalidCount, "line")} that cannot be read${repair ? `, moved to ${path}.rejected` : ""}`,
    ...lines,
    ...(more > 0 ? [`  (and ${more} more)`] : []),
    ...(repair ? [] : [`They do no harm where they are; \`${command} --repair\` moves them away.`])
  ].join("\n")
}
