/**
 * A disk for looking at another's log: one file can be read, nothing beside it is seen, and nothing is ever written,
 * locked or made. A log that is opened on it mends nothing; of a line that is not finished it knows nothing yet.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Disk, LogDisk, LogDiskError, type LogFile } from "./LogDisk.ts"

const refusal = (path: string, operation: string): LogDiskError =>
  new LogDiskError({ path, operation, code: null, detail: "it is only read here, as far as its lines are whole" })

const fileOf = (path: string, file: LogFile): LogFile => {
  const refuse = (operation: string) => (): never => {
    throw refusal(path, operation)
  }
  return {
    id: file.id,
    lasting: file.lasting,
    isThere: file.isThere,
    size: file.size,
    read: file.read,
    readInto: file.readInto,
    append: refuse("append"),
    sync: refuse("sync"),
    truncate: refuse("truncate"),
    close: file.close
  }
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const of = (disk: Disk, path: string): Disk => {
  const refuse = (operation: string) => (): never => {
    throw refusal(path, operation)
  }
  return {
    open: (one) => {
      const file = one === path ? disk.open(path, { create: false }) : null
      return file === null ? null : fileOf(path, file)
    },
    find: (one) => (one === path ? disk.find(path) : null),
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
 * @since 0.1.0
 * @category layers
 */
export const layer = ({ path }: { readonly path: string }): Layer.Layer<LogDisk, never, LogDisk> =>
  Layer.effect(
    LogDisk,
    Effect.map(LogDisk, (disk) => of(disk, path))
  )
