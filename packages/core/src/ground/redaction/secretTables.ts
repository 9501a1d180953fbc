/**
 * Secrets in a table: a column whose first row has a secret's name, in CSV, Markdown or what a database prints, and the rows
 * that are put into one by SQL.
 */
import { lineAround } from "./secretLines.ts"
import { isSecretName, kindOfName } from "./SecretNames.ts"
import type { Span } from "./secretRule.ts"
import { charged, perPlace, type SearchWork } from "./searchWork.ts"
import { isPlaceholder, isTelling, looksChosen, looksRandom } from "./secretValues.ts"

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
  at: number,
  work: SearchWork
): { readonly spans: ReadonlyArray<Span>; readonly end: number } => {
  const first = lineAround(text, at)
  const table = first.text.length > most ? null : tableOf(first.text)
  if (table === null) return { spans: [], end: at }
  const spans: Array<Span> = []
  let next = first.end + 1
  while (next < text.length && charged(work, perPlace)) {
    const line = lineAround(text, next)
    const isRule = rule.test(line.text)
    if (!isRule && line.text.split(table.sign).length !== table.width) break
    if (!isRule) spans.push(...inRow(line.text, line.start, table))
    next = line.end + 1
  }
  return { spans, end: next - 1 }
}

const inserting = /\b(?:insert|replace)\b[^\r\n();]{1,120}\(([^()]{1,1000})\)[^();]{0,200}?\bvalues\s{0,20}/gi

/** One value of a row, up to the comma or the bracket behind it. */
const inserted =
  /\s{0,40}(?:[A-Za-z]{0,2}(?:'((?:[^'\\]|\\.|''){0,2000})'|"([^"\\]{0,2000})")|[^'"(),]{1,200})\s{0,40}([,)])/y

const isInserted = (value: string, kind: string): boolean =>
  isValue(value, kind) || (value.length >= 8 && !isPlaceholder(value) && looksRandom(value))

/** The values of one row from its bracket on, and where it ends; null where none is. */
const rowAt = (text: string, at: number) => {
  const values: Array<Omit<Span, "kind"> & { readonly value: string }> = []
  inserted.lastIndex = at + 1
  for (let match = inserted.exec(text); match !== null; match = inserted.exec(text)) {
    const value = match[1] ?? match[2] ?? ""
    const start = match.index + match[0].indexOf(value)
    values.push({ value, start, end: start + value.length })
    if (match[3] === ")") return { values, end: match.index + match[0].length }
  }
  return null
}

/** What SQL puts into a column with a secret's name: `INSERT INTO users (name, password) VALUES ('ada', '…')`. */
export const insertedSecrets = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  inserting.lastIndex = 0
  for (let match = inserting.exec(text); match !== null; match = inserting.exec(text)) {
    if (!charged(work, perPlace)) return spans
    const names = (match[1] ?? "").split(",").map((name) => name.replaceAll(/["'`[\]\s]/g, ""))
    const columns = names.flatMap((name, at) => (isSecretName(name) ? [[at, kindOfName(name)] as const] : []))
    let next = inserting.lastIndex
    while (columns.length > 0 && text[next] === "(" && charged(work, perPlace)) {
      const row = rowAt(text, next)
      if (row === null) break
      for (const [at, kind] of columns) {
        const one = row.values[at]
        if (one !== undefined && isInserted(one.value, kind)) spans.push({ kind, start: one.start, end: one.end })
      }
      next = row.end + (/^\s{0,20},\s{0,40}/.exec(text.slice(row.end, row.end + 64))?.[0].length ?? 0)
    }
    inserting.lastIndex = Math.max(next, inserting.lastIndex)
  }
  return spans
}
