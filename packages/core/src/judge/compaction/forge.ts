/** Tracks the session's pull requests and branch, and the issues and pull requests that the user named. */
import type { JudgmentState } from "../../session/facts/Facts.ts"
import * as ShellCommand from "../../session/shell/ShellCommand.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import type { ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"

export interface Ref {
  readonly name: string
  /** Null if only the number is known. */
  readonly url: string | null
  /** True if the session itself opened the pull request or issue. */
  readonly opened: boolean
}

export interface Forge {
  readonly refs: ReadonlyArray<Ref>
  readonly branch: string | null
  /** True if there are commits since the last push. */
  readonly unpushed: boolean
  /** True if a push was not mentioned on the forge yet. A new task, or a message that names a ref, makes it false. */
  readonly untold: boolean
}

export const initial: Forge = { refs: [], branch: null, unpushed: false, untold: false }

const maxRefs = 4
const address = /https?:\/\/[\w.:-]{1,100}\/[\w.~/-]{1,200}?\/(?:-\/)?(pull|pulls|merge_requests|issues)\/(\d{1,9})\b/g
const numbered = /(?<![\w/])(pr |pull request |mr |merge request )?([#!])(\d{1,9})\b/gi

const nameOf = (isPull: boolean, number: string): string => `${isPull ? "pull request" : "issue"} #${number}`

const addresses = (text: string, opened: boolean): ReadonlyArray<Ref> =>
  [...text.slice(-8000).matchAll(address)].map(([url, place, number = ""]) => ({
    name: nameOf(place !== "issues", number),
    url,
    opened
  }))

const namedIn = (text: string): ReadonlyArray<Ref> => [
  ...addresses(text, false),
  ...[...text.slice(0, 8000).matchAll(numbered)].map(([, kind, sign, number = ""]) => ({
    name: nameOf(kind !== undefined || sign === "!", number),
    url: null,
    opened: false
  }))
]

const add = (refs: ReadonlyArray<Ref>, ref: Ref): ReadonlyArray<Ref> =>
  refs.some(({ name, url }) => name === ref.name && (ref.url === null || url === ref.url))
    ? refs
    : [...refs.filter(({ name, url }) => name !== ref.name || url !== null), ref].slice(-maxRefs)

/** A new task drops the refs that an earlier task only named. Refs that the session opened stay. */
const onMessage = (forge: Forge, text: string, goesOn: boolean): Forge => {
  const named = namedIn(text)
  const kept = goesOn ? forge.refs : forge.refs.filter(({ opened }) => opened)
  return { ...forge, refs: named.reduce(add, kept), untold: forge.untold && goesOn && named.length === 0 }
}

const subject = /^(?:gh|glab|tea|fj|hub) (?:pr|mr|pulls?|pull-request|issues?)\b|\b(?:pull|merge) request|\bissue\b/
const looks = /\b(?:get|list|view|status|search|check|checks|diff|read)\b/
const creates = /\b(?:create|new|open)\b|^hub pull-request/
const tells = /\b(?:add|create|new|open|comment|note|review|edit|update|ready|close|merge|reply)\b|^hub pull-request/
const waits =
  /--auto|--when-pipeline|will be (?:automatically )?(?:merged|added)|auto-?merge|merge queue|not mergeable/i

/** Removes the ref with the named number, and for a pull request the issues too. Without a number, removes all refs. */
const end = (refs: ReadonlyArray<Ref>, words: string): ReadonlyArray<Ref> => {
  const number = / [#!]?(\d{1,9})(?= |$)/.exec(words)?.[1]
  const isPull = /\b(?:pr|mr)\b/.test(words)
  return refs.filter(
    ({ name }) => number !== undefined && !name.endsWith(`#${number}`) && !(isPull && name.startsWith("issue"))
  )
}

const onDeed = (forge: Forge, deed: string, words: string, output: string): Forge => {
  if (!subject.test(deed) || looks.test(deed)) return forge
  const untold = forge.untold && !tells.test(deed)
  if (/\b(?:close|merge)(?! request)\b/.test(deed) && !waits.test(`${words}\n${output}`)) {
    const refs = end(forge.refs, words)
    return { ...forge, refs, branch: refs.length === 0 ? null : forge.branch, untold }
  }
  const refs = creates.test(deed) ? addresses(output, true).reduce(add, forge.refs) : forge.refs
  return { ...forge, refs, untold }
}

const moved = /Switched to (?:a new )?branch '([^'\n]{1,200})'|(?:\.\.|\[new branch\])[^\n]{0,200}? -> (\S{1,200})$/m

const remote = /^To \S{0,200}?([\w.-]{1,100}?)(?:\.git)?$/m

/** Keeps the refs of the repository that was pushed to, and refs without a URL. */
const isOwn = (output: string): ((ref: Ref) => boolean) => {
  const repo = remote.exec(output)?.[1]
  return ({ url }) => repo === undefined || url === null || url.includes(`/${repo}/`)
}

const onCall = (forge: Forge, call: ToolCall, before: JudgmentState, after: JudgmentState): Forge => {
  const output = call.output ?? ""
  const push = after.evidence.pushes.at(-1)
  const isPush = push !== undefined && push.order > (before.evidence.pushes.at(-1)?.order ?? 0)
  const printed = moved.exec(output.slice(-4000))
  const switched = after.evidence.branch === before.evidence.branch ? null : after.evidence.branch
  const state: Forge = {
    refs: isPush ? forge.refs.filter(isOwn(output)) : forge.refs,
    branch: printed?.[1] ?? printed?.[2] ?? (isPush ? push.branch : null) ?? switched ?? forge.branch,
    unpushed: !isPush && (forge.unpushed || after.evidence.commits > before.evidence.commits),
    untold: isPush || forge.untold
  }
  if (toolKind(call.tool) !== "shell") return onDeed(state, call.tool.replaceAll("_", " "), "pr", output)
  return ShellCommand.analyze(shellCommand(call) ?? "").commands.reduce(
    (all, { dryRun, words }) =>
      dryRun ? all : onDeed(all, words.slice(0, 3).join(" "), words.join(" ").slice(0, 2000), output),
    state
  )
}

export const step = (
  forge: Forge,
  event: TranscriptEvent,
  { after, before }: { readonly before: JudgmentState; readonly after: JudgmentState }
): Forge => {
  if (TaskContext.isGenuine(event)) return onMessage(forge, event.text, after.task.since === before.task.since)
  const isDone = event.type === "tool_call" && event.agentId === null && event.status === "completed"
  return isDone && (event.exitCode ?? 0) === 0 ? onCall(forge, event, before, after) : forge
}
