/**
 * Records in the order in which they were added, and a fold that keeps up with them: in a file that several processes share,
 * or as long as the process lasts. What the memory, the outcome log and the findings have in common.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { codeOf } from "../../base/system/PlainFiles.ts"
import { Busy } from "../../base/system/FileLock.ts"
import * as JsonlFile from "./JsonlFile.ts"
import { StorageError } from "./StorageError.ts"

/** What a line says: `read` goes by its shape alone, and `schema` has the words for what is wrong with one. */
export interface Format<A> {
  readonly read: (line: string) => A | null
  readonly schema: (value: object) => Schema.Schema.AnyNoContext
}

/** What is known of the records, in memory. */
export interface Fold<A> {
  readonly reset: () => void
  readonly take: (record: A) => void
}

/** Lines that are no record: all are counted, and the first 100 named, from 1 and by their offsets in bytes. */
export interface Invalid {
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly at: number; readonly problem: string }>
}

export interface Checked<A> extends Invalid {
  readonly records: ReadonlyArray<A>
  readonly blank: number
}

export interface Records<A> {
  /** Reads the fold, once it has kept up with what anybody added. */
  readonly look: <B>(read: () => B) => Effect.Effect<B, StorageError>
  /** Adds what is made when the fold has kept up and nobody else adds: when it succeeds that outlasts a power cut. */
  readonly add: (records: () => ReadonlyArray<A>) => Effect.Effect<void, StorageError>
  /** Leaves out what `plan` gives of all records, and blank lines where it says so; says how many lines. */
  readonly drop: (
    plan: (all: ReadonlyArray<A>) => ReadonlySet<A>,
    options?: { readonly blank?: boolean }
  ) => Effect.Effect<number, StorageError>
  /** Every line there is. With `repair` those that are no record are moved to a file next to it. */
  readonly check: (options?: { readonly repair?: boolean }) => Effect.Effect<Checked<A>, StorageError>
  /** How many lines are no record. */
  readonly unreadable: Effect.Effect<number, StorageError>
  /** Has `heard` run twice a second where others may add something, until the scope ends. */
  readonly watch: (heard: () => void) => Effect.Effect<void, never, Scope.Scope>
}

const isBlank = (line: string): boolean => line.trim() === ""

/** "EACCES: permission denied, open '/shop/reflections.jsonl'", whose path is said already. */
const bare = (message: string): string => /^E[A-Z0-9]+: [^,]+/.exec(message)?.[0] ?? message

const refused =
  (path: string, operation: string) =>
  (cause: unknown): StorageError => {
    const message = cause instanceof Error ? bare(cause.message) : String(cause)
    return new StorageError({ code: codeOf(cause), detail: `${path}: ${operation}: ${message}` })
  }

const problemIn = (line: string, { schema }: Pick<Format<never>, "schema">): string => {
  let value: unknown
  try {
    value = JsonScan.strict(line)
  } catch (cause) {
    return `it is no JSON: ${cause instanceof Error ? cause.message : ""}`
  }
  if (typeof value !== "object" || value === null) return "it is no JSON object"
  const read = Schema.decodeUnknownEither(schema(value))(value)
  const [first] = Either.isLeft(read) ? ParseResult.ArrayFormatter.formatErrorSync(read.left) : []
  return first === undefined ? "it cannot be read" : [first.path.join("."), first.message].filter(Boolean).join(": ")
}

const mostNamed = 100

const patience = "30 seconds"

/** Another process adds a record in a few milliseconds: nothing else of this one waits for that. */
const once = Schedule.spaced("4 millis").pipe(Schedule.jittered, Schedule.upTo(patience))

/** Which of a file's lines are records, none where one is blank or nothing. */
const readAll = <A>(lines: ReadonlyArray<Buffer>, { read }: Format<A>): ReadonlyArray<A | "blank" | "nothing"> =>
  lines.map((bytes) => {
    const line = bytes.toString("utf8")
    return isBlank(line) ? "blank" : (read(line) ?? "nothing")
  })

const isRecord = <A>(one: A | "blank" | "nothing"): one is A => one !== "blank" && one !== "nothing"

