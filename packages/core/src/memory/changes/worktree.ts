/** A work tree of a repository at its last commit, apart from the one that is worked in, and a branch of what changed. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { findSecrets } from "../../base/redaction/Redaction.ts"
import * as QuietGit from "../../base/system/QuietGit.ts"
import { oneLine } from "../../base/text/Text.ts"
import type { MutatorError } from "./Mutator.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"

/**
 * `cwd` is where the agent works, the same folder below the work tree as was named below the repository. `gitDir` is
 * what git keeps of it: nothing that stands in the work tree says where that is.
 */
export interface Worktree {
  readonly repository: string
  readonly directory: string
  readonly cwd: string
  readonly gitDir: string
  readonly base: string
}

export type Problem = readonly [reason: MutatorError["reason"], detail: string]

export const problem = (reason: MutatorError["reason"], detail: string) => Effect.fail<Problem>([reason, detail])

/** A checkout of a large repository takes its time. */
const patience = "5 minutes"

/** What git may print of a change: an agent of a few rounds writes no more. */
const mostBytes = 32 * 1024 * 1024

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const open = Effect.fnUntraced(function* (repository: string) {
  const git = yield* QuietGit.open(repository, [])
  return (
    git ?? (yield* problem("unavailable", `${repository} cannot be asked by git: is it a repository, and git there?`))
  )
})

const asked = Effect.fnUntraced(function* (
  git: QuietGit.Git,
  words: ReadonlyArray<string>,
  asking: QuietGit.Asking,
  failing: string
) {
  const bytes = yield* QuietGit.ask(git, words, { timeout: patience, ...asking })
  return bytes === null ? yield* problem("failed", failing) : QuietGit.text(bytes).trim()
})

const baseOf = (git: QuietGit.Git, repository: string) =>
  asked(
    git,
    ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
    { directory: repository },
    `${repository} has no commit to begin with`
  )

/** Whether the repository has the branch. Where it has not, and could not have it, that is said before anybody works for it. */
export const hasBranch = Effect.fnUntraced(function* (repository: string, branch: string) {
  if (!/^[\w/-]{1,200}$/.test(branch)) return yield* problem("failed", `${oneLine(branch, 100)} is no name of a branch`)
  const git = yield* open(repository)
  const ref = `refs/heads/${branch}`
  const at = { directory: repository }
  if ((yield* QuietGit.ask(git, ["rev-parse", "--verify", "--quiet", ref], at)) !== null) return true
  const stdin = bytesOf(`start\ncreate ${ref} ${yield* baseOf(git, repository)}\nprepare\nabort\n`)
  if ((yield* QuietGit.ask(git, ["update-ref", "--stdin"], { ...at, stdin })) !== null) return false
  return yield* problem(
    "unavailable",
    `git can make no branch ${branch}: one whose name begins or ends it (git branch --list "reflexion*") has to be renamed`
  )
})

/** Of a folder that is gone git asks nothing, whatever an agent made of the `.git` in it. */
const remove = Effect.fnUntraced(function* (repository: string, directory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.ignore(fs.remove(directory, { recursive: true, force: true }))
  const git = yield* QuietGit.open(repository, [])
  const words = ["worktree", "remove", "--force", "--force", directory]
  if (git !== null) yield* QuietGit.ask(git, words, { directory: repository, timeout: patience })
})

/** In `folder`, and gone from there and from the repository when its scope closes. */
export const add = Effect.fnUntraced(function* (repository: string, folder: string) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const directory = path.join(yield* Effect.orDie(fs.realPath(folder)), "work")
  const git = yield* open(repository)
  const at = { directory: repository }
  const base = yield* baseOf(git, repository)
  const prefix = yield* asked(git, ["rev-parse", "--show-prefix"], at, `${repository} is no work tree`)
  const failing = `git made no work tree of ${repository}`
  yield* Effect.acquireRelease(
    asked(git, ["worktree", "add", "--quiet", "--detach", directory, base], at, failing),
    () => remove(repository, directory)
  )
  const gitDir = yield* asked(git, ["rev-parse", "--absolute-git-dir"], { directory }, failing)
  const worktree: Worktree = { repository, directory, cwd: path.join(directory, prefix), gitDir, base }
  return worktree
})

/** The changed lines of a file's part of a diff that has no others. */
const changed = (part: string, mark: "+" | "-"): string =>
  part
    .slice(part.indexOf("\n@@"))
    .split("\n")
    .flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : []))
    .join("\n")

/** The files of a diff in which something was added that looks like a secret, but for what was taken out elsewhere in it. */
const leaking = (diff: string): ReadonlyArray<string> => {
  const parts = diff.split(/^diff --git /m).slice(1)
  const before = parts.map((part) => changed(part, "-")).join("\n")
  return parts.flatMap((part) => {
    const added = changed(part, "+")
    const isNew = findSecrets(added).some(({ end, start }) => !before.includes(added.slice(start, end)))
    return isNew ? [oneLine(/^\+\+\+ "?b\/(.*?)"?\t?$/m.exec(part)?.[1] ?? "a file", 120)] : []
  })
}

/** The sandbox of an agent may let it read whatever its user can. */
const withoutSecrets = Effect.fnUntraced(function* (
  git: QuietGit.Git,
  directory: string,
  trees: ReadonlyArray<string>
) {
  const words = ["diff", "--text", "--unified=0", ...QuietGit.plainDiff, ...trees]
  const diff = yield* QuietGit.ask(git, words, { directory, limit: mostBytes, timeout: patience })
  if (diff === null)
    return yield* problem("failed", "what the agent changed is too much to be looked through for secrets")
  const files = leaking(QuietGit.text(diff))
  if (files.length > 0)
    return yield* problem("failed", `what looks like a secret was added, so nothing was committed: ${files.join(", ")}`)
})

const messageOf = ({ change, id, reason, target }: RecommendedAction): string =>
  [
    target === null ? "Make a change that was recommended" : `Change ${oneLine(target, 60)}`,
    change,
    ...(reason === "" ? [] : [`Why: ${reason}`]),
    `Recommended by a model (${id}) that looked at how the runs of many tasks ended, made by an agent, read by nobody yet.`
  ].join("\n\n")

const identity = ["-c", "user.name=reflexion", "-c", "user.email=reflexion@localhost"]

/**
 * One commit of all that differs from the base, on a new branch; what the agent itself committed is in it. Says how much
 * was changed.
 */
export const commit = Effect.fnUntraced(function* (worktree: Worktree, branch: string, action: RecommendedAction) {
  const { base, directory, gitDir, repository } = worktree
  // What was set up meanwhile is turned off as well.
  const git = yield* open(repository)
  const here = [`--git-dir=${gitDir}`, `--work-tree=${directory}`]
  const ask = (words: ReadonlyArray<string>, stdin?: Uint8Array) =>
    asked(git, words, { directory, ...(stdin && { stdin }) }, "git could not take what the agent changed")
  yield* ask([...here, "add", "--all", "."])
  const tree = yield* ask([...here, "write-tree"])
  const before = yield* ask([...here, "rev-parse", `${base}^{tree}`])
  if (tree === before) return yield* problem("unchanged", "the agent changed no file of the repository")
  yield* withoutSecrets(git, repository, [before, tree])
  const made = yield* ask([...identity, ...here, "commit-tree", tree, "-p", base], bytesOf(messageOf(action)))
  yield* ask([...here, "branch", branch, made])
  return yield* ask([...here, "diff", "--shortstat", base, made])
})
