/** What a session does on a forge: the pull requests and issues it works on, and what it told them. */
import * as Json from "../Json.ts"
import type { JudgmentState } from "../Judgment.ts"
import * as ShellCommand from "../ShellCommand.ts"
import type { ToolCall, TranscriptEvent } from "../Transcript.ts"
import type { ForgeWork as Schema } from "./compactionSchema.ts"
import * as Deeds from "./forgeDeeds.ts"
import * as Refs from "./forgeRefs.ts"
import { shellCommand, toolKind } from "./tools.ts"

export type ForgeWork = typeof Schema.Type

export const initial: ForgeWork = {
  version: 1,
  order: 0,
  begun: 0,
  refs: [],
  repos: [],
  branch: null,
  branched: 0,
  committed: 0,
  pushed: 0,
  reported: 0
}

const maxRefs = 12

const maxRepos = 8

const nameOf = (repo: string): string => repo.slice(repo.lastIndexOf("/") + 1)

/** Another repository than the session works in; a fork has the name of what it was forked from. */
const isForeign = ({ repos }: ForgeWork, repo: string | null): boolean =>
  repo !== null && repos.length > 0 && !repos.some((own) => nameOf(own) === nameOf(repo))

const isSame = (state: ForgeWork, ref: ForgeWork["refs"][number], named: Refs.Named): boolean =>
  ref.number === named.number &&
  ref.kind === named.kind &&
  (ref.repo === named.repo || named.repo === null || (ref.repo === null && !isForeign(state, named.repo)))

/** The one of that repository, or else the last that it could be. */
const known = (state: ForgeWork, named: Refs.Named): ForgeWork["refs"][number] | undefined =>
  state.refs.find((ref) => isSame(state, ref, named) && ref.repo === named.repo) ??
  state.refs.findLast((ref) => isSame(state, ref, named))

/** What happens to a ref: `own` where the session was told to work on it, or does. */
interface Deal {
  readonly own: boolean
  readonly closed?: boolean
}

const name = (state: ForgeWork, named: Refs.Named, { closed, own }: Deal): ForgeWork => {
  const before = known(state, named)
  const ref = {
    kind: named.kind,
    number: named.number,
    url: named.url ?? before?.url ?? null,
    repo: named.repo ?? before?.repo ?? null,
    branch: (own ? state.branch : null) ?? before?.branch ?? null,
    order: own ? state.order : (before?.order ?? state.order),
    own: own || (before?.own ?? false),
    closed: closed ?? before?.closed ?? false
  }
  return { ...state, refs: [...state.refs.filter((other) => other !== before), ref].slice(-maxRefs) }
}

const nameAll = (state: ForgeWork, named: ReadonlyArray<Refs.Named>): ForgeWork =>
  named.reduce((all, one) => name(all, one, { own: true }), state)

const atHome = (state: ForgeWork, repos: ReadonlyArray<string>): ForgeWork =>
  repos.length === 0 ? state : { ...state, repos: [...new Set([...state.repos, ...repos])].slice(-maxRepos) }

const reported = (state: ForgeWork): ForgeWork => ({ ...state, reported: state.order })

const tells = new Set([
  "create",
  "new",
  "open",
  "comment",
  "note",
  "review",
  "edit",
  "update",
  "ready",
  "close",
  "merge"
])
const owns = new Set([...tells, "reopen", "checkout", "co", "update-branch"])

/** A word on another repository's is told once, and nothing of ours is owed to it. */
const isOwn = (state: ForgeWork, { repo, verb }: Deeds.Deed): boolean =>
  owns.has(verb) && (repo === null || state.repos.includes(repo))

const onDeed = (state: ForgeWork, deed: Deeds.Deed, outcome: Deeds.Outcome): ForgeWork => {
  const { kind, repo, rest, verb } = deed
  if (Deeds.isRefused(outcome)) return state
  const creates = verb === "create" || verb === "new" || verb === "open"
  const made = creates ? Refs.addressed(outcome.output).findLast((one) => one.kind === kind) : undefined
  const named = made ?? (creates ? null : Refs.inWords(rest, kind, repo)) ?? current(state, kind)
  const home = made?.repo == null ? state : atHome(state, [made.repo])
  const deal: Deal = { own: made !== undefined || isOwn(state, deed), ...Deeds.ending(deed, outcome) }
  const next = named === null ? home : name(home, named, deal)
  return tells.has(verb) ? reported(next) : next
}

