/** What a unified diff says, as far as a quotation of it can be looked up. */
import * as Array from "effect/Array"
import { isKeyFile } from "../../base/redaction/SecretFiles.ts"

/** The changed lines of a file without their marks, white space folded. */
export interface FileDiff {
  readonly file: string
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** The name in a header, without its quotation marks and git's letter before it. */
const nameOf = (header: string): string => {
  const name = header.split("\t")[0]?.trim() ?? ""
  const plain = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  return /^[abciwo12]\//.test(plain) ? plain.slice(2) : plain
}

/** A line of a hunk may look like a header, but none of its lines begins with `@@`. */
const headers = /^--- ([^\n]*)\n\+\+\+ ([^\n]*)\n(?=@@ )/m

const changed = (lines: string, mark: string): ReadonlyArray<string> =>
  lines.split("\n").flatMap((line) => (line.startsWith(mark) ? [fold(line.slice(1))] : []))

/** Of a file that was deleted the name is the old one. */
export const files = (diff: string): ReadonlyArray<FileDiff> =>
  Array.chunksOf(diff.split(headers).slice(1), 3).map(([old = "", now = "", lines = ""]) => ({
    file: nameOf(now === "/dev/null" ? old : now),
    added: changed(lines, "+"),
    removed: changed(lines, "-")
  }))

/** Fewer characters than these stand in any diff by chance, unless they are a whole line of it. */
const leastQuote = 12
const leastLine = 4

const size = (text: string): number => text.replaceAll(" ", "").length

const isOf = (quoted: string, line: string): boolean =>
  (size(quoted) >= leastLine && /[\p{L}\p{N}]/u.test(quoted) && line === quoted) ||
  (size(quoted) >= leastQuote && line.includes(quoted))

/** A place in a change: the file under its own name, and the line of it that was added or removed. */
export interface Anchor {
  readonly file: string
  readonly line: string
}

/** The line that a quotation is of: one that was added, and where that is asked for, one that was removed. */
export const anchor = (
  all: ReadonlyArray<FileDiff>,
  { file, quote }: { readonly file: string; readonly quote: string },
  { removed }: { readonly removed: boolean }
): Anchor | null => {
  const named = nameOf(file)
  const quoted = quote.split("\n").flatMap((line) => [fold(line), fold(line.replace(/^\s?[-+]/, ""))])
  const places = all
    .filter((one) => one.file === named || one.file.endsWith(`/${named}`))
    .flatMap((one) => [...one.added, ...(removed ? one.removed : [])].map((line): Anchor => ({ file: one.file, line })))
  return places.find(({ line }) => quoted.some((text) => isOf(text, line))) ?? null
}

const holdsKeys = (section: string): boolean => {
  const [head = ""] = section.split("\n@@", 1)
  return [...head.matchAll(/^(?:---|\+\+\+) (.*)$/gm)].some(([, name = ""]) => isKeyFile(nameOf(name)))
}

/** A diff of git's without the files that hold keys by their names, and how many those are. */
export const withoutKeys = (diff: string): { readonly kept: string; readonly left: number } => {
  const sections = diff.split(/^(?=diff --(?:git|cc) )/m)
  const kept = sections.filter((section) => !holdsKeys(section))
  return { kept: kept.join(""), left: sections.length - kept.length }
}
