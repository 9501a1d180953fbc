/** A work tree of a repository at its last commit, apart from the one that is worked in, and a branch of what changed. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as CommitMessage from "./commitMessage.ts"
import { limits, type MutatorError } from "./Mutator.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"
import * as Secrets from "./secrets.ts"
import * as QuietGit from "../../base/system/QuietGit.ts"
import { oneLine } from "../../base/text/Text.ts"

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

const problem = (reason: MutatorError["reason"], detail: string) => Effect.fail([reason, detail] as const)

/** A checkout of a large repository takes its time. */
const patience = "5 minutes"

/** The folder of refs in which the branches are. */
export const branches = "reflexion/"

export const branchOf = ({ id }: RecommendedAction): string => `${branches}${id}`

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

const refOf = (branch: string): string => `refs/heads/${branch}`

/** `a/b/c` lies below these two. */
const above = (branch: string): ReadonlyArray<string> =>
  branch.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join("/")]))

/**
 * Whether the repository has the branch. Where it has not, and could not have it, that is said before anybody works for it:
 * git keeps no branch below another.
 */
export const hasBranch = Effect.fnUntraced(function* (repository: string, branch: string) {
  const git = yield* open(repository)
  const at = { directory: repository }
  if ((yield* QuietGit.ask(git, ["check-ref-format", refOf(branch)], at)) === null)
    return yield* problem("failed", `${oneLine(branch, 100)} is no name of a branch`)
  const verify = (one: string) => QuietGit.ask(git, ["rev-parse", "--verify", "--quiet", refOf(one)], at)
  if ((yield* verify(branch)) !== null) return true
  const below = yield* QuietGit.ask(
    git,
    ["for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", `${refOf(branch)}/`],
    at
  )
  const [found = null] = below === null ? [] : [QuietGit.text(below).trim()].filter((one) => one !== "")
  let taken = found
  for (const one of above(branch)) if ((yield* verify(one)) !== null) taken = one
  if (taken === null) return false
  return yield* problem(
    "unavailable",
    `there is a branch ${oneLine(taken, 100)}, beside which git makes no ${oneLine(branch, 100)}: rename it (git branch -m)`
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
  const base = yield* asked(
    git,
    ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
    at,
    `${repository} has no commit to begin with`
  )
  const prefix = yield* asked(git, ["rev-parse", "--show-prefix"], at, `${repository} is no work tree`)
  const words = ["worktree", "add", "--quiet", "--detach", directory, base]
  yield* Effect.acquireRelease(asked(git, words, at, `git made no work tree of ${repository}`), () =>
    remove(repository, directory)
  )
  const gitDir = yield* asked(
    git,
    ["rev-parse", "--absolute-git-dir"],
    { directory },
    `git knows nothing of its new work tree of ${repository}`
  )
  const worktree: Worktree = { repository, directory, cwd: path.join(directory, prefix), gitDir, base }
  return worktree
})

const mostNamed = 3

const placesOf = (places: ReadonlyArray<string>): string => {
  const more = places.length - mostNamed
  return `${places.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""} ${places.length === 1 ? "has" : "have"}`
}

/** The sandbox of an agent may let it read whatever its user can. */
const withoutSecrets = Effect.fnUntraced(function* (
  git: QuietGit.Git,
  trees: { readonly directory: string; readonly before: string; readonly after: string }
) {
  const places = yield* Secrets.found(git, trees)
  if (places === null)
    return yield* problem("failed", "what the agent changed is too much to be looked through for secrets")
  if (places.length > 0)
    return yield* problem("failed", `${placesOf(places)} what looks like a secret, so nothing was committed`)
})

const identity = ["-c", "user.name=reflexion", "-c", "user.email=reflexion@localhost"]

/** One commit of all that differs from the base, on a new branch; what the agent itself committed is in it. */
export const commit = Effect.fnUntraced(function* (worktree: Worktree, action: RecommendedAction) {
  const { base, directory, gitDir, repository } = worktree
  // What was set up meanwhile is turned off as well.
  const git = yield* open(repository)
  const here = [`--git-dir=${gitDir}`, `--work-tree=${directory}`]
  const at = { directory }
  const failing = "git could not take what the agent changed"
  yield* asked(git, [...here, "add", "--all", "."], at, failing)
  const tree = yield* asked(git, [...here, "write-tree"], at, failing)
  const before = yield* asked(git, [...here, "rev-parse", `${base}^{tree}`], at, failing)
  if (tree === before) return yield* problem("unchanged", "the agent changed no file of the repository")
  yield* withoutSecrets(git, { directory: repository, before, after: tree })
  const message = new TextEncoder().encode(CommitMessage.text(action))
  const words = [...identity, ...here, "commit-tree", tree, "-p", base]
  const made = yield* asked(git, words, { ...at, stdin: message }, failing)
  const branch = branchOf(action)
  yield* asked(git, ["branch", branch, made], { directory: repository }, `git could not make the branch ${branch}`)
  const stat = yield* QuietGit.ask(git, ["diff", "--shortstat", base, made], { directory: repository })
  return { branch, changed: stat === null ? "" : QuietGit.text(stat).trim() }
})

/** No agent has more, whatever it was given. */
export const roundsOf = (rounds: number): number =>
  Number.isFinite(rounds) ? Math.max(1, Math.min(limits.rounds, Math.floor(rounds))) : limits.rounds
