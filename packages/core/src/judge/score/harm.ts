/** Calls that destroy what is not the agent's: uncommitted work of the user's, databases, whole folders. */
import type { EvidenceContext } from "../../session/evidence/Evidence.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import * as ShellCommand from "../../session/shell/ShellCommand.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { type Discard, discardsOf } from "../../session/evidence/Discards.ts"
import { clip, oneLine } from "../../ground/text/Text.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

const maxPaths = 64

const listed = /^(?:(?! {2})[ MADRCU?!]{2} |\s{1,8}(?:modified|deleted|renamed|both modified):\s{1,8})(\S.{0,400})$/

/** What `git status` shows: changed files, and untracked ones, which outlast a reset. */
export interface Changes {
  readonly theirs: ReadonlyArray<string>
  readonly untracked: ReadonlyArray<string>
}

const changesOf = (output: string): Changes => {
  const lines = output.slice(0, 20_000).split("\n")
  const paths = (wanted: (line: string) => boolean): ReadonlyArray<string> =>
    lines
      .filter(wanted)
      .flatMap((line) => listed.exec(line.slice(0, 420).trimEnd())?.[1] ?? [])
      .slice(0, maxPaths)
  return {
    theirs: paths((line) => !line.startsWith("??") && !line.startsWith("!!")),
    untracked: paths((line) => line.startsWith("??"))
  }
}

const isStatus = ({ words }: ShellCommand.SimpleCommand): boolean => words[0] === "git" && words.includes("status")

/** The user's changes as a call shows them, null for a call that shows none. */
export const shownChanges = (call: ToolCall): Changes | null => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command === null || !/\bgit\b.{0,200}\bstatus\b/.test(command.slice(0, 2000))) return null
  return ShellCommand.analyze(command).commands.some(isStatus) ? changesOf(call.output ?? "") : null
}

