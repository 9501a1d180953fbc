/** What was thrown, and where in the project: stack traces of Python, Rust, Go and Java, and those of Node. */
import { inNode } from "./NodeFailures.ts"
import { type Found, isOwn, maxTrace, placesIn, type Thrown, thrownAt, withCause } from "./FailurePlaces.ts"

const pythonHead = "Traceback (most recent call last):"
const pythonFrame = /^\s{2,10}File "(?<file>[^"]{1,300})", line (?<at>\d{1,7})/
const pythonEnd = /^(?<type>[A-Za-z_][\w.]{0,80})(?:: ?(?<message>.{0,400}))?$/

const inPython = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const head = lines[at] ?? ""
  if (!head.endsWith(pythonHead)) return null
  const margin = head.slice(0, -pythonHead.length)
  const below = lines.slice(at + 1, at + maxTrace)
  // doctest sets a trace in; any other word before it stands on its first line alone.
  const isSetIn = margin !== "" && margin.trim() === ""
  const rest = isSetIn ? below.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line)) : below
  const end = rest.findIndex((line) => pythonEnd.test(line))
  const { message = "", type } = pythonEnd.exec(rest[end] ?? "")?.groups ?? {}
  if (type === undefined) return null
  const places = placesIn(rest.slice(0, end), pythonFrame)
  // What an example expects to be thrown has no place.
  if (isSetIn && places.length === 0) return null
  return thrownAt(type, message, places.findLast(isOwn) ?? places.at(-1))
}

const unparsed = /^(?:E {3,10})?(?<type>SyntaxError|IndentationError|TabError): (?<message>.{1,400})$/
const unparsedAt = /^(?:E)?\s{2,14}File "(?<file>[^"]{1,300})", line (?<at>\d{1,7})$/

/** Code that cannot be parsed has no trace of its own. */
const inPythonSource = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const { message, type } = unparsed.exec(lines[at] ?? "")?.groups ?? {}
  if (type === undefined || message === undefined) return null
  const place = placesIn(lines.slice(Math.max(0, at - 5), at), unparsedAt).at(-1)
  return place === undefined ? null : thrownAt(type, message, place)
}

const pytestError =
  /^E {3,10}(?<type>[A-Za-z_][\w.]{0,80}(?:Error|Exception|Exit|Interrupt|Warning)): ?(?<message>.{0,400})$/
const pytestPlace = /^(?<file>[^\s:]{1,300}\.py):(?<at>\d{1,7}): \w/

/** The place stands below, once, after the source that pytest shows, or above it in the short form. */
const inPytest = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const { message, type } = pytestError.exec(lines[at] ?? "")?.groups ?? {}
  if (type === undefined || message === undefined) return null
  const below = placesIn(lines.slice(at + 1, at + 5), pytestPlace).find(isOwn)
  return thrownAt(type, message, below ?? placesIn(lines.slice(Math.max(0, at - 4), at), pytestPlace).findLast(isOwn))
}

const rustPanic = /^thread '.{1,120}' (?:\(\d{1,9}\) )?panicked at (?<file>[^\s:']{1,300}):(?<at>\d{1,7}):\d{1,7}:$/
const oldRustPanic =
  /^thread '.{1,120}' panicked at '(?<message>.{1,300})', (?<file>[^\s:']{1,300}):(?<at>\d{1,7}):\d{1,7}$/

const inRust = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const line = lines[at] ?? ""
  const { at: number, file, message } = (rustPanic.exec(line) ?? oldRustPanic.exec(line))?.groups ?? {}
  if (file === undefined) return null
  return { type: "panic", message: message ?? (lines[at + 1] ?? "").trim(), file, line: Number(number) }
}

const goPanic = /^panic: (?<message>.{1,400}?)(?: \[recovered\])?$/
const goFrame = /^\t(?<file>\/?[\w./-]{1,300}\.go):(?<at>\d{1,7})(?: \+0x[\da-f]{1,12})?$/

const inGo = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const message = goPanic.exec(lines[at] ?? "")?.groups?.["message"]
  if (message === undefined) return null
  const place = placesIn(lines.slice(at + 1, at + maxTrace), goFrame).find(isOwn)
  return thrownAt("panic", message, place)
}

const javaError =
  /^\s{0,8}(?:Exception in thread "[^"]{1,120}" )?(?:[\w$]{1,60}\.){1,12}(?<type>[\w$]{1,80}(?:Exception|Error))(?:: (?<message>.{0,400}))?$/
/** Gradle names the place alone. */
const javaShort =
  /^\s{4,12}(?:[\w$]{1,60}\.){1,12}(?<type>[\w$]{1,80}(?:Exception|Error)) at (?<file>\w{1,100}\.(?:java|kt)):(?<at>\d{1,7})$/
const javaFrame =
  /^\s{1,12}at (?:[\w$.]{1,200}\/{1,2})?(?<owner>[\w$.]{1,200})\.[\w$<>]{1,80}\((?<file>\w{1,100}\.(?:java|kt)):(?<at>\d{1,7})\)$/
const javaOwn = /^(?:java|javax|jdk|sun|org\.junit|org\.opentest4j|org\.gradle|org\.apache\.maven|kotlin)\./

const isOther = (line: string): boolean => javaError.test(line) || javaShort.test(line)

const inJava = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const line = lines[at] ?? ""
  const short = javaShort.exec(line)?.groups
  if (short?.["type"] !== undefined) return thrownAt(short["type"], "", placesIn([line], javaShort)[0])
  const { message = "", type } = javaError.exec(line)?.groups ?? {}
  if (type === undefined) return null
  const rest = lines.slice(at + 1, at + maxTrace)
  const next = rest.findIndex(isOther)
  const trace = next === -1 ? rest : rest.slice(0, next)
  const own = trace.filter((one) => !javaOwn.test(javaFrame.exec(one)?.groups?.["owner"] ?? ""))
  return thrownAt(type, withCause(message, trace), placesIn(own, javaFrame)[0])
}

const most = 20

/** The last line of a trace that was read says the same once more, and Go says a panic twice. */
const repeats = (found: ReadonlyArray<Found>, { file, message, type }: Thrown, at: number): boolean =>
  found.some(
    (one) =>
      (one.type === type || one.type.endsWith(`.${type}`)) &&
      (one.message === message || one.message.startsWith(`${message} (caused by `)) &&
      at - one.at < maxTrace &&
      (file === null || type === "panic")
  )

const direct = "The above exception was the direct cause of the following exception:"
const handling = "During handling of the above exception, another exception occurred:"

/** Python tells what led to an exception before the exception itself. */
const isLeading = (lines: ReadonlyArray<string>, { at }: Found, next: Found | undefined): boolean =>
  next !== undefined && lines.slice(at, next.at).some((line) => line === direct || line === handling)

/** unittest sets this before what was thrown. */
const isHeading = /^Failed to import test module: /

/** In their order, of a chain of Python's the one that was raised in the end. */
export const exceptionsIn = (lines: ReadonlyArray<string>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (let at = 0; at < lines.length && found.length < most; at++) {
    const thrown =
      inPython(lines, at) ??
      inPythonSource(lines, at) ??
      inPytest(lines, at) ??
      inRust(lines, at) ??
      inGo(lines, at) ??
      inJava(lines, at) ??
      inNode(lines, at)
    if (thrown !== null && !isHeading.test(thrown.message) && !repeats(found, thrown, at)) found.push({ ...thrown, at })
  }
  return found.filter((one, index) => !isLeading(lines, one, found[index + 1]))
}
