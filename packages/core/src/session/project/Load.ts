/** Reads a working copy with Effect's file system, or with a file system that answers synchronously. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type FileAnswer, type FileRequest, type FileStat, gather, gatherSync, instructionsIn } from "./Files.ts"

/**
 * Null if the program has only an asynchronous file system. Each wait is expensive in a process with a large heap: the
 * forty waits to read a working copy made a review in OpenCode twice as slow.
 */
export class FileAnswers extends Context.Reference<FileAnswers>()("@reflexion/core/FileAnswers", {
  defaultValue: (): ((request: FileRequest) => FileAnswer) | null => null
}) {}

const statOf = ({ size, type }: FileSystem.File.Info): FileStat => ({
  kind: type === "File" ? "file" : type === "Directory" ? "folder" : "other",
  size: Number(size)
})

const ask = (
  fs: FileSystem.FileSystem,
  { path, want }: FileRequest
): Effect.Effect<FileAnswer, PlatformError.PlatformError> => {
  switch (want) {
    case "list":
      return fs.readDirectory(path)
    case "read":
      return fs.readFileString(path)
    case "realPath":
      return fs.realPath(path)
    case "stat":
      return Effect.map(fs.stat(path), statOf)
  }
}

export const files = Effect.fn("RepoSignals.load")(function* (cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const atOnce = yield* FileAnswers
  if (atOnce !== null) return gatherSync(cwd, atOnce)
  const gathering = gather(cwd)
  let next = gathering.next()
  while (next.done !== true) {
    const answer = yield* Effect.orElseSucceed(ask(fs, next.value), (): FileAnswer => null)
    next = gathering.next(answer)
  }
  return next.value
})

/** Returns a function that gives a project's instructions, or null. Results are cached for a minute. */
export const instructions = Effect.gen(function* () {
  const fs = yield* Effect.context<FileSystem.FileSystem>()
  const lookup = (cwd: string) =>
    files(cwd).pipe(
      Effect.map((found) => instructionsIn(found).find((text) => text.trim() !== "") ?? null),
      Effect.provide(fs)
    )
  const cache = yield* Cache.make({ capacity: 64, timeToLive: "60 seconds", lookup })
  return (cwd: string | null): Effect.Effect<string | null> => (cwd === null ? Effect.succeed(null) : cache.get(cwd))
})
