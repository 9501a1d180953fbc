/**
 * Stores records in a shared file or in memory, in the order in which they are added. Each record updates a fold. The
 * memory, the outcome log and the findings use this module.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Busy } from "../../base/system/FileLock.ts"
import { codeOf, isReadOnly } from "../../base/system/PlainFiles.ts"
import * as JsonlFile from "./JsonlFile.ts"
import { type Reason, StorageError } from "./StorageError.ts"

export interface Fold<A> {
  readonly reset: () => void
  readonly take: (record: A) => void
}

/** `count` is the number of things that these records describe. */
export interface Gone<A> {
  readonly rows: ReadonlySet<A>
  readonly count: number
}

export interface Records<A> {
  /** Updates the fold with all new records, also those of other processes, and then reads the fold. */
  readonly look: <B>(read: () => B) => Effect.Effect<B, StorageError>
  /** Updates the fold, then adds `records()`. Nobody else writes at the same time. The records survive a power cut. */
  readonly add: (records: () => ReadonlyArray<A>) => Effect.Effect<void, StorageError>
  /** Removes the records that `plan` selects, and returns the `count` of the plan. */
  readonly drop: (plan: (all: ReadonlyArray<A>) => Gone<A>) => Effect.Effect<number, StorageError>
  /** Waits for a time in which other processes may add records. */
  readonly others: Effect.Effect<void>
  /** How many lines are not valid records. */
  readonly unreadable: Effect.Effect<number, StorageError>
}

export type OpenRecords<A> = (fold: Fold<A>) => Records<A>

const isBlank = (line: string): boolean => line.trim() === ""

const reasonOf = (cause: unknown): Reason => {
  if (cause instanceof Busy) return "busy"
  if (["ENOSPC", "EDQUOT"].includes(codeOf(cause) ?? "")) return "full"
  return isReadOnly(cause) ? "denied" : "failed"
}

/** Removes the path from "EACCES: permission denied, open '/shop/reflections.jsonl'", because the caller names it. */
const bare = (message: string): string => /^E[A-Z0-9]+: [^,]+/.exec(message)?.[0] ?? message

const refused =
  (path: string, operation: string) =>
  (cause: unknown): StorageError => {
    const message = cause instanceof Error ? bare(cause.message) : String(cause)
    return new StorageError({ reason: reasonOf(cause), detail: `${path}: ${operation}: ${message}` })
  }

/** Another process holds the lock for a few milliseconds. Only the current write waits for the lock. */
const once = Schedule.spaced("4 millis").pipe(Schedule.jittered, Schedule.upTo("30 seconds"))

/** Waits for a fixed time and not for file system events, because events may be lost. A look takes microseconds. */
export const others = Effect.async<void>((resume) => {
  const waiting = setTimeout(() => resume(Effect.void), 500).unref()
  return Effect.sync(() => clearTimeout(waiting))
})

/** `decode` returns null for a line that is no record. A wait for another process's lock never blocks the thread. */
export const onDisk = <A extends object>(
  path: string,
  decode: (line: string) => A | null,
  fold: Fold<A>
): Records<A> => {
  let unreadable = 0
  const refresh = JsonlFile.follow(path, {
    reset: () => {
      unreadable = 0
      fold.reset()
    },
    line: (line) => {
      const record = isBlank(line) ? null : decode(line)
      if (record !== null) fold.take(record)
      else if (!isBlank(line)) unreadable += 1
    }
  })

  const look = <B>(read: () => B) =>
    Effect.zipRight(Effect.try({ try: refresh, catch: refused(path, "read") }), Effect.sync(read))

  const writing = <B>(
    operation: string,
    work: (options: JsonlFile.WriteOptions) => B
  ): Effect.Effect<B, StorageError> =>
    Effect.suspend(() => {
      const said: Array<string> = []
      const options = { patience: 0, warn: (words: string) => void said.push(words) }
      return Effect.try({ try: () => work(options), catch: (cause) => cause }).pipe(
        Effect.retry({ schedule: once, while: (cause) => cause instanceof Busy }),
        Effect.mapError(refused(path, operation)),
        Effect.tap(() => Effect.forEach(said, (words) => Effect.logWarning(words)))
      )
    })

  return {
    look,
    add: (records) =>
      writing("append", (options) =>
        JsonlFile.append(
          path,
          () => {
            refresh()
            return records()
              .map((record) => `${JSON.stringify(record)}\n`)
              .join("")
          },
          options
        )
      ),
    drop: (plan) =>
      writing("rewrite", (options) => {
        let count = 0
        const left = (lines: ReadonlyArray<Buffer>) => {
          const all = lines.map((line) => decode(line.toString("utf8")))
          const gone = plan(all.filter((record) => record !== null))
          count = gone.count
          return all.map((record) => record !== null && gone.rows.has(record))
        }
        JsonlFile.rewrite(path, left, options)
        return count
      }),
    others,
    unreadable: look(() => unreadable)
  }
}

export const inMemory = <A extends object>(fold: Fold<A>): Records<A> => {
  let all: Array<A> = []
  const take = (records: ReadonlyArray<A>): void => {
    for (const record of records) {
      all.push(record)
      fold.take(record)
    }
  }
  return {
    look: (read) => Effect.sync(read),
    add: (records) => Effect.sync(() => take(records())),
    drop: (plan) =>
      Effect.sync(() => {
        const { count, rows } = plan(all)
        const kept = all.filter((record) => !rows.has(record))
        all = []
        fold.reset()
        take(kept)
        return count
      }),
    // No other process can add records here.
    others: Effect.never,
    unreadable: Effect.succeed(0)
  }
}
