/** The shelf of a memory on disk: a log of lines, its rows in memory, and what is known of them in a file beside it. */
import * as Effect from "effect/Effect"
import type * as AppendLog from "../log/AppendLog.ts"
import { LogDisk, type LogDiskError, type LogFile } from "../log/LogDisk.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import * as LineLog from "../log/LineLog.ts"
import * as MemoryLine from "./line.ts"
import * as MemoryRows from "./rows.ts"
import * as Side from "./indexCache.ts"
import type { MemoryView } from "./view.ts"
import type { Doomed, Shelf } from "./model.ts"

const refused = (error: LogDiskError): ReflectionError =>
  new ReflectionError({ reason: "storage_error", detail: error.message })

const decoder = new TextDecoder()

const lineOf = (bytes: Uint8Array): MemoryLine.Line => MemoryLine.parse(decoder.decode(bytes))

const sideOf = (path: string): string => `${path}.index`

/** Fewer rows are read again in a few milliseconds. */
const worthKeeping = 2000

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

  const lines = yield* LineLog.open({ path, follower: { reset, line: rows.line, settle: rows.settle } }, refused)
  const { log } = lines

  const look = <A>(read: (view: MemoryView) => A): Effect.Effect<A, ReflectionError> =>
    lines.look(() => read(rows.view))

  const isWorthKeeping = (): boolean => log.file() !== null && rows.view.count - kept >= worthKeeping

  /** In one step, for the rows, the file and how much of it they are of belong together. */
  const write = (): void => {
    const file = log.file()
    if (file === null || !isWorthKeeping()) return
    const { count } = rows.view
    const side = disk.replace(sideOf(path))
    try {
      side.write(Side.encode(rows.known(), file, log.known()))
      side.commit()
      kept = count
    } catch (cause) {
      side.abandon()
      throw cause
    }
  }

  /** Never fails: without it the log is read again. */
  const keep = Effect.gen(function* () {
    if (!(yield* look(isWorthKeeping))) return
    yield* disk.lock(sideOf(path))
    // The log may have been rewritten while that was waited for.
    yield* look(write)
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
      const { view } = rows
      const dead = new Set<number>()
      for (let row = 0; row < view.count; row += 1) if (!view.isAlive(row)) dead.add(rows.offsetOf(row))
      return (line, at) => line.length > 0 && !dead.has(at)
    }),
    refused
  )

  const read = Effect.gen(function* () {
    const ids = new Set<string>()
    const found = { reflections: 0, events: 0, blank: 0 }
    const invalid = yield* lines.check((bytes) => {
      const line = lineOf(bytes)
      switch (line._tag) {
        case "reflection":
          ids.add(line.reflection.id)
          found.reflections += 1
          return null
        case "event":
          found.events += 1
          return null
        case "blank":
          found.blank += 1
          return null
        case "invalid":
          return line.problem
      }
    })
    return { ...found, ...invalid, reflections: ids.size, replaced: found.reflections - ids.size }
  })

  const append = (text: string): Effect.Effect<void, ReflectionError> => Effect.mapError(log.append(text), refused)

  yield* look(() => undefined)
  yield* Effect.addFinalizer(() => keep)
  // Beside whatever is asked first; only who closes this before it is done waits for it.
  yield* Effect.forkScoped(Effect.zipRight(disk.pause, keep))

  return {
    look,
    add: (reflections) => append(reflections.map(MemoryLine.print).join("")),
    note: (event) => append(MemoryLine.print(event)),
    drop,
    compact,
    verify: (options = {}) =>
      Effect.tap(read, ({ invalidCount }) =>
        options.repair === true && invalidCount > 0
          ? lines.reject((line) => lineOf(line)._tag === "invalid")
          : Effect.void
      )
  } satisfies Shelf
})

const opening = new TextEncoder().encode('{"event":')

const isEvent = (line: Uint8Array): boolean => opening.every((byte, index) => line[index] === byte)
