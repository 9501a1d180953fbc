/** Finds out whether git tracks a file. It runs no program that the repository names or supplies. */
import * as ProgramPath from "./ProgramPath.ts"
import * as Programs from "./Programs.ts"

type Env = Readonly<Record<string, string | undefined>>

/** In milliseconds. If git takes longer, the file counts as possibly tracked. */
const timeout = 3000

/** `safe.directory=*` also allows another user's repository: everyone who can push to it can write the file. */
const settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "safe.directory=*"]

const wordsFor = (file: string): ReadonlyArray<string> => [
  "--no-pager",
  "--no-optional-locks",
  ...settings.flatMap((one) => ["-c", one]),
  "ls-files",
  "-z",
  "--",
  `:(literal)${file}`
]

/** The shell may have set git's variables for another repository. */
const quiet = (env: Env): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none"
})

/** Why other people may be able to write a file. */
export interface SharingReason {
  readonly why: string
  /** False if git was not asked, because only the project has a git program. */
  readonly isKnown: boolean
}

const answerOf = (git: string, cwd: string, file: string, env: Env): boolean => {
  // A hook usually does not need this module, and loading it takes longer than everything else.
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

/**
 * Null if git does not track the file, is not installed or finds no repository. If git is too slow, the file counts as
 * tracked. `directory` is the folder of the file, or one above it.
 */
export const shared = (directory: string, file: string, env: Env = process.env): SharingReason | null => {
  const found = Programs.make({ cwd: directory, env }).find("git")
  const [git] = found.own
  if (git !== undefined)
    return answerOf(git, directory, file, env)
      ? { why: `git tracks ${file}, so anyone who may push can write it`, isKnown: true }
      : null
  if (found.passedOver.length === 0) return null
  return { why: `it is unknown whether git tracks ${file}: ${ProgramPath.problemOf("git", found)}`, isKnown: false }
}
