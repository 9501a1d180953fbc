/** Whether git tracks a file, asked without running anything that the repository names. */
import * as QuietGit from "@reflexion/node/QuietGit"
import * as ProjectRoot from "./projectRoot.ts"

/** Where git is not there or knows no repository it is not tracked; where git does not answer in time it may be. */
export const isTracked = (
  root: string,
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env
): boolean => {
  if (!ProjectRoot.isWorkingCopy(root)) return false
  // Loaded here: most stops ask nothing, and loading it takes longer than all else that they do with the memory.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const { error, stdout } = spawnSync("git", QuietGit.words(file), {
    cwd: root,
    env: QuietGit.environment(env),
    timeout: QuietGit.timeout,
    encoding: "utf8",
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"]
  })
  if (error !== undefined) return !("code" in error && error.code === "ENOENT")
  return stdout.length > 0
}
