/** Whether git tracks a file, asked without running anything that the repository names. */
import * as ProjectRoot from "./projectRoot.ts"

const settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat"]

const quiet = ["--no-pager", "--no-optional-locks", ...settings.flatMap((one) => ["-c", one])]

const timeout = 3000

/** The shell's own view of another repository is not this one's. */
const environment = (env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none"
})

/** Where git is not there or knows no repository it is not tracked; where git does not answer in time it may be. */
export const isTracked = (
  root: string,
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env
): boolean => {
  if (!ProjectRoot.isWorkingCopy(root)) return false
  // Loaded here: most stops ask nothing, and loading it takes longer than all else that they do with the memory.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const { error, stdout } = spawnSync("git", [...quiet, "ls-files", "-z", "--", `:(literal)${file}`], {
    cwd: root,
    env: environment(env),
    timeout,
    encoding: "utf8",
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"]
  })
  if (error !== undefined) return !("code" in error && error.code === "ENOENT")
  return stdout.length > 0
}
