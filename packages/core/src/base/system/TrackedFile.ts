/** Whether git tracks a file, asked without running anything that the repository names or brings along. */
import * as ProgramPath from "./ProgramPath.ts"
import * as Programs from "./Programs.ts"

type Env = Readonly<Record<string, string | undefined>>

/** In milliseconds; git that takes longer may track the file. */
const timeout = 3000

/** Another user's repository is asked as well, for anyone who may push to it may write the file. */
const settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "safe.directory=*"]

/** git prints something where the file is tracked. */
const wordsFor = (file: string): ReadonlyArray<string> => [
  "--no-pager",
  "--no-optional-locks",
  ...settings.flatMap((one) => ["-c", one]),
  "ls-files",
  "-z",
  "--",
  `:(literal)${file}`
]

/** The shell's own view of another repository is not this one's. */
const quiet = (env: Env): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none"
})

/**
 * Why others may be able to write a file, null where git does not track it. Where git is not there or knows no repository
 * it does not; where git does not answer in time it may. `isKnown` is false where only the project has a git.
 */
export interface SharingReason {
  readonly why: string
  readonly isKnown: boolean
}

const answerOf = (git: string, cwd: string, file: string, env: Env): boolean => {
  // Loaded here: most stops ask nothing, and loading it takes longer than all else that they do with the memory.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const { error, stdout } = spawnSync(git, wordsFor(file), {
    cwd,
    env: quiet(Programs.environment({ cwd, env })),
    timeout,
    encoding: "utf8",
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"]
  })
  if (error !== undefined) return !("code" in error && error.code === "ENOENT")
  return stdout.length > 0
}

/** `directory`: one that the file lies in or below. */
export const shared = (directory: string, file: string, env: Env = process.env): SharingReason | null => {
  const found = Programs.make({ cwd: directory, env }).find("git")
  const [git] = found.own
  if (git !== undefined)
    return answerOf(git, directory, file, env)
      ? { why: `git tracks ${file}, so anyone who may push can write it`, isKnown: true }
      : null
  if (found.passedOver.length === 0) return null
  return { why: `whether git tracks ${file} is not known: ${ProgramPath.problemOf("git", found)}`, isKnown: false }
}
