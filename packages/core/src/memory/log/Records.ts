/**
 * Records in the order in which they were added, and a fold that keeps up with them: in a file that several processes share,
 * or as long as the process lasts. What the memory, the outcome log and the findings have in common.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { Busy } from "../../base/system/FileLock.ts"
import { codeOf, isReadOnly } from "../../base/system/PlainFiles.ts"
import * as JsonlFile from "./JsonlFile.ts"
import { heldBack, type Place } from "./MemoryTrust.ts"
import { type Reason, StorageError } from "./StorageError.ts"

/** What a line says, null for one that is no record, and what is wrong with the object that such a one has. */
export interface Format<A> {
  readonly read: (line: string) => A | null
  readonly problemIn: (value: Json.Json) => string | null
}

/** What is known of the records, in memory. */
export interface Fold<A> {
  readonly reset: () => void
  readonly take: (record: A) => void
}

/** A line that is no record. `line` is counted from 1, `at` is its offset in bytes. */
export interface InvalidLine {
  readonly line: number
  readonly at: number
  readonly problem: string
}

/** Lines that are no record: `invalid` names at most 100, `invalidCount` counts all. */
export interface Lines {
  readonly blank: number
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<InvalidLine>
}

export interface Checked<A> extends Lines {
  readonly records: ReadonlyArray<A>
}

/** Whether what cannot be read is moved to a file next to it. */
export interface Checking {
  readonly repair?: boolean
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
  /** Every record there is. */
  readonly check: (options?: Checking) => Effect.Effect<Checked<A>, StorageError>
  /** Has `heard` run twice a second where others may add something, until the scope ends. */
  readonly watch: (heard: () => void) => Effect.Effect<void, never, Scope.Scope>
}

/** What keeps records, given what follows them. */
export type Open<A> = (fold: Fold<A>) => Records<A>

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

const problemOf = <A>(line: string, format: Format<A>): string => {
  try {
    const value = JsonScan.strict(line)
    return Json.isObject(value) ? (format.problemIn(value) ?? "it cannot be read") : "it is no JSON object"
  } catch (cause) {
    return `it is no JSON: ${cause instanceof Error ? cause.message : ""}`
  }
}

const mostNamed = 100

const check = <A>(path: string, format: Format<A>): Checked<A> => {
  const records: Array<A> = []
  const invalid: Array<InvalidLine> = []
  let [number, at, blank, invalidCount] = [0, 0, 0, 0]
  const line = (line: string): void => {
    number += 1
    const record = isBlank(line) ? null : format.read(line)
    if (record !== null) records.push(record)
    else if (isBlank(line)) blank += 1
    else if ((invalidCount += 1) <= mostNamed) invalid.push({ line: number, at, problem: problemOf(line, format) })
    at += Buffer.byteLength(line) + 1
  }
  const isTorn = JsonlFile.follow(path, { reset: () => undefined, line })()
  if (!isTorn) return { records, blank, invalidCount, invalid }
  // It goes when something is added; until then it is named.
  invalid.push({ line: number + 1, at, problem: "it ends in the middle" })
  return { records, blank, invalidCount: invalidCount + 1, invalid }
}

/** Another process adds a record in a few milliseconds: nothing else of this one waits for that. */
const once = Schedule.spaced("4 millis").pipe(Schedule.jittered, Schedule.upTo("30 seconds"))

/** Twice a second: what the system tells of changes may miss some, and a look costs some microseconds. */
const heardEvery = 500

/**
 * Records as the lines of a file, each as JSON. Nothing that it does waits on the thread for another process's lock: it looks
 * again, between which other fibers run.
 */
