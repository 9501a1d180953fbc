/** Real clones of git, with work trees, in a folder that goes with the scope. */
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const settings = ["user.name=Ada", "user.email=ada@example.org", "commit.gpgsign=false", "init.defaultBranch=main"]

export const git = (cwd: string, ...words: ReadonlyArray<string>): string =>
  execFileSync("git", [...settings.flatMap((one) => ["-c", one]), ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" }
  })

export const place = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "reflexion-clones-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A clone with one commit, and where it is. */
export const clone = (folder: string, name = "shop"): string => {
  git(folder, "init", "--quiet", name)
  const root = join(folder, name)
  git(root, "commit", "--quiet", "--allow-empty", "--message", "Begin")
  return root
}

/** A linked work tree of a clone's, which may be bare. */
export const worktree = (from: string, at: string, branch = "feat"): string => {
  git(from, "worktree", "add", "--quiet", "-b", branch, at)
  return at
}
