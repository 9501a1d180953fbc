/** The disk under the memory's logs, by Node's own file system. */
import {
  type Disk,
  type FixedFile,
  type JournalSize,
  LogDisk,
  LogDiskError,
  type LogFile
} from "@reflexion/core/LogDisk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as GitTracked from "./GitTracked.ts"
import * as FileWatch from "./internal/fileWatch.ts"
import * as LogFiles from "./LogFiles.ts"
import * as PidLock from "./PidLock.ts"
import * as PlainFiles from "./PlainFiles.ts"

const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : null

/** "EACCES: permission denied, open '/shop/reflections.jsonl'", whose path is said already. */
const bare = (message: string): string => /^E[A-Z0-9]+: [^,]+/.exec(message)?.[0] ?? message

const errorOf = (path: string, operation: string, cause: unknown): LogDiskError => {
  if (cause instanceof LogDiskError) return cause
  const detail = PlainFiles.refuseLink(path, cause)
  return new LogDiskError({
    path,
    operation,
    code: codeOf(cause),
    detail: bare(detail instanceof Error ? detail.message : String(detail))
  })
}

const told = <A>(path: string, operation: string, work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    throw errorOf(path, operation, cause)
  }
}

const quiet = { throwIfNoEntry: false } as const

const find: Disk["find"] = (path) => told(path, "stat", () => LogFiles.find(path))

/** Where an open file is, as Linux says it: another path, or "(deleted)" behind it, once it is there no more. */
const pathOf = (descriptor: number): string | null => {
  try {
    return FS.readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return null
  }
}

const aheadBytes = 4 * 1024 * 1024

/**
 * Reads a file on Node's other threads, for nothing but to have it in the system's cache: Node has no way to only ask for
 * that. By a descriptor of its own, which nobody closes while it is read by. What is given back ends it.
 */
const warm = (path: string, from: number, to: number): (() => void) => {
  let isOver = false
  FS.open(path, FS.constants.O_RDONLY | LogFiles.careful, (refused, descriptor) => {
    if (refused !== null) return
    const room = Buffer.allocUnsafeSlow(aheadBytes)
    const step = (at: number): void =>
      FS.read(descriptor, room, 0, room.length, at, (failed, count) => {
        if (failed !== null || count === 0 || isOver || at + count >= to) FS.close(descriptor)
        else step(at + count)
      })
    step(from)
  })
  return () => {
    isOver = true
  }
}

const believedMs = 1

const lineBreak = 10

/** Of a file's last byte, and of one more that would be behind it. */
const lastBytes = new Uint8Array(2)

/**
 * Whether an open file is still the one at its path, and as long as it was. To look at a path takes longer than all else that
 * is done before a record is read, so that what was seen there is the same file is believed until the turn of the event loop
 * ends, for a program hears in a turn of its own what another did, and not for long in any case, for it may wait without one.
 * What was added is seen at once.
 */
const unchanged = (path: string, id: string, descriptor: number): LogFile["isUnchanged"] => {
  const hasNoneAt = (end: number): boolean => FS.readSync(descriptor, lastBytes, 0, 1, end) === 0
  let [until, at, size] = [Number.NEGATIVE_INFINITY, -1, -1]
  const forget = (): void => {
    until = Number.NEGATIVE_INFINITY
  }
  return (end) => {
    if (end === size && at === LogFiles.changes() && performance.now() < until)
      return told(path, "read", () => hasNoneAt(end))
    const now = find(path)
    if (now?.id !== id || now.size !== end) return false
    ;[until, at, size] = [performance.now() + believedMs, LogFiles.changes(), end]
    process.nextTick(forget)
    return true
  }
}

