/**
 * Writes a line to the standard output of a test's process, synchronously. Loading Effect's logger opens
 * `process.stdout`, which makes a pipe non-blocking. If its reader is slower, a write takes a part of the line, or
 * fails with EAGAIN. The rest is then written again until it is out.
 */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"

const pause = new Int32Array(new SharedArrayBuffer(4))

const isFull = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN"

const written = (bytes: Uint8Array): number => {
  try {
    return writeSync(1, bytes)
  } catch (error) {
    if (!isFull(error)) throw error
    Atomics.wait(pause, 0, 0, 1)
    return 0
  }
}

export const say = (line: string) =>
  Effect.sync(() => {
    let left = Buffer.from(`${line}\n`)
    while (left.length > 0) left = left.subarray(written(left))
  })
