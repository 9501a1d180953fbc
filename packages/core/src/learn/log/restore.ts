/** What a log lost in a power cut, put back from the journal beside it. Everything here is done under the log's lock. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import type { Disk, LogFile } from "./LogDisk.ts"
import * as TornLine from "./TornLine.ts"
import { type Entry, entries, isJournal, journalOf, keyOf } from "./commitJournal.ts"
import { scanLines } from "./lines.ts"

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const keepAside = (disk: Disk, path: string, bytes: Uint8Array): void => {
  const open = (aside: string): LogFile => {
    const file = disk.open(aside, { create: true })
    if (file === null) throw new Error(`${aside} cannot be made`)
    return file
  }
  TornLine.keep(open, path, bytes)
}

/** Says how many bytes were moved aside. */
export const mendTail = (disk: Disk, path: string, file: LogFile): number =>
  TornLine.mend(file, (torn) => keepAside(disk, path, torn))

const isSame = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index])

const isThere = (file: LogFile, { at, bytes }: Entry): boolean => isSame(file.read(at, bytes.length), bytes)

const lengthOf = (parts: ReadonlyArray<{ readonly bytes: Uint8Array }>): number =>
  parts.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** A log that ends within what the journal has is only continued, as nearly every power cut leaves it. */
const isContinued = (file: LogFile, lost: ReadonlyArray<Entry>, all: Uint8Array): boolean => {
  const from = lost[0]?.at ?? 0
  const have = file.size() - from
  const hasGaps = lost.some(
    ({ at }, index) => index > 0 && at !== (lost[index - 1]?.at ?? 0) + (lost[index - 1]?.bytes.length ?? 0)
  )
  return !hasGaps && have >= 0 && have < all.length && isSame(file.read(from, have), all.subarray(0, have))
}

const decoder = new TextDecoder()

const isJson = (text: string): boolean => {
  try {
    JsonScan.strict(text)
    return true
  } catch {
    return false
  }
}

const batchBytes = 4 * 1024 * 1024

/** Any other is written anew: what it has before, what it lost, and what else stands there, as far as it is whole. */
const rewrite = (disk: Disk, path: string, file: LogFile, lost: ReadonlyArray<Entry>): void => {
  mendTail(disk, path, file)
  const size = file.size()
  const end = Math.min(size, lost[0]?.at ?? size)
  const next = disk.replace(path)
  try {
    for (let at = 0; at < end; at += batchBytes) next.write(file.read(at, Math.min(batchBytes, end - at)))
    for (const { bytes } of lost) next.write(bytes)
    const known = new Set(decoder.decode(joined(lost.map(({ bytes }) => bytes))).split("\n"))
    scanLines(file, { from: end, to: size }, (chunk, from, to) => {
      const line = decoder.decode(chunk.subarray(from, to))
      if (known.has(line)) return
      if (isJson(line)) next.write(chunk.slice(from, to + 1))
      else if (chunk.subarray(from, to).some((byte) => byte !== 0)) keepAside(disk, path, chunk.subarray(from, to))
    })
    next.commit()
  } catch (cause) {
    next.abandon()
    throw cause
  }
}

/** From the first that the log has not. */
const lostOf = (file: LogFile, all: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const first = all.findIndex((entry) => !isThere(file, entry))
  return first < 0 ? [] : all.slice(first)
}

const restored = (disk: Disk, path: string, file: LogFile, all: ReadonlyArray<Entry>): number => {
  const lost = lostOf(file, all)
  if (lost.length === 0) return 0
  const bytes = joined(lost.map((entry) => entry.bytes))
  const before = file.size()
  if (isContinued(file, lost, bytes)) file.append(bytes.subarray(before - (lost[0]?.at ?? 0)))
  else rewrite(disk, path, file, lost)
  return lengthOf(lost)
}

/**
 * Has the log stand for itself: it has what its journal has, is synchronised, and the journal is gone. Says how many bytes
 * were put back; the file at the path may be another one then.
 */
export const settle = (disk: Disk, path: string, file: LogFile | null): number => {
  const journal = disk.fixed(journalOf(path), { create: null })
  if (journal === null) return 0
  try {
    if (!isJournal(journal)) return 0
    const key = file === null ? null : keyOf(file)
    const back = file === null || key === null ? 0 : restored(disk, path, file, entries(journal, key))
    file?.sync()
    disk.remove(journalOf(path))
    return back
  } finally {
    journal.close()
  }
}

/**
 * How many bytes of whole lines the journal has and the log has not. Changes nothing and needs no lock: the log is given
 * its bytes before the journal is.
 */
export const onlyInJournal = (disk: Disk, path: string): number => {
  if (disk.find(journalOf(path)) === null) return 0
  const log = disk.open(path, { create: false })
  if (log === null) return 0
  try {
    const key = keyOf(log)
    const journal = key === null ? null : disk.open(journalOf(path), { create: false })
    if (key === null || journal === null) return 0
    try {
      if (!isJournal(journal)) return 0
      return lengthOf(lostOf(log, entries({ size: journal.size(), read: journal.read }, key)))
    } finally {
      journal.close()
    }
  } finally {
    log.close()
  }
}
