/** What was to be done and failed, where nothing that was done since made up for it. */
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { shareOf } from "./looking.ts"
import type { Evidence, EvidenceContext } from "./model.ts"

/** Whether a call failed: some hosts say so by its status, some by its exit status alone. */
export const hasFailed = ({ exitCode, status }: ToolCall): boolean =>
  status === "error" || (exitCode !== null && exitCode !== 0)

/** Ended by a limit of time or a signal, as a server is that was only tried. */
const cutShort: ReadonlySet<number | null> = new Set([124, 130, 137, 143])

const nothingToDo =
  /nothing to commit|no changes added|nothing added to commit|up[- ]to[- ]date|already (?:exists|installed)/i

/** In a command of these a word of a deployment is a name. */
const aside: ReadonlySet<ShellCommand.CommandClass> = new Set([
  "install",
  "test",
  "lint",
  "typecheck",
  "search",
  "read",
  "commit",
  "push",
  "vcs"
])

const shows =
  /\b(?:get|describe|logs?|ls|list\S*|status|show|info|diff|plan|build|dev|version|whoami|ps|--dry-run|--check)\b/

const deploys = (command: string, { repo }: EvidenceContext): boolean =>
  ShellCommand.analyze(command, repo.scripts).commands.some(
    ({ classes, dryRun, text, via }) =>
      !dryRun &&
      !shows.test(`${via ?? ""} ${text}`) &&
      (classes.includes("deploy") ||
        (/\b(?:deploy\w*|publish|release|rollout)\b/i.test(`${via ?? ""} ${text}`) &&
          !classes.some((name) => aside.has(name))))
  )

type Seen = Pick<Evidence, "failedWork" | "worked">

/** A deployment is made up for by another alone, anything else by whatever works. */
export const afterWork = ({ failedWork, worked }: Seen, call: ToolCall, context: EvidenceContext): Seen => {
  const share = shareOf(call, context)
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (share === null || share === "look") return { failedWork, worked }
  const isDeploy = command !== null && deploys(command, context)
  if (!hasFailed(call))
    return { failedWork: failedWork?.deploy === true && !isDeploy ? failedWork : null, worked: true }
  const counts =
    command !== null &&
    share === "work" &&
    (isDeploy || !worked) &&
    !cutShort.has(call.exitCode) &&
    !nothingToDo.test((call.output ?? "").slice(-4000))
  return counts && (isDeploy || failedWork?.deploy !== true)
    ? { failedWork: { what: oneLine(redactedHead(command, 1000), 100), deploy: isDeploy }, worked }
    : { failedWork, worked }
}
