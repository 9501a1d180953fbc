/** Calls a test's function each time before this process accesses certain files. Another process could act then. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { fileURLToPath } from "node:url"

/** `call` is the name of Node's function. */
export interface Watch {
  readonly isOne: (path: string) => boolean
  readonly before: (call: string) => void
}

const watches = new Set<Watch>()

/** The paths of open files: reading from an open file is an access too. */
const open = new Map<number, string>()

const pathOf = (value: unknown): string | null => {
  if (typeof value === "string") return value
  if (value instanceof URL) return fileURLToPath(value)
  return typeof value === "number" ? (open.get(value) ?? null) : null
}

let isTelling = false

/** While a watch is called, its own accesses do not count. */
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

/** Replaces Node's functions only once: a module that has already imported one would not see a later change. */
const prepare = (): void => {
  if (isReady) return
  isReady = true
  instrument(fs)
  instrument(fs.promises)
  syncBuiltinESMExports()
}

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
