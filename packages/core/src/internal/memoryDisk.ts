/** The shelf of a memory on disk: a log of lines, its rows in memory, and what is known of them in a file beside it. */
import * as Effect from "effect/Effect"
import * as AppendLog from "../AppendLog.ts"
import { LogDisk, LogDiskError, type LogFile } from "../LogDisk.ts"
import { ReflectionError } from "../ReflectionError.ts"
import type * as ReflexionStore from "../ReflexionStore.ts"
import { scanLines } from "./logLines.ts"
import * as MemoryLine from "./memoryLine.ts"
import * as MemoryRows from "./memoryRows.ts"
import * as Side from "./memorySide.ts"
import type { Doomed, Shelf } from "./memoryStore.ts"
import type { MemoryView } from "./memoryView.ts"

const refused = (error: LogDiskError): ReflectionError =>
  new ReflectionError({ reason: "storage_error", detail: error.message })

const orRefused = <A>(work: () => A): Effect.Effect<A, ReflectionError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (cause) {
      return cause instanceof LogDiskError ? Effect.fail(refused(cause)) : Effect.die(cause)
    }
  })

const decoder = new TextDecoder()

const lineOf = (bytes: Uint8Array): MemoryLine.Line => MemoryLine.parse(decoder.decode(bytes))

/** Where lines are moved that cannot be decoded. */
const rejectedOf = (path: string): string => `${path}.rejected`

const sideOf = (path: string): string => `${path}.index`

/** Fewer rows are read again in a few milliseconds. */
const worthKeeping = 2000

const mostNamed = 100

const verification = () => ({
  reflections: 0,
  replaced: 0,
  events: 0,
  blank: 0,
  invalidCount: 0,
  invalid: new Array<ReflexionStore.InvalidLine>()
})

