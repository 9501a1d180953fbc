/**
 * Prints of texts: numbers that are equal where two texts say the same, whatever the hour, the process or the temporary
 * folder. One pass over a text, character by character, because every call's output goes through here.
 */

import * as Volatile from "./volatile.ts"
import { colon, dash, digit, dot, letter, other, slash } from "./volatile.ts"

/**
 * What of a text stands for nothing: in a `result` all that differs from run to run, in an `input` only made-up names; to
 * a `near` reading any name with a number that is likely to be made up, and to that of a `part` every number.
 */
export type Reading = "result" | "input" | "near" | "part"

/** A print under way. */
export interface Sum {
  low: number
  high: number
}

export const begun = (): Sum => ({ low: 0x811c9dc5 | 0, high: 7 })

const prime = 0x01000193

export const mix = (sum: Sum, code: number): void => {
  sum.low = Math.imul(sum.low ^ code, prime)
  sum.high = (Math.imul(sum.high, 31) + sum.low) | 0
}

export const mixText = (sum: Sum, text: string): void => {
  let low = sum.low
  for (let at = 0; at < text.length; at++) low = Math.imul(low ^ text.charCodeAt(at), prime)
  sum.low = low
  sum.high = (Math.imul(sum.high, 31) + low) | 0
}

/** Forty-nine bits: room for every call of every session, and a whole number in JSON. */
export const finished = (sum: Sum): number => (sum.low >>> 0) * 0x20000 + (sum.high & 0x1ffff)

const kindOf = new Uint8Array(0x10000)
const set = (chars: string, kind: number): void => {
  for (const char of chars) kindOf[char.charCodeAt(0)] = kind
}
set("0123456789", digit)
set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", letter)
set(":", colon)
set("/", slash)
set("-", dash)
set(".", dot)
set("@%+~#\\", other)

/** Longer words hold data; they are taken as they are. */
const maxWord = 240

const newline = 10
const carriageReturn = 13
const escape = 27
const space = 32

const isBreak = (code: number): boolean => code === newline || code === carriageReturn

/** Where an escape sequence that begins here ends. */
const afterEscape = (text: string, from: number, end: number): number => {
  if (text.charCodeAt(from + 1) !== 91) return from + 2
  let at = from + 2
  while (at < end && at < from + 24 && text.charCodeAt(at) < 64) at++
  return at + 1
}

/** A place in a text that is read, and what has been read of it. */
interface Cursor extends Sum {
  at: number
  /** Where the last word without a digit stands: it names the number that follows. */
  nameFrom: number
  nameTo: number
}

/** A word without digits goes in as it is read; one with a digit is taken back and goes in as what it stands for. */
const readWord = (cursor: Cursor, text: string, end: number, reading: Reading): void => {
  const from = cursor.at
  let low = cursor.low
  let at = from
  let kinds = 0
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf[code] ?? 0
    if (kind === 0) break
    kinds |= kind
    low = Math.imul(low ^ code, prime)
  }
  cursor.at = at
  if ((kinds & digit) === 0 || at - from > maxWord) {
    cursor.low = low
    if ((kinds & letter) === 0) return
    cursor.nameFrom = from
    cursor.nameTo = at
  } else mixText(cursor, standsFor(cursor, text, { from, to: at, kinds, reading }))
  cursor.high = (Math.imul(cursor.high, 31) + cursor.low) | 0
}

interface Word {
  readonly from: number
  readonly to: number
  readonly kinds: number
  readonly reading: Reading
}