const hits = (path: string, discard: Discard): boolean => {
  if (discard.kind === "all") return true
  if (discard.kind !== "paths") return false
  return discard.paths.some((given) => {
    const bare = given.replace(/^\.\//, "").replace(/\/$/, "")
    return path === bare || path.startsWith(`${bare}/`)
  })
}

/** `git clean -f` of the whole working copy; with a path or a pattern it may have been careful. */
const cleans = (call: ToolCall, context: EvidenceContext): boolean => {
  const command = toolKind(call.tool) === "shell" && call.status !== "error" ? shellCommand(call) : null
  if (command === null || !/\bclean\b/.test(command.slice(0, 8000))) return false
  return ShellCommand.analyze(command, context.repo.scripts).commands.some(({ words: [git, verb, ...rest] }) => {
    const isForced = rest.some((word) => /^-\w{0,6}f|^--force$/.test(word ?? ""))
    const isBounded = rest.some((word) => /^-\w{0,6}[nie]|^--(?:dry-run|interactive|exclude)|^[^-]/.test(word ?? "x"))
    return git === "git" && verb === "clean" && isForced && !isBounded
  })
}

/** What of the user's changes a call throws away, and what is left of them. */
export const thrownAway = (
  call: ToolCall,
  { theirs, untracked }: Changes,
  context: EvidenceContext
): { readonly lost: ReadonlyArray<string>; readonly left: Changes } => {
  const discards = theirs.length === 0 || call.status === "error" ? [] : discardsOf(call, context)
  const lost = theirs.filter((path) => discards.some((discard) => hits(path, discard)))
  // What is put aside comes back, or not, in ways that the record need not show.
  const aside = discards.some(({ kind }) => kind === "stash")
  const cleaned = untracked.length > 0 && cleans(call, context) ? untracked : []
  return {
    lost: [...lost, ...cleaned],
    left: {
      theirs: aside ? [] : theirs.filter((path) => !lost.includes(path)),
      untracked: aside || cleaned.length > 0 ? [] : untracked
    }
  }
}

/** Places that are made to be thrown away. */
const disposable = /test|tmp|temp|scratch|sandbox|example|mock|fixture|local|\bdev\b|_dev\b|staging|shadow|:memory:/i

const dropped = /\bdrop\s{1,4}(?:database|schema|table)\s{1,4}(?:if\s{1,4}exists\s{1,4})?["'`[]?([\w.]{1,80})/i
const emptied =
  /\btruncate\s{1,4}(?:table\s{1,4})?["'`[]?([\w.]{1,80})|\bdelete\s{1,4}from\s{1,4}["'`[]?([\w.]{1,80})["'`\]]?\s{0,4}(?:;|["']|$)/i
const creates =
  /\b(?:create\s{1,4}(?:temp(?:orary)?\s{1,4})?(?:database|schema|table)\s{1,4}(?:if\s{1,4}not\s{1,4}exists\s{1,4})?|createdb\s{1,4})["'`[]?([\w.]{1,80})/gi

const clients: ReadonlySet<string> = new Set(["psql", "mysql", "mariadb", "sqlite3", "cockroach", "clickhouse-client"])

const others: ReadonlyArray<RegExp> = [
  /^dropdb\s{1,4}(?:-\S{1,40}\s{1,4}){0,6}([\w.-]{1,80})/,
  /^redis-cli\b.{0,100}\bflush(?:all|db)\b/i,
  /^(?:terraform|tofu|pulumi)\s{1,4}(?:-\S{1,80}\s{1,4}){0,4}destroy\b/,
  /^kubectl\b.{0,100}\bdelete\s{1,4}(?:namespaces?|ns|pvc?|persistentvolume\w{0,10}|statefulsets?)\b/,
  /^aws\s{1,4}s3\s{1,4}(?:rb\b.{0,200}--force|rm\b.{0,200}--recursive)/,
  /^gh\s{1,4}repo\s{1,4}delete\b/
]

const words = ({ words }: ShellCommand.SimpleCommand): ReadonlyArray<string | null> => words

/** `rm -r` of a home directory, of the root, or of a repository's history. */
const removesAll = (simple: ShellCommand.SimpleCommand): boolean => {
  const [verb, ...rest] = words(simple)
  if (verb !== "rm" || !rest.some((word) => /^-\w{0,8}[rR]|^--recursive$/.test(word ?? ""))) return false
  return rest.some((word) => word !== null && /^(?:\/|\/\*|~\/?|~\/\*|\$HOME\/?|(?:\S{0,200}\/)?\.git\/?)$/.test(word))
}

const nameOf = (simple: ShellCommand.SimpleCommand): string | null => {
  const { text } = simple
  if (clients.has(simple.words[0] ?? "")) {
    const found = dropped.exec(text) ?? emptied.exec(text)
    return found === null ? null : (found[1] ?? found[2] ?? "")
  }
  const other = others.find((pattern) => pattern.test(text))
  return other === undefined ? null : (other.exec(text)?.[1] ?? "")
}

const destroys = (simple: ShellCommand.SimpleCommand, made: ReadonlyArray<string>): boolean => {
  if (simple.dryRun || disposable.test(simple.text)) return false
  const name = nameOf(simple)
  return removesAll(simple) || (name !== null && !made.includes(name.toLowerCase()))
}

const mayDestroy = /\b(?:drop|truncate|delete|dropdb|flush\w{2,3}|destroy|rb|rm|down)\b/i

const volume = /\bvolume\s{1,4}(\S{0,80}(?:data|db|postgres|pg|sql|mongo|redis|minio)\S{0,80})\s{1,12}removed\b/i

/** A volume with data in its name goes with the containers, by the program's own words. */
const volumeLost = (simple: ShellCommand.SimpleCommand, output: string): boolean =>
  /^docker(?:-compose)?\b.{0,200}\bdown\b.{0,100}\s(?:-v|--volumes)\b/.test(simple.text) &&
  !disposable.test(simple.text) &&
  volume.test(output) &&
  !disposable.test(volume.exec(output)?.[1] ?? "")

/** The commands of a call that destroy data; `made` are names that the session made itself. */
export const destroyed = (
  call: ToolCall,
  made: ReadonlyArray<string>,
  context: EvidenceContext
): ReadonlyArray<string> => {
  const command = toolKind(call.tool) === "shell" && call.status !== "error" ? shellCommand(call) : null
  if (command === null || !mayDestroy.test(command.slice(0, 8000))) return []
  return ShellCommand.analyze(command, context.repo.scripts)
    .commands.filter((simple) => destroys(simple, made) || volumeLost(simple, (call.output ?? "").slice(0, 20_000)))
    .map((simple) => `\`${clip(oneLine(redact(simple.text), 200), 120)}\``)
    .slice(0, 4)
}

/** The databases and tables that a call makes. */
export const madeBy = (call: ToolCall): ReadonlyArray<string> => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command === null || !/create/i.test(command.slice(0, 8000))) return []
  return [...command.slice(0, 8000).matchAll(creates)].map((match) => (match[1] ?? "").toLowerCase()).slice(0, 16)
}
