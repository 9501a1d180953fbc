/** What mutators left in a project for a person, read back: proposals in files, and branches with a change in them. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as CrossReviewDiff from "../../ask/crossreview/CrossReviewDiff.ts"
import * as QuietGit from "../../base/system/QuietGit.ts"
import * as CommitMessage from "./commitMessage.ts"
import * as Proposal from "./proposal.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"
import * as Worktree from "./worktree.ts"

/**
 * The most that is read: branches, the newest, and bytes of the diff of each.
 *
 * @category limits
 */
export const limits = { branches: 50, diff: 24_000 } as const

/**
 * The folder of proposals, below the one of a workspace's records.
 *
 * @category constants
 */
export const folder = Proposal.folder

/**
 * The change that the text of a proposal's file describes; null where it is none.
 *
 * @category decoding
 */
export const ofProposal: (text: string) => RecommendedAction | null = Proposal.parse

/**
 * A branch of a mutator's. `at` is epoch ms; `action` is null where a person's commit came on top. `changed` is git's own
 * count; both it and `diff`, against where the branch left the current one, are empty where it is merged.
 *
 * @category models
 */
export interface Branch {
  readonly name: string
  readonly at: number | null
  readonly subject: string
  readonly action: RecommendedAction | null
  readonly isMerged: boolean
  readonly changed: string
  readonly diff: string
}

const fields = ["refname:lstrip=2", "objectname", "committerdate:unix", "contents"]

/** Each field ends with a NUL, and each branch with the line break that git adds. */
const format = fields.map((field) => `%(${field})%00`).join("")

const listed = (bytes: Uint8Array) => {
  const texts = QuietGit.text(bytes).split("\0")
  return texts.flatMap((name, index) => {
    const [hash, seconds, message] = texts.slice(index + 1, index + fields.length)
    return index % fields.length > 0 || hash === undefined || seconds === undefined || message === undefined
      ? []
      : [{ name: name.trim(), hash, at: seconds === "" ? null : Number(seconds) * 1000, message }]
  })
}

/** git's count stands in the first line, before the diff. */
const difference = Effect.fnUntraced(function* (git: QuietGit.Git, directory: string, hash: string) {
  const words = ["diff", "--shortstat", "--patch", ...QuietGit.plainDiff, `HEAD...${hash}`, "--"]
  const bytes = yield* QuietGit.ask(git, words, { directory, limit: limits.diff, cut: true })
  const text = bytes === null ? "" : QuietGit.text(bytes)
  const begin = text.indexOf("\ndiff ")
  const { kept } = CrossReviewDiff.withoutKeys(begin < 0 ? "" : text.slice(begin + 1))
  return { changed: (text.split("\n", 1)[0] ?? "").trim(), diff: kept }
})

/**
 * The branches of a repository that mutators made, the newest first; none where git cannot be asked. Nothing that the
 * repository configures is run.
 *
 * @category reading
 */
export const branches: (
  repository: string
) => Effect.Effect<ReadonlyArray<Branch>, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =
  Effect.fn("LeftChanges.branches")(function* (repository: string) {
    const git = yield* QuietGit.open(repository, [])
    if (git === null) return []
    const under = `refs/heads/${Worktree.branches}`
    const ask = (...words: ReadonlyArray<string>) =>
      QuietGit.ask(git, ["for-each-ref", ...words, under], { directory: repository })
    const found = yield* ask("--sort=-committerdate", `--count=${limits.branches}`, `--format=${format}`)
    if (found === null) return []
    const within = yield* ask("--merged=HEAD", `--format=%(refname:lstrip=2)`)
    const merged = new Set(within === null ? [] : QuietGit.text(within).split("\n"))
    return yield* Effect.forEach(listed(found), ({ at, hash, message, name }) =>
      Effect.gen(function* () {
        const isMerged = merged.has(name)
        const nothing = { changed: "", diff: "" }
        const what = isMerged ? nothing : yield* difference(git, repository, hash)
        const [subject = ""] = message.split("\n", 1)
        return { name, at, subject, action: CommitMessage.parse(message), isMerged, ...what }
      })
    )
  })
