/** What a session does on a forge: the pull requests and issues it works on, and what it told them. */
import * as Json from "../Json.ts"
import type { JudgmentState } from "../Judgment.ts"
import * as ShellCommand from "../ShellCommand.ts"
import type { ToolCall, TranscriptEvent } from "../Transcript.ts"
import type { ForgeWork as Schema } from "./compactionSchema.ts"
import * as Refs from "./forgeRefs.ts"
import { shellCommand, toolKind } from "./tools.ts"

export type ForgeWork = typeof Schema.Type

export const initial: ForgeWork = {
  version: 1,
  order: 0,
  begun: 0,
  refs: [],
  branch: null,
  branched: 0,
  committed: 0,
  pushed: 0,
  reported: 0
}

const maxRefs = 12

const isSame = (ref: ForgeWork["refs"][number], named: Refs.Named): boolean =>
  ref.number === named.number && ref.kind === named.kind

const name = (state: ForgeWork, named: Refs.Named, closed = false): ForgeWork => {
  const before = state.refs.find((ref) => isSame(ref, named))
  const ref = {
    kind: named.kind,
    number: named.number,
    url: named.url ?? before?.url ?? null,
    branch: state.branch ?? before?.branch ?? null,
    order: state.order,
    closed: closed || (before?.closed ?? false)
  }
  return { ...state, refs: [...state.refs.filter((other) => !isSame(other, named)), ref].slice(-maxRefs) }
}

const nameAll = (state: ForgeWork, named: ReadonlyArray<Refs.Named>): ForgeWork =>
  named.reduce((all, one) => name(all, one), state)

const reported = (state: ForgeWork): ForgeWork => ({ ...state, reported: state.order })

/** What one command of a forge's program does to a pull request or an issue. */
interface Deed {
  readonly kind: Refs.Named["kind"]
  readonly verb: string
  readonly rest: ReadonlyArray<string | null>
}

const kinds: Readonly<Record<string, Refs.Named["kind"]>> = {
  pr: "pr",
  mr: "pr",
  "pull-request": "pr",
  pulls: "pr",
  issue: "issue",
  issues: "issue"
}

const programs = new Set(["gh", "glab", "tea", "fj", "hub"])

const deedOf = (words: ReadonlyArray<string | null>): Deed | null => {
  if (!programs.has(words[0] ?? "")) return null
  const at = words.findIndex((word, index) => index > 0 && word !== null && kinds[word] !== undefined)
  const kind = kinds[words[at] ?? ""]
  if (at < 0 || kind === undefined) return words[1] === "api" ? apiDeed(words) : null
  return { kind, verb: words[at + 1] ?? "", rest: words.slice(at + 2) }
}

const apiDeed = (words: ReadonlyArray<string | null>): Deed | null => {
  const path = words.find((word) => /\/(?:issues|pulls)\/\d/.test(word?.slice(0, 300) ?? ""))
  const [, place, number = ""] = /\/(issues|pulls)\/(\d{1,9})/.exec(path?.slice(0, 300) ?? "") ?? []
  if (place === undefined) return null
  const writes = words.some((word) =>
    /^(?:-f|-F|--field|--raw-field|--input|POST|PATCH)$/.test(word?.slice(0, 12) ?? "")
  )
  return { kind: place === "pulls" ? "pr" : "issue", verb: writes ? "comment" : "view", rest: [number] }
}

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
const ends = new Set(["close", "merge", "delete"])

const onDeed = (state: ForgeWork, { kind, rest, verb }: Deed, { output }: ToolCall): ForgeWork => {
  const creates = verb === "create" || verb === "new" || verb === "open"
  const made = creates ? Refs.addressed(output ?? "").findLast((one) => one.kind === kind) : undefined
  const named = made ?? (creates ? null : Refs.inWords(rest, kind)) ?? current(state, kind)
  const known = named === null ? state : name(state, named, ends.has(verb))
  return tells.has(verb) ? reported(known) : known
}

/** Without a number it is that of the branch, which is the last one named. */
const current = (state: ForgeWork, kind: Refs.Named["kind"]): Refs.Named | null =>
  state.refs.findLast((ref) => ref.kind === kind && !ref.closed) ?? null

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
  const deed = deedOf(command.words)
  const told = deed === null || command.dryRun ? state : onDeed(state, deed, call)
  const output = (call.output ?? "").slice(-4000)
  const branch = branchOf(command.words, output)
  const moved = branch === null ? told : { ...told, branch, branched: told.order }
  if (!command.classes.includes("push") || command.dryRun || command.push?.delete === true) return moved
  const opens = command.classes.includes("pr_create") ? reported(moved) : moved
  return { ...opens, branch: command.push?.branch ?? pushedBranch(output) ?? opens.branch }
}

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
  const named = given === undefined ? made : { kind, number: String(given).slice(0, 9), url: made?.url ?? null }
  const known = named === undefined ? state : name(state, named, /close|merge(?!_?request)/i.test(tool))
  return wrote.test(tool) || toolKind(tool) === "pull_request" ? reported(known) : known
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
const underWay = ({ begun, branch, refs }: ForgeWork): ForgeWork["refs"] => {
  const open = refs.filter((ref) => !ref.closed)
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
