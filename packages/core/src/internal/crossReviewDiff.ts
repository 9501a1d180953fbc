/** What a unified diff says, as far as a quotation of it can be looked up. */

export interface FileDiff {
  readonly file: string
  /** Its lines without their marks, white space folded. */
  readonly text: string
}

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const nameOf = (header: string): string => {
  const name = header.slice(4).split("\t")[0]?.trim() ?? ""
  const plain = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  return /^[abciwo12]\//.test(plain) ? plain.slice(2) : plain
}

const isHeader = (lines: ReadonlyArray<string>, index: number): boolean =>
  (lines[index]?.startsWith("--- ") ?? false) && (lines[index + 1]?.startsWith("+++ ") ?? false)

/** The files of a diff; of one that was deleted the name is the old one. */
export const files = (diff: string): ReadonlyArray<FileDiff> => {
  const lines = diff.split("\n")
  const found: Array<{ readonly file: string; readonly lines: Array<string> }> = []
  for (let index = 0; index < lines.length; index++) {
    if (isHeader(lines, index)) {
      const [before, after] = [nameOf(lines[index] ?? ""), nameOf(lines[index + 1] ?? "")]
      found.push({ file: after === "/dev/null" ? before : after, lines: [] })
      index++
    } else if (/^[-+ ]/.test(lines[index] ?? "")) found.at(-1)?.lines.push((lines[index] ?? "").slice(1))
  }
  return found.map(({ file, lines: all }) => ({ file, text: fold(all.join("\n")) }))
}

/** Fewer characters than these are found in any diff. */
const leastQuote = 8

const isSame = (named: string, file: string): boolean => named === file || file.endsWith(`/${named}`)

/** Whether the diff of that file has the quoted words, wherever its lines are broken. */
export const has = (
  all: ReadonlyArray<FileDiff>,
  { file, quote }: { readonly file: string; readonly quote: string }
) => {
  const words = fold(
    quote
      .split("\n")
      .map((line) => line.replace(/^[-+]/, ""))
      .join("\n")
  )
  const named = nameOf(`+++ ${file.trim()}`)
  const holds = (text: string) => text.includes(words) || text.includes(fold(quote))
  return words.length >= leastQuote && all.some((one) => isSame(named, one.file) && holds(one.text))
}