const fileOf = (path: string, { descriptor, found, ...file }: LogFiles.LogFile): LogFile => {
  const id = LogFiles.idOf(found)
  const at = pathOf(descriptor)
  // It may have gone since it was opened.
  const place = find(path)?.id === id ? at : null
  let ahead: (() => void) | null = null
  return {
    id,
    // A disk may have another number after a restart.
    lasting: String(found.ino),
    isThere: () => (place === null ? find(path)?.id === id : pathOf(descriptor) === place),
    size: () => told(path, "stat", file.size),
    endsAt: (end) =>
      told(path, "read", () => FS.readSync(descriptor, lastBytes, 0, 2, end - 1) === 1 && lastBytes[0] === lineBreak),
    isUnchanged: unchanged(path, id, descriptor),
    read: (at, length) => told(path, "read", () => file.read(at, length)),
    readInto: (target, at) => told(path, "read", () => PlainFiles.readAt(descriptor, target, at)),
    readAhead: (from, to) => {
      ahead?.()
      ahead = warm(path, from, to)
    },
    append: (bytes, size) => told(path, "append", () => file.append(bytes, size)),
    sync: () => told(path, "sync", file.sync),
    truncate: (size) => told(path, "truncate", () => file.truncate(size)),
    close: () => {
      ahead?.()
      file.close()
    }
  }
}

const open: Disk["open"] = (path, { create }) =>
  told(path, "open", () => {
    const file = create ? LogFiles.openToAdd(path) : LogFiles.open(path)
    return file === null ? null : fileOf(path, file)
  })

const { O_CREAT, O_EXCL, O_RDWR } = FS.constants

const fixedOf = (path: string, descriptor: number, found: FS.Stats): FixedFile => ({
  id: LogFiles.idOf(found),
  size: found.size,
  read: (at, length) =>
    told(path, "read", () => {
      const target = new Uint8Array(Math.max(0, Math.min(length, found.size - at)))
      return target.subarray(0, PlainFiles.readAt(descriptor, target, at))
    }),
  write: (bytes, at) =>
    told(path, "write", () => {
      if (FS.writeSync(descriptor, bytes, 0, bytes.length, at) !== bytes.length)
        throw new Error("it was written in part")
    }),
  sync: () => told(path, "sync", () => FS.fdatasyncSync(descriptor)),
  close: () => FS.closeSync(descriptor)
})

/** Null for what is no plain file of its own, which is left alone. */
const fixedThere = (path: string): FixedFile | null => {
  if (FS.lstatSync(path, quiet)?.isFile() !== true) return null
  const descriptor = FS.openSync(path, O_RDWR | LogFiles.careful)
  const found = FS.fstatSync(descriptor)
  if (found.isFile() && found.nlink === 1) return fixedOf(path, descriptor, found)
  FS.closeSync(descriptor)
  return null
}

/**
 * The file systems, by the numbers that Linux has for them, where a file that grows costs a commit at every
 * synchronisation, one that is written over does not, and a file keeps its number: ext2 to ext4, XFS, and tmpfs.
 */
const inPlace: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x01021994])

const isFit = (folder: string): boolean => process.platform === "linux" && inPlace.has(FS.statfsSync(folder).type)

/** Zeros that are written, for what was only set aside costs a commit as well. */
const fill = (path: string, descriptor: number, bytes: number): void => {
  const zeros = new Uint8Array(64 * 1024)
  for (let at = 0; at < bytes; at += zeros.length)
    LogFiles.writeWhole(descriptor, zeros.subarray(0, Math.min(zeros.length, bytes - at)))
  FS.fsyncSync(descriptor)
  LogFiles.syncFolder(Path.dirname(path))
}

/** So many entries of ext4's table of files share a block. */
const together = 16

/**
 * Makes a file whose entry in the table of files is away from those that are made now: without a journal of its own, ext4
 * writes the block of the entry with the file's bytes when any entry in it has changed, and a lock is made for every write.
 */
const openApart = (path: string): number => {
  const passed: Array<number> = []
  try {
    for (;;) {
      const descriptor = FS.openSync(path, O_RDWR | O_CREAT | O_EXCL | LogFiles.careful, LogFiles.mode)
      if (passed.length === together) return descriptor
      passed.push(descriptor)
      FS.unlinkSync(path)
    }
  } finally {
    for (const descriptor of passed) FS.closeSync(descriptor)
  }
}

const fixedNew = (path: string, bytes: number): FixedFile | null => {
  if (!isFit(Path.dirname(path))) return null
  let descriptor: number
  try {
    descriptor = openApart(path)
  } catch (cause) {
    if (PlainFiles.isPresent(cause)) return null
    throw cause
  }
  try {
    fill(path, descriptor, bytes)
    return fixedOf(path, descriptor, FS.fstatSync(descriptor))
  } catch (cause) {
    FS.closeSync(descriptor)
    FS.rmSync(path, { force: true })
    throw cause
  }
}

