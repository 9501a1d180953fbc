/** What was thrown, and where in the project: stack traces of Node, Python, Rust, Go and Java. */

export interface Thrown {
  readonly type: string
  readonly message: string
  readonly file: string | null
  readonly line: number | null
}

export interface Place {
  readonly file: string
  readonly line: number
}

const maxTrace = 60

/** What is somebody else's code. */
const foreign =
  /(?:^node:|^internal\/|node_modules|site-packages|dist-packages|\/lib\/python\d|^<|\/rustc\/|\/\.cargo\/|\/go\/pkg\/mod\/|\/usr\/(?:local\/)?(?:lib|go)\/)/

const isOwn = ({ file }: Place): boolean => !foreign.test(file)

const placesIn = (lines: ReadonlyArray<string>, frame: RegExp): ReadonlyArray<Place> =>
  lines.flatMap((line) => {
    const { at, file } = frame.exec(line)?.groups ?? {}
    return file === undefined || at === undefined ? [] : [{ file: file.replace(/^file:\/\//, ""), line: Number(at) }]
  })

const nodeError =
  /^(?:Uncaught )?(?:\w{1,40}:\d{1,7}\s)?(?<type>[A-Z]\w{0,60}(?:Error|Exception))(?: \[\w{1,60}\])?: (?<message>.{1,400})$/
const nodeFrame = /^\s{2,12}at (?:.{1,200} \()?(?<file>[^\s()]{1,300}):(?<at>\d{1,7}):\d{1,7}\)?$/

/** The first place of the project that a stack of Node's names. */
export const firstPlaceIn = (lines: ReadonlyArray<string>): Place | null =>
  placesIn(lines, nodeFrame).find(isOwn) ?? null

const vitestFrame = /^\s{1,4}❯ (?:.{1,120} )?(?<file>[^\s()]{1,300}):(?<at>\d{1,7}):\d{1,7}$/u

const inNode = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const { message, type } = nodeError.exec(lines[at] ?? "")?.groups ?? {}
  if (type === undefined || message === undefined) return null
  const rest = lines.slice(at + 1, at + maxTrace)
  const next = rest.findIndex((line) => nodeError.test(line))
  const own = next === -1 ? rest : rest.slice(0, next)
  const place = [...placesIn(own, nodeFrame), ...placesIn(own, vitestFrame)].find(isOwn)
  return { type, message, file: place?.file ?? null, line: place?.line ?? null }
}

const pythonHead = "Traceback (most recent call last):"
const pythonFrame = /^\s{2,10}File "(?<file>[^"]{1,300})", line (?<at>\d{1,7})/
const pythonEnd = /^(?<type>[A-Za-z_][\w.]{0,80}): ?(?<message>.{0,400})$/

const inPython = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  if (!(lines[at] ?? "").endsWith(pythonHead)) return null
  const rest = lines.slice(at + 1, at + maxTrace)
  const end = rest.findIndex((line) => pythonEnd.test(line))
  const { message, type } = pythonEnd.exec(rest[end] ?? "")?.groups ?? {}
  if (type === undefined || message === undefined) return null
  const places = placesIn(rest.slice(0, end), pythonFrame)
  const place = places.findLast(isOwn) ?? places.at(-1)
  return { type, message, file: place?.file ?? null, line: place?.line ?? null }
}

const pytestError =
  /^E {3,10}(?<type>[A-Za-z_][\w.]{0,80}(?:Error|Exception|Exit|Interrupt|Warning)): ?(?<message>.{0,400})$/
const pytestPlace = /^(?<file>[^\s:]{1,300}\.py):(?<at>\d{1,7}): \w/

/** The place stands below, once, after the source that pytest shows. */
const inPytest = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const { message, type } = pytestError.exec(lines[at] ?? "")?.groups ?? {}
  if (type === undefined || message === undefined) return null
  const place = placesIn(lines.slice(at + 1, at + 5), pytestPlace).find(isOwn)
  return { type, message, file: place?.file ?? null, line: place?.line ?? null }
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

const goPanic = /^panic: (?<message>.{1,400})$/
const goFrame = /^\t(?<file>\/?[\w./-]{1,300}\.go):(?<at>\d{1,7})(?: \+0x[\da-f]{1,12})?$/

const inGo = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const message = goPanic.exec(lines[at] ?? "")?.groups?.["message"]
  if (message === undefined) return null
  const place = placesIn(lines.slice(at + 1, at + maxTrace), goFrame).find(isOwn)
  return { type: "panic", message, file: place?.file ?? null, line: place?.line ?? null }
}

const javaError =
  /^(?:Exception in thread "[^"]{1,120}" )?(?:[\w$]{1,60}\.){1,12}(?<type>[\w$]{1,80}(?:Exception|Error))(?:: (?<message>.{0,400}))?$/
const javaFrame =
  /^\s{1,8}at (?:[\w$.]{1,200}\/)?(?<owner>[\w$.]{1,200})\.[\w$<>]{1,80}\((?<file>\w{1,100}\.(?:java|kt)):(?<at>\d{1,7})\)$/
const javaOwn = /^(?:java|javax|jdk|sun|org\.junit|org\.gradle|org\.apache\.maven|kotlin)\./

const inJava = (lines: ReadonlyArray<string>, at: number): Thrown | null => {
  const { message = "", type } = javaError.exec(lines[at] ?? "")?.groups ?? {}
  if (type === undefined) return null
  const frames = lines.slice(at + 1, at + maxTrace).flatMap((line) => {
    const { at: number, file, owner } = javaFrame.exec(line)?.groups ?? {}
    return file === undefined || owner === undefined || javaOwn.test(owner) ? [] : [{ file, line: Number(number) }]
  })
  return { type, message, file: frames[0]?.file ?? null, line: frames[0]?.line ?? null }
}

const most = 10

/** With the number of the line that tells of it, from 0. */
export interface Found extends Thrown {
  readonly at: number
}

/** The last line of a trace that was read says the same once more. */
const repeats = (found: ReadonlyArray<Found>, { file, message, type }: Thrown, at: number): boolean =>
  file === null && found.some((one) => one.type === type && one.message === message && at - one.at < maxTrace)

/** In their order. */
export const exceptionsIn = (lines: ReadonlyArray<string>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (let at = 0; at < lines.length && found.length < most; at++) {
    const thrown =
      inPython(lines, at) ??
      inPytest(lines, at) ??
      inRust(lines, at) ??
      inGo(lines, at) ??
      inJava(lines, at) ??
      inNode(lines, at)
    if (thrown !== null && !repeats(found, thrown, at)) found.push({ ...thrown, at })
  }
  return found
}
