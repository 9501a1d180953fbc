/** Classifies a call by its tool or by its commands: nothing important, a look, a check, or work. */
import type { EvidenceContext } from "./model.ts"
import { checkClasses } from "../vocabulary/GateTable.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { isView, shellCommand, type ToolKind, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

type Simple = ShellCommand.SimpleCommand

export const shellOf = (
  call: ToolCall,
  { repo }: EvidenceContext
): (ShellCommand.ShellAnalysis & { readonly command: string }) | null => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return command === null ? null : { command, ...ShellCommand.analyze(command, repo.scripts) }
}

/** True if a call failed. Some hosts report a failure in the status, others only in the exit status. */
export const hasFailed = ({ exitCode, status }: ToolCall): boolean =>
  status === "error" || (exitCode !== null && exitCode !== 0)

/** Programs that change nothing and show nothing about the code, or that only end a process. */
const idle: ReadonlySet<string> = new Set(
  "cd echo printf true false : export set unset chmod mkdir touch pwd sleep date which source exit return logout trap local declare readonly shopt umask alias unalias clear reset test [ kill pkill killall xkill fuser disown fg bg wait renice open xdg-open pbcopy pbpaste xclip say notify-send bind stty ssh-add ssh-keygen gpg".split(
    " "
  )
)

/** Filters that may drop the lines about a failure. */
export const cutters: ReadonlySet<string> = new Set("head grep egrep rg sed awk cut jq less more".split(" "))

/** True if a command has no important effect. Also true for a test in brackets, which has no words. */
export const isIdle = ({ words: [program = ":"] }: Simple): boolean => program !== null && idle.has(program)

const opaque = /^(?:other|unknown|process|deploy)$/

export const isOpaque = ({ classes }: Simple): boolean =>
  classes.length === 0 || classes.some((name) => opaque.test(name))

export const isCheck = ({ classes }: Simple): boolean => classes.some((name) => checkClasses.has(name))

const looks = /^(?:read|search|pr_view)$/

const looksAt = /^(?:read|search|pr_view|vcs|pr)$/

export const isLook = ({ classes, writes }: Simple): boolean =>
  writes.length === 0 && classes.some((name) => looks.test(name)) && classes.every((name) => looksAt.test(name))

const isWatch = ({ classes }: Simple): boolean => classes.includes("ci")

/** How a call counts when looks are compared with work. Null if it does not count, as for an update of the todos. */
export type Share = "look" | "check" | "work" | null

const ofCommands = ({ commands, unknown }: ShellCommand.ShellAnalysis): Share => {
  const ran = commands.filter((simple) => simple.writes.length > 0 || !isIdle(simple))
  if (unknown) return "work"
  if (ran.every(isWatch)) return null
  const others = ran.filter((simple) => !isLook(simple) && !isWatch(simple))
  return others.length === 0 ? "look" : others.every(isCheck) ? "check" : "work"
}

const shares: Partial<Record<ToolKind, Share>> = {
  read: "look",
  search: "look",
  fetch: "look",
  todo: null,
  question: null,
  plan: null
}

export const shareOf = (call: ToolCall, context: EvidenceContext): Share => {
  if (call.agentId !== null) return "work"
  const shell = shellOf(call, context)
  if (shell !== null) return ofCommands(shell)
  const share = isView(call) ? "look" : shares[toolKind(call.tool)]
  return share === undefined ? "work" : share
}
