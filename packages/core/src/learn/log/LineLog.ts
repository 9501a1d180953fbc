/** A log whose lines are decoded: reading it kept up, every line looked at, and those that are nothing moved away. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as AppendLog from "./AppendLog.ts"
import { LogDisk, LogDiskError } from "./LogDisk.ts"
import { scanLines } from "./lines.ts"

/** Of the lines that cannot be decoded all are counted, and the first named: from 1, by their offsets in bytes. */
export interface Invalid {
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly at: number; readonly problem: string }>
}

export interface LineLog<E> {
  readonly log: AppendLog.AppendLog
  /** Reads what the follower has, once it has kept up. */
  readonly look: <A>(read: () => A) => Effect.Effect<A, E>
  readonly orRefused: <A>(work: () => A) => Effect.Effect<A, E>
  /** Gives every whole line that there is now; the answer says what is wrong with it, null for nothing. */
  readonly check: (problemOf: (line: Uint8Array) => string | null) => Effect.Effect<Invalid, E>
  /** Moves lines to a file beside the log. */
  readonly reject: (isRejected: (line: Uint8Array) => boolean) => Effect.Effect<number, E>
}

/** Where lines are moved that cannot be decoded. */
const rejectedOf = (path: string): string => `${path}.rejected`

const mostNamed = 100

const atOnce = 4 * 1024 * 1024

export const open = Effect.fnUntraced(function* <E>(
  options: AppendLog.Options,
  refused: (error: LogDiskError) => E
): Effect.fn.Return<LineLog<E>, E, LogDisk | Scope.Scope> {
  const { path } = options
  const disk = yield* LogDisk
  const log = yield* Effect.mapError(AppendLog.open(options), refused)

  const refusedOr = (cause: unknown): Effect.Effect<never, E> =>
    cause instanceof LogDiskError ? Effect.fail(refused(cause)) : Effect.die(cause)

  const orRefused = <A>(work: () => A): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(work())
      } catch (cause) {
        return refusedOr(cause)
      }
    })

  const look = <A>(read: () => A): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      try {
        return log.refresh() ? Effect.succeed(read()) : Effect.zipRight(disk.pause, look(read))
      } catch (cause) {
        return refusedOr(cause)
      }
    })

  const check = Effect.fnUntraced(function* (problemOf: (line: Uint8Array) => string | null) {
    const invalid: Array<Invalid["invalid"][number]> = []
    let [invalidCount, number, at] = [0, 0, 0]
    const { isTorn, size } = yield* look(() => {
      const known = log.known()
      return { size: known, isTorn: (log.file()?.size() ?? 0) > known }
    })
    const file = log.file()
    const step = orRefused(() => {
      if (file === null) return
      at = scanLines(file, { from: at, to: size, upTo: atOnce }, (chunk, from, to, offset) => {
        number += 1
        const problem = problemOf(chunk.subarray(from, to))
        if (problem === null) return
        invalidCount += 1
        if (invalid.length < mostNamed) invalid.push({ line: number, at: offset, problem })
      })
    })
    yield* Effect.repeat(Effect.zipRight(step, Effect.yieldNow()), { until: () => file === null || at >= size })
    if (isTorn) {
      // Where it cannot be mended, as on a disk that is read-only.
      invalidCount += 1
      invalid.push({ line: number + 1, at: size, problem: "it ends in the middle" })
    }
    return { invalidCount, invalid }
  })

  const aside = (line: Uint8Array): void => {
    const file = disk.open(rejectedOf(path), { create: true })
    if (file === null) return
    try {
      const bytes = new Uint8Array(line.length + 1)
      bytes.set(line)
      bytes[line.length] = 10
      file.append(bytes)
      file.sync()
    } finally {
      file.close()
    }
  }

  const reject = (isRejected: (line: Uint8Array) => boolean): Effect.Effect<number, E> =>
    Effect.mapError(
      log.rewrite(() => (line) => {
        if (!isRejected(line)) return true
        aside(line)
        return false
      }),
      refused
    )

  return { log, look, orRefused, check, reject }
})
