/**
 * The files in which hosts record sessions, as adapters look through them: what is absent or goes away meanwhile is none.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as JsonLines from "../../ground/json/JsonLines.ts"
import type { ToolCall } from "./Transcript.ts"

const maxHead = 1024 * 1024
const maxCalls = 20_000

/**
 * Whether the error says that there is no such file or folder.
 *
 * @category guards
 */
export const isAbsent = (error: PlatformError): boolean =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "BadResource")

/**
 * The folder that a variable of the environment names, else one in the user's home directory.
 *
 * @category config
 */
export const folder = (variable: string, name: string): Effect.Effect<string, ConfigError, Path.Path> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const named = yield* Config.option(Config.nonEmptyString(variable))
    if (Option.isSome(named)) return named.value
    const home = yield* Config.nonEmptyString("HOME").pipe(Config.orElse(() => Config.nonEmptyString("USERPROFILE")))
    return path.join(home, name)
  })

/**
 * A folder's names, none where there is no folder.
 *
 * @category accessors
 */
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
 *
 * @category models
 */
export type Unpack = (bytes: Stream.Stream<Uint8Array, PlatformError>) => Stream.Stream<Uint8Array, unknown>

/**
 * What the first line that `pick` takes holds, among the lines of a file's first mebibyte.
 *
 * @category accessors
 */
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

/**
 * The files from the one that was written to last down, `limit` of them at most.
 *
 * @category accessors
 */
export const latest = Effect.fn("RecordFiles.latest")(function* (
  files: ReadonlyArray<string>,
  limit: number
): Effect.fn.Return<ReadonlyArray<string>, never, FileSystem.FileSystem> {
  const written = (yield* Effect.forEach(files, writtenAt, { concurrency: 16 })).flatMap(Option.toArray)
  return written
    .toSorted((left, right) => right.written - left.written)
    .slice(0, limit)
    .map(({ file }) => file)
})

const writtenAt = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(file))
  return Option.map(info, (stat) => ({ file, written: Option.getOrElse(stat.mtime, () => new Date(0)).getTime() }))
})

/**
 * The first of these files in whose directory, as `directoryOf` reads it, the session began; a directory is compared as
 * it was given and without its symbolic links.
 *
 * @category accessors
 */
export const begunIn = Effect.fn("RecordFiles.begunIn")(function* (
  cwd: string,
  files: ReadonlyArray<string>,
  directoryOf: (file: string) => Effect.Effect<string | null, PlatformError, FileSystem.FileSystem>
): Effect.fn.Return<Option.Option<string>, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directories = yield* namesOf(cwd)
  for (const file of files) {
    const directory = yield* Effect.orElseSucceed(directoryOf(file), () => null)
    if (directory !== null && directories.includes(path.resolve(directory))) return Option.some(file)
  }
  return Option.none()
})

/**
 * As `begunIn`, the first `limit` of them.
 *
 * @category accessors
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
  const found: Array<string> = []
  for (const file of files) {
    if (found.length >= options.limit) break
    const directory = yield* Effect.orElseSucceed(options.directoryOf(file), () => null)
    if (directory !== null && directories.includes(path.resolve(directory))) found.push(file)
  }
  return found
})

/**
 * A directory's absolute path as it was given and, where it differs, without its symbolic links.
 *
 * @category accessors
 */
export const namesOf = Effect.fn("RecordFiles.namesOf")(function* (
  directory: string
): Effect.fn.Return<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const given = path.resolve(directory)
  const real = yield* Effect.orElseSucceed(fs.realPath(given), () => given)
  return [...new Set([given, real])]
})

/**
 * How the calls of a subagent are read from its record, line by line.
 *
 * @category models
 */
export interface CallReader<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown, file: string) => readonly [S, ReadonlyArray<ToolCall>]
  readonly skip?: (line: Uint8Array) => boolean
}

/**
 * The calls in these records, each by its last state; 20,000 at most.
 *
 * @category accessors
 */
export const calls = Effect.fn("RecordFiles.calls")(function* <S>(
  files: ReadonlyArray<string>,
  reader: CallReader<S>
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem> {
  const found = new Map<string, ToolCall>()
  for (const file of files) {
    if (found.size >= maxCalls) break
    yield* callsIn(file, reader, found)
  }
  return [...found.values()]
})

const callsIn = Effect.fnUntraced(function* <S>(file: string, reader: CallReader<S>, found: Map<string, ToolCall>) {
  const fs = yield* FileSystem.FileSystem
  const lines = JsonLines.make(reader.skip === undefined ? {} : { skip: reader.skip })
  let state = reader.initial
  const take = (items: ReadonlyArray<JsonLines.Item>): void => {
    for (const item of items) {
      if (item._tag === "warning") continue
      const [next, more] = reader.step(state, item.value, file)
      state = next
      for (const call of more) keep(found, call)
    }
  }
  yield* Stream.runForEach(fs.stream(file), (chunk) => Effect.sync(() => take(lines.push(chunk))))
  take(lines.end())
})

const keep = (found: Map<string, ToolCall>, call: ToolCall): void => {
  if (call.id === null || (found.size >= maxCalls && !found.has(call.id))) return
  found.set(call.id, call)
}
