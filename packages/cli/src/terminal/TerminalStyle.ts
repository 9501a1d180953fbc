/** How results are drawn: with colors or without, and how wide. */

export interface TerminalStyle {
  readonly color: boolean
  /** In columns. */
  readonly width: number
}

/** Plain text, for example for a pipe. */
export const plain: TerminalStyle = { color: false, width: 100 }

type Env = Readonly<Record<string, string | undefined>>

const color = (env: Env, isTerminal: boolean): boolean => {
  const forced = env["FORCE_COLOR"]?.toLowerCase()
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return false
  return isTerminal && env["TERM"] !== "dumb"
}

const columns = (env: Env, fromTerminal: number | undefined): number => {
  const given = Number(env["COLUMNS"])
  const found = fromTerminal ?? (Number.isInteger(given) && given > 0 ? given : plain.width)
  return Math.min(120, Math.max(40, found))
}

/** `FORCE_COLOR` wins over `NO_COLOR`. The width is 40 to 120 columns, or 100 if unknown. */
export const detect = (options: {
  readonly env: Env
  readonly isTerminal: boolean
  readonly columns: number | undefined
}): TerminalStyle => ({
  color: color(options.env, options.isTerminal),
  width: columns(options.env, options.isTerminal ? options.columns : undefined)
})

const codes = { bold: 1, dim: 2, inverse: 7, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 }

export type Paint = keyof typeof codes

export const paint = (style: TerminalStyle, paints: ReadonlyArray<Paint>, text: string): string =>
  style.color && paints.length > 0 && text !== ""
    ? `\u001b[${paints.map((name) => codes[name]).join(";")}m${text}\u001b[0m`
    : text

export const symbols = {
  passed: "✓",
  failed: "✗",
  warning: "!",
  unknown: "?",
  none: "–",
  waiting: "…",
  arrow: "→",
  dot: "·",
  bullet: "•",
  bar: "│",
  rule: "─",
  ellipsis: "…"
}

export type Symbols = typeof symbols
