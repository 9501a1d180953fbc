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

/** What git is asked by. */
export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/**
 * Whether git tracks a file; `directory` is one that the file lies in or below. Where git is not there, or knows no
 * repository, it does not; where git does not answer in time, or only the project has one, it may.
 */
export const isTracked: (options: {
  readonly directory: string
  readonly file: string
}) => Effect.Effect<boolean, never, Platform> = Effect.fn("MemoryTrust.isTracked")(function* ({ directory, file }) {
  const is = TrackedFile.shared(directory, file)
  if (is?.isKnown === false) yield* Effect.logWarning(is.why)
  return is !== null
})

/** Whether git tracks the file at a path; not where its folder is not there. */
export const isTrackedAt = (path: string): Effect.Effect<boolean, never, Platform> =>
  Effect.try(() => FS.realpathSync(dirname(path))).pipe(
    Effect.option,
    Effect.flatMap((found) =>
      found._tag === "None" ? Effect.succeed(false) : isTracked({ directory: found.value, file: basename(path) })
    )
  )

/** `trusted`: what the file says may be believed though git tracks it, and so anyone who may push can write it. */
export interface Place {
  readonly path: string
  readonly trusted?: boolean
}

/**
 * Why nobody should believe what a file says, asked at each time: git tracks it, and nobody said that it is trusted. Null
 * where one may.
 */
export const heldBack = ({
  path,
  trusted = false
}: Place): Effect.Effect<Effect.Effect<string | null>, never, Platform> =>
  Effect.map(Effect.context<Platform>(), (platform) => {
    if (trusted) return Effect.succeed(null)
    const reason = `git tracks ${path}, so anyone who may push can write it: take it out of git (git rm --cached), or open it with trusted: true`
    return Effect.provide(
      Effect.map(isTrackedAt(path), (is) => (is ? reason : null)),
      platform
    )
  })
