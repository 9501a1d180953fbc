/** What a session does on a forge: the pull requests and issues it works on, and what it told them. */
import * as Json from "../../ground/json/Json.ts"
import type { JudgmentState } from "../verdict/Judgment.ts"
import * as ShellCommand from "../../session/shell/ShellCommand.ts"
import type { ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import {
  atHome,
  claim,
  current,
  type Deal,
  ended,
  type ForgeWork,
  isForeign,
  known,
  merged,
  name,
  nameAll,
  order
} from "./forgeBook.ts"
import * as Deeds from "./forgeDeeds.ts"
import * as Refs from "./forgeRefs.ts"
import * as Views from "./forgeViews.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

export { initial } from "./forgeBook.ts"

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
/** What is done to a pull request by whoever works on it. */
const changes = new Set(["edit", "update", "ready", "update-branch"])
const numberless = new Set(["close", "merge"])

/** A word on another repository's is told once, and nothing of ours is owed to it. */
const isOwn = (state: ForgeWork, { repo, verb }: Deeds.Deed): boolean =>
  owns.has(verb) && (repo === null || state.repos.includes(repo))

const onDeed = (state: ForgeWork, deed: Deeds.Deed, outcome: Deeds.Outcome): ForgeWork => {
  const { kind, repo, rest, verb } = deed
  if (Deeds.isRefused(outcome)) return state
  if (Views.isLook(verb)) return onLook(state, deed, outcome)
  const creates = verb === "create" || verb === "new" || verb === "open"
  const made = creates ? Refs.addressed(outcome.output).findLast((one) => one.kind === kind) : undefined
  const named = made ?? (creates ? null : Refs.inWords(rest, kind, repo)) ?? current(state, kind)
  const home = made?.repo == null ? state : atHome(state, [made.repo])
  const ending = Deeds.ending(deed, outcome)
  const own = made !== undefined || isOwn(state, deed)
  const deal: Deal = { own, ...ending, ...((changes.has(verb) || creates) && { subject: false }) }
  const next = named === null ? unnamed(home, deed, ending) : name(home, named, deal)
  const told = tells.has(verb) ? reported(next) : next
  return verb === "merge" && ending.closed === true ? merged(told) : told
}

/** A pull request that nothing named is the branch's, and with its merge the branch is done. */
const unnamed = (state: ForgeWork, { kind, verb }: Deeds.Deed, { closed }: Deeds.Ending): ForgeWork =>
  kind === "pr" && numberless.has(verb) && closed === true ? { ...state, branch: null } : state

/** A look without a number is at the branch's own; one at another's says what became of it. */
const onLook = (state: ForgeWork, { kind, repo, rest, verb }: Deeds.Deed, { output }: Deeds.Outcome): ForgeWork => {
  const view = Views.read(verb, output)
  const asked = Refs.inWords(rest, kind, repo)
  const number = asked?.number ?? view.number
  if (number === null) return ended(state, current(state, kind), view)
  const { url } = view
  const named: Refs.Named = { kind, number, url: asked?.url ?? url, repo: asked?.repo ?? repo ?? repoIn(url) }
  if (view.state === "merged" || view.state === "closed") return ended(state, named, view)
  const own = kind === "pr" && (asked === null || (view.branch !== null && view.branch === state.branch))
  const open = view.state === "open" ? { closed: false } : {}
  return name(state, named, { own, branch: view.branch, ...open })
}

const repoIn = (url: string | null): string | null => (url === null ? null : (Refs.addressed(url)[0]?.repo ?? null))

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
  const moved = branch === null ? at : onBranch({ ...at, branch, branched: at.order }, deed)
  if (!command.classes.includes("push") || command.dryRun || command.push?.delete === true) return moved
  const opens = command.classes.includes("pr_create") ? reported(moved) : moved
  const pushed = { ...opens, branch: command.push?.branch ?? pushedBranch(output) ?? opens.branch }
  return nameAll(
    claim(pushed),
    command.words[0] === "git" ? Refs.addressed(output).filter(({ kind }) => kind === "pr") : []
  )
}

/** `gh pr checkout 12` says which branch that is. */
const onBranch = (state: ForgeWork, deed: Deeds.Deed | null): ForgeWork => {
  const named = deed === null ? null : Refs.inWords(deed.rest, deed.kind, deed.repo)
  return named === null || known(state, named) === undefined
    ? state
    : name(state, named, { own: false, branch: state.branch })
}

const remotesOf = ({ classes, words }: ShellCommand.SimpleCommand, output: string): ReadonlyArray<string> =>
  classes.includes("push") || words.includes("remote") ? Refs.remotes(output) : []

const forge = /\b(?:git|gh|glab|tea|fj|hub|jj|gt)\b/

const onShell = (state: ForgeWork, call: ToolCall): ForgeWork => {
  const command = shellCommand(call)
  if (command === null || !forge.test(command.slice(0, ShellCommand.maxLength))) return state
  return ShellCommand.analyze(command).commands.reduce((all, one) => onCommand(all, one, call), state)
}

const writes =
  /(?:create|add|update|edit|post|submit|reply|close|merge|write)[a-z_]{0,20}(?:pull_?request|merge_?request|issue|comment|review|note)/i
const written = /(?:pull_?request|merge_?request|issue)[a-z_]{0,20}(?:create|update|comment|write|close|merge)/i
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
  const tells = writes.test(tool) || written.test(tool) || toolKind(tool) === "pull_request"
  const shown = tells ? null : Views.read("view", call.output ?? "")
  if (
    named !== undefined &&
    given !== undefined &&
    shown !== null &&
    (shown.state === "merged" || shown.state === "closed")
  )
    return ended(state, named, shown)
  const ending = Deeds.toolEnding(tool, input, call.output ?? "")
  const next = named === undefined ? state : name(state, asPull(state, named, tool), { own: tells, ...ending })
  const told = tells ? reported(next) : next
  return ending.closed === true && /merge/i.test(tool) && kind === "pr" ? merged(told) : told
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
    ? claim({
        ...state,
        committed: committed ? state.order : state.committed,
        pushed: pushed ? state.order : state.pushed
      })
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
    return order(begins ? { ...state, begun: state.order } : state, event.text)
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
  const settled = state.refs.some((ref) => ref.own && ref.closed && ref.order > progressed)
  const touched = Math.max(state.branched, state.committed, state.pushed)
  const branch = touched > 0 && touched >= state.begun && !settled ? state.branch : null
  return {
    refs,
    branch,
    active: refs.length > 0 || branch !== null,
    unpushed: state.committed > state.pushed && state.committed >= state.begun && state.committed > 0,
    untold:
      refs.some((ref) => ref.order >= state.begun && !ref.subject) && progressed > Math.max(state.reported, state.begun)
  }
}