const edges = /^[:.#~]{1,8}|[:.]{1,8}$/g

const digits = /^\d{1,15}$/

const standsFor = (cursor: Cursor, text: string, read: Word): string => {
  const { from, kinds, reading, to } = read
  const whole = text.slice(from, to)
  if (kinds === digit) return ofNumber(cursor, text, whole, read)
  const word = (kinds & (colon | dot | other)) === 0 ? whole : whole.replace(edges, "")
  if (reading === "input") return Volatile.ofInput(word, kinds)
  if (reading !== "result") return Volatile.ofNear(word, kinds)
  const numeric = (kinds & (letter | colon | slash | dash)) === 0 || digits.test(word)
  return numeric ? ofNumber(cursor, text, word, read) : Volatile.ofResult(word, kinds)
}

/** A name and its number stand in one line, with little between them. */
const nextTo = (text: string, nameTo: number, from: number): boolean => {
  if (from - nameTo > 4) return false
  for (let at = nameTo; at < from; at++) if (isBreak(text.charCodeAt(at))) return false
  return true
}

const isNamed = ({ nameFrom, nameTo }: Cursor, text: string, from: number): boolean => {
  if (nameTo === nameFrom || !nextTo(text, nameTo, from)) return false
  const end = text.charCodeAt(nameTo - 1) === 58 ? nameTo - 1 : nameTo
  const name = text.slice(Math.max(nameFrom, end - 32), end)
  return Volatile.isName(name, () => text.slice(Math.max(0, nameFrom - 5), nameFrom))
}

const ofNumber = (cursor: Cursor, text: string, word: string, { from, reading, to }: Word): string => {
  if (Volatile.isEpoch(word)) return "#"
  if (reading === "input") return word
  if (reading !== "result") return reading === "part" || word.length > 3 ? "#" : word
  return isNamed(cursor, text, from) || Volatile.hasUnit(text, to) ? "#" : word
}

interface Stretch {
  readonly from: number
  readonly end: number
  readonly reading: Reading
  /** Most words and signs that are read. */
  readonly most: number
}

const isSpinner = (code: number): boolean => code >= 0x2800 && code < 0x2900

const isWord = (code: number): boolean => kindOf[code] !== 0

/**
 * Reads a stretch of a text, and says where it stopped. Space at its ends counts for nothing, nor does its amount; in an
 * input indentation does.
 */
const readStretch = (sum: Sum, text: string, { end, from, most, reading }: Stretch): number => {
  const cursor: Cursor = { low: sum.low, high: sum.high, at: from, nameFrom: from, nameTo: from }
  let pending = 0
  let indent = 0
  let read = 0
  while (cursor.at < end && read < most) {
    const code = text.charCodeAt(cursor.at)
    if (code === escape) cursor.at = afterEscape(text, cursor.at, end)
    else if (code <= space || isSpinner(code)) {
      if (isBreak(code)) indent = 0
      else indent++
      if (isBreak(code)) pending = newline
      else if (pending === 0) pending = space
      cursor.at++
    } else {
      if (pending !== 0 && read > 0)
        mix(cursor, pending === newline && reading !== "result" ? newline + 64 * indent : pending)
      pending = 0
      read++
      if (isWord(code)) readWord(cursor, text, end, reading)
      else mix(cursor, text.charCodeAt(cursor.at++))
    }
  }
  sum.low = cursor.low
  sum.high = cursor.high
  return cursor.at
}

const maxInput = 65_536

/** Adds an input to a print: all of it, for a change in the middle of a long text is a change. */
export const mixInput = (sum: Sum, text: string, reading: Reading = "input"): void => {
  if (text.length <= maxInput) readStretch(sum, text, { from: 0, end: text.length, reading, most: maxInput })
  else {
    mixText(sum, text.slice(0, maxInput / 2))
    mixText(sum, text.slice(-maxInput / 2))
    mix(sum, text.length)
  }
}

const maxNamed = 300

/** Adds a value of an input: what is longer than any name goes in as it stands. */
export const mixNamed = (sum: Sum, text: string): void => {
  const isContent = text.length > maxNamed && text.length <= maxInput
  if (isContent) mixText(sum, text.trim())
  else mixInput(sum, text)
}

const headWords = 60
const tailWords = 100

/** Where the last words and signs of a text begin. */
const tailFrom = (text: string, from: number, end: number): number => {
  let at = end
  for (let read = 0; read < tailWords && at > from; read++) {
    while (at > from && text.charCodeAt(at - 1) <= space) at--
    if (!isWord(text.charCodeAt(at - 1))) at--
    else while (at > from && isWord(text.charCodeAt(at - 1))) at--
  }
  return Math.max(at, from)
}

const linesBetween = (text: string, from: number, to: number): number => {
  let lines = 0
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/**
 * The print of a result: its first and last words, and how many lines are between. Two runs whose outputs differ only
 * there are rare, and long outputs are many.
 */
export const resultPrint = (text: string, failed: boolean): number => {
  const sum = begun()
  mix(sum, failed ? 1 : 0)
  const end = text.length
  const at = readStretch(sum, text, { from: 0, end, reading: "result", most: headWords })
  if (at >= end) return finished(sum)
  const from = tailFrom(text, at, end)
  mix(sum, linesBetween(text, at, from))
  readStretch(sum, text, { from, end, reading: "result", most: tailWords })
  return finished(sum)
}
