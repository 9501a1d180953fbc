/** Tracks what git does to the agent's change (discard, put aside, bring back), and where the change is. */
import { fileKind } from "../../base/system/Paths.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { hasFailed, shellOf } from "./Calls.ts"
import type { Away, Edit, EvidenceContext } from "./model.ts"

/** What a command does to edits that are not committed. */
export type Discard =
  | { readonly kind: "pop" }
  /** `commits` is set if the command also discards commits. */
  | { readonly kind: "all"; readonly commits?: true; readonly paths?: undefined }
  | { readonly kind: "stash"; readonly paths?: ReadonlyArray<string> }
  | { readonly kind: "paths"; readonly paths: ReadonlyArray<string> }

const gitWords = (words: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  if (words[0] !== "git") return []
  const rest = words.slice(1).filter((word) => word !== null)
  const at = rest.findIndex(
    (word, index) => !word.startsWith("-") && rest[index - 1] !== "-C" && rest[index - 1] !== "-c"
  )
  return at < 0 ? [] : rest.slice(at)
}

const isOption = (word: string): boolean => word.startsWith("-") && word !== "-"

const looksLikePath = (word: string): boolean => /^\.$|^\.\/|\.[a-z]\w{0,7}$|\/$/i.test(word)

const paths = (words: ReadonlyArray<string>): Discard | null => {
  const named = words.filter((word) => !isOption(word))
  if (named.length === 0) return null
  return named.some((word) => /^(?:\.|:\/|\*)$/.test(word)) ? { kind: "all" } : { kind: "paths", paths: named }
}

const stashOf = ([action = "push", ...rest]: ReadonlyArray<string>): Discard | null => {
  if (/^(?:pop|apply|branch)$/.test(action)) return { kind: "pop" }
  if (action === "save") return { kind: "stash" }
  if (action !== "push" && !isOption(action)) return null
  const words = action === "push" ? rest : [action, ...rest]
  const named = words.filter((word, at) => !isOption(word) && !/^(?:-m|--message)$/.test(words[at - 1] ?? ""))
  return named.length === 0 ? { kind: "stash" } : { kind: "stash", paths: named }
}

