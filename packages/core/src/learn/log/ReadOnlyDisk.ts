/**
 * A disk for looking at another's log: one file can be read, nothing beside it is seen, and nothing is ever written,
 * locked or made. A log that is opened on it mends nothing; a last line without a line break is a line as any other.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Disk, LogDisk, LogDiskError, type LogFile } from "./LogDisk.ts"

const refusal = (path: string, operation: string): LogDiskError =>
  new LogDiskError({ path, operation, code: null, detail: "it is only read here" })

const lineBreak = 10

const isUnbroken = (file: LogFile, size: number): boolean => size > 0 && file.read(size - 1, 1)[0] !== lineBreak

/** What a file is called whose last line has no break: when it goes on, it is another. */
const unbrokenId = (id: string, size: number): string => `${id} to ${size}`

/** As the file is now, with a line break behind its last line. */
const broken = (file: LogFile, size: number): Pick<LogFile, "id" | "isUnchanged" | "size" | "read" | "readInto"> => {
  const readInto = (target: Uint8Array, at: number): number => {
    const filled = at < size ? file.readInto(target.subarray(0, size - at), at) : 0
    if (at + filled !== size || filled >= target.length) return filled
    target[filled] = lineBreak
    return filled + 1
  }
  return {
    id: unbrokenId(file.id, size),
    isUnchanged: (end) => file.isUnchanged(end - 1),
    size: () => size + 1,
    read: (at, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size + 1 - at)))
      return bytes.subarray(0, readInto(bytes, at))
    },
    readInto
  }
}

const fileOf = (path: string, file: LogFile): LogFile => {
  const refuse = (operation: string) => (): never => {
    throw refusal(path, operation)
  }
  const size = file.size()
  const { id, isUnchanged, read, readInto, size: sizeOf } = isUnbroken(file, size) ? broken(file, size) : file
  return {
    id,
    lasting: file.lasting,
    isThere: file.isThere,
    endsAt: file.endsAt,
    isUnchanged,
    size: sizeOf,
    read,
    readInto,
    readAhead: file.readAhead,
    append: refuse("append"),
    sync: refuse("sync"),
    truncate: refuse("truncate"),
    close: file.close
  }
}

type Found = NonNullable<ReturnType<Disk["find"]>>

export const of = (disk: Disk, path: string): Disk => {
  const refuse = (operation: string) => (): never => {
    throw refusal(path, operation)
  }
  let last: { readonly of: Found; readonly seen: Found } | null = null

  const seenAs = (found: Found): Found => {
    const { id, size } = found
    const file = disk.open(path, { create: false })
    if (file === null) return found
    try {
      return isUnbroken(file, size) ? { id: unbrokenId(id, size), size: size + 1 } : found
    } finally {
      file.close()
    }
  }

  /** It is asked for at each look; a file that did not grow ends as it did. */
  const find = (): Found | null => {
    const found = disk.find(path)
    if (found === null) return null
    if (last === null || last.of.id !== found.id || last.of.size !== found.size)
      last = { of: found, seen: seenAs(found) }
    return last.seen
  }

  return {
    open: (one) => {
      const file = one === path ? disk.open(path, { create: false }) : null
      return file === null ? null : fileOf(path, file)
    },
    find: (one) => (one === path ? find() : null),
    has: (one) => one === path && disk.has(path),
    journal: null,
    fixed: () => null,
    remove: refuse("remove"),
    replace: refuse("rewrite"),
    lock: () => refusal(path, "lock"),
    tryLock: () => null,
    watch: disk.watch,
    leave: () => undefined,
    pause: disk.pause
  }
}

/**
 * In place of the disk that it is provided with.
 *
 * @category layers
 */
export const layer = ({ path }: { readonly path: string }): Layer.Layer<LogDisk, never, LogDisk> =>
  Layer.effect(
    LogDisk,
    Effect.map(LogDisk, (disk) => of(disk, path))
  )
