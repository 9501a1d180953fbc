/** Finds and reads the files in which hosts record sessions. A file that is missing or disappears is skipped. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Json from "../../base/json/Json.ts"
import * as JsonLines from "../../base/json/JsonLines.ts"
import type { ToolCall } from "./Transcript.ts"

const maxHead = 1024 * 1024
const maxCalls = 20_000

export const isAbsent = (error: PlatformError): boolean =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "BadResource")

export const folder = (variable: string, name: string): Effect.Effect<string, ConfigError, Path.Path> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const named = yield* Config.option(Config.nonEmptyString(variable))
    if (Option.isSome(named)) return named.value
    const home = yield* Config.nonEmptyString("HOME").pipe(Config.orElse(() => Config.nonEmptyString("USERPROFILE")))
    return path.join(home, name)
  })

export const list = (
  directory: string,
  options?: { readonly recursive: boolean }
): Effect.Effect<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.readDirectory(directory, options)),
    Effect.catchIf(isAbsent, () => Effect.succeed([]))
  )

/** Unpacks a record for adapters, which read plain lines. If the file is damaged or too long, the result ends early. */
export type Unpack = (bytes: Stream.Stream<Uint8Array, PlatformError>) => Stream.Stream<Uint8Array, unknown>

/** Returns the result for the first line that `pick` accepts. Only the first mebibyte of the file is read. */
export const first = <A>(
  file: string,
  pick: (value: unknown) => Option.Option<A>,
  unpack: Unpack | null = null
): Effect.Effect<Option.Option<A>, PlatformError, FileSystem.FileSystem> =>
  Effect.suspend(() => {
    const lines = JsonLines.make({ maxLineBytes: maxHead })
    return FileSystem.FileSystem.pipe(
      Effect.map((fs) => fs.stream(file, { bytesToRead: FileSystem.Size(maxHead) })),
      Effect.map((bytes) => (unpack === null ? bytes : Stream.catchAll(unpack(bytes), () => Stream.empty))),
      Effect.flatMap((bytes) => {
        const items = Stream.concat(
          Stream.flatMap(bytes, (chunk) => Stream.fromIterable(lines.push(chunk))),
          Stream.suspend(() => Stream.fromIterable(lines.end()))
        )
        return Stream.runHead(
          Stream.filterMap(items, (item) => (item._tag === "warning" ? Option.none() : pick(item.value)))
        )
      })
    )
  })

export const firstString = (
  file: string,
  key: string
): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
  Effect.map(
    first(file, (value) => Option.fromNullable(Json.string(Json.object(value)[key]))),
    Option.getOrNull
  )

export const latest = Effect.fn("RecordFiles.latest")(function* (
  files: ReadonlyArray<string>,
  limit: number
): Effect.fn.Return<ReadonlyArray<string>, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const timed = (file: string) =>
    Effect.map(fs.stat(file), ({ mtime }) => ({ file, time: Number(Option.getOrElse(mtime, () => 0)) }))
  const found = yield* Effect.forEach(files, (file) => Effect.option(timed(file)), { concurrency: 16 })
  return found
    .flatMap(Option.toArray)
    .toSorted((left, right) => right.time - left.time)
    .slice(0, limit)
    .map(({ file }) => file)
})

/** `directoryOf` reads a session's directory. Directories are compared both as given and without symbolic links. */
export const allBegunIn = Effect.fn("RecordFiles.allBegunIn")(function* (
  cwd: string,
  files: ReadonlyArray<string>,
  options: {
    readonly directoryOf: (file: string) => Effect.Effect<string | null, PlatformError, FileSystem.FileSystem>
    readonly limit: number
  }
): Effect.fn.Return<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directories = yield* namesOf(cwd)
  const isBegunHere = (file: string) =>
    Effect.map(
      Effect.orElseSucceed(options.directoryOf(file), () => null),
      (directory) => directory !== null && directories.includes(path.resolve(directory))
    )
  const begun = Stream.filterEffect(Stream.fromIterable(files), isBegunHere)
  return Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(begun, options.limit)))
})

/** Returns the absolute path of a directory, and also its path without symbolic links if that differs. */
export const namesOf = Effect.fn("RecordFiles.namesOf")(function* (
  directory: string
): Effect.fn.Return<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const given = path.resolve(directory)
  const real = yield* Effect.orElseSucceed(fs.realPath(given), () => given)
  return [...new Set([given, real])]
})

export interface CallReader<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown, file: string) => readonly [S, ReadonlyArray<ToolCall>]
}

/** Returns the calls in these records, each in its last state. At most 20,000. */
export const calls = Effect.fn("RecordFiles.calls")(function* <S>(
  files: ReadonlyArray<string>,
  { initial, step }: CallReader<S>
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const found = new Map<string, ToolCall>()
  for (const file of files) {
    if (found.size >= maxCalls) break
    let state = initial
    const lines = JsonLines.visit((item) => {
      if (item._tag === "warning") return
      const [next, more] = step(state, item.value, file)
      state = next
      for (const call of more)
        if (call.id !== null && (found.size < maxCalls || found.has(call.id))) found.set(call.id, call)
    })
    yield* Stream.runForEach(fs.stream(file), (chunk) => Effect.sync(() => lines.push(chunk)))
    lines.end()
  }
  return [...found.values()]
})
