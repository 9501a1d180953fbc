/**
 * How git is asked whether it tracks a file, so that nothing runs that the repository names. Another user's repository is
 * asked as well, for whoever may push to it may write the file.
 */

/**
 * In milliseconds; git that takes longer may track the file.
 *
 * @category options
 */
export const timeout = 3000

const settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "safe.directory=*"]

/**
 * The words after `git`, which prints something where the file is tracked.
 *
 * @category options
 */
export const words = (file: string): ReadonlyArray<string> => [
  "--no-pager",
  "--no-optional-locks",
  ...settings.flatMap((one) => ["-c", one]),
  "ls-files",
  "-z",
  "--",
  `:(literal)${file}`
]

type Env = Readonly<Record<string, string | undefined>>

/**
 * The shell's own view of another repository is not this one's.
 *
 * @category options
 */
export const environment = (env: Env): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none"
})
