/** Decides whether all who can push can write a memory file. Prompts use such a file only if the user trusts it. */
import * as Effect from "effect/Effect"
import * as FS from "node:fs"
import { basename, dirname } from "node:path"
import * as TrackedFile from "../../base/system/TrackedFile.ts"

/**
 * Also true if git does not answer in time, or if only the project has a git program. False if there is no git or no
 * repository. `directory` is the folder of the file, or one above it.
 */
export const isTracked = Effect.fn("MemoryTrust.isTracked")(function* (options: {
  readonly directory: string
  readonly file: string
}) {
  const is = TrackedFile.shared(options.directory, options.file)
  if (is?.isKnown === false) yield* Effect.logWarning(is.why)
  return is !== null
})

/** False if the folder does not exist. */
export const isTrackedAt = (path: string): Effect.Effect<boolean> =>
  Effect.try(() => FS.realpathSync(dirname(path))).pipe(
    Effect.flatMap((directory) => isTracked({ directory, file: basename(path) })),
    Effect.orElseSucceed(() => false)
  )

export interface Place {
  readonly path: string
  /** True if the user trusts the file even if git tracks it. Then everyone who can push can write the file. */
  readonly trusted?: boolean
}

/** Why the file is not trusted: git tracks it and nobody set `trusted`. Null if it is trusted. Each call asks git. */
export const heldBack = ({ path, trusted = false }: Place): Effect.Effect<string | null> =>
  trusted
    ? Effect.succeed(null)
    : Effect.map(isTrackedAt(path), (is) =>
        is
          ? `git tracks ${path}, so anyone who may push can change it: remove the file from git (git rm --cached), or open the memory with trusted: true`
          : null
      )
