/**
 * Whether a memory is shared with whoever may push to a repository: what such a file says goes into no prompt until the user
 * trusts it.
 *
 * @since 0.1.0
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Git from "./internal/quietGit.ts"

/**
 * Whether git tracks a file; `directory` is one that the file lies in or below. Where git cannot be asked it does not.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTracked: (options: {
  readonly directory: string
  readonly file: string
}) => Effect.Effect<boolean, never, CommandExecutor.CommandExecutor> = Effect.fn("MemoryTrust.isTracked")(function* ({
  directory,
  file
}) {
  const git = yield* Git.open(directory, [])
  if (git === null) return false
  const found = yield* Git.ask(git, ["ls-files", "-z", "--", `:(literal)${file}`], { directory })
  return found !== null && found.length > 0
})
