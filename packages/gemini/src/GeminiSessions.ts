/** Finds the sessions of a directory. Gemini CLI has a folder for each directory, with its path in `.project_root`. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as GeminiTranscript from "./GeminiTranscript.ts"

const maxFolders = 5000
const maxFiles = 100

/** `.gemini` in `GEMINI_CLI_HOME`, or in the user's home directory. */
export const geminiFolder = Effect.gen(function* () {
  const path = yield* Path.Path
  return path.join(yield* RecordFiles.folder("GEMINI_CLI_HOME", ""), ".gemini")
})

/** A resume can leave a record without a message. Such a record is not a session. */
const hasMessage = (value: unknown): Option.Option<true> =>
  GeminiTranscript.step(GeminiTranscript.initial, value)[1].length > 0 ? Option.some(true) : Option.none()

/** The newest are those that were last written. */
export const recent = Effect.fn("GeminiSessions.recent")(function* (options: {
  readonly cwd: string
  readonly geminiFolder: string
  readonly limit: number
}): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { cwd, limit } = options
  const tmp = path.join(options.geminiFolder, "tmp")
  const directories = yield* RecordFiles.namesOf(cwd)
  const isHere = (name: string) =>
    Effect.match(fs.readFileString(path.join(tmp, name, ".project_root")), {
      onFailure: () => false,
      onSuccess: (root) => directories.includes(path.resolve(root.trim()))
    })
  const folders = yield* Effect.filter((yield* RecordFiles.list(tmp)).slice(0, maxFolders), isHere)
  const found = yield* Effect.forEach(folders, (name) => {
    const chats = path.join(tmp, name, "chats")
    return Effect.map(RecordFiles.list(chats), (files) =>
      files.filter((file) => /^session-[\w-]{1,100}\.jsonl$/.test(file)).map((file) => path.join(chats, file))
    )
  })
  return yield* RecordFiles.allBegunIn(cwd, yield* RecordFiles.latest(found.flat(), maxFiles), {
    directoryOf: (file) =>
      Effect.map(RecordFiles.first(file, hasMessage), (some) => (Option.isSome(some) ? cwd : null)),
    limit
  })
})
