/**
 * What is known of a log, as one file beside it: only a cache. It names how much of the log it stands for and what that
 * looked like at a few places, and has a checksum of itself; where anything of it is not so, the log is read again.
 */
import type { Effectiveness, Record } from "./Effectiveness.ts"
import type { LogFile } from "../log/LogDisk.ts"
import type { KeyChains } from "../log/RowsByKey.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import type { Known } from "./rows.ts"

const version = 3
const magic = 0x52464c58
const headerBytes = 64

/** Beyond it a side file is no longer taken for one. */
const maxBytes = 2 ** 30

const probes = 24
const probeBytes = 96

/** The first bytes, the last, and some between: a log that was rewritten has others there. */
const sampleOf = (file: LogFile, known: number): number => {
  let hash = known % 0xffff_ffff
  for (let index = 0; index <= probes; index += 1) {
    const at = Math.floor(((known - Math.min(known, probeBytes)) * index) / probes)
    const bytes = file.read(at, Math.min(probeBytes, known - at))
    hash = (Math.imul(hash, 31) + KeyHash.ofBytes(bytes)) >>> 0
  }
  return hash
}

const checksum = (words: Uint32Array): number => {
  let [one, other] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0
    one = Math.imul(one ^ word, 0xcc9e2d51)
    other = (Math.imul(other, 33) + one) | 0
  }
  return (one ^ other) >>> 0
}

interface Outcomes {
  readonly byId: ReadonlyArray<readonly [string, Record]>
  readonly without: Effectiveness["without"]
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array

/** The columns in the file's order, cut to the rows that there are. */
const columnsOf = ({ rows }: Known): ReadonlyArray<Column> => {
  const { count } = rows
  const chain = ({ hashes, heads, older }: KeyChains): ReadonlyArray<Column> => [
    heads,
    hashes.subarray(0, count),
    older.subarray(0, count)
  ]
  return [
    rows.offsets.subarray(0, count),
    rows.createdAt.subarray(0, count),
    rows.lengths.subarray(0, count),
    rows.attempts.subarray(0, count),
    ...[rows.ids, rows.tasks, rows.subtasks].flatMap(chain),
    rows.marks.subarray(0, count)
  ]
}

/** `size` is how much of the log is known. */
export const encode = (known: Known, file: LogFile, size: number): Uint8Array => {
  const { byId, without } = known.outcomes
  const outcomes = new TextEncoder().encode(JSON.stringify({ byId: [...byId], without } satisfies Outcomes))
  const columns = [...columnsOf(known), outcomes]
  const bytes = new Uint8Array(headerBytes + columns.reduce((sum, column) => sum + padded(column.byteLength), 0))
  let at = headerBytes
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += padded(column.byteLength)
  }
  const header = new DataView(bytes.buffer)
  header.setUint32(0, magic)
  header.setUint32(4, version)
  header.setUint32(8, known.rows.count)
  header.setUint32(12, known.rows.ids.heads.length)
  header.setFloat64(16, size)
  header.setUint32(24, sampleOf(file, size))
  header.setUint32(28, outcomes.length)
  header.setUint32(32, checksum(new Uint32Array(bytes.buffer, headerBytes)))
  return bytes
}

/** The columns have the order of bytes of the machine that wrote them. */
const isSameMachine = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

const outcomesOf = (text: string): Pick<Known, "outcomes" | "ids"> => {
  // The checksum vouches for the shape: only `encode` writes it.
  const { byId, without }: Outcomes = JSON.parse(text)
  return {
    outcomes: { byId: new Map(byId), without },
    ids: new Map(byId.map(([id]) => [KeyHash.ofText(id), id]))
  }
}

/** What a side file knows of a log, and how much of it; null where it is of no use. */
export const decode = (bytes: Uint8Array, file: LogFile): { readonly known: Known; readonly size: number } | null => {
  if (!isSameMachine || bytes.length < headerBytes || bytes.length > maxBytes || bytes.length % 8 !== 0) return null
  const buffer = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  const header = new DataView(buffer.buffer, buffer.byteOffset)
  const [count, heads, size, length] = [
    header.getUint32(8),
    header.getUint32(12),
    header.getFloat64(16),
    header.getUint32(28)
  ]
  if (header.getUint32(0) !== magic || header.getUint32(4) !== version || !(size <= file.size())) return null
  const expected = 2 * padded(8 * count) + 2 * padded(4 * count) + 3 * (padded(4 * heads) + 2 * padded(4 * count))
  if (bytes.length !== headerBytes + expected + padded(count) + padded(length)) return null
  const words = new Uint32Array(buffer.buffer, buffer.byteOffset + headerBytes, (bytes.length - headerBytes) / 4)
  if (header.getUint32(32) !== checksum(words) || header.getUint32(24) !== sampleOf(file, size)) return null
  let at = buffer.byteOffset + headerBytes
  const next = (byteLength: number): number => {
    const from = at
    at += padded(byteLength)
    return from
  }
  const floats = (): Float64Array => new Float64Array(buffer.buffer, next(8 * count), count)
  const numbers = (): Uint32Array => new Uint32Array(buffer.buffer, next(4 * count), count)
  const chain = (): KeyChains => ({
    heads: new Int32Array(buffer.buffer, next(4 * heads), heads),
    hashes: numbers(),
    older: new Int32Array(buffer.buffer, next(4 * count), count)
  })
  const rows = {
    count,
    linked: count,
    capacity: count,
    offsets: floats(),
    createdAt: floats(),
    lengths: numbers(),
    attempts: numbers(),
    ids: chain(),
    tasks: chain(),
    subtasks: chain(),
    marks: new Uint8Array(buffer.buffer, next(count), count)
  }
  const text = new TextDecoder().decode(buffer.subarray(at - buffer.byteOffset, at - buffer.byteOffset + length))
  return { known: { rows, ...outcomesOf(text) }, size }
}
