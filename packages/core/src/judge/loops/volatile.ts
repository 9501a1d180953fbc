/** What in a text differs from run to run without meaning anything: moments, durations, places and made-up names. */

/** What a word is made of, as bits; 0 for what is no part of a word. */
export const digit = 1
export const letter = 2
export const colon = 4
export const slash = 8
export const dash = 16
export const dot = 32
export const other = 64

const volatileNames = new Set(
  "lineno linesno col column pid port took after duration elapsed latency uptime runtime walltime time datetime timestamp date ms millis sec secs seconds session nonce commit sha rev goroutine seed".split(
    " "
  )
)
const unit = /\s?(?:ms|[µu]s|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?|milliseconds?)(?![\w/])/y
const epoch = /^1\d{9}(?:\d{3})?(?:\.\d{1,9})?$/
const moment = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[T_-][\d:.+Z-]{1,40})?$/
const fullMoment = /^\d{4}-\d{2}-\d{2}[T_-]\d{2}[\d:.+Z-]{2,40}$/
const clock = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?Z?$/
const duration = /^\d{1,9}(?:\.\d{1,12})?(?:ms|us|ns|s|secs?|m|mins?|h|hrs?)(?:\d{1,3}(?:\.\d{1,9})?(?:ms|s|m)){0,2}$/i
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const hexadecimal = /^(?:0x[0-9a-f]{1,16}|[0-9a-f]{7,64})$/i
const madeUp =
  /^(?:sess|session|pid|job|req|request|run|task|toolu|call|msg|chatcmpl|resp|thread|trace|span|evt|proc|bash|nonce)[-_][\w-]{1,80}$/i
const placed = /^(.{1,230}?)(?::\d{1,7}){1,2}$/
const port = /(:\/\/[\w.-]{1,100}):\d{2,5}/
const temporary = /(?:^|[^\w])(?:\/tmp|\/var\/folders|\/var\/tmp)\//
const randomName = /^(?:tmp[._-]?\w{4,40}|(?=\w{0,12}\d)(?=\w{0,12}[A-Z])(?=\w{0,12}[a-z])\w{6,12})$/

/** What stands before "line" where it names a place; a line by itself may be what is counted. */
const namesPlace = /(?:[,(] ?|\b(?:at|on|near) )$/

const names = new Map<string, boolean>()

/** The same few names stand before most numbers. */
const isVolatile = (name: string): boolean => {
  const known = names.get(name)
  if (known !== undefined) return known
  const parts = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[_.-]/)
  const found = volatileNames.has(parts.at(-1) ?? "") || parts.slice(-2).join() === "execution,count"
  if (names.size < 2000) names.set(name, found)
  return found
}

/** Whether a number that follows this name stands for nothing. */
export const isName = (name: string, before: () => string): boolean =>
  name === "line" ? namesPlace.test(before()) : isVolatile(name)

/** Whether it is a moment in seconds or milliseconds. */
export const isEpoch = (word: string): boolean => (word.length === 10 || word.length >= 13) && epoch.test(word)

/** What a runtime calls its own parts by in a stack. */
const ofRuntime = /^(?:node|bun|deno|ext|internal|native|webpack|file|eval)(?::|$)/

const isPlace = (base: string): boolean =>
  base.includes(".") || base.includes("/") || base === "localhost" || ofRuntime.test(base)

/** A temporary path without what was made up for it. */
const withoutNames = (word: string, of: (part: string) => string): string => word.split("/").map(of).join("/")

const inResult = (part: string): string => (/\d/.test(part) || part.startsWith("tmp") ? "#" : part)

/** A name made up for a file, without its ending; "tmp_test2" was given by somebody. */
const randomFile = /^((?:tmp[._-])?[\w-]{6,40})\.\w{1,8}$/
const givenName = /^tmp[._-]?[a-z]{2,40}(?:[_-][a-z]{2,40}){0,3}[_-]?\d{0,2}$/i

const isMadeUp = (name: string): boolean => randomName.test(name) || uuid.test(name) || epoch.test(name)

const inInput = (part: string): string => {
  if (isMadeUp(part)) return "#"
  const name = randomFile.exec(part)?.[1]
  return name !== undefined && isMadeUp(name) && !givenName.test(name) ? `#${part.slice(name.length)}` : part
}

/** What a word with a digit stands for in an input: anything but a moment or a made-up name is what was meant. */
export const ofInput = (word: string, kinds: number): string => {
  if ((kinds & dash) !== 0 && (uuid.test(word) || fullMoment.test(word))) return "#"
  if ((kinds & slash) !== 0) return temporary.test(word) ? withoutNames(word, inInput) : word
  return (kinds & letter) === 0 && epoch.test(word) ? "#" : word
}

const dated = /\d{4}-\d{2}-\d{2}(?:[T_-][\d:-]{2,12}Z?)?/g
const lineRange = /^\d{1,7}p$/

/** What it stands for where a name with a number is likely to be made up. */
export const ofNear = (word: string, kinds: number): string => {
  if ((kinds & ~(digit | letter)) === 0 && (hexadecimal.test(word) || lineRange.test(word))) return "#"
  if ((kinds & slash) !== 0 && temporary.test(word)) return withoutNames(word, ofNumbered)
  return (kinds & dash) === 0 ? ofInput(word, kinds) : ofInput(word.replaceAll(dated, "#"), kinds)
}

const ofNumbered = (part: string): string => inInput(part).replaceAll(/\d{1,9}/g, "#")

/** The moment in a file's name, such as that of a log which a failing program leaves each time. */
const stamped = /\d{4}-\d{2}-\d{2}T[\d_:.-]{6,20}Z?(?![\d_])/

/** What a word with a digit and more than digits stands for in a result. */
export const ofResult = (word: string, kinds: number): string => {
  if ((kinds & ~(digit | letter | dot)) === 0) return duration.test(word) || hexadecimal.test(word) ? "#" : word
  if ((kinds & (dash | letter)) !== 0 && (moment.test(word) || uuid.test(word) || madeUp.test(word))) return "#"
  if ((kinds & slash) !== 0) {
    if (temporary.test(word)) return withoutNames(word, inResult)
    if (moment.test(word)) return "#"
    if ((kinds & dash) !== 0 && stamped.test(word)) return word.replace(stamped, "#")
  }
  return (kinds & colon) === 0 ? word : ofPlace(word)
}

const ofPlace = (word: string): string => {
  if (clock.test(word) || moment.test(word)) return "#"
  if (word.includes("://")) return word.replace(port, "$1:#")
  const base = placed.exec(word)?.[1]
  return base !== undefined && isPlace(base) ? `${base}:#` : word
}

const unitStarts = "mshnuµ"

/** Whether a unit of time follows. */
export const hasUnit = (text: string, to: number): boolean => {
  const first = text.charAt(to) === " " ? text.charAt(to + 1) : text.charAt(to)
  if (first === "" || !unitStarts.includes(first)) return false
  unit.lastIndex = to
  return unit.test(text)
}