/** Without a number it is that of the branch, which is the last one named. */
const current = (state: ForgeWork, kind: Refs.Named["kind"]): Refs.Named | null =>
  state.refs.findLast((ref) => ref.kind === kind && ref.own && !ref.closed) ?? null

const branchOf = (words: ReadonlyArray<string | null>, output: string): string | null => {
  if (words[0] !== "git") return /Switched to (?:a new )?branch '([^'\n]{1,200})'/.exec(output)?.[1] ?? null
  const at = words.findIndex((word) => word === "checkout" || word === "switch")
  if (at < 0) return null
  const flag = words.findIndex(
    (word, index) => index > at && /^-(?:b|B|c|C)$|^--create$/.test(word?.slice(0, 10) ?? "")
  )
  if (flag > 0) return words[flag + 1] ?? null
  return /Switched to (?:a new )?branch '([^'\n]{1,200})'/.exec(output)?.[1] ?? null
}

const pushedBranch = (output: string): string | null =>
  /^.{0,80}(?:\.\.|\[new branch\]).{0,200}? -> (\S{1,200})$/m.exec(output)?.[1] ?? null

const onCommand = (state: ForgeWork, command: ShellCommand.SimpleCommand, call: ToolCall): ForgeWork => {
  const deed = Deeds.read(command.words)
  const outcome = { output: call.output ?? "", sure: command.exit === "implied" }
  const told = deed === null || command.dryRun ? state : onDeed(state, deed, outcome)
  const output = (call.output ?? "").slice(-4000)
  const branch = branchOf(command.words, output)
  const at = command.words[0] === "git" ? atHome(told, remotesOf(command, output)) : told
  const moved = branch === null ? at : { ...at, branch, branched: at.order }
  if (!command.classes.includes("push") || command.dryRun || command.push?.delete === true) return moved
  const opens = command.classes.includes("pr_create") ? reported(moved) : moved
  const pushed = { ...opens, branch: command.push?.branch ?? pushedBranch(output) ?? opens.branch }
  return nameAll(pushed, command.words[0] === "git" ? Refs.addressed(output).filter(({ kind }) => kind === "pr") : [])
}

const remotesOf = ({ classes, words }: ShellCommand.SimpleCommand, output: string): ReadonlyArray<string> =>
  classes.includes("push") || words.includes("remote") ? Refs.remotes(output) : []

const forge = /\b(?:git|gh|glab|tea|fj|hub|jj|gt)\b/

const onShell = (state: ForgeWork, call: ToolCall): ForgeWork => {
  const command = shellCommand(call)
  if (command === null || !forge.test(command.slice(0, ShellCommand.maxLength))) return state
  return ShellCommand.analyze(command).commands.reduce((all, one) => onCommand(all, one, call), state)
}

const wrote =
  /(?:create|add|update|edit|post|submit|reply|close|merge|write)[a-z_]{0,20}(?:pull_?request|merge_?request|issue|comment|review|note)|(?:pull_?request|merge_?request|issue)[a-z_]{0,20}(?:create|update|comment|write|close|merge)/i
const about = /pull_?request|merge_?request|issue|\bpr_|_pr\b/i

/** A forge's tool that a host has under a name of its own. */
const onTool = (state: ForgeWork, call: ToolCall): ForgeWork => {
  const tool = call.tool.slice(0, 200)
  if (!about.test(tool) && toolKind(tool) !== "pull_request") return state
  const input = Json.object(call.input)
  const given = ["pull_number", "pullNumber", "pr_number", "issue_number", "issueNumber", "iid", "number"]
    .map((key) => input[key])
    .find((value) => typeof value === "number" || typeof value === "string")
  const kind = /issue/i.test(tool) && input["pull_number"] === undefined ? ("issue" as const) : ("pr" as const)
  const [made] = Refs.addressed(call.output ?? "")
  const { owner, repo: repoName } = input
  const repo =
    typeof owner === "string" && typeof repoName === "string"
      ? Refs.repoOf(`${owner}/${repoName}`)
      : (made?.repo ?? null)
  const number = String(given).slice(0, 9)
  const named = given === undefined ? made : { kind, number, url: made?.url ?? null, repo }
  const tells = wrote.test(tool) || toolKind(tool) === "pull_request"
  const deal: Deal = { own: tells, ...Deeds.toolEnding(tool, input, call.output ?? "") }
  const next = named === undefined ? state : name(state, asPull(state, named, tool), deal)
  return tells ? reported(next) : next
}

