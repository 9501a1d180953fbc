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
import * as Git from "../../base/system/QuietGit.ts"

/**
 * What git is asked by.
 *
 * @category models
 */
export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** Anyone who may push to another user's repository may write the file too, and nothing of that repository runs. */
const off = ["-c", "safe.directory=*"]

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
  const program = yield* Git.programOf(directory)
  if (program === null || program === "foreign") return program !== null
  const git: Git.Git = { program, within: [], off }
  const asked = Git.ask(git, ["ls-files", "-z", "--", `:(literal)${file}`], { directory, timeout: "1 minute" })
  return yield* Effect.timeoutTo(asked, {
    duration: "20 seconds",
    onSuccess: (found) => found !== null && found.length > 0,
    onTimeout: () => true
  })
})

/**
 * Whether git tracks the file at a path; not where its folder is not there.
 *
 * @category predicates
 */
export const isTrackedAt = (path: string): Effect.Effect<boolean, never, Platform> =>
  Effect.try(() => FS.realpathSync(dirname(path))).pipe(
    Effect.option,
    Effect.flatMap((found) =>
      found._tag === "None" ? Effect.succeed(false) : isTracked({ directory: found.value, file: basename(path) })
    )
  )

/**
 * `trusted`: what the file says may be believed though git tracks it, and so anyone who may push can write it.
 *
 * @category models
 */
export interface Place {
  readonly path: string
  readonly trusted?: boolean
}

/**
 * Why nobody should believe what a file says, asked at each time: git tracks it, and nobody said that it is trusted. Null
 * where one may.
 *
 * @category accessors
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
