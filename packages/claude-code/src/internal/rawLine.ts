/** Tells lines of no interest by their bytes, so that they need not be parsed. */

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Nested {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly type: string
}

const nested = (before: string, field: string, type: string, outer: string): Nested => ({
  before: bytes(before),
  after: bytes(`{"${field}":"${type}"`),
  type: `${outer}/${type}`
})

const progress = '"type":"progress","data":'
const attachment = '"attachment":'

const ignored: ReadonlyArray<Nested> = [
  nested(progress, "type", "bash_progress", "progress"),
  nested(progress, "type", "hook_progress", "progress"),
  nested(attachment, "type", "hook_success", "attachment"),
  nested(attachment, "type", "skill_listing", "attachment"),
  nested(attachment, "type", "task_reminder", "attachment"),
  nested(attachment, "type", "edited_text_file", "attachment"),
  nested(attachment, "type", "deferred_tools_delta", "attachment"),
  nested(attachment, "type", "agent_listing_delta", "attachment")
]

const snapshot = bytes('{"type":"file-history-snapshot",')
const brace = 123
const quote = 34
const maxPrefix = 4096

/**
 * The type of a line that can be dropped, or null. The first brace after the line's own, right after an unescaped key,
 * opens a field of the line itself and no deeper one: a message that quotes such a line is never taken for it.
 */
export const ignores = (line: Uint8Array): string | null => {
  if (line[0] !== brace) return null
  if (matches(line, 0, snapshot)) return isWhole(line) ? "file-history-snapshot" : null
  const at = line.subarray(0, maxPrefix).indexOf(brace, 1)
  if (at === -1) return null
  for (const one of ignored) {
    if (matches(line, at, one.after) && matches(line, at - one.before.length, one.before)) {
      return isWhole(line) ? one.type : null
    }
  }
  return null
}

const matches = (line: Uint8Array, at: number, expected: Uint8Array): boolean => {
  if (at < 0 || at + expected.length > line.length) return false
  for (let i = 0; i < expected.length; i++) if (line[at + i] !== expected[i]) return false
  return true
}

/** A truncated line, or one with another value glued to it, is left to the parser. */
const isWhole = (line: Uint8Array): boolean => {
  let end = line.length - 1
  while (end >= 0 && (line[end] ?? 0) <= 32) end--
  return line[end] === 125 && !hasGlue(line)
}

/** Inside a value, an object with an unescaped key follows a colon, a comma or a bracket. */
const hasGlue = (line: Uint8Array): boolean => {
  for (let at = line.indexOf(brace, 1); at !== -1; at = line.indexOf(brace, at + 1)) {
    if (line[at + 1] === quote && !isNested(line, at)) return true
  }
  return false
}

const isNested = (line: Uint8Array, at: number): boolean => {
  let before = at - 1
  while (before > 0 && (line[before] ?? 0) <= 32) before--
  const byte = line[before]
  return byte === 58 || byte === 44 || byte === 91
}
