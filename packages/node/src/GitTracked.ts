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
import * as QuietGit from "./QuietGit.ts"

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
    const words = QuietGit.words(Path.basename(path))
    const options = {
      cwd,
      env: QuietGit.environment(process.env),
      timeout: QuietGit.timeout,
      windowsHide: true
    }
    const asked = execFile("git", words, options, (error, stdout) =>
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