const fixed: Disk["fixed"] = (path, { create }) =>
  told(path, "journal", () => fixedThere(path) ?? (create === null ? null : fixedNew(path, create)))

const remove: Disk["remove"] = (path) =>
  told(path, "remove", () => {
    FS.rmSync(path, { force: true })
    LogFiles.syncFolder(Path.dirname(path))
  })

const replace: Disk["replace"] = (path) => {
  const { abandon, commit, write } = told(path, "rewrite", () => LogFiles.replace(path))
  return {
    write: (bytes) => told(path, "rewrite", () => write(bytes)),
    commit: () => told(path, "rewrite", commit),
    abandon
  }
}

const patienceMs = 30_000

/** Short, for a holder that adds one record after the other leaves the lock free for a fraction of that. */
const longestWaitMs = 5

const locking = (): Pick<Disk, "leave" | "tryLock"> => {
  const all = new Map<string, PidLock.Frequent>()
  // A name from another folder is of another file.
  const of = (path: string): PidLock.Frequent => {
    const place = Path.resolve(path)
    const found = all.get(place) ?? PidLock.frequent(LogFiles.lockOf(place))
    all.set(place, found)
    return found
  }
  return {
    tryLock: (path) => told(path, "lock", () => LogFiles.lock(path, () => of(path).take(Date.now()))?.release ?? null),
    leave: (path) => {
      const place = Path.resolve(path)
      all.get(place)?.close()
      all.delete(place)
    }
  }
}

const pause: Disk["pause"] = Effect.async((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

/** A holder adds a record in well under a millisecond. */
const lock: Disk["lock"] = (path) =>
  Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + patienceMs
    const take = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.try({
        try: () => LogFiles.lock(path, () => PidLock.take(LogFiles.lockOf(path), now)),
        catch: (cause) => errorOf(path, "lock", cause)
      })
    )
    const attempt = Effect.uninterruptible(
      Effect.tap(take, (held) => (held === null ? Effect.void : Effect.addFinalizer(() => Effect.sync(held.release))))
    )
    for (let wait = 0.5; ; wait = Math.min(wait * 1.5, longestWaitMs)) {
      if ((yield* attempt) !== null) return
      if ((yield* Clock.currentTimeMillis) >= until)
        return yield* new LogDiskError({
          path,
          operation: "lock",
          code: null,
          detail: `another process has held ${LogFiles.lockOf(path)} for ${patienceMs / 1000} s`
        })
      yield* Effect.sleep(wait * (0.5 + (yield* Random.next)))
    }
  })

const watch: Disk["watch"] = (path, { changed, failed }) =>
  told(path, "watch", () =>
    FileWatch.watch(path, { changed, failed: (cause) => failed(errorOf(path, "watch", cause)) })
  )

const journal: JournalSize = { after: 32, bytes: 2 * 1024 * 1024 }

/**
 * `layer`, with another size of the journals, or none.
 *
 * @category layers
 */
export const layerWith = (options: { readonly journal: JournalSize | null }): Layer.Layer<LogDisk> =>
  Layer.merge(
    Layer.succeed(LogDisk, {
      open,
      find,
      has: FS.existsSync,
      replace,
      lock,
      ...locking(),
      watch,
      pause,
      fixed,
      remove,
      journal: options.journal
    }),
    GitTracked.layer
  )

/**
 * Files that are opened through no link, readable by the user alone; locks are `PidLock`s beside them. It comes
 * with `GitTracked.layer`.
 *
 * @example
 * ```ts
 * import { ReflexionStore } from "@reflexion/core/ReflexionStore"
 * import * as NodeLogDisk from "@reflexion/node/NodeLogDisk"
 * import { Effect, Layer } from "effect"
 *
 * const MemoryLive = Layer.provide(ReflexionStore.Live({ path: ".reflection/reflections.jsonl" }), NodeLogDisk.layer)
 *
 * const program = Effect.gen(function* () {
 *   const { getRecent } = yield* ReflexionStore
 *   const { length } = yield* getRecent("shop/cart")
 *   console.log(length) // => 0
 * })
 *
 * await Effect.runPromise(Effect.provide(program, MemoryLive))
 * ```
 *
 * @category layers
 */
export const layer: Layer.Layer<LogDisk> = layerWith({ journal })
