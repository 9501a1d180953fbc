/**
 * Tells a test of each look that this process takes at some files, before it is taken: what the test does to them then,
 * another process could have done between two looks.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { fileURLToPath } from "node:url"

/** Whether a path is one of the files, and what is done before each look; `call` is the name of Node's function. */
export interface Watch {
  readonly isOne: (path: string) => boolean
  readonly before: (call: string) => void
}

const watches = new Set<Watch>()

/** Of files that are open: who reads on is looking as well. */
const open = new Map<number, string>()

const pathOf = (value: unknown): string | null => {
  if (typeof value === "string") return value
  if (value instanceof URL) return fileURLToPath(value)
  return typeof value === "number" ? (open.get(value) ?? null) : null
}

let isTelling = false

/** What a watch does to the files is no look. */
const tell = (call: string, given: unknown): void => {
  const path = isTelling ? null : pathOf(given)
  if (path === null) return
  isTelling = true
  try {
    for (const { before, isOne } of watches) if (isOne(path)) before(call)
  } finally {
    isTelling = false
  }
}

const told = (call: string, work: Function): Function =>
  new Proxy(work, {
    apply: (target, self, given: ReadonlyArray<unknown>) => {
      tell(call, given[0])
      const value: unknown = Reflect.apply(target, self, given)
      const path = pathOf(given[0])
      if (call === "openSync" && typeof value === "number" && path !== null) open.set(value, path)
      if (call === "closeSync" && typeof given[0] === "number") open.delete(given[0])
      return value
    }
  })

const instrument = (module: object): void => {
  for (const name of Object.keys(module).filter((one) => /^[a-z]/.test(one))) {
    const value: unknown = Reflect.get(module, name)
    if (typeof value === "function") Reflect.set(module, name, told(name, value))
  }
}

let isReady = false

/** Once and for good: a module that has a function already would not see it come and go. */
const prepare = (): void => {
  if (isReady) return
  isReady = true
  instrument(fs)
  instrument(fs.promises)
  syncBuiltinESMExports()
}

/** Until the scope ends. */
export const watch = (one: Watch): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        prepare()
        return watches.add(one)
      }),
      () => Effect.sync(() => watches.delete(one))
    )
  )
