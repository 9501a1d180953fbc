/** Whether git tracks a file, asked without running anything that the repository names or brings along. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/node/Programs"
import * as QuietGit from "@reflexion/node/QuietGit"
import * as ProjectRoot from "./ProjectRoot.ts"

type Env = Readonly<Record<string, string | undefined>>

/**
 * Why others may be able to write a file, null where git does not track it. Where git is not there or knows no repository
 * it does not; where git does not answer in time it may. `isKnown` is false where only the project has a git.
 */
export interface Shared {
  readonly why: string
  readonly isKnown: boolean
}

const answerOf = (git: string, cwd: string, file: string, env: Env): boolean => {
  // Loaded here: most stops ask nothing, and loading it takes longer than all else that they do with the memory.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const { error, stdout } = spawnSync(git, QuietGit.words(file), {
    cwd,
    env: QuietGit.environment(Programs.environment({ cwd, env })),
    timeout: QuietGit.timeout,
    encoding: "utf8",
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"]
  })
  if (error !== undefined) return !("code" in error && error.code === "ENOENT")
  return stdout.length > 0
}

export const shared = (root: string, file: string, env: Env = process.env): Shared | null => {
  if (!ProjectRoot.isWorkingCopy(root)) return null
  const found = Programs.make({ cwd: root, env }).find("git")
  const [git] = found.own
  if (git !== undefined)
    return answerOf(git, root, file, env)
      ? { why: `git tracks ${file}, so whoever may push can write it`, isKnown: true }
      : null
  if (found.passedOver.length === 0) return null
  return { why: `whether git tracks ${file} is not known: ${ProgramPath.problemOf("git", found)}`, isKnown: false }
}
