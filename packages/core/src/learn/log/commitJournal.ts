/**
 * The journal beside a log. A file that grows costs the file system a commit of its own journal at every synchronisation;
 * one that is written over in place does not. So what is added to the log is written here as well, and only this is waited
 * for; the log itself is synchronised before the journal is begun from its start again. After a power cut, `logRestore`
 * puts back what the log has lost.
 *
 * All processes that add to a log share its journal. It is read, written and removed under the log's lock only, and never
 * removed before the log is synchronised: so whoever holds the lock may do that, and what others know of the journal is
 * checked before they write. A record stands for bytes of the log. Everything before its offset is synchronised, or in
 * the records before it.
 */
import type { Disk, FixedFile, LogFile } from "./LogDisk.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"

export const journalOf = (path: string): string => `${path}.journal`

const magic = 0x4a4c4652
const headerWords = 6
const headerBytes = 4 * headerWords

/** What a record is of: a log of which this is not true has other bytes at its offsets. */
export type Key = readonly [number, number]

const probeBytes = 512

/** Null for a log that is too short to be told from others. */
export const keyOf = (file: LogFile): Key | null => {
  const head = file.read(0, probeBytes)
  return head.length < probeBytes ? null : [KeyHash.ofText(file.lasting), KeyHash.ofBytes(head)]
}

/** Against torn writes and other logs' records, not against an enemy. */
const checksum = (words: Uint32Array, [first, second]: Key): Key => {
  let one = 0x9e3779b9 ^ first
  let other = 0x85ebca6b ^ second
  for (let at = 1; at < words.length; at = at === 3 ? headerWords : at + 1) {
    one = Math.imul(one ^ (words[at] ?? 0), 0xcc9e2d51)
    other = (Math.imul(other, 33) + one) | 0
  }
  return [one >>> 0, other >>> 0]
}

/** Whole sectors, so that a write which a power cut tears has touched no record that was acknowledged before. */
const sector = 512

const recordBytes = (length: number): number => Math.ceil((headerBytes + length) / sector) * sector

let room = new Uint8Array(64 * sector)

/** Good until the next one: a new one each time would be the collector's to take away. */
const encode = (key: Key, at: number, bytes: Uint8Array): Uint8Array => {
  const size = recordBytes(bytes.length)
  if (room.length < size) room = new Uint8Array(size * 2)
  const record = room.subarray(0, size)
  record.set(bytes, headerBytes)
  record.fill(0, headerBytes + bytes.length)
  const words = new Uint32Array(room.buffer, 0, size / 4)
  words[0] = magic
  words[1] = bytes.length
  words[2] = at % 2 ** 32
  words[3] = Math.floor(at / 2 ** 32)
  const [one, other] = checksum(words, key)
  words[4] = one
  words[5] = other
  return record
}

/** Bytes of the log, and where they belong. */
export interface Entry {
  readonly at: number
  readonly bytes: Uint8Array
  /** Where the journal goes on. */
  readonly next: number
}

const aligned = (bytes: Uint8Array): Uint32Array => new Uint32Array(new Uint8Array(bytes).buffer)

/** The offset of the record that begins at a position, whole or not. */
const offsetAt = (words: Uint32Array): number => (words[3] ?? 0) * 2 ** 32 + (words[2] ?? 0)

type Readable = Pick<FixedFile, "read" | "size">

const headAt = (journal: Readable, position: number): Uint32Array | null => {
  const head = journal.read(position, headerBytes)
  const words = head.length === headerBytes ? aligned(head) : null
  return words?.[0] === magic ? words : null
}

const entryAt = (journal: Readable, position: number, key: Key): Entry | null => {
  const length = headAt(journal, position)?.[1] ?? 0
  const size = recordBytes(length)
  if (length === 0 || position + size > journal.size) return null
  const words = aligned(journal.read(position, size))
  const [one, other] = checksum(words, key)
  if (words[4] !== one || words[5] !== other) return null
  const bytes = new Uint8Array(words.buffer, headerBytes, length)
  return { at: offsetAt(words), bytes, next: position + size }
}

/** The records from a position on, of bytes from `end` on: those behind them are of an earlier round, with lower offsets. */
function* entriesFrom(journal: Readable, key: Key, start: number, begin: number): Generator<Entry> {
  let end = begin
  for (let entry = entryAt(journal, start, key); entry !== null && entry.at >= end;) {
    yield entry
    end = entry.at + entry.bytes.length
    entry = entryAt(journal, entry.next, key)
  }
}

/** What a journal says of a log, in the log's order. */
export const entries = (journal: Readable, key: Key): ReadonlyArray<Entry> => [...entriesFrom(journal, key, 0, 0)]