const check = <A>(path: string, format: Format<A>): Checked<A> => {
  const records: Array<A> = []
  const invalid: Array<Invalid["invalid"][number]> = []
  let [number, at, blank, invalidCount] = [0, 0, 0, 0]
  const line = (line: string): void => {
    number += 1
    const record = isBlank(line) ? null : format.read(line)
    if (record !== null) records.push(record)
    else if (isBlank(line)) blank += 1
    else if ((invalidCount += 1) <= mostNamed) invalid.push({ line: number, at, problem: problemIn(line, format) })
    at += Buffer.byteLength(line) + 1
  }
  const isTorn = JsonlFile.follow(path, { reset: () => undefined, line })()
  if (!isTorn) return { records, blank, invalidCount, invalid }
  // It goes when something is added; until then it is named.
  invalid.push({ line: number + 1, at, problem: "it ends in the middle" })
  return { records, blank, invalidCount: invalidCount + 1, invalid }
}

/**
 * Records as the lines of a file, each as JSON.
 *
 * @category constructors
 */
export const onDisk = <A extends object>(path: string, format: Format<A>, fold: Fold<A>): Records<A> => {
  let [unreadable, isTorn] = [0, false]
  const follow = JsonlFile.follow(path, {
    reset: () => {
      unreadable = 0
      fold.reset()
    },
    line: (line) => {
      if (isBlank(line)) return
      const record = format.read(line)
      if (record === null) unreadable += 1
      else fold.take(record)
    }
  })
  const refresh = (): void => {
    isTorn = follow()
  }

  const attempt = <B>(operation: string, work: () => B) => Effect.try({ try: work, catch: refused(path, operation) })

  const writing = <B>(operation: string, work: (options: JsonlFile.Writing) => B): Effect.Effect<B, StorageError> =>
    Effect.suspend(() => {
      const said: Array<string> = []
      const options = { patience: 0, warn: (words: string) => void said.push(words) }
      const tried = Effect.try({ try: () => work(options), catch: (cause) => cause })
      return tried.pipe(
        Effect.retry({ schedule: once, while: (cause) => cause instanceof Busy }),
        Effect.mapError(refused(path, operation)),
        Effect.tap(() => Effect.forEach(said, (words) => Effect.logWarning(words)))
      )
    })

  const look = <B>(read: () => B) => Effect.zipRight(attempt("read", refresh), Effect.sync(read))

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
    drop: (plan, { blank = false } = {}) =>
      writing("rewrite", (options) =>
        JsonlFile.rewrite(
          path,
          (lines) => {
            const all = readAll(lines, format)
            const gone = plan(all.filter(isRecord))
            return all.map((one) => (isRecord(one) ? gone.has(one) : blank && one === "blank"))
          },
          options
        )
      ),
    check: ({ repair = false } = {}) =>
      Effect.tap(
        attempt("read", () => check(path, format)),
        ({ invalidCount }) =>
          repair && invalidCount > 0
            ? writing("rewrite", (options) =>
                JsonlFile.rewrite(
                  path,
                  (lines) => {
                    const isNothing = readAll(lines, format).map((one) => one === "nothing")
                    const rejected = lines.filter((_, index) => isNothing[index])
                    if (rejected.length > 0) JsonlFile.keepAside(JsonlFile.rejectedOf(path), rejected)
                    return isNothing
                  },
                  options
                )
              )
            : Effect.void
      ),
    unreadable: look(() => unreadable + (isTorn ? 1 : 0)),
    // A look costs some microseconds, and misses nothing that was added before it: what the system tells of changes may.
    watch: (heard) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => setInterval(heard, 500).unref()),
          (looking) => Effect.sync(() => clearInterval(looking))
        )
      )
  }
}

/**
 * Records that last as long as the process: all, or the newest `most` at least.
 *
 * @category constructors
 */
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
        const gone = plan(all)
        const kept = all.filter((record) => !gone.has(record))
        const count = all.length - kept.length
        if (count > 0) fill(kept)
        return count
      }),
    check: () => Effect.sync(() => ({ records: [...all], blank: 0, invalidCount: 0, invalid: [] })),
    unreadable: Effect.succeed(0),
    // Nobody else has it.
    watch: () => Effect.void
  }
}
