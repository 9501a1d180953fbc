/**
 * The port to the disk under the logs of the memory: plain files that grow at their end. Its operations are synchronous,
 * for reading a record takes a few microseconds, and a program that waits for each in turn takes many times as long;
 * `NodeLogDisk` of `@reflexion/node` is the driver for Node.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * What the disk refused. `code` is the system's name of it, such as `ENOSPC`, null where it has none.
 *
 * @category errors
 */
export class LogDiskError extends Data.TaggedError("LogDiskError")<{
  readonly path: string
  readonly operation: string
  readonly code: string | null
  readonly detail: string
}> {
  override get message(): string {
    return `${this.path}: ${this.operation}: ${this.detail}`
  }
}

/**
 * An open file, which stays the same when another is put in its place. Every operation throws `LogDiskError`.
 *
 * @category models
 */
export interface LogFile {
  /** What tells this file from one that takes its place. */
  readonly id: string
  /** The part of it that the file keeps when the system starts again. */
  readonly lasting: string
  /** Whether it is still the one at its path. Asks for no times, as `has` does not. */
  readonly isThere: () => boolean
  readonly size: () => number
  /** Whether it ends at an offset above 0, with a line break. Asks for no times, as its size would. */
  readonly endsAt: (end: number) => boolean
  /**
   * Whether it is still the one at its path, and as long as it was. That another program cut it or put a file in its place
   * may be seen up to a millisecond later, if nothing but this program's own work came between: it cannot have heard of it.
   */
  readonly isUnchanged: (end: number) => boolean
  /** The bytes at an offset: fewer than asked for at the end. They are the caller's. */
  readonly read: (at: number, length: number) => Uint8Array
  /** Like `read`, into the caller's bytes; says how many there were. */
  readonly readInto: (target: Uint8Array, at: number) => number
  /**
   * Has the system bring the bytes between two offsets into memory, beside all else that the program does, for they are
   * read soon. Never fails, and ends with `close`.
   */
  readonly readAhead: (from: number, to: number) => void
  /** Adds bytes in one write; where that fails, none of them stays. `size` is the file's, where the caller knows it. */
  readonly append: (bytes: Uint8Array, size?: number) => void
  /** Returns when everything that was added will outlast a power cut. */
  readonly sync: () => void
  readonly truncate: (size: number) => void
  readonly close: () => void
}

/**
 * An open file of a size that stays, which is written over in place. Every operation throws `LogDiskError`.
 *
 * @category models
 */
export interface FixedFile {
  readonly id: string
  readonly size: number
  /** Fewer bytes than asked for at the end. */
  readonly read: (at: number, length: number) => Uint8Array
  readonly write: (bytes: Uint8Array, at: number) => void
  /** Returns when everything that was written will outlast a power cut. */
  readonly sync: () => void
  readonly close: () => void
}

/**
 * When a log that is added to often gets a journal beside it: after so many writes of one process, of so many bytes.
 *
 * @category models
 */
export interface JournalSize {
  readonly after: number
  readonly bytes: number
}

/**
 * A file that is to take another's place, and does so at once or not at all.
 *
 * @category models
 */
export interface Replacement {
  readonly write: (bytes: Uint8Array) => void
  /** Synchronises the file, puts it in its place and synchronises the folder. */
  readonly commit: () => void
  /** Leaves everything as it was. */
  readonly abandon: () => void
}

/**
 * What is called of a file that is watched: `changed` soon after it may have changed, once where much comes together, and
 * now and then though nothing did; `failed` at most once, and then nothing more.
 *
 * @category models
 */
export interface Watcher {
  readonly changed: () => void
  readonly failed: (error: LogDiskError) => void
}

export interface Disk {
  /** A file to read and to add to, made with its folders where `create` says so; null where there is none. */
  readonly open: (path: string, options: { readonly create: boolean }) => LogFile | null
  /** What tells the file at a path from others, and its size; null where there is none. */
  readonly find: (path: string) => { readonly id: string; readonly size: number } | null
  /**
   * Whether there is anything at a path. Unlike `find` it asks for no times: a file whose times were asked for is given new
   * ones by the next write, and they are synchronised with its bytes.
   */
  readonly has: (path: string) => boolean
  /** Null where writing over a file in place spares nothing. */
  readonly journal: JournalSize | null
  /**
   * A plain file that is written over in place; null where there is none, or something else. With `create` one of so many
   * bytes is made and synchronised where there is none, null where the file system is not fit for it.
   */
  readonly fixed: (path: string, options: { readonly create: number | null }) => FixedFile | null
  /** Removes a file for good. */
  readonly remove: (path: string) => void
  /** Begins a file beside the one at `path`, which stays untouched until the commit. Only under the lock. */
  readonly replace: (path: string) => Replacement
  /** Holds the lock of a path against every other process and every other fiber, until the scope ends. */
  readonly lock: (path: string) => Effect.Effect<void, LogDiskError, Scope.Scope>
  /**
   * Takes the same lock if it is free, else null. What it gives back releases it, for other processes perhaps some milliseconds
   * later, and is called before anything else runs that may lock.
   */
  readonly tryLock: (path: string) => (() => void) | null
  /**
   * Has the system tell when anybody adds to the file at a path, makes it, or puts another in its place, also where neither
   * it nor its folder is there yet. What it gives back ends that. Throws `LogDiskError` where the system watches nothing.
   */
  readonly watch: (path: string, watcher: Watcher) => () => void
  /** Nobody here will take it again soon: what was kept for that goes. */
  readonly leave: (path: string) => void
  /** Lets everything else run that waits for its turn, timers and files too. */
  readonly pause: Effect.Effect<void>
}

export class LogDisk extends Context.Tag("@reflexion/core/LogDisk")<LogDisk, Disk>() {}
