/** Whether the working copy had the change when something ran: it may lie in the stash, or another commit be checked out. */
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import { fileKind } from "../../ground/system/Paths.ts"
import { discardOf, gitWords, remaining } from "./Discards.ts"
import type { Away, Edit } from "./model.ts"

/** What is known when a command of a call runs. */
export interface Seen {
  /** Code that was edited in this turn. */
  readonly edits: ReadonlyArray<Edit>
  /** The order of the last edit of code of any turn, and of the last commit. */
  readonly editedAt: number
  readonly committedAt: number
  /** The branch that is worked on, as far as that is known. */
  readonly branch: string | null
  readonly output: string
  /** The call failed: only what its output says has been done. */
  readonly failed: boolean
  readonly cwd: string | null
}

const nothingSaved = /No local changes to save/
const moved = /^(?:Switched to |HEAD is now at |Note: switching to |Saved working directory|Dropped |Updated \d)/m

const why = {
  stash: "the change lay in the stash",
  commit: "another commit was checked out",
  gone: "the change had been taken out"
} as const

const createFlags: ReadonlySet<string> = new Set(["-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create"])

/** What a checkout or a switch goes to: `back` is where it came from; null where it stays at the commit. */
const targetOf = (words: ReadonlyArray<string>): string | null => {
  const [verb, ...rest] = words
  if (verb !== "checkout" && verb !== "switch") return null
  if (rest.some((word) => /^(?:--|--ours|--theirs|-p|--patch)$/.test(word))) return null
  const creates = rest.some((word) => createFlags.has(word))
  const named = rest.filter((word) => word === "-" || !word.startsWith("-"))
  const target = creates ? named[1] : named[0]
  return target === undefined || target === "HEAD" || target === "@" ? null : target
}

const isBack = (target: string): boolean => target === "-" || target === "@{-1}"

/** A commit, a tag or a branch of everybody's: nobody's work goes on there. */
const isBase = (target: string): boolean =>
  /^(?:main|master|develop|dev|trunk|HEAD.*|@.*|[0-9a-f]{7,40})$|[~^]|^(?:origin|upstream)\//.test(target)

const afterMove = (away: Away | null, target: string, { branch, editedAt }: Seen): Away | null => {
  if (away?.kind === "commit") {
    const returns = isBack(target) || (away.back === null ? !isBase(target) : target === away.back)
    return returns ? null : away
  }
  if (editedAt === 0 || (!isBack(target) && target === branch)) return away
  return { kind: "commit", why: why.commit, back: branch }
}

/** What of the code that was edited a commit does not keep. */
const loose = ({ committedAt, edits }: Seen): ReadonlyArray<Edit> => edits.filter(({ order }) => order > committedAt)

const isLoose = ({ committedAt, editedAt }: Seen): boolean => editedAt > committedAt

const reverses = (words: ReadonlyArray<string | null>): boolean =>
  (words[0] === "patch" || (words[0] === "git" && words.includes("apply"))) &&
  words.some((word) => word === "-R" || word === "--reverse")

const writesCode = (simple: SimpleCommand, cwd: string | null): boolean =>
  simple.writes.some((path) => path !== "*" && /^(?:source|test)$/.test(fileKind(path, cwd)))

/** Where the change is behind one command of a call. */
export const afterCommand = (away: Away | null, simple: SimpleCommand, seen: Seen): Away | null => {
  const words = gitWords(simple.words)
  const discard = discardOf(simple)
  const isGit = words.length > 0 || simple.words[0] === "patch"
  if (isGit && seen.failed && simple.exit === "implied" && !moved.test(seen.output)) return away
  if (discard !== null) {
    if (discard.kind === "pop") return away?.kind === "stash" ? null : away
    const stash = discard.kind === "stash"
    if (stash && nothingSaved.test(seen.output)) return away
    const all = discard.kind !== "paths" && discard.paths === undefined
    const commits = discard.kind === "all" && discard.commits === true && seen.editedAt > 0
    const left = remaining(loose(seen), discard)
    const isGone = commits || (loose(seen).length === 0 ? all && isLoose(seen) : left.length === 0)
    return isGone ? { kind: stash ? "stash" : "gone", why: stash ? why.stash : why.gone, back: null } : away
  }
  if (reverses(simple.words)) return seen.editedAt > 0 ? { kind: "gone", why: why.gone, back: null } : away
  if (words[0] === "apply" || simple.words[0] === "patch") return null
  if (words[0] === "revert" && /^(?:HEAD|@)$/.test(words.at(-1) ?? "") && seen.editedAt > 0)
    return { kind: "gone", why: why.gone, back: null }
  if (words[0] === "bisect") {
    if (words[1] === "reset") return null
    return seen.editedAt > 0 ? { kind: "commit", why: why.commit, back: null } : away
  }
  // What was left behind is brought along.
  if (away?.kind === "commit" && /^(?:merge|rebase|cherry-pick|pull)$/.test(words[0] ?? "")) return null
  const target = simple.text.startsWith("gh pr checkout ") ? simple.text : targetOf(words)
  if (target !== null) return afterMove(away, target, seen)
  return !isGit && writesCode(simple, seen.cwd) ? null : away
}
