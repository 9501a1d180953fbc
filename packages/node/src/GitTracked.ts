/** Whether git tracks a file, asked without running anything that the repository names. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import { TrackedFiles } from "@reflexion/core/internal/base/system/TrackedFiles"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Programs from "./Programs.ts"
import * as QuietGit from "./QuietGit.ts"

const folderOf = (path: string): string | null => {
  try {
    return FS.realpathSync(Path.dirname(path))
  } catch {
    return null
  }
}

const answerOf = (git: string, cwd: string, file: string): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const words = QuietGit.words(file)
    const options = {
      cwd,
      env: QuietGit.environment(Programs.environment({ cwd, env: process.env })),
      timeout: QuietGit.timeout,
      windowsHide: true
    }
    const asked = execFile(git, words, options, (error, stdout) =>
      resume(Effect.succeed(error === null ? stdout.length > 0 : error.killed === true))
    )
    asked.stdin?.end()
    return Effect.sync(() => asked.kill())
  })

/**
 * Where git is not there, or knows no repository, the file is not tracked; where git does not answer in time, or only the
 * project has one, it may be.
 *
 * @category predicates
 */
export const isTracked = (path: string): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    const cwd = folderOf(path)
    if (cwd === null) return Effect.succeed(false)
    const found = Programs.make({ cwd, env: process.env }).find("git")
    const [git] = found.own
    if (git !== undefined) return answerOf(git, cwd, Path.basename(path))
    if (found.passedOver.length === 0) return Effect.succeed(false)
    const why = `whether git tracks ${path} is not known: ${ProgramPath.problemOf("git", found)}`
    return Effect.as(Effect.logWarning(why), true)
  })

export const layer: Layer.Layer<TrackedFiles> = Layer.succeed(TrackedFiles, { isTracked })
