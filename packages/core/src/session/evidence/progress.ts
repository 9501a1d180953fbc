/** Tracks a turn's progress: how many calls only look, what fails repeatedly, and what failed without later success. */
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { oneLine } from "../../base/text/Text.ts"
import { isPending } from "../output/ProgressWords.ts"
import type * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { isKilled } from "./Killed.ts"
import type { Evidence, EvidenceContext } from "./model.ts"
import { hasFailed, type Share, shareOf, shellOf } from "./Calls.ts"

type Progress = Pick<Evidence, "failedWork" | "looking" | "repeats" | "worked">

export const noProgress: Progress = {
  failedWork: null,
  looking: { looks: 0, other: 0 },
  repeats: { fingerprint: "", count: 0, failed: false, what: "" },
  worked: false
}

/** A check counts half as much as other work, because it shows what the code does but changes nothing. */
const weight = { check: 1, work: 2 }

const countLooks = (before: Evidence["looking"], share: Share): Evidence["looking"] => {
  if (share === null) return before
  return share === "look" ? { ...before, looks: before.looks + 1 } : { ...before, other: before.other + weight[share] }
}

const fewest = 8

const most = 6

/** True if a turn had many looks and almost no work. For example, one edit and twelve looks count as only looking. */
export const onlyLooks = ({ looking }: Pick<Evidence, "looking">): boolean =>
  looking.looks >= Math.max(fewest, most * looking.other)

/** Commands that wait for something that changes by itself. Until the change, their exit status means little. */
const polls =
  /(?:^|[;&(]\s{0,3}|\b(?:do|until|while)\s)(?:sleep|watch|wait|tail|ping|curl|wget|pgrep|test -|\[ |gh (?:pr (?:checks|status|view)|run)|glab ci|kubectl (?:get|rollout|wait))/

/** A running server repeats these errors. With such an error, a command is a poll only if it also waits. */
const refuses = /\b(?:error: |HTTP(?:\/[\d.]{1,3})? )4(?!08|25|29)\d\d\b/i

const isPoll = (asked: string, output: string): boolean =>
  polls.test(asked) && (!refuses.test(output.slice(-2000)) || /\b(?:sleep|watch|wait)\b/.test(asked))

const nameOf = (call: ToolCall): string =>
  oneLine(redactedHead(shellCommand(call) ?? `a call of ${call.tool.slice(0, 60)}`, 1000), 100)

/** A successful look is counted. Any other success, an edit, or a failure of unfinished work ends the series. */
const countRepeat = (
  before: Evidence["repeats"],
  call: ToolCall,
  { edited, looks }: { readonly edited: boolean; readonly looks: boolean }
): Evidence["repeats"] => {
  const failed = hasFailed(call)
  const asked = (shellCommand(call) ?? JSON.stringify(call.input ?? null)).slice(0, 400)
  if (!failed && looks && before.count > 0) return { ...before, looks: (before.looks ?? 0) + 1 }
  const output = call.output ?? ""
  if (!failed || edited || isPoll(asked, output) || isPending(output)) return noProgress.repeats
  const fingerprint = `${call.tool.slice(0, 200)}:${KeyHash.ofText(asked)}`
  return fingerprint === before.fingerprint
    ? { ...before, count: before.count + 1, what: before.what === "" ? nameOf(call) : before.what }
    : { fingerprint, count: 1, failed, what: "" }
}

const nothingToDo =
  /nothing to commit|no changes added|nothing added to commit|up[- ]to[- ]date|already (?:exists|installed)/i

/** In a command of these classes, a word such as `deploy` is only a name. */
const named = /^(?:install|test|lint|typecheck|search|read|commit|push|vcs)$/

const shows =
  /\b(?:get|describe|logs?|ls|list\S*|status|show|info|diff|plan|build|dev|version|whoami|ps|--dry-run|--check)\b/

const isDeploy = ({ classes, dryRun, text, via }: ShellCommand.SimpleCommand): boolean => {
  const said = `${via ?? ""} ${text}`
  const isCalled = /\b(?:deploy\w*|publish|release|rollout)\b/i.test(said) && !classes.some((name) => named.test(name))
  return !dryRun && !shows.test(said) && (classes.includes("deploy") || isCalled)
}

/** Only another deployment repairs a failed deployment. Any success repairs other failures. */
const afterWork = (
  { failedWork, worked }: Pick<Progress, "failedWork" | "worked">,
  call: ToolCall,
  share: Share,
  context: EvidenceContext
): Pick<Progress, "failedWork" | "worked"> => {
  if (share === null || share === "look") return { failedWork, worked }
  const shell = shellOf(call, context)
  const deploy = shell?.commands.some(isDeploy) === true
  if (!hasFailed(call)) return { failedWork: failedWork?.deploy === true && !deploy ? failedWork : null, worked: true }
  const counts =
    shell !== null &&
    share === "work" &&
    (deploy || (!worked && failedWork?.deploy !== true)) &&
    !isKilled(call.exitCode) &&
    !nothingToDo.test((call.output ?? "").slice(-4000))
  return counts ? { failedWork: { what: nameOf(call), deploy }, worked } : { failedWork, worked }
}

export const progressOf = (
  { looking, repeats, ...before }: Progress,
  call: ToolCall,
  edited: boolean,
  context: EvidenceContext
): Progress => {
  const share = shareOf(call, context)
  return {
    ...afterWork(before, call, share, context),
    looking: countLooks(looking, share),
    repeats: countRepeat(repeats, call, { edited, looks: share === "look" })
  }
}
