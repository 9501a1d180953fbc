/** Finds the sessions of a directory in Copilot's folder, which has the sessions of all directories. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const maxHeads = 500

/** `COPILOT_HOME`, or `.copilot` in the user's home directory. */
export const copilotHome = RecordFiles.folder("COPILOT_HOME", ".copilot")

/** The newest by their last write, from the newest 500 sessions. */
export const recent = Effect.fn("CopilotSessions.recent")(function* (options: {
  readonly cwd: string
  readonly copilotHome: string
  readonly limit: number
}): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const { cwd, limit } = options
  const folder = path.join(options.copilotHome, "session-state")
  const records = (yield* RecordFiles.list(folder)).map((name) => path.join(folder, name, "events.jsonl"))
  const files = yield* RecordFiles.latest(records, maxHeads)
  return yield* RecordFiles.allBegunIn(cwd, files, { directoryOf, limit })
})

/** The first line names the directory. */
const directoryOf = (file: string): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
  Effect.map(
    RecordFiles.first(file, (value) => Option.some(Json.object(Json.object(Json.object(value)["data"])["context"]))),
    Option.match({ onNone: () => null, onSome: (context) => Json.string(context["cwd"]) })
  )
