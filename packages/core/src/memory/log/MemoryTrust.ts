/**
 * Whether a memory is shared with anyone who may push to a repository: what such a file says goes into no prompt until the user
 * trusts it.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as FS from "node:fs"
import { basename, dirname } from "node:path"
import * as TrackedFile from "../../base/system/TrackedFile.ts"

/**
 * What git is asked by.
 *
 * @category models
 */
export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/**
 * Whether git tracks a file; `directory` is one that the file lies in or below. Where git is not there, or knows no
 * repository, it does not; where git does not answer in time, or only the project has one, it may.
 *
 * @category predicates
 */
export const isTracked: (options: {
  readonly directory: string
  readonly file: string
}) => Effect.Effect<boolean, never, Platform> = Effect.fn("MemoryTrust.isTracked")(function* ({ directory, file }) {
  const is = TrackedFile.shared(directory, file)
  if (is?.isKnown === false) yield* Effect.logWarning(is.why)
  return is !== null
})

const folderOf = (path: string): string | null => {
  try {
    return FS.realpathSync(dirname(path))
  } catch {
    return null
  }
}

/**
 * The same of a file by its path alone.
 *
 * @category predicates
 */
export const isTrackedAt = (path: string): Effect.Effect<boolean, never, Platform> =>
  Effect.suspend(() => {
    const directory = folderOf(path)
    return directory === null ? Effect.succeed(false) : isTracked({ directory, file: basename(path) })
  })

/**
 * Why nobody should believe what a file says, asked at each time: git tracks it, and nobody said that it is trusted. Null
 * where one may.
 *
 * @category accessors
 */
export const heldBack = ({
  path,
  trusted
}: {
  readonly path: string
  readonly trusted: boolean
}): Effect.Effect<Effect.Effect<string | null>, never, Platform> =>
  Effect.map(Effect.context<Platform>(), (platform) => {
    if (trusted) return Effect.succeed(null)
    const reason = `git tracks ${path}, so anyone who may push can write it: take it out of git (git rm --cached), or open it with trusted: true`
    return Effect.provide(
      Effect.map(isTrackedAt(path), (is) => (is ? reason : null)),
      platform
    )
  })
