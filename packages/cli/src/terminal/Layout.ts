/** Lays out text for a terminal: removes control characters, measures columns, cuts and wraps. */
import { clean } from "@reflexion/core/internal/base/text/PlainText"

export { clean }

export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

export const oneLine = (text: string): string => clean(text.slice(0, 4000)).trim().split(/\s+/u).join(" ")

const plain = /^[ -~]*$/u
const zero = /^(?:\p{Mn}|\p{Me}|\u{200d}|\u{fe0e}|\u{fe0f})$/u
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])$/u

const columns = (char: string): number => (zero.test(char) ? 0 : wide.test(char) ? 2 : 1)

/** A combining mark has no column. An East Asian character or an emoji has two. */
export const width = (text: string): number => {
  if (plain.test(text)) return text.length
  return [...text].reduce((total, char) => total + columns(char), 0)
}

export const pad = (text: string, to: number): string => text + " ".repeat(Math.max(0, to - width(text)))

/** Returns the longest beginning that fits, but at least one character. */
const fit = (text: string, to: number): string => {
  let taken = ""
  let total = 0
  for (const char of text) {
    total += columns(char)
    if (total > to && taken !== "") break
    taken += char
  }
  return taken
}

export const clip = (text: string, to: number, mark: string): string =>
  width(text) <= to ? text : `${fit(text, Math.max(1, to - width(mark))).trimEnd()}${mark}`

const breakWord = (word: string, to: number): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let rest = word
  while (width(rest) > to) {
    const part = fit(rest, to)
    parts.push(part)
    rest = rest.slice(part.length)
  }
  return [...parts, rest]
}

const listItem = /^ {0,16}(?:[-*•] |\d{1,3}[.)] )?/u

const wrapLine = (line: string, to: number): ReadonlyArray<string> => {
  const lead = listItem.exec(line)?.[0] ?? ""
  const indent = Math.min(width(lead), Math.floor(to / 2))
  const lines: Array<string> = []
  let current = lead.slice(0, indent)
  let empty = true
  for (const word of line.slice(lead.length).split(" ").filter(Boolean)) {
    for (const part of breakWord(word, Math.max(1, to - indent))) {
      if (!empty && width(current) + 1 + width(part) > to) {
        lines.push(current)
        current = " ".repeat(indent)
        empty = true
      }
      current += empty ? part : ` ${part}`
      empty = false
    }
  }
  return [...lines, current.trimEnd()]
}

/** List items get an indent. */
export const wrap = (text: string, to: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => (width(line) <= to ? [line.trimEnd()] : wrapLine(line, Math.max(1, to))))

export const hanging = (head: string, indent: number, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line, index) => (index === 0 ? head : " ".repeat(indent)) + line)

/** The last line gets a mark if lines were left out. */
export const firstLines = (
  lines: ReadonlyArray<string>,
  options: { readonly count: number; readonly to: number; readonly mark: string }
): ReadonlyArray<string> => {
  const kept = lines.slice(0, options.count)
  const last = kept.at(-1)
  if (last === undefined || lines.length <= options.count) return kept
  return [...kept.slice(0, -1), clip(`${last} ${options.mark}`, options.to, options.mark)]
}

/** Formats 12345 as `12,345`. */
export const grouped = (value: number): string => String(Math.round(value)).replaceAll(/\B(?=(\d{3})+(?!\d))/gu, ",")

export const lasting = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`
}

/** Escapes all characters in a JSON text that could control a terminal. */
export const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
