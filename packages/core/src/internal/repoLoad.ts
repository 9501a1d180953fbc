import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import * as Effect from "effect/Effect"

export const files = (_cwd: string): Effect.Effect<Readonly<Record<string, string>>, never, FileSystem | Path> =>
  Effect.succeed({})
