/**
 * The journal that versions before 0.2 kept next to a log that was added to often: what it has and the log has not, a power
 * cut took. Read once, when the log is written next; nothing writes one any more.
 */
import * as FS from "node:fs"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"

const magic = 0x4a4c4652
const headerWords = 6
const headerBytes = 4 * headerWords
const probeBytes = 512
const sector = 512
const mostBytes = 64 * 1024 * 1024

/** What a record is of: the log's number and how it begins. */
type Key = readonly [number, number]

const isWhole = (words: Uint32Array, [first, second]: Key): boolean => {
  let one = 0x9e3779b9 ^ first
  let other = 0x85ebca6b ^ second
  for (let at = 1; at < words.length; at = at === 3 ? headerWords : at + 1) {
    one = Math.imul(one ^ (words[at] ?? 0), 0xcc9e2d51)
    other = (Math.imul(other, 33) + one) | 0
  }
  return words[4] === one >>> 0 && words[5] === other >>> 0
}

/** What the records say in their order: those of an earlier round have lower offsets. */
const recorded = (journal: Buffer, key: Key): ReadonlyArray<Buffer> => {
  const found: Array<Buffer> = []
  for (let [position, end] = [0, 0]; position + headerBytes <= journal.length;) {
    const length = journal.readUInt32LE(position + 4)
    const size = Math.ceil((headerBytes + length) / sector) * sector
    const at = journal.readUInt32LE(position + 12) * 2 ** 32 + journal.readUInt32LE(position + 8)
    if (journal.readUInt32LE(position) !== magic || length === 0 || at < end || position + size > journal.length) break
    // A copy, for words begin at a multiple of four.
    const words = new Uint32Array(Uint8Array.from(journal.subarray(position, position + size)).buffer)
    if (!isWhole(words, key)) break
    found.push(journal.subarray(position + headerBytes, position + headerBytes + length))
    position += size
    end = at + length
  }
  return found
}

/** The journal of a log, null where there is none: what is no plain file of its own, or no journal, is left alone. */
const journalOf = (path: string): Buffer | null => {
  const found = FS.lstatSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true || found.nlink > 1 || found.size > mostBytes) return null
  const bytes = PlainFiles.within(path, FS.constants.O_RDONLY, (descriptor, { size }) =>
    PlainFiles.readBetween(descriptor, 0, size)
  )
  return bytes.length < 4 || [0, magic].includes(bytes.readUInt32LE(0)) ? bytes : null
}

/**
 * Adds the whole lines that only the journal has to an open log, synchronises it and removes the journal. Under the log's
 * lock; says how many bytes came back.
 */
export const settle = (path: string, descriptor: number, add: (lines: string) => void): number => {
  const journal = journalOf(`${path}.journal`)
  if (journal === null) return 0
  const { ino, size } = FS.fstatSync(descriptor)
  const log = PlainFiles.readBetween(descriptor, 0, size)
  const key = [KeyHash.ofText(String(ino)), KeyHash.ofBytes(log.subarray(0, probeBytes))] as const
  const known = new Set(log.toString("utf8").split("\n"))
  const lines = recorded(journal, key).flatMap((bytes) => bytes.toString("utf8").split("\n"))
  const lost = lines.filter((line) => line !== "" && !known.has(line)).map((line) => `${line}\n`)
  if (lost.length > 0) add(lost.join(""))
  FS.fsyncSync(descriptor)
  FS.rmSync(`${path}.journal`, { force: true })
  return Buffer.byteLength(lost.join(""))
}
