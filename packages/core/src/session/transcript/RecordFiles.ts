/**
 * The files in which hosts record sessions, as adapters look through them: what is absent or goes away meanwhile is none.
 */
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

/** Whether the error says that there is no such file or folder. */
export const isAbsent = (error: PlatformError): boolean =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "BadResource")

/** The folder that a variable of the environment names, else one in the user's home directory. */
export const folder = (variable: string, name: string): Effect.Effect<string, ConfigError, Path.Path> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const named = yield* Config.option(Config.nonEmptyString(variable))
    if (Option.isSome(named)) return named.value
    const home = yield* Config.nonEmptyString("HOME").pipe(Config.orElse(() => Config.nonEmptyString("USERPROFILE")))
    return path.join(home, name)
  })

/** A folder's names, none where there is no folder. */
export const list = (
  directory: string,
  options?: { readonly recursive: boolean }
): Effect.Effect<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.readDirectory(directory, options)),
    Effect.catchIf(isAbsent, () => Effect.succeed([]))
  )

/**
 * How the content of a file that a host packed is had: adapters know plain lines alone. A pack that is damaged, or longer than
 * what is read of it, ends there.
 */
export type Unpack = (bytes: Stream.Stream<Uint8Array, PlatformError>) => Stream.Stream<Uint8Array, unknown>

/** What the first line that `pick` takes holds, among the lines of a file's first mebibyte. */
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

/** The first string under a key among a file's first lines, null where none has it. */
export const firstString = (
  file: string,
  key: string
): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
  Effect.map(
    first(file, (value) => Option.fromNullable(Json.string(Json.object(value)[key]))),
    Option.getOrNull
  )

/** The files from the one that was written to last down, `limit` of them at most. */
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

/**
 * The first of these files, `limit` at most, in whose directory, as `directoryOf` reads it, the session began; a directory
 * is compared as it was given and without its symbolic links.
 */
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

/** A directory's absolute path as it was given and, where it differs, without its symbolic links. */
export const namesOf = Effect.fn("RecordFiles.namesOf")(function* (
  directory: string
): Effect.fn.Return<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const given = path.resolve(directory)
  const real = yield* Effect.orElseSucceed(fs.realPath(given), () => given)
  return [...new Set([given, real])]
})

/** How the calls of a subagent are read from its record, line by line. */
export interface CallReader<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown, file: string) => readonly [S, ReadonlyArray<ToolCall>]
}

/** The calls in these records, each by its last state; 20,000 at most. */
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
