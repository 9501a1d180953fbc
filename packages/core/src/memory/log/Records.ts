/**
 * Records in the order in which they were added, and a fold that keeps up with them: in a file that several processes share,
 * or as long as the process lasts. What the memory, the outcome log and the findings have in common.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Busy } from "../../base/system/FileLock.ts"
import { codeOf, isReadOnly } from "../../base/system/PlainFiles.ts"
import * as JsonlFile from "./JsonlFile.ts"
import { type Reason, StorageError } from "./StorageError.ts"

/** What is known of the records, in memory. */
export interface Fold<A> {
  readonly reset: () => void
  readonly take: (record: A) => void
}

/** Records that go, and how many things those are. */
export interface Gone<A> {
  readonly rows: ReadonlySet<A>
  readonly count: number
}

export interface Records<A> {
  /** Reads the fold, once it has kept up with what anybody added. */
  readonly look: <B>(read: () => B) => Effect.Effect<B, StorageError>
  /** Adds what is made when the fold has kept up and nobody else adds: when it succeeds that outlasts a power cut. */
  readonly add: (records: () => ReadonlyArray<A>) => Effect.Effect<void, StorageError>
  /** Leaves out what `plan` gives of all records; says how many things it counts. */
  readonly drop: (plan: (all: ReadonlyArray<A>) => Gone<A>) => Effect.Effect<number, StorageError>
  /** Waits until others may have added something. */
  readonly others: Effect.Effect<void>
  /** How many lines are no record. */
  readonly unreadable: Effect.Effect<number, StorageError>
}

/** What keeps records, given what follows them. */
export type OpenRecords<A> = (fold: Fold<A>) => Records<A>

const isBlank = (line: string): boolean => line.trim() === ""

const reasonOf = (cause: unknown): Reason => {
  if (cause instanceof Busy) return "busy"
  if (["ENOSPC", "EDQUOT"].includes(codeOf(cause) ?? "")) return "full"
  return isReadOnly(cause) ? "denied" : "failed"
}

/** "EACCES: permission denied, open '/shop/reflections.jsonl'", whose path is said already. */
const bare = (message: string): string => /^E[A-Z0-9]+: [^,]+/.exec(message)?.[0] ?? message

const refused =
  (path: string, operation: string) =>
  (cause: unknown): StorageError => {
    const message = cause instanceof Error ? bare(cause.message) : String(cause)
    return new StorageError({ reason: reasonOf(cause), detail: `${path}: ${operation}: ${message}` })
  }

/** Another process adds a record in a few milliseconds: nothing else of this one waits for that. */
const once = Schedule.spaced("4 millis").pipe(Schedule.jittered, Schedule.upTo("30 seconds"))

/** Twice a second: what the system tells of changes may miss some, and a look costs some microseconds. */
const others = Effect.async<void>((resume) => {
  const waiting = setTimeout(() => resume(Effect.void), 500).unref()
  return Effect.sync(() => clearTimeout(waiting))
})

/**
 * Records as the lines of a file, each as JSON; `decode` gives null for a line that is no record. Nothing that it does waits on
 * the thread for another process's lock: it looks again, between which other fibers run.
 */
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

/** Records that last as long as the process. */
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
    // Nobody else has it.
    others: Effect.never,
    unreadable: Effect.succeed(0)
  }
}
