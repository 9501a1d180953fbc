/** A call of the file system that does something else while a test runs. */
import * as Effect from "effect/Effect"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

type Patched = "fsyncSync" | "writeSync"

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
