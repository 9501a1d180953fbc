/** What a unified diff says, as far as a quotation of it can be looked up. */
import { isKeyFile } from "../../base/redaction/SecretFiles.ts"

/** The changed lines of a file without their marks, white space folded. */
export interface FileDiff {
  readonly file: string
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const nameOf = (header: string): string => {
  const name = header.slice(4).split("\t")[0]?.trim() ?? ""
  const plain = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  return /^[abciwo12]\//.test(plain) ? plain.slice(2) : plain
}

const hunk = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

const isHeader = (lines: ReadonlyArray<string>, index: number): boolean =>
  (lines[index]?.startsWith("--- ") ?? false) && (lines[index + 1]?.startsWith("+++ ") ?? false)

const isSection = (line: string): boolean => line.startsWith("diff --git ") || line.startsWith("diff --cc ")

interface Found {
  readonly file: string
  readonly lines: Array<string>
}

/** The files of a diff with their lines; of one that was deleted the name is the old one. */
const linesOf = (diff: string): ReadonlyArray<Found> => {
  const lines = diff.split("\n")
  const found: Array<Found> = []
  let [before, after] = [0, 0]
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    // A hunk that was cut off says more than it has.
    if (isSection(line)) [before, after] = [0, 0]
    const sizes = hunk.exec(line)
    if (before <= 0 && after <= 0 && isHeader(lines, index)) {
      const [old, now] = [nameOf(line), nameOf(lines[index + 1] ?? "")]
      found.push({ file: now === "/dev/null" ? old : now, lines: [] })
      index++
    } else if (sizes !== null && before <= 0 && after <= 0) {
      before = Number(sizes[1] ?? 1)
      after = Number(sizes[2] ?? 1)
    } else if (before > 0 || after > 0) {
      if (!/^(?:[-+ ]|$)/.test(line)) continue
      found.at(-1)?.lines.push(line)
      if (!line.startsWith("+")) before--
      if (!line.startsWith("-")) after--
    }
  }
  return found
}

const changed = (lines: ReadonlyArray<string>, mark: string): ReadonlyArray<string> =>
  lines.flatMap((line) => (line.startsWith(mark) ? [fold(line.slice(1))] : []))

export const files = (diff: string): ReadonlyArray<FileDiff> =>
  linesOf(diff).map(({ file, lines }) => ({
    file,
    added: changed(lines, "+"),
    removed: changed(lines, "-")
  }))

const isSame = (named: string, file: string): boolean => named === file || file.endsWith(`/${named}`)

/** Fewer characters than these stand in any diff by chance, unless they are a whole line of it. */
const leastQuote = 12
const leastLine = 4

const size = (text: string): number => text.replaceAll(" ", "").length

/** The changed line that a quoted line is of. */
const lineOf = (quoted: string, lines: ReadonlyArray<string>): string | undefined => {
  const whole = size(quoted) >= leastLine && /[\p{L}\p{N}]/u.test(quoted)
  return lines.find((line) => (whole && line === quoted) || (size(quoted) >= leastQuote && line.includes(quoted)))
}

export interface Quotation {
  readonly file: string
  readonly quote: string
}

/** A place in a change: the file under its own name, and the line of it that was added or removed. */
export interface Anchor {
  readonly file: string
  readonly line: string
}

/** The line that a comment rests on: one that was added, and where that is asked for, one that was removed. */
export const anchor = (
  all: ReadonlyArray<FileDiff>,
  { file, quote }: Quotation,
  { removed }: { readonly removed: boolean }
): Anchor | null => {
  const named = nameOf(`+++ ${file.trim()}`)
  const quoted = quote.split("\n").flatMap((line) => [fold(line), fold(line.replace(/^\s?[-+]/, ""))])
  for (const one of all.filter((candidate) => isSame(named, candidate.file))) {
    const lines = [...one.added, ...(removed ? one.removed : [])]
    const line = quoted.map((text) => lineOf(text, lines)).find((found) => found !== undefined)
    if (line !== undefined) return { file: one.file, line }
  }
  return null
}

const namesOf = (section: string): ReadonlyArray<string> => {
  const head = section.split("\n@@", 1)[0] ?? ""
  return head.split("\n").flatMap((line) => {
    if (line.startsWith("--- ") || line.startsWith("+++ ")) return [nameOf(line)]
    return isSection(line)
      ? line
          .replaceAll('"', "")
          .split(/ (?=[abciwo12]\/)/)
          .map((word) => nameOf(`+++ ${word}`))
      : []
  })
}

/** A diff without the files that hold keys by their names, and how many those are. */
export const withoutKeys = (diff: string): { readonly kept: string; readonly left: number } => {
  const sections: Array<Array<string>> = [[]]
  for (const line of diff.split("\n")) {
    if (isSection(line)) sections.push([line])
    else sections.at(-1)?.push(line)
  }
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"))
  const kept = texts.filter((section) => !namesOf(section).some(isKeyFile))
  return { kept: kept.join("\n"), left: texts.length - kept.length }
}
