/**
 * Whether git tracks a file, asked without running anything that the repository names.
 *
 * @since 0.1.0
 */
import { TrackedFiles } from "@reflexion/core/TrackedFiles"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import * as FS from "node:fs"
import * as Path from "node:path"

/** A repository of another user's is asked as well: nothing of it is run. */
const settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "safe.directory=*"]

const quiet = ["--no-pager", "--no-optional-locks", ...settings.flatMap((one) => ["-c", one])]

const timeout = 3000

/** The shell's own view of another repository is not this one's. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none"
})

const folderOf = (path: string): string | null => {
  try {
    return FS.realpathSync(Path.dirname(path))
  } catch {
    return null
  }
}

/**
 * Where git is not there, or knows no repository, the file is not tracked; where git does not answer in time it may be.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTracked = (path: string): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const cwd = folderOf(path)
    if (cwd === null) return resume(Effect.succeed(false))
    const words = [...quiet, "ls-files", "-z", "--", `:(literal)${Path.basename(path)}`]
    const asked = execFile("git", words, { cwd, env: environment(), timeout, windowsHide: true }, (error, stdout) =>
      resume(Effect.succeed(error === null ? stdout.length > 0 : error.killed === true))
    )
    asked.stdin?.end()
    return Effect.sync(() => asked.kill())
  })

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<TrackedFiles> = Layer.succeed(TrackedFiles, { isTracked })