export const onDisk = <A extends object>(path: string, format: Format<A>, fold: Fold<A>): Records<A> => {
  const refresh = JsonlFile.follow(path, {
    reset: fold.reset,
    line: (line) => {
      const record = isBlank(line) ? null : format.read(line)
      if (record !== null) fold.take(record)
    }
  })

  const reading = <B>(read: () => B) => Effect.try({ try: read, catch: refused(path, "read") })

  const writing = <B>(operation: string, work: (options: JsonlFile.Writing) => B): Effect.Effect<B, StorageError> =>
    Effect.suspend(() => {
      const said: Array<string> = []
      const options = { patience: 0, warn: (words: string) => void said.push(words) }
      return Effect.try({ try: () => work(options), catch: (cause) => cause }).pipe(
        Effect.retry({ schedule: once, while: (cause) => cause instanceof Busy }),
        Effect.mapError(refused(path, operation)),
        Effect.tap(() => Effect.forEach(said, (words) => Effect.logWarning(words)))
      )
    })

  const setAside = writing("rewrite", (options) =>
    JsonlFile.rewrite(
      path,
      (lines) => {
        const isNone = lines.map(String).map((line) => !isBlank(line) && format.read(line) === null)
        const rejected = lines.filter((_, index) => isNone[index])
        if (rejected.length > 0) JsonlFile.keepAside(JsonlFile.rejectedOf(path), rejected)
        return isNone
      },
      options
    )
  )

  return {
    look: (read) => Effect.zipRight(reading(refresh), Effect.sync(read)),
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
          const all = lines.map((line) => format.read(line.toString("utf8")))
          const gone = plan(all.filter((record) => record !== null))
          count = gone.count
          return all.map((record) => record !== null && gone.rows.has(record))
        }
        JsonlFile.rewrite(path, left, options)
        return count
      }),
    check: ({ repair = false } = {}) =>
      Effect.tap(
        reading(() => check(path, format)),
        ({ invalidCount }) => Effect.when(setAside, () => repair && invalidCount > 0)
      ),
    watch: (heard) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => setInterval(heard, heardEvery).unref()),
          (looking) => Effect.sync(() => clearInterval(looking))
        )
      )
  }
}

/** Records that last as long as the process: all, or the newest `most` at least. */
export const inMemory = <A extends object>(fold: Fold<A>, most = Number.POSITIVE_INFINITY): Records<A> => {
  let all: Array<A> = []
  const fill = (records: Array<A>): void => {
    all = records
    fold.reset()
    for (const record of all) fold.take(record)
  }
  return {
    look: (read) => Effect.sync(read),
    add: (records) =>
      Effect.sync(() => {
        for (const record of records()) {
          all.push(record)
          fold.take(record)
        }
        if (all.length >= 2 * most) fill(all.slice(-most))
      }),
    drop: (plan) =>
      Effect.sync(() => {
        const { count, rows } = plan(all)
        if (rows.size > 0) fill(all.filter((record) => !rows.has(record)))
        return count
      }),
    check: () => Effect.sync(() => ({ records: [...all], blank: 0, invalidCount: 0, invalid: [] })),
    // Nobody else has it.
    watch: () => Effect.void
  }
}

interface Pruned {
  readonly append: (given: never) => Effect.Effect<void, StorageError>
  readonly prune: (options: {
    readonly maxAge: Duration.DurationInput
    readonly slack?: Duration.DurationInput
  }) => Effect.Effect<number, StorageError>
}

/**
 * A log that forgets by itself what is older than its `retention`: now, and behind what is added. A failure is logged.
 */
const retained = Effect.fnUntraced(function* <L extends Pruned>(log: L, retention: Duration.DurationInput | undefined) {
  if (retention === undefined) return log
  const slack = Duration.times(retention, 0.1)
  let last = Number.NEGATIVE_INFINITY
  const pruned = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (now - last < Duration.toMillis(slack)) return Effect.void
    last = now
    return Effect.catchAll(log.prune({ maxAge: retention, slack }), (error) =>
      Effect.logWarning(`nothing is forgotten: ${error.message}`)
    )
  })
  yield* pruned
  const append: L["append"] = (given) => Effect.zipLeft(log.append(given), pruned)
  return { ...log, append }
})

/**
 * Where a log's file is. `retention`: what is older goes when the log is opened and, now and then, while it is added to;
 * without it nothing goes but by `prune`.
 */
export interface LiveOptions extends Place {
  readonly retention?: Duration.DurationInput
}

/** A log on the disk: it forgets by itself, and knows whether git tracks its file. */
export const lasting = Effect.fnUntraced(function* <L extends Pruned>(log: L, { retention, ...place }: LiveOptions) {
  return { ...(yield* retained(log, retention)), heldBack: yield* heldBack(place) }
})
