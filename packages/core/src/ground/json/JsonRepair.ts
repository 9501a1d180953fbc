/** JSON as models write it: comments, trailing commas, other quotes, bare keys, Python's literals, breaks in strings. */

/** What `repair` answers for a text that it cannot read to the end of its value. */
export const failed: unique symbol = Symbol.for("@reflexion/core/jsonRepair/failed")

type Value = unknown

interface Cursor {
  readonly text: string
  at: number
}

const maxDepth = 48

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`" }

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }

const blank = /[\s\u00a0\ufeff]/

const literals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
  ["undefined", null]
])

const skipLine = (cursor: Cursor): void => {
  const end = cursor.text.indexOf("\n", cursor.at)
  cursor.at = end < 0 ? cursor.text.length : end + 1
}

const skipComment = (cursor: Cursor): void => {
  const end = cursor.text.indexOf("*/", cursor.at + 2)
  cursor.at = end < 0 ? cursor.text.length : end + 2
}

/** Blanks and comments. */
const skip = (cursor: Cursor): void => {
  for (;;) {
    const char = cursor.text.charAt(cursor.at)
    if (char !== "" && blank.test(char)) cursor.at++
    else if (cursor.text.startsWith("//", cursor.at)) skipLine(cursor)
    else if (cursor.text.startsWith("/*", cursor.at)) skipComment(cursor)
    else return
  }
}

const takes = (cursor: Cursor, char: string): boolean => {
  skip(cursor)
  if (cursor.text.charAt(cursor.at) !== char) return false
  cursor.at++
  return true
}

const unicode = (cursor: Cursor): string | null => {
  const code = cursor.text.slice(cursor.at + 1, cursor.at + 5)
  if (!/^[0-9a-fA-F]{4}$/.test(code)) return null
  cursor.at += 5
  return String.fromCharCode(Number.parseInt(code, 16))
}

/** The character that a backslash before the cursor stands for. */
const escaped = (cursor: Cursor): string | null => {
  const char = cursor.text.charAt(cursor.at)
  if (char === "u") return unicode(cursor)
  cursor.at++
  return char === "" ? null : (escapes[char] ?? char)
}

const string = (cursor: Cursor, closing: string): string | typeof failed => {
  const parts: Array<string> = []
  cursor.at++
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at++)
    if (char === closing) return parts.join("")
    const part = char === "\\" ? escaped(cursor) : char
    if (part === null) return failed
    parts.push(part)
  }
  return failed
}

const number = /-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,4})?(?![\w.])/y
const word = /[A-Za-z_$][\w$-]{0,100}/y

const matched = (cursor: Cursor, pattern: RegExp): string | null => {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0] ?? null
  if (found !== null) cursor.at += found.length
  return found
}

const scalar = (cursor: Cursor): Value => {
  const digits = matched(cursor, number)
  if (digits !== null) return Number(digits)
  const literal = literals.get(matched(cursor, word)?.toLowerCase() ?? "")
  return literal === undefined ? failed : literal
}

const key = (cursor: Cursor): string | typeof failed => {
  const closing = closings[cursor.text.charAt(cursor.at)]
  return closing === undefined ? (matched(cursor, word) ?? failed) : string(cursor, closing)
}

/** Own keys only, whatever they are called. */
const object = (cursor: Cursor, depth: number): Value => {
  const entries: Array<readonly [string, Value]> = []
  cursor.at++
  while (!takes(cursor, "}")) {
    const name = key(cursor)
    if (name === failed || !takes(cursor, ":")) return failed
    const found = value(cursor, depth + 1)
    if (found === failed) return failed
    entries.push([name, found])
    if (!takes(cursor, ",") && !closes(cursor, "}")) return failed
  }
  return Object.fromEntries(entries)
}

const closes = (cursor: Cursor, char: string): boolean => {
  skip(cursor)
  return cursor.text.charAt(cursor.at) === char
}

const array = (cursor: Cursor, depth: number): Value => {
  const items: Array<Value> = []
  cursor.at++
  while (!takes(cursor, "]")) {
    const found = value(cursor, depth + 1)
    if (found === failed) return failed
    items.push(found)
    if (!takes(cursor, ",") && !closes(cursor, "]")) return failed
  }
  return items
}

const value = (cursor: Cursor, depth: number): Value => {
  skip(cursor)
  if (depth > maxDepth) return failed
  const char = cursor.text.charAt(cursor.at)
  if (char === "{") return object(cursor, depth)
  if (char === "[") return array(cursor, depth)
  const closing = closings[char]
  return closing === undefined ? scalar(cursor) : string(cursor, closing)
}

/** The one value that a text is, nothing else before or after it. What is not closed is no value. */
export const repair = (text: string): Value => {
  const cursor: Cursor = { text, at: 0 }
  const found = value(cursor, 0)
  skip(cursor)
  return cursor.at === text.length ? found : failed
}
