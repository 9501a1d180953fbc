/**
 * Secrets that only their name gives away: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`.
 *
 * @since 0.1.0
 */
import { type Guarded, guarded } from "./guarded.ts"
import { isPlaceholder, looksChosen, looksDense, looksRandom } from "./secretValues.ts"

export interface Span {
  readonly kind: string
  readonly start: number
  readonly end: number
}

const names =
  "passw(?:or)?d|passwd|pwd|passphrase|passcode|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|" +
  "secret[_-]?key|encryption[_-]?key|signing[_-]?key|account[_-]?key|master[_-]?key|shared[_-]?key|auth[_-]?key|" +
  "deploy[_-]?key|credentials?"

const suffix =
  "(?:s|[_-]?(?:key(?:[_-]?base)?|value|b64|base64|raw|plain|old|new|current|prod|production|dev|staging|live|\\d{1,4}))?"

/** Of these words each name has one. */
const words = "passw|passwd|pwd|passphrase|passcode|secret|token|key|credential"

/** The same, for who looks for them and for other words at once. */
export const nameWords: ReadonlyArray<string> = words.split("|")

const assigned = guarded(
  `${words}&=|:`,
  () => new RegExp(`(${names})${suffix}(\\\\{0,3}["'\`]?\\]?[ \\t]{0,8}(?:=>|:=|={1,3}|!=|:)[ \\t]{0,8})`, "gi")
)

const flagged = guarded(
  `${words}&-`,
  () => new RegExp(`(?<![\\w-])--?(?:[a-z0-9]{1,20}-){0,4}(${names})(?:=|[ \\t]{1,4})`, "gi")
)

/** What before the name makes it another thing: a page's token, or our own mark. */
const notAName =
  /(?:(?:page|next|continuation|cursor|sync|resume|design|cancellation|cancel|end|start|eof|comma|syntax)[_-]?|\[redacted:[a-z-]{0,20})$/i

const quoted = /(\\{0,3}(["'`]))((?:(?!\2)[^\r\n\\]|\\(?!["'`])[^\r\n]){1,4000})(?=\\{0,3}\2|$)/y
const unquoted = /[^\s"'`,;)}\]<>|\\]{1,1000}/y

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index
  return pattern.exec(text)
}

const kindOf = (name: string): string => {
  if (/^(?:pass|pwd)/i.test(name)) return "password"
  if (/token/i.test(name)) return "token"
  return /key/i.test(name) ? "key" : "secret"
}

const codeLike =
  /^(?:[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]{0,80}){1,10}[!?;]?|[A-Za-z_$][\w$.:]{0,120}[([].{0,1000}|(?:new|await|typeof|function)\b.{0,1000})$/

interface Candidate {
  readonly kind: string
  readonly value: string
  readonly inQuotes: boolean
  /** Written as an environment variable or a flag with `=`, where a bare word is a value too. */
  readonly assignment: boolean
}

const isSecret = (candidate: Candidate): boolean => {
  const { assignment, inQuotes, kind, value } = candidate
  if (value.length < 4 || isPlaceholder(value) || /^\d{1,5}$/.test(value)) return false
  if (!inQuotes && codeLike.test(value)) return false
  if (looksDense(value) || looksRandom(value)) return true
  if (looksChosen(value) && (kind === "password" || assignment)) return true
  return assignment && !/[\s/\\(]/.test(value) && value.length >= (kind === "password" ? 6 : 10)
}

const valueAt = (
  text: string,
  index: number
): { start: number; value: string; inQuotes: boolean; end: number } | null => {
  const inside = at(quoted, text, index)
  if (inside !== null && !/^[+),.;&|\]}]/.test(inside[3] ?? "")) {
    const start = index + (inside[1] ?? "").length
    return { start, value: inside[3] ?? "", inQuotes: true, end: start + (inside[3] ?? "").length }
  }
  const bare = at(unquoted, text, index)
  if (bare === null || bare[0].endsWith("...")) return null
  const value = bare[0].replace(/[.:!?]{1,3}$/, "")
  return { start: index, value, inQuotes: false, end: index + value.length }
}

/** The rest of the name before the keyword, back to where it starts. */
const lead = /(?:^|[\n;])[ \t]{0,8}(?:export )?[\w.-]{0,60}$/

/** `NAME=value` of a shell, or a whole line of a properties file or part of a connection string. */
const isAssignment = (text: string, start: number, name: string, end: number): boolean =>
  /^[A-Z]/.test(name) ||
  (lead.test(text.slice(Math.max(0, start - 80), start)) && /^(?:$|[\r\n;])/.test(text.charAt(end)))

const inQuery = (text: string, start: number): boolean =>
  /[?&][\w.-]{0,60}$/.test(text.slice(Math.max(0, start - 62), start))

const untilAmpersand = (value: string): string => {
  const index = value.indexOf("&")
  return index < 0 ? value : value.slice(0, index)
}

const candidateAt = (text: string, match: RegExpExecArray, from: number, flag: boolean): (Candidate & Span) | null => {
  const name = match[1] ?? ""
  const found = valueAt(text, from)
  if (found === null || notAName.test(text.slice(Math.max(0, match.index - 24), match.index))) return null
  const value = !found.inQuotes && inQuery(text, match.index) ? untilAmpersand(found.value) : found.value
  const end = found.start + value.length
  const operator = flag ? match[0].slice(-1) : (match[2] ?? "")
  const assignment = operator === "=" && (flag || isAssignment(text, match.index, name, end))
  return { kind: kindOf(name), value, inQuotes: found.inQuotes, assignment, start: found.start, end }
}

const collect = (text: string, guard: Guarded, flag: boolean): ReadonlyArray<Span> => {
  if (!guard.admits(text)) return []
  const pattern = guard.pattern()
  const spans: Array<Span> = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const candidate = candidateAt(text, match, pattern.lastIndex, flag)
    if (candidate === null || !isSecret(candidate)) continue
    spans.push({ kind: candidate.kind, start: candidate.start, end: candidate.end })
    pattern.lastIndex = candidate.end
  }
  return spans
}

/** Whether there can be such values in a text that has a name's word. */
export const hasOperator = (text: string): boolean => /[=:-]/.test(text)

/** Whether there can be such values in a text: where there are none in it, there are none in any part of it. */
export const mayAssign = (text: string): boolean => assigned.admits(text) || flagged.admits(text)

/** The values that stand under a secret's name and look like one. */
export const assignedSecrets = (text: string): ReadonlyArray<Span> => [
  ...collect(text, assigned, false),
  ...collect(text, flagged, true)
]
