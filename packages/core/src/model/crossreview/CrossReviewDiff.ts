/** Reads a unified diff, so that a quotation can be found in it. */
import * as Array from "effect/Array"
import { isKeyFile } from "../../base/redaction/SecretFiles.ts"

/** The lines have no `+` or `-` marks. Each run of white space is one space. */
export interface FileDiff {
  readonly file: string
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const nameOf = (header: string): string => {
  const name = header.split("\t")[0]?.trim() ?? ""
  const plain = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  return /^[abciwo12]\//.test(plain) ? plain.slice(2) : plain
}

/** A changed line may look like a header, but no `@@` follows it. */
const headers = /^--- ([^\n]*)\n\+\+\+ ([^\n]*)\n(?=@@ )/m

const changed = (lines: string, mark: string): ReadonlyArray<string> =>
  lines.split("\n").flatMap((line) => (line.startsWith(mark) ? [fold(line.slice(1))] : []))

/** A deleted file keeps its old name. */
export const files = (diff: string): ReadonlyArray<FileDiff> =>
  Array.chunksOf(diff.split(headers).slice(1), 3).map(([old = "", now = "", lines = ""]) => ({
    file: nameOf(now === "/dev/null" ? old : now),
    added: changed(lines, "+"),
    removed: changed(lines, "-")
  }))

/** A shorter quotation may match by chance. For a whole quoted line, `leastLine` is enough. */
const leastQuote = 12
const leastLine = 4

const size = (text: string): number => text.replaceAll(" ", "").length

const isOf = (quoted: string, line: string): boolean =>
  (size(quoted) >= leastLine && /[\p{L}\p{N}]/u.test(quoted) && line === quoted) ||
  (size(quoted) >= leastQuote && line.includes(quoted))

export interface Anchor {
  readonly file: string
  readonly line: string
}

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

export const withoutKeys = (diff: string): { readonly kept: string; readonly left: number } => {
  const sections = diff.split(/^(?=diff --(?:git|cc) )/m)
  const kept = sections.filter((section) => !holdsKeys(section))
  return { kept: kept.join(""), left: sections.length - kept.length }
}
