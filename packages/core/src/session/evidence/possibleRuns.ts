/**
 * What in a call could have been a run of a check although it is not known as one: what nobody here understands may have
 * run anything, and what prints a test runner's own summary has run tests, whatever it is called.
 */
import { checkClasses } from "../gates/GateTable.ts"
import type { EvidenceContext, PossibleRun, Run } from "./model.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { oneLine } from "../../ground/text/Text.ts"
import { placesOf } from "./Places.ts"
import { ranTests } from "../output/RunnerOutput.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { isView, shellCommand, type ToolKind, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

type Place = Pick<PossibleRun, "order" | "turn">

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

/** Programs that change nothing and show nothing about the code. */
export const harmless = words(
  "cd echo printf true false : export set unset chmod mkdir touch pwd sleep date which source"
)

/** What besides runs no program of the project's: it ends something, or shows it to a person. */
const idlePrograms = words(
  "exit return logout trap local declare readonly shopt umask alias unalias clear reset test [ kill pkill killall xkill fuser disown fg bg wait renice open xdg-open pbcopy pbpaste xclip say notify-send bind stty ssh-add ssh-keygen gpg"
)

/** What builds by rules of the project's own, which may run its tests as well. */
const builders = words(
  "make gmake cmake ninja meson gradle gradlew ./gradlew mvn mvnw ./mvnw bazel bazelisk ant msbuild just rake task nx turbo"
)

/** What may have run any check. */
const elsewhere: ReadonlySet<ShellCommand.CommandClass> = new Set(["other", "unknown", "process", "deploy"])

const isCheck = (classes: ReadonlyArray<ShellCommand.CommandClass>): boolean =>
  classes.some((name) => checkClasses.has(name))

/** A check that was only started: its output may go to a file, which is no edit, and how it went is not known. */
const isStarted = (simple: ShellCommand.SimpleCommand | undefined): boolean =>
  simple?.exit === "background" && isCheck(simple.classes)

const sayTests = /\b(?:tests?|specs?|examples?|scenarios?|pass(?:ed|ing|es)?|fail(?:ed|ures?|ing)?|assertions?)\b/i

