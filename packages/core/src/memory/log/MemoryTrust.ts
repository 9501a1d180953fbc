/**
 * Whether a memory is shared with anyone who may push to a repository: what such a file says goes into no prompt until the user
 * trusts it.
 */
import * as Effect from "effect/Effect"
import * as FS from "node:fs"
import { basename, dirname } from "node:path"
import * as TrackedFile from "../../base/system/TrackedFile.ts"

/**
 * Whether git tracks a file; `directory` is one that the file lies in or below. Where git is not there, or knows no
 * repository, it does not; where git does not answer in time, or only the project has one, it may.
 */
export const isTracked = Effect.fn("MemoryTrust.isTracked")(function* (options: {
  readonly directory: string
  readonly file: string
}) {
  const is = TrackedFile.shared(options.directory, options.file)
  if (is?.isKnown === false) yield* Effect.logWarning(is.why)
  return is !== null
})

/** Whether git tracks the file at a path; not where its folder is not there. */
export const isTrackedAt = (path: string): Effect.Effect<boolean> =>
  Effect.try(() => FS.realpathSync(dirname(path))).pipe(
    Effect.flatMap((directory) => isTracked({ directory, file: basename(path) })),
    Effect.orElseSucceed(() => false)
  )

/** `trusted`: what the file says may be believed though git tracks it, and so anyone who may push can write it. */
export interface Place {
  readonly path: string
  readonly trusted?: boolean
}

/** Why nobody should believe what a file says, asked at each time: git tracks it, and nobody said that it is trusted. */
export const heldBack = ({ path, trusted = false }: Place): Effect.Effect<string | null> =>
  trusted
    ? Effect.succeed(null)
    : Effect.map(isTrackedAt(path), (is) =>
        is
          ? `git tracks ${path}, so anyone who may push can write it: take it out of git (git rm --cached), or open it with trusted: true`
          : null
      )
