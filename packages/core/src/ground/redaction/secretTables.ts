/** Secrets in a table: a column whose first row has a secret's name, in CSV, Markdown or what a database prints. */
import { lineAround } from "./secretLines.ts"
import { isSecretName, kindOfName } from "./SecretNames.ts"
import type { Span } from "./secretRule.ts"
import { isPlaceholder, isTelling, looksChosen } from "./secretValues.ts"

const signs = [",", ";", "\t", "|", "│"]

/** No header is longer. */
const most = 500

const named = /^[A-Za-z][\w .-]{0,40}$/

/** Words before a header may introduce it: "the file has: user,password". */
const introduction = /^[^,;\t|│]{0,300}: /

const plain = (cell: string): string => cell.trim().replace(/^(["'])(.{0,1000})\1$/, "$2")

interface Table {
  readonly sign: string
  readonly width: number
  readonly columns: ReadonlyArray<readonly [at: number, kind: string]>
}

/** Null for a line that is no header: one cell that is no name is enough. */
const tableOf = (line: string): Table | null => {
  const sign = signs.find((one) => line.includes(one))
  if (sign === undefined) return null
  const cells = line.replace(introduction, "").split(sign).map(plain)
  const filled = cells.filter((cell, at) => cell !== "" || (at > 0 && at < cells.length - 1))
  if (filled.length < 2 || !filled.every((cell) => named.test(cell))) return null
  const columns = cells.flatMap((cell, at) => (isSecretName(cell) ? [[at, kindOfName(cell)] as const] : []))
  return columns.length === 0 ? null : { sign, width: cells.length, columns }
}

const rule = /^[-+|:= \t─┼│├┤]{3,500}$/

const isValue = (value: string, kind: string): boolean =>
  value.length >= 4 && !isPlaceholder(value) && (isTelling(value) || (/^(?:pass|pwd)/.test(kind) && looksChosen(value)))

const inRow = (line: string, start: number, { columns, sign }: Table): ReadonlyArray<Span> => {
  const cells = line.split(sign)
  return columns.flatMap(([at, kind]) => {
    const cell = cells[at] ?? ""
    const value = plain(cell)
    if (!isValue(value, kind)) return []
    const from = start + cells.slice(0, at).join(sign).length + (at > 0 ? 1 : 0) + cell.indexOf(value)
    return [{ kind, start: from, end: from + value.length }]
  })
}

/** The secrets of a table whose first row is the line at `at`, and where to look on. */
export const tabledSecrets = (
  text: string,
  at: number
): { readonly spans: ReadonlyArray<Span>; readonly end: number } => {
  const first = lineAround(text, at)
  const table = first.text.length > most ? null : tableOf(first.text)
  if (table === null) return { spans: [], end: at }
  const spans: Array<Span> = []
  let next = first.end + 1
  while (next < text.length) {
    const line = lineAround(text, next)
    const isRule = rule.test(line.text)
    if (!isRule && line.text.split(table.sign).length !== table.width) break
    if (!isRule) spans.push(...inRow(line.text, line.start, table))
    next = line.end + 1
  }
  return { spans, end: next - 1 }
}
