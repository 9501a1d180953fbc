/**
 * Swaps files under running code, as another process could: before each look that this process takes at them, or in every
 * window between two looks.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import * as FileLooks from "./fileLooks.ts"

/** Whose texts the files have. */
export type Side = "user" | "stranger"

/**
 * A file with what the user trusted in it, and with what somebody else puts there: ASCII, to which blanks are added until
 * both are of one length.
 */
export interface SwappedFile extends Readonly<Record<Side, string>> {
  readonly file: string
}

/**
 * `put` says whose texts lie there now. `during` runs a program, `sideAt` saying whose they are at each of its looks,
 * counted from 0. `looks` is how many it took, `swaps` how often the files changed sides so far.
 */
export interface Swaps {
  readonly put: (side: Side) => void
  readonly during: <A, E, R>(sideAt: (look: number) => Side, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly looks: () => number
  readonly swaps: () => number
}

/** In place, so that a program that has the file open already reads the new text; without emptying it first, which takes far longer. */
const write = ({ file, stranger, user }: SwappedFile, side: Side): void => {
  const text = { user, stranger }[side].padEnd(Math.max(user.length, stranger.length))
  const descriptor = openSync(file, "r+")
  try {
    writeSync(descriptor, text)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * `calls`: the functions of Node's that take a look, all of them unless said otherwise. The folder of a file is
 * looked at with it.
 */
export const make = Effect.fnUntraced(function* (
  files: ReadonlyArray<SwappedFile>,
  { calls = /./ }: { readonly calls?: RegExp } = {}
): Effect.fn.Return<Swaps, never, Scope.Scope> {
  const paths = new Set(files.flatMap(({ file }) => [file, dirname(file)]))
  for (const { file } of files) writeFileSync(file, "")
  let sideAt: ((look: number) => Side) | null = null
  let [looks, swaps] = [0, 0]
  let now: Side | null = null
  const put = (side: Side): void => {
    if (side === now) return
    if (now !== null) swaps += 1
    now = side
    for (const one of files) write(one, side)
  }
  yield* FileLooks.watch({
    isOne: (path) => paths.has(path),
    before: (call) => {
      if (sideAt === null || !calls.test(call)) return
      put(sideAt(looks))
      looks += 1
    }
  })
  return {
    put,
    looks: () => looks,
    swaps: () => swaps,
    during: (given, run) =>
      Effect.suspend(() => {
        looks = 0
        sideAt = given
        return Effect.ensuring(
          run,
          Effect.sync(() => {
            sideAt = null
          })
        )
      })
  }
})

const isNight = process.env["REFLEXION_TESTS"] === "night"

const other = (side: Side): Side => (side === "user" ? "stranger" : "user")

/**
 * Runs a program for windows between two of its looks in which the files may have been another's, and looks at what came
 * of it; says how many runs that were. The windows are of one look, or last to the end; at night all are tried.
 */
export const everyWindow = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  swaps: Swaps,
  run: Effect.Effect<A, E, R>,
  check: (value: A, window: string) => Effect.Effect<void, E2, R2>
) {
  let count = 0
  for (const around of ["user", "stranger"] as const) {
    swaps.put(around)
    yield* swaps.during(() => around, run)
    const looks = swaps.looks()
    for (let from = 0; from < looks; from += 1) {
      for (let to = from + 1; to <= looks; to += 1) {
        if (!isNight && to !== from + 1 && to !== looks) continue
        swaps.put(around)
        const value = yield* swaps.during((look) => (look >= from && look < to ? other(around) : around), run)
        count += 1
        yield* check(value, `the ${other(around)}'s at the looks ${from} to ${to - 1} of ${looks}`)
      }
    }
  }
  return count
})
