/** Recommended actions as paragraphs that begin with `SKILL_ACTION:`, in whatever language the rest of them is. */
import type { Said } from "./json.ts"

/** `rest` is the text without the paragraphs. */
export interface Paragraphs {
  readonly actions: ReadonlyArray<Said>
  readonly rest: string
}

/** With whatever Markdown stands around it. */
const marker = /^[\s>#*_`•.)\d-]{0,20}SKILL[ _-]?ACTIONS?[\s#\d*_`]{0,8}(?:[:：=]|[-–—](?=\s))`?[\s*_]{0,8}/iu

const keyed = /^[\s*_`•-]{0,12}(target|skill|file|task|change|action|reason|why)[*_`]{0,4}\s{0,4}[:：=]\s{0,4}/iu

/** A name in quotes or brackets, or one word before a separator. */
const named =
  /^[*_]{0,2}(?:[`"'“«「『[]([^`"'”»」』\]\n]{1,200})[`"'”»」』\]]|([\p{L}\p{N}][\p{L}\p{N}._/@+-]{0,200}))[*_]{0,2}\s{0,4}(?:[:：|→]|->|=>|\s[-–—]\s|[–—])\s{0,4}/u

interface Part {
  readonly key: string
  readonly text: string
}

/** The lines under their keys; what stands before the first key is the change. */
const partsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Part> => {
  const parts: Array<{ key: string; text: string }> = [{ key: "change", text: "" }]
  for (const line of lines) {
    const found = keyed.exec(line)
    if (found !== null) parts.push({ key: (found[1] ?? "").toLowerCase(), text: line.slice(found[0].length) })
    else {
      const last = parts.at(-1)
      if (last !== undefined) last.text += `\n${line}`
    }
  }
  return parts
}

const under = (parts: ReadonlyArray<Part>, keys: ReadonlyArray<string>): string =>
  parts
    .filter(({ key }) => keys.includes(key))
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n")

const unquoted = (text: string): string => text.replaceAll(/^[\s`"'*_[\]]{1,8}|[\s`"'*_[\]]{1,8}$/g, "")

const saidOf = (lines: ReadonlyArray<string>): Said | null => {
  const parts = partsOf(lines)
  const target = unquoted(under(parts, ["target", "skill", "file", "task"]))
  const said = under(parts, ["change", "action"])
  const reason = under(parts, ["reason", "why"])
  const name = target === "" ? named.exec(said) : null
  const change = name === null ? said : said.slice(name[0].length).trim()
  if (change === "") return null
  return { target: name?.[1] ?? name?.[2] ?? (target === "" ? null : target), change, reason }
}

const item = /^\s{0,12}(?:[-*•]|\d{1,3}[.)])\s+/u

/** A list below the marker whose items each name what they are about is one action for each. */
const allSaidOf = (lines: ReadonlyArray<string>): ReadonlyArray<Said> => {
  const full = lines.filter((line) => !isBlank(line))
  const items = full.map((line) => line.replace(item, ""))
  const isList =
    full.length > 1 &&
    isBlank(lines[0] ?? "") &&
    full.every((line, at) => item.test(line) && !keyed.test(line) && named.test(items[at] ?? ""))
  return (isList ? items.map((line) => [line]) : [lines]).flatMap((each) => saidOf(each) ?? [])
}

const isBlank = (line: string): boolean => line.trim() === ""

/** A paragraph whose first line has nothing but the marker may stand after a blank line. */
const endOf = (lines: ReadonlyArray<string>, from: number, isEmpty: boolean): number => {
  let end = from
  if (isEmpty) while (end < lines.length && isBlank(lines[end] ?? "")) end += 1
  while (end < lines.length && !isBlank(lines[end] ?? "") && !marker.test(lines[end] ?? "")) end += 1
  return end
}

const maxLine = 4000

/** What the paragraphs say, and what is left. */
export const paragraphs = (text: string): Paragraphs => {
  const lines = text.split("\n").map((line) => line.slice(0, maxLine))
  const rest: Array<string> = []
  const actions: Array<Said> = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    const found = marker.exec(line)
    if (found === null) {
      rest.push(line)
      at += 1
      continue
    }
    const first = line.slice(found[0].length)
    const end = endOf(lines, at + 1, isBlank(first))
    actions.push(...allSaidOf([first, ...lines.slice(at + 1, end)]))
    at = end
  }
  return { actions, rest: rest.join("\n") }
}