/** A pull request is commented on as the issue of its number. */
const asPull = (state: ForgeWork, named: Refs.Named, tool: string): Refs.Named => {
  const pull = { ...named, kind: "pr" as const }
  return /comment/i.test(tool) && known(state, named) === undefined && known(state, pull)?.own === true ? pull : named
}

const failed = (call: ToolCall): boolean =>
  call.status === "error" ||
  call.status === "denied" ||
  call.status === "interrupted" ||
  (call.exitCode !== null && call.exitCode !== 0)

const onCall = (state: ForgeWork, call: ToolCall): ForgeWork => {
  if (call.status === "pending" || call.status === "running" || failed(call)) return state
  return toolKind(call.tool) === "shell" ? onShell(state, call) : onTool(state, call)
}

const lastPush = ({ evidence }: JudgmentState): number => evidence.pushes.at(-1)?.order ?? 0

/** Commits and pushes as the evidence counts them. */
const progress = (state: ForgeWork, before: JudgmentState, after: JudgmentState): ForgeWork => {
  const committed = after.evidence.turn === before.evidence.turn && after.evidence.commits > before.evidence.commits
  const pushed = lastPush(after) > lastPush(before)
  return committed || pushed
    ? { ...state, committed: committed ? state.order : state.committed, pushed: pushed ? state.order : state.pushed }
    : state
}

export const step = (
  given: ForgeWork,
  event: TranscriptEvent,
  { after, before, begins }: { readonly before: JudgmentState; readonly after: JudgmentState; readonly begins: boolean }
): ForgeWork => {
  if (event.type === "user_message") {
    const state = { ...given, order: given.order + 1 }
    if (event.synthetic) return given
    return nameAll(begins ? { ...state, begun: state.order } : state, Refs.asked(event.text))
  }
  if (event.type !== "tool_call" || event.agentId !== null) return given
  const state = { ...given, order: given.order + 1 }
  // A push that also opens a pull request is told of by it.
  return onCall(progress(state, before, after), event)
}

/** The open pull requests and issues, and whether those of the running task know of what was done. */
export interface Standing {
  readonly refs: ForgeWork["refs"]
  readonly branch: string | null
  readonly active: boolean
  readonly unpushed: boolean
  readonly untold: boolean
}

const maxShown = 4

/** The running task's own, and the last pull request of the branch that it works on. */
const underWay = (state: ForgeWork): ForgeWork["refs"] => {
  const { begun, branch } = state
  const open = state.refs.filter((ref) => ref.own && !ref.closed && !isForeign(state, ref.repo))
  const own = open.filter((ref) => ref.order >= begun)
  const before = open.findLast((ref) => ref.kind === "pr" && branch !== null && ref.branch === branch)
  return before === undefined || own.includes(before) ? own : [before, ...own]
}

export const standing = (state: ForgeWork): Standing => {
  const progressed = Math.max(state.committed, state.pushed)
  const refs = underWay(state).slice(-maxShown)
  const settled = state.refs.some((ref) => ref.closed && ref.order > progressed)
  const touched = Math.max(state.branched, state.committed, state.pushed)
  const branch = touched > 0 && touched >= state.begun && !settled ? state.branch : null
  return {
    refs,
    branch,
    active: refs.length > 0 || branch !== null,
    unpushed: state.committed > state.pushed && state.committed >= state.begun && state.committed > 0,
    untold: refs.some((ref) => ref.order >= state.begun) && progressed > Math.max(state.reported, state.begun)
  }
}