const isUnder = (path: string, discarded: string): boolean => {
  const bare = discarded.replace(/^\.\//, "").replace(/\/$/, "")
  return path === bare || path.endsWith(`/${bare}`) || path.startsWith(`${bare}/`) || path.includes(`/${bare}/`)
}

export const discardOf = (simple: SimpleCommand): Discard | null => {
  const [verb, ...rest] = gitWords(simple.words)
  const named = rest.filter((word) => !isOption(word))
  switch (verb) {
    case "restore":
      return rest.includes("--staged") && !rest.includes("--worktree") ? null : paths(rest)
    case "checkout": {
      const dashes = rest.indexOf("--")
      if (dashes >= 0) return paths(rest.slice(dashes + 1))
      if (rest.length !== named.length || named.length === 0) return null
      if (named.every(looksLikePath)) return paths(named)
      // For example, `git checkout main src/cart.ts`.
      return named.length > 1 && named.slice(1).every(looksLikePath) ? paths(named.slice(1)) : null
    }
    case "reset":
      if (!rest.includes("--hard")) return null
      return named[0] === undefined || named[0] === "HEAD" ? { kind: "all" } : { kind: "all", commits: true }
    case "show": {
      // For example, `git show HEAD:src/cart.ts > src/cart.ts`.
      const shown = named.flatMap((word) => /^(?:HEAD|@)[^:]{0,40}:(?:\.\/)?(.{1,300})$/.exec(word)?.[1] ?? [])
      const back = simple.writes.filter((path) => shown.some((one) => isUnder(path, one)))
      return back.length === 0 ? null : { kind: "paths", paths: back }
    }
    case "stash":
      return stashOf(rest)
    default:
      return null
  }
}

const refused = /^(?:fatal: |error: (?:pathspec|Your local|The following|could not|unable to|patch failed))/m

/** True if git's output says that a failed command did nothing. */
const isRefused = (output: string | null): boolean => refused.test((output ?? "").slice(0, 8000))

export const discardsOf = (call: ToolCall, context: EvidenceContext): ReadonlyArray<Discard> =>
  hasFailed(call) && isRefused(call.output)
    ? []
    : (shellOf(call, context)?.commands ?? []).flatMap((simple) => discardOf(simple) ?? [])

export const remaining = <A extends Pick<Edit, "path">>(
  edits: ReadonlyArray<A>,
  { paths: named }: Exclude<Discard, { readonly kind: "pop" }>
): ReadonlyArray<A> =>
  named === undefined ? [] : edits.filter((edit) => !named.some((path) => isUnder(edit.path, path)))

export interface CallContext {
  readonly edits: ReadonlyArray<Edit>
  /** The `order` of the last code edit in any turn. 0 if there is no such edit. */
  readonly editedAt: number
  readonly committedAt: number
  /** The branch with the agent's work. Null if unknown. */
  readonly branch: string | null
  /** The output of a call that failed. Null for any other call. */
  readonly output: string | null
  readonly cwd: string | null
}

export const whyAway: Readonly<Record<Away["kind"], string>> = {
  stash: "the change was in the stash",
  commit: "another commit was checked out",
  gone: "the change had been removed"
}

const creates = /^(?:-b|-B|-c|-C|--orphan|--create|--force-create)$/

/** Reads a checkout or a switch. Null for other commands. `name`: the branch that then has the agent's work, if any. */
const moveOf = (simple: SimpleCommand): { readonly target: string | null; readonly name: string | null } | null => {
  const [verb, ...rest] = gitWords(simple.words)
  const isMove = (verb === "checkout" || verb === "switch") && !rest.some((word) => /^--(?:ours|theirs)?$/.test(word))
  if (!isMove || discardOf(simple) !== null) return null
  const named = rest.filter((word) => !isOption(word))
  const flag = rest.findIndex((word) => creates.test(word))
  const target = (flag < 0 ? named[0] : named[1]) ?? null
  const name = (flag < 0 ? (rest.length === 1 ? rest[0] : null) : rest[flag + 1]) ?? ""
  return {
    target: target === "HEAD" || target === "@" ? null : target,
    name: /^[\w./][\w./-]{0,199}$/.test(name) ? name : null
  }
}

export const branchOf = (simple: SimpleCommand): string | null => moveOf(simple)?.name ?? null

/** True for a commit or a shared branch. Agents do not work there. */
const isBase = (target: string): boolean =>
  /^(?:main|master|develop|dev|trunk|HEAD.*|@.*|[0-9a-f]{7,40})$|[~^]|^(?:origin|upstream)\//.test(target)

const afterMove = (away: Away | null, target: string, { branch, editedAt }: CallContext): Away | null => {
  const isBack = target === "-" || target === "@{-1}"
  if (away?.kind === "commit")
    return isBack || (away.back === null ? !isBase(target) : target === away.back) ? null : away
  return editedAt === 0 || (!isBack && target === branch) ? away : { kind: "commit", back: branch }
}

/** True if a discard removes all uncommitted parts of the change. */
const takesAll = (
  discard: Exclude<Discard, { readonly kind: "pop" }>,
  { committedAt, editedAt, edits }: CallContext
) => {
  if (discard.kind === "all" && discard.commits === true) return editedAt > 0
  const loose = edits.filter(({ order }) => order > committedAt)
  return (
    editedAt > committedAt &&
    remaining(loose, discard).length === 0 &&
    !loose.some(({ prior = Infinity }) => prior <= committedAt) &&
    (loose.length > 0 || discard.paths === undefined)
  )
}

export const afterCommand = (away: Away | null, simple: SimpleCommand, seen: CallContext): Away | null => {
  const words = simple.words[0] === "patch" ? ["apply", ...simple.words] : gitWords(simple.words)
  const verb = words[0] ?? ""
  if (isRefused(seen.output)) return away
  if (verb === "") {
    const isWork = simple.writes.some((path) => path !== "*" && /^(?:source|test)$/.test(fileKind(path, seen.cwd)))
    return isWork ? null : away
  }
  const discard = discardOf(simple)
  if (discard?.kind === "pop") return away?.kind === "stash" ? null : away
  if (discard !== null)
    return takesAll(discard, seen) ? { kind: discard.kind === "stash" ? "stash" : "gone", back: null } : away
  const takesOut =
    verb === "apply"
      ? words.some((word) => word === "-R" || word === "--reverse")
      : verb === "revert" && /^(?:HEAD|@)$/.test(words.at(-1) ?? "")
  if (takesOut) return seen.editedAt > 0 ? { kind: "gone", back: null } : away
  if (verb === "apply") return null
  // A merge, for example, brings the change back into the working copy.
  if (away?.kind === "commit" && /^(?:merge|rebase|cherry-pick|pull)$/.test(verb)) return null
  const target = moveOf(simple)?.target ?? null
  return target === null ? away : afterMove(away, target, seen)
}

/** True for `git worktree add`, which checks out code in another folder. */
export const addsWorktree = (simple: SimpleCommand): boolean => {
  const [verb, action] = gitWords(simple.words)
  return verb === "worktree" && action === "add"
}