const compiling =
  /^\s{0,4}(?:\[\s{0,3}\d{1,4}[%/]|(?:\S{0,40}-)?(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|ld|ar)\s|(?:CC|CXX|LD|AR|LINK)\s|ninja: |make\S{0,10}: |Compiling |Linking )/m

/** What compilers and linkers print, and not a word of tests: a rule of the project's own that runs those shows them. */
const onlyCompiles = (program: string, output: string): boolean =>
  /^(?:g?make|cmake|ninja|meson)$/.test(program) &&
  compiling.test(output.slice(0, 16_000)) &&
  !sayTests.test(output.slice(-16_000).replaceAll(compiled, ""))

/** Targets and files that are called after tests. */
const compiled =
  /\b(?:Built target|Building \w{1,6} object|Linking \w{1,6} (?:\w{1,10} ){0,2}(?:library|executable)) \S{1,200}/g

/** Whether a command could have been a check that it is not known as. A test in brackets has no words. */
const isUnidentified =
  (output: string) =>
  ({ classes, dryRun, exit, promises, words }: ShellCommand.SimpleCommand): boolean => {
    if (exit === "background" && isCheck(classes)) return !dryRun
    const program = words[0] === undefined ? ":" : (words[0] ?? "")
    if (dryRun || promises.length > 0 || harmless.has(program) || idlePrograms.has(program)) return false
    if (classes.length === 0 || classes.some((name) => elsewhere.has(name))) return true
    return (
      classes.includes("build") && !classes.includes("test") && builders.has(program) && !onlyCompiles(program, output)
    )
  }

/** Tools of the hosts, and our own, that run nothing of a project's, or nothing that is not on record by itself. */
export const idleTools =
  /^(?:ToolSearch|EnterPlanMode|Skill|skill|KillShell|KillBash|SendMessage|StructuredOutput|reflection|set_reflection|code_mode)$/

const shown = (text: string): string => oneLine(redactedHead(text, 2000), 120)

interface Unidentified {
  readonly what: string
  readonly order: number
  readonly behind: boolean
}

const inShell = (call: ToolCall, order: number, context: EvidenceContext): Unidentified | null => {
  const command = shellCommand(call)
  if (command === null) return null
  const { commands, unknown } = ShellCommand.analyze(command, context.repo.scripts)
  const lastWrite = commands.findLastIndex(({ writes }) => writes.length > 0)
  const at = commands.findLastIndex(isUnidentified(call.output ?? ""))
  if (at >= 0) {
    const { text = "", via = null } = commands[at] ?? {}
    return {
      what: `\`${shown(via ?? text)}\``,
      order: placesOf(commands, order, call, context)[at] ?? order,
      behind: at > lastWrite || (at === lastWrite && isStarted(commands[at]))
    }
  }
  return unknown ? { what: `\`${shown(command)}\``, order, behind: lastWrite < 0 } : null
}

const unidentified = (call: ToolCall, kind: ToolKind, order: number, context: EvidenceContext): Unidentified | null => {
  if (kind === "shell") return inShell(call, order, context)
  if (kind === "agent") return { what: "a subagent", order, behind: true }
  if (kind !== "other" || idleTools.test(call.tool.slice(0, 60))) return null
  return { what: `the tool \`${shown(call.tool)}\``, order, behind: true }
}

/** The end of an output, where a runner sums up. */
const tail = 16_000

/** What these print is what was written, or what a person said. */
const repeats: ReadonlySet<ToolKind> = new Set(["edit", "todo", "question", "plan"])

/** Commands of these classes show what is there already. */
const showing: ReadonlySet<ShellCommand.CommandClass> = new Set(["read", "search", "write"])

/** What a call's output is of, where it could be a run's. */
export const printsOf = (call: ToolCall, kind: ToolKind, context: EvidenceContext): "work" | "files" | null => {
  if (kind === "read" || kind === "search" || isView(call)) return "files"
  if (kind !== "shell") return repeats.has(kind) ? null : "work"
  const command = shellCommand(call)
  // What stands in the command is printed by it, and by no run.
  if (command === null || ranTests(command)) return null
  const { commands } = ShellCommand.analyze(command, context.repo.scripts)
  const ran = commands.filter(({ words }) => !harmless.has(words[0] ?? ""))
  if (ran.length === 0) return null
  return ran.every(({ classes }) => classes.every((name) => showing.has(name))) ? "files" : "work"
}

interface Around {
  /** The known runs of the call. */
  readonly runs: ReadonlyArray<Run>
  /** Something ran before of which nobody knows what it does, or whether it has ended: it may have written a log. */
  readonly mayRun: boolean
}

/** Whether a call that is no run of tests prints what a runner prints at its end. A log of nobody's making is an old one. */
const printsSummary = (call: ToolCall, kind: ToolKind, context: EvidenceContext, { mayRun, runs }: Around): boolean => {
  if (runs.some(({ gate }) => gate === "tests")) return false
  const of = printsOf(call, kind, context)
  if (of === null || (of === "files" && !mayRun)) return false
  const output = (call.output ?? "").slice(-tail)
  return sayTests.test(output.slice(-4000)) && ranTests(output)
}

const nameOf = (call: ToolCall, kind: ToolKind): string => {
  const command = kind === "shell" ? shellCommand(call) : null
  return command === null ? `the tool \`${shown(call.tool)}\`` : `\`${shown(command)}\``
}

/** The possible runs of a call. */
export const possibleRuns = (
  call: ToolCall,
  { order, turn }: Place,
  context: EvidenceContext,
  around: Around
): ReadonlyArray<PossibleRun> => {
  const kind = toolKind(call.tool)
  const any = unidentified(call, kind, order, context)
  if (any !== null) return [{ gate: null, ...any, turn }]
  return printsSummary(call, kind, context, around)
    ? [{ gate: "tests", what: nameOf(call, kind), order, turn, behind: false }]
    : []
}
