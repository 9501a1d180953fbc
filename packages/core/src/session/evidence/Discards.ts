import type { Edit, EvidenceContext } from "./model.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"

/** What a command does to edits that are not committed: throws them away, puts them aside or brings them back. */
export type Discard =
  | { readonly kind: "pop" }
  /** `commits`: those since another commit go as well. */
  | { readonly kind: "all"; readonly commits?: true; readonly paths?: undefined }
  | { readonly kind: "stash"; readonly paths?: ReadonlyArray<string> }
  | { readonly kind: "paths"; readonly paths: ReadonlyArray<string> }

const known = (words: ReadonlyArray<string | null>): ReadonlyArray<string> => words.filter((word) => word !== null)

/** The words of a git command from its subcommand on, without `-C dir` and the like before it. */
export const gitWords = (words: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  if (words[0] !== "git") return []
  const rest = known(words.slice(1))
  const at = rest.findIndex(
    (word, index) => !word.startsWith("-") && rest[index - 1] !== "-C" && rest[index - 1] !== "-c"
  )
  return at < 0 ? [] : rest.slice(at)
}

const looksLikePath = (word: string): boolean =>
  word === "." || /\.[a-z]\w{0,7}$|\/$/i.test(word) || word.startsWith("./")

const paths = (words: ReadonlyArray<string>): Discard | null => {
  const named = words.filter((word) => !word.startsWith("-"))
  if (named.length === 0) return null
  return named.some((word) => word === "." || word === ":/" || word === "*")
    ? { kind: "all" }
    : { kind: "paths", paths: named }
}

const stashOf = ([action = "push", ...rest]: ReadonlyArray<string>): Discard | null => {
  if (action === "pop" || action === "apply" || action === "branch") return { kind: "pop" }
  if (action === "save") return { kind: "stash" }
  if (action !== "push" && !action.startsWith("-")) return null
  const words = action === "push" ? rest : [action, ...rest]
  const named = words.filter((word, at) => !word.startsWith("-") && !/^(?:-m|--message)$/.test(words[at - 1] ?? ""))
  return named.length === 0 ? { kind: "stash" } : { kind: "stash", paths: named }
}

/** What one simple command discards, null for one that discards nothing. */
export const discardOf = (simple: ShellCommand.SimpleCommand): Discard | null => {
  const [verb, ...rest] = gitWords(simple.words)
  switch (verb) {
    case "restore":
      return rest.includes("--staged") && !rest.includes("--worktree") ? null : paths(rest)
    case "checkout": {
      const dashes = rest.indexOf("--")
      if (dashes >= 0) return paths(rest.slice(dashes + 1))
      const named = rest.filter((word) => !word.startsWith("-"))
      if (rest.length !== named.length || named.length === 0) return null
      if (named.every(looksLikePath)) return paths(named)
      // `git checkout main src/cart.ts`
      return named.length > 1 && named.slice(1).every(looksLikePath) ? paths(named.slice(1)) : null
    }
    case "reset": {
      if (!rest.includes("--hard")) return null
      const target = rest.find((word) => !word.startsWith("-"))
      return target === undefined || target === "HEAD" ? { kind: "all" } : { kind: "all", commits: true }
    }
    case "stash":
      return stashOf(rest)
    default:
      return null
  }
}

/** What a settled call discards, in the order of its commands; a failed one discards nothing that is known. */
export const discardsOf = (call: ToolCall, context: EvidenceContext): ReadonlyArray<Discard> => {
  if (toolKind(call.tool) !== "shell") return []
  const command = shellCommand(call)
  if (command === null || !/\bgit\b/.test(command.slice(0, 32_000))) return []
  return ShellCommand.analyze(command, context.repo.scripts).commands.flatMap((simple) =>
    simple.exit === "implied" && call.status === "error" ? [] : (discardOf(simple) ?? [])
  )
}

const isUnder = (path: string, discarded: string): boolean => {
  const bare = discarded.replace(/^\.\//, "").replace(/\/$/, "")
  return path === bare || path.endsWith(`/${bare}`) || path.startsWith(`${bare}/`) || path.includes(`/${bare}/`)
}

/** The edits that are left after a discard. */
export const remaining = <A extends Pick<Edit, "path">>(
  edits: ReadonlyArray<A>,
  discard: Exclude<Discard, { readonly kind: "pop" }>
): ReadonlyArray<A> => {
  const { paths: named } = discard
  return named === undefined ? [] : edits.filter((edit) => !named.some((path) => isUnder(edit.path, path)))
}
