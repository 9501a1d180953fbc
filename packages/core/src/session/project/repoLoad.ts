import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { FileAnswers } from "./FileAnswers.ts"
import { gather, gatherSync } from "./repoFiles.ts"
import { fromFiles } from "./signals.ts"
import type { FileAnswer, FileRequest, FileStat, RepoSignals } from "./model.ts"

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

/** The few files of a working copy that matter, by their names from its folder. */
export const files = Effect.fnUntraced(function* (cwd: string) {
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

export const load: (cwd: string) => Effect.Effect<RepoSignals, never, FileSystem.FileSystem> = Effect.fn(
  "RepoSignals.load"
)((cwd: string) => Effect.map(files(cwd), fromFiles))
