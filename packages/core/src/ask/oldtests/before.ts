/** Where HEAD was before a task's first edit. */
import * as Effect from "effect/Effect"
import * as Git from "../../ground/system/QuietGit.ts"

const isHash = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text)

const line = (git: Git.Git, words: ReadonlyArray<string>, directory: string) =>
  Effect.map(Git.ask(git, words, { directory, limit: 4 * 1024 * 1024 }), (out) =>
    out === null ? null : Git.text(out).trim()
  )

/** Git's times are whole seconds: what was committed within the second of the edit may have been committed after it. */
const secondBefore = (since: string): number => Math.floor(Date.parse(since) / 1000) - 1

/** The newest of HEAD's own log that is old enough: a commit that was amended or rebased since is in it, too. */
const logged = (log: string, until: number): string | null => {
  for (const entry of log.split("\n")) {
    const [hash = "", selector = ""] = entry.split(" ")
    const at = Number(/@\{(\d{1,12})\b/.exec(selector)?.[1] ?? "NaN")
    if (isHash(hash) && at <= until) return hash
  }
  return null
}

/**
 * Null where it cannot be told: there is no commit of then, or the record says no time and something was committed since.
 */
export const commitBefore = Effect.fnUntraced(function* (
  git: Git.Git,
  directory: string,
  { commits, since }: { readonly since: string | null; readonly commits: boolean }
) {
  const head = yield* line(git, ["rev-parse", "--verify", "--quiet", "HEAD"], directory)
  if (head === null || !isHash(head)) return null
  if (since === null || Number.isNaN(Date.parse(since))) return commits ? null : head
  const until = secondBefore(since)
  const log = yield* line(git, ["log", "-g", "-n", "1000", "--date=unix", "--format=%H %gd", "HEAD"], directory)
  const own = log === null ? null : logged(log, until)
  if (own !== null) return own
  const by = yield* line(git, ["rev-list", "-1", `--before=${until}`, "HEAD"], directory)
  return by !== null && isHash(by) ? by : null
})