export const open = Effect.fnUntraced(function* ({ path }: { readonly path: string }) {
  const disk = yield* LogDisk
  const rows = MemoryRows.make()
  let kept = 0

  const sideKnown = (file: LogFile): ReturnType<typeof Side.decode> => {
    try {
      const side = disk.open(sideOf(path), { create: false })
      if (side === null) return null
      try {
        return Side.decode(side.read(0, side.size()), file)
      } finally {
        side.close()
      }
    } catch {
      // Only a cache: the log is read again.
      return null
    }
  }

  const reset = (file: LogFile | null): number => {
    const side = file === null ? null : sideKnown(file)
    kept = side?.known.rows.count ?? 0
    rows.reset(file, side?.known)
    return side?.size ?? 0
  }

  const log = yield* Effect.mapError(AppendLog.open({ path, follower: { reset, line: rows.line } }), refused)

  const look = <A>(read: (view: MemoryView) => A): Effect.Effect<A, ReflectionError> =>
    Effect.suspend(() => {
      try {
        return log.refresh() ? Effect.succeed(read(rows.view)) : Effect.zipRight(disk.pause, look(read))
      } catch (cause) {
        return cause instanceof LogDiskError ? Effect.fail(refused(cause)) : Effect.die(cause)
      }
    })

  /** Never fails: without it the log is read again. */
  const keep = Effect.gen(function* () {
    const { count } = yield* look((view) => view)
    const file = log.file()
    if (file === null || count - kept < worthKeeping) return
    yield* disk.lock(sideOf(path))
    yield* orRefused(() => {
      const side = disk.replace(sideOf(path))
      try {
        side.write(Side.encode(rows.known(), file, log.known()))
        side.commit()
        kept = count
      } catch (cause) {
        side.abandon()
        throw cause
      }
    })
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) => Effect.logDebug(`${sideOf(path)} was not kept: ${error.message}`))
  )

  const drop = (doomed: Doomed): Effect.Effect<number, ReflectionError> => {
    let count = 0
    const plan = (): AppendLog.Keeps | null => {
      const { view } = rows
      const offsets = new Set<number>()
      const ids = new Set<string>()
      for (let row = 0; row < view.count; row += 1) {
        if (view.isAlive(row)) {
          if (!doomed.row(view, row)) continue
          const id = view.reflection(row)?.id
          // A row is read from its bytes alone: one that does not decode stays where it is.
          if (id === undefined) continue
          ids.add(id)
        }
        // What was replaced goes too: without its successor it would be back.
        offsets.add(rows.offsetOf(row))
      }
      count = ids.size
      if (count === 0) return null
      return (line, at) => {
        if (offsets.has(at)) return false
        const parsed = isEvent(line) ? lineOf(line) : null
        if (parsed?._tag !== "event") return true
        const { reflectionIds } = parsed.event
        return !doomed.event(parsed.event) && !(reflectionIds.length > 0 && reflectionIds.every((id) => ids.has(id)))
      }
    }
    return Effect.mapBoth(log.rewrite(plan), { onFailure: refused, onSuccess: () => count })
  }

  const compact = Effect.mapError(
    log.rewrite(() => {
      const dead = new Set<number>()
      for (let row = 0; row < rows.view.count; row += 1) if (!rows.view.isAlive(row)) dead.add(rows.offsetOf(row))
      return (line, at) => line.length > 0 && !dead.has(at)
    }),
    refused
  )

  const reject = (line: Uint8Array): void => {
    const aside = disk.open(rejectedOf(path), { create: true })
    if (aside === null) return
    try {
      const bytes = new Uint8Array(line.length + 1)
      bytes.set(line)
      bytes[line.length] = 10
      aside.append(bytes)
      aside.sync()
    } finally {
      aside.close()
    }
  }

  const repair = log.rewrite(() => (line) => {
    if (lineOf(line)._tag !== "invalid") return true
    reject(line)
    return false
  })

  const read = Effect.gen(function* () {
    const found = verification()
    const ids = new Set<string>()
    let number = 0
    let at = 0
    const { isTorn, size } = yield* look(() => {
      const known = log.known()
      return { size: known, isTorn: (log.file()?.size() ?? 0) > known }
    })
    const file = log.file()
    const step = orRefused(() => {
      if (file === null) return
      at = scanLines(file, { from: at, to: size, upTo: 4 * 1024 * 1024 }, (chunk, from, to, offset) => {
        number += 1
        const line = lineOf(chunk.subarray(from, to))
        switch (line._tag) {
          case "reflection":
            ids.add(line.reflection.id)
            found.reflections += 1
            return
          case "event":
            found.events += 1
            return
          case "blank":
            found.blank += 1
            return
          case "invalid":
            found.invalidCount += 1
            if (found.invalid.length < mostNamed)
              found.invalid.push({ line: number, at: offset, problem: line.problem })
        }
      })
    })
    yield* Effect.repeat(Effect.zipRight(step, Effect.yieldNow()), { until: () => file === null || at >= size })
    if (isTorn) {
      // Where it cannot be mended, as on a disk that is read-only.
      found.invalidCount += 1
      found.invalid.push({ line: number + 1, at: size, problem: "it ends in the middle" })
    }
    return { ...found, reflections: ids.size, replaced: found.reflections - ids.size }
  })

  yield* look(() => undefined)
  yield* keep
  yield* Effect.addFinalizer(() => keep)

  return {
    look,
    add: (reflections) => Effect.mapError(log.append(reflections.map(MemoryLine.print).join("")), refused),
    note: (event) => Effect.mapError(log.append(MemoryLine.print(event)), refused),
    drop,
    compact,
    verify: (options = {}) =>
      Effect.tap(read, ({ invalidCount }) =>
        options.repair === true && invalidCount > 0 ? Effect.mapError(repair, refused) : Effect.void
      )
  } satisfies Shelf
})

const opening = new TextEncoder().encode('{"event":')

const isEvent = (line: Uint8Array): boolean => opening.every((byte, index) => line[index] === byte)