/** Whether a file is a journal, or was going to be one: any other is left alone. */
export const isJournal = (file: Pick<FixedFile, "read">): boolean => {
  const head = file.read(0, 4)
  return head.length < 4 || [0, magic].includes(aligned(head)[0] ?? -1)
}

interface Held {
  readonly file: FixedFile
  /** The log that the rest speaks of. */
  readonly log: string
  readonly key: Key
  /** Where the first record's bytes belong: another one's are there when the journal was begun again. */
  first: number
  /** Where the next record goes. */
  position: number
  /** Up to where the log is synchronised or in the journal; -1 where nobody knows. */
  end: number
}

export interface CommitJournal {
  /**
   * Under the lock, after bytes were added to the log at an offset. What it gives back returns when they will outlast a
   * power cut, and needs no lock.
   */
  readonly note: (log: LogFile, at: number, bytes: Uint8Array) => () => void
  /** Leaves a journal alone that somebody else has to see to. */
  readonly giveUp: () => void
  /** Whether the journal was used, and is to be removed. */
  readonly isHeld: () => boolean
  readonly close: () => void
}

const nothing = (): void => undefined

/** Keeps up with what other processes wrote. */
const follow = (held: Held): void => {
  const head = headAt(held.file, 0)
  const first = head === null ? -1 : offsetAt(head)
  if (first !== held.first) Object.assign(held, { first, position: 0, end: -1 })
  for (const entry of entriesFrom(held.file, held.key, held.position, held.end)) {
    held.position = entry.next
    held.end = entry.at + entry.bytes.length
  }
}

/** Nothing can be chained to records whose bytes the log has no more, as when somebody cuts it. */
const isOf = ({ end, key }: Held, log: LogFile, at: number): boolean => {
  const now = keyOf(log)
  return end <= at && now !== null && now[0] === key[0] && now[1] === key[1]
}

export const make = (disk: Disk, path: string): CommitJournal => {
  const { journal: wanted } = disk
  let held: Held | null = null
  let isOff = wanted === null
  let isBroken = false
  let count = 0

  const close = (): void => {
    held?.file.close()
    held = null
    count = 0
  }

  /** Another one is there only where another process has added to the log. */
  const isCurrent = ({ end, file, log }: Held, now: LogFile, at: number): boolean =>
    log === now.id && (end === at ? disk.has(journalOf(path)) : disk.find(journalOf(path))?.id === file.id)

  const take = (log: LogFile, bytes: number): Held | null => {
    const key = keyOf(log)
    if (key === null) return null
    const file = disk.fixed(journalOf(path), { create: bytes })
    isOff = file === null || !isJournal(file)
    if (file !== null && !isOff) return { file, log: log.id, key, first: -1, position: 0, end: -1 }
    file?.close()
    return null
  }

  const current = (log: LogFile, at: number): Held | null => {
    if (isOff || wanted === null) return null
    if (held !== null && !isCurrent(held, log, at)) close()
    count += 1
    if (held === null && count > wanted.after) held = take(log, wanted.bytes)
    return held
  }

  const sync = (log: LogFile): void => {
    isBroken = true
    log.sync()
    isBroken = false
  }

  const drop = (log: LogFile): void => {
    sync(log)
    disk.remove(journalOf(path))
    close()
  }

  /** The journal as it is now, null where there is none to write to. */
  const looked = (log: LogFile, at: number): Held | null => {
    const one = current(log, at)
    if (one === null || one.end === at) return one
    follow(one)
    if (isOf(one, log, at)) return one
    drop(log)
    return null
  }

  const waits = (journal: FixedFile, log: LogFile) => (): void => {
    try {
      journal.sync()
    } catch {
      isOff = true
      log.sync()
    }
  }

  const written = (one: Held, log: LogFile, at: number, bytes: Uint8Array): (() => void) => {
    const record = encode(one.key, at, bytes)
    if (record.length > one.file.size) return log.sync
    const isFull = one.position + record.length > one.file.size
    const isKnown = one.end === at && !isFull
    if (!isKnown) sync(log)
    if (isFull) one.position = 0
    one.file.write(record, one.position)
    if (one.position === 0) one.first = at
    one.position += record.length
    one.end = at + bytes.length
    return isKnown ? waits(one.file, log) : nothing
  }

  const note: CommitJournal["note"] = (log, at, bytes) => {
    try {
      const one = looked(log, at)
      return one === null ? log.sync : written(one, log, at, bytes)
    } catch (cause) {
      // Not without it; but of a log that cannot be synchronised it has what nothing else has.
      isOff = true
      if (isBroken) throw cause
      return log.sync
    }
  }

  const giveUp = (): void => {
    isOff = true
  }

  return { note, giveUp, isHeld: () => held !== null && !isBroken, close }
}
