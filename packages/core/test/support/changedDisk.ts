/** A call of the file system that does something else while a test runs. */
import * as Effect from "effect/Effect"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

type Patched = "openSync" | "fsyncSync" | "fdatasyncSync" | "writeSync" | "ftruncateSync" | "renameSync"

export const instead = <Name extends Patched>(name: Name, make: (real: (typeof fs)[Name]) => (typeof fs)[Name]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const real = fs[name]
      fs[name] = make(real)
      syncBuiltinESMExports()
      return real
    }),
    (real) =>
      Effect.sync(() => {
        fs[name] = real
        syncBuiltinESMExports()
      })
  )

/** Calls something right before anything on the disk changes. */
export const beforeWrites = (call: () => void) =>
  Effect.all([
    instead("writeSync", (real) => (descriptor: number, bytes: NodeJS.ArrayBufferView | string) => {
      call()
      return typeof bytes === "string" ? real(descriptor, bytes) : real(descriptor, bytes)
    }),
    instead("ftruncateSync", (real) => (descriptor, size) => {
      call()
      real(descriptor, size)
    }),
    instead("renameSync", (real) => (from, to) => {
      call()
      real(from, to)
    })
  ])
