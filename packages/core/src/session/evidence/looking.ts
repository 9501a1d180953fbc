/** How much of a turn only looks around: an agent that plans and plans reads on, and hardly does anything. */
import { checkClasses } from "../gates/GateTable.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import type { Evidence, EvidenceContext } from "./model.ts"
import { harmless } from "./possibleRuns.ts"

type Looking = Evidence["looking"]

/** What a call is to this count; null where it is neither a look nor work, as a list of steps is. */
type Share = "look" | "check" | "work" | null

const looks: ReadonlySet<ShellCommand.CommandClass> = new Set(["read", "search", "pr_view"])

/** Beside one of those it only says what the look is at. */
const beside: ReadonlySet<ShellCommand.CommandClass> = new Set(["vcs", "pr"])

/** Whether a command only looks: `git status` changes as little as `cat` does. */
export const isLook = ({ classes, writes }: ShellCommand.SimpleCommand): boolean =>
  writes.length === 0 &&
  classes.some((name) => looks.has(name)) &&
  classes.every((name) => looks.has(name) || beside.has(name))

const isWatch = ({ classes }: ShellCommand.SimpleCommand): boolean => classes.includes("ci")

const isCheck = ({ classes }: ShellCommand.SimpleCommand): boolean => classes.some((name) => checkClasses.has(name))

const ofCommand = (command: string, { repo }: EvidenceContext): Share => {
  const { commands, unknown } = ShellCommand.analyze(command, repo.scripts)
  const ran = commands.filter(({ words, writes }) => writes.length > 0 || !harmless.has(words[0] ?? ""))
  if (unknown) return "work"
  if (ran.every(isWatch)) return null
  if (ran.every((simple) => isLook(simple) || isWatch(simple))) return "look"
  return ran.every((simple) => isLook(simple) || isWatch(simple) || isCheck(simple)) ? "check" : "work"
}

/** What nobody here understands may be the work itself. */
export const shareOf = (call: ToolCall, context: EvidenceContext): Share => {
  if (call.agentId !== null) return "work"
  switch (toolKind(call.tool)) {
    case "read":
    case "search":
    case "fetch":
      return "look"
    case "edit":
      return isView(call) ? "look" : "work"
    case "shell":
      return ofCommand(shellCommand(call) ?? "", context)
    case "todo":
    case "question":
    case "plan":
      return null
    default:
      return "work"
  }
}

/** A check shows what the code does and changes nothing: it weighs half. */
const weight = { check: 1, work: 2 }

export const countLooks = (before: Looking, call: ToolCall, context: EvidenceContext): Looking => {
  const share = shareOf(call, context)
  if (share === null) return before
  return share === "look" ? { ...before, looks: before.looks + 1 } : { ...before, other: before.other + weight[share] }
}

const fewest = 8

/** Looks to half a piece of work. */
const most = 6

/** Whether there was much looking and next to nothing else: an edit among twelve looks is no beginning. */
export const onlyLooks = ({ looking }: Pick<Evidence, "looking">): boolean =>
  looking.looks >= Math.max(fewest, most * looking.other)
