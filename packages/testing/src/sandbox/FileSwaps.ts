/** Swaps files before this process accesses them, as another process could. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import * as FileLooks from "./fileLooks.ts"

/** Who wrote the present texts. */
export type Side = "user" | "stranger"

/** The user trusted one text, a stranger wrote the other. Both are ASCII and padded with blanks to the same length. */
export interface SwappedFile extends Readonly<Record<Side, string>> {
  readonly file: string
}

/**
 * `put` writes one side's texts. In `during`, `sideAt` gets the number of each access (from 0) and chooses the side.
 * `looks` counts the accesses, `swaps` the changes of side.
 */
export interface Swaps {
  readonly put: (side: Side) => void
  readonly during: <A, E, R>(sideAt: (look: number) => Side, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly looks: () => number
  readonly swaps: () => number
}

/** Writes in place, so that a program with an open file reads the new text. Emptying the file first is much slower. */
const write = ({ file, stranger, user }: SwappedFile, side: Side): void => {
  const text = { user, stranger }[side].padEnd(Math.max(user.length, stranger.length))
  const descriptor = openSync(file, "r+")
  try {
    writeSync(descriptor, text)
  } finally {
    closeSync(descriptor)
  }
}

/** `calls`: the Node functions that count as access, by default all. Access to a file's folder counts too. */
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
 * Runs a program once for each window: a range of accesses during which the files have the other side's texts. By day,
 * a window has one access or lasts to the end. At night, all windows are tried. Returns the number of runs.
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
