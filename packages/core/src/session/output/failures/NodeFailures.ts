/** What a program of Node's threw, as Node prints it and as the runners of its tests do. */
import { isOwn, maxTrace, type Place, placesIn, type Thrown, thrownAt, withCause } from "./FailurePlaces.ts"

/** A name that says of itself that it is an error. */
const named =
  /^\s{0,8}(?:Uncaught )?(?:\w{1,40}:\d{1,7}\s)?(?<type>[A-Z]\w{0,60}(?:Error|Exception))(?: \[\w{1,60}\])?: (?<message>.{1,400})$/
/** One that has no stack. */
const bare =
  /^\s{0,8}(?:Uncaught )?\[(?<type>[A-Z]\w{0,60}(?:Error|Exception))(?: \[\w{1,60}\])?: (?<message>.{1,400}?)\](?: \{)?$/
/** Any name: only the stack below says that it was thrown. */
const framed = /^\s{0,8}(?:Uncaught )?(?<type>[A-Z][\w$.]{0,60})(?: \[\w{1,60}\])?: (?<message>.{1,400}?)(?: \{)?$/
const wordless = /^\s{0,8}(?:Uncaught )?(?<type>(?:[A-Z]\w{0,60})?(?:Error|Exception))(?: \[\w{1,60}\])?$/

const nodeFrame = /^\s{2,12}at (?:.{1,200} \()?(?<file>[^\s()]{1,300}):(?<at>\d{1,7}):\d{1,7}\)?(?: \{)?$/
const vitestFrame = /^\s{1,4}❯ (?:.{1,120} )?(?<file>[^\s()]{1,300}):(?<at>\d{1,7}):\d{1,7}$/u
const anyFrame = /^\s{2,16}at (?:\S.{0,300} )?\(?(?:[^\s()]{1,300}:\d{1,7}:\d{1,7}|<anonymous>|native)\)?(?: \{)?$/

const isFrame = (line: string): boolean => anyFrame.test(line) || vitestFrame.test(line)

/** The first place of the project that a stack of Node's names. */
export const firstPlaceIn = (lines: ReadonlyArray<string>): Place | null =>
  placesIn(lines, nodeFrame).find(isOwn) ?? null

const maxMessage = 5

/** The message may have several lines; a blank one ends it. */
const hasFrames = (lines: ReadonlyArray<string>, at: number): boolean => {
  for (const line of lines.slice(at + 1, at + 1 + maxMessage)) {
    if (isFrame(line)) return true
    if (line.trim() === "") return false
  }
  return false
}

interface Head {
  readonly type: string
  readonly message: string
}

const headAt = (lines: ReadonlyArray<string>, at: number): Head | null => {
  const line = lines[at] ?? ""
  const sure = named.exec(line) ?? bare.exec(line)
  const { message = "", type } = (sure ?? framed.exec(line) ?? wordless.exec(line))?.groups ?? {}
  return type !== undefined && (sure !== null || hasFrames(lines, at)) ? { type, message } : null
}

/** Before what it threw, Node shows the line that it stands in. */
const shownLine = /^(?:file:\/\/)?(?<file>\/[^\s:]{1,300}|[A-Za-z]:[^\s:]{1,300}):(?<at>\d{1,7})$/
const maxShown = 8

const placeAbove = (lines: ReadonlyArray<string>, at: number): Place | undefined =>
  placesIn(lines.slice(Math.max(0, at - maxShown), at), shownLine).findLast(isOwn)

/** Babel names the file in the message. */
const parsed = /^(?<file>\/?[^\s:]{1,300}\.\w{1,5}): (?<said>.{1,300}) \((?<at>\d{1,7}):\d{1,7}\)$/

const unparsed = (message: string, above: Place | undefined, frame: Place | undefined): Thrown => {
  const { at, file, said } = parsed.exec(message)?.groups ?? {}
  if (file !== undefined && said !== undefined) return thrownAt("SyntaxError", said, { file, line: Number(at) })
  return thrownAt("SyntaxError", message, above ?? frame)
}

const rejected = /The promise rejected with the reason "(?<reason>.{1,200})"\.$/

/** What follows it, up to the next that was thrown. */
const traceOf = (lines: ReadonlyArray<string>, at: number): ReadonlyArray<string> => {
  const rest = lines.slice(at + 1, at + maxTrace)
  const next = rest.findIndex((_, index) => headAt(rest, index) !== null)
  return next === -1 ? rest : rest.slice(0, next)
}

const isSaid = (line: string): boolean => line.trim() !== ""

const ofHead = ({ message, type }: Head, lines: ReadonlyArray<string>, at: number): Thrown => {
  const trace = traceOf(lines, at)
  const frame = [...placesIn(trace, nodeFrame), ...placesIn(trace, vitestFrame)].find(isOwn)
  const above = placeAbove(lines, at)
  if (type === "SyntaxError") return unparsed(message, above, frame)
  const reason = rejected.exec(message)?.groups?.["reason"]
  const quoted = / (?:falsy value|Input):$/.test(message) ? (lines.slice(at + 1, at + 4).find(isSaid) ?? "").trim() : ""
  const text =
    reason === undefined ? `${message} ${quoted}`.trim() : `nobody caught that a promise was rejected with ${reason}`
  return thrownAt(type, withCause(text, trace), frame ?? above)
}

export const isNodeVersion = (line: string): boolean => /^Node\.js v\d{1,3}\./.test(line)

const caret = /^\s{0,200}\^{1,200}$/

/** Of `throw { code: 3 }`, which is no error, Node prints the value alone. */
const valueThrown = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  if (!isNodeVersion(lines[at] ?? "")) return null
  const from = Math.max(0, at - 30)
  const mark = lines.slice(from, at).findLastIndex((line) => caret.test(line)) + from
  if (mark < from) return null
  const value = lines.slice(mark + 1, at).filter((line) => line.trim() !== "" && !line.startsWith("(Use `node"))
  if (value.length === 0 || value.some((line) => isFrame(line))) return null
  return thrownAt("a value that is no error", value.join(" "), placeAbove(lines, mark))
}

export const inNode = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const head = headAt(lines, at)
  return head === null ? valueThrown(lines, at) : ofHead(head, lines, at)
}
