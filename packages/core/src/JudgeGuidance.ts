/**
 * What the user wants reviews to look at, beside what every review does: from a file of a workspace that the user trusts,
 * or said in the session.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SessionInfo } from "./Transcript.ts"

/**
 * The files that have it, the first before the second.
 *
 * @since 0.1.0
 * @category constants
 */
export const files: ReadonlyArray<string> = [".reflection.md", "reflection.md"]

/**
 * `trustedRoot` gives the root of the project that a folder belongs to, null where the user does not trust it: no file is
 * read there, and nothing that was said in it counts. `said` is what was set in the session itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly trustedRoot: (cwd: string) => Effect.Effect<string | null>
  readonly said?: (session: SessionInfo) => Effect.Effect<string | null>
}

const maxFile = 65_536

/** The text of a small plain file, null for a link and for anything else. */
const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (yield* Effect.isSuccess(fs.readLink(file))) return null
  const text = Effect.flatMap(fs.stat(file), ({ size, type }) =>
    type === "File" && Number(size) <= maxFile ? fs.readFileString(file) : Effect.succeed(null)
  )
  return yield* Effect.orElseSucceed(text, () => null)
})

const nothing = (): Effect.Effect<string | null> => Effect.succeed(null)

const make = Effect.fnUntraced(function* ({ said = nothing, trustedRoot }: Options) {
  const needs = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const path = yield* Path.Path
  const of = Effect.fnUntraced(function* (session: SessionInfo) {
    const root = session.cwd === null ? null : yield* trustedRoot(session.cwd)
    if (root === null) return null
    for (const file of files) {
      const text = yield* read(path.join(root, file))
      if (text !== null && text.trim() !== "") return text
    }
    return yield* said(session)
  }, Effect.provide(needs))
  return { of }
})

/**
 * Asked before every review by a model; nobody is trusted and nothing is said unless a layer tells otherwise.
 *
 * @since 0.1.0
 * @category references
 */
export class JudgeGuidance extends Context.Reference<JudgeGuidance>()("@reflexion/core/JudgeGuidance", {
  defaultValue: () => ({ of: (_session: SessionInfo): Effect.Effect<string | null> => nothing() })
}) {
  static readonly layer = (options: Options): Layer.Layer<JudgeGuidance, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(JudgeGuidance, make(options))
}
