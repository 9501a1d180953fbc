/** What a transcript's first lines say of the session. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The first string under a key among a file's first lines, null where none has it. */
export const string = (file: string, key: string): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
  Effect.map(
    RecordFiles.first(file, (value) => Option.fromNullable(Json.string(Json.object(value)[key]))),
    Option.getOrNull
  )
