/**
 * The mending of a file of lines whose last writer ended in the middle of one. Pure but for the file that it is given, so
 * that a process without services mends as the log does.
 */
import * as JsonScan from "../../base/json/JsonScan.ts"
import type { LogFile } from "./LogDisk.ts"

/**
 * An open file, as far as it is mended.
 *
 * @category models
 */
export interface Tail {
  readonly size: () => number
  readonly read: (at: number, length: number) => Uint8Array
  readonly append: (bytes: Uint8Array) => void
  readonly truncate: (size: number) => void
}

/**
 * Where a torn line's bytes are kept.
 *
 * @category constants
 */
export const tornOf = (path: string): string => `${path}.torn`

const lineBreak = 10

/**
 * What opens a file to add to it, and makes it where there is none.
 *
 * @category models
 */
export type Open = (path: string) => Pick<LogFile, "append" | "sync" | "close">

/**
 * Keeps bytes beside the file at a path for good, as a line.
 *
 * @category writing
 */
export const keep = (open: Open, path: string, bytes: Uint8Array): void => {
  const aside = open(tornOf(path))
  try {
    const line = new Uint8Array(bytes.length + 1)
    line.set(bytes)
    line[bytes.length] = lineBreak
    aside.append(line)
    aside.sync()
  } finally {
    aside.close()
  }
}

const step = 256 * 1024

/** Where the last whole line ends. */
const endOfLines = (file: Tail): number => {
  for (let to = file.size(); to > 0;) {
    const from = Math.max(0, to - step)
    const at = file.read(from, to - from).lastIndexOf(lineBreak)
    if (at >= 0) return from + at + 1
    to = from
  }
  return 0
}

const isJson = (bytes: Uint8Array): boolean => {
  try {
    JsonScan.strict(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}

/**
 * What follows the last line break was being written when its writer ended. A line that only lacks its break gets it; any
 * other is given to `aside`, which keeps it for good before it goes here. Says how many bytes went. Only under the file's
 * lock.
 *
 * @category writing
 */
export const mend = (file: Tail, aside: (torn: Uint8Array) => void): number => {
  const size = file.size()
  if (size === 0 || file.read(size - 1, 1)[0] === lineBreak) return 0
  const end = endOfLines(file)
  const torn = file.read(end, size - end)
  if (isJson(torn)) {
    file.append(Uint8Array.of(lineBreak))
    return 0
  }
  // What may not be cut says so now: else it would be kept aside again at each look.
  file.truncate(size)
  aside(torn)
  file.truncate(end)
  return torn.length
}
