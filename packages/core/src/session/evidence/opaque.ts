/** Finds calls that are not known as checks but could have run one: unknown calls, or calls with a runner's summary. */
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { oneLine } from "../../base/text/Text.ts"
import { ranTests } from "../output/RunnerOutput.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import { isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { isCheck, isIdle, isOpaque, shellOf } from "./Calls.ts"
import { placesOf } from "./Edits.ts"
import type { Evidence, EvidenceContext, PossibleRun, Run } from "./model.ts"

/** Tools of hosts and of reflexion that run nothing in the project, or whose runs the record shows separately. */
export const idleTools =
  /^(?:ToolSearch|EnterPlanMode|Skill|skill|KillShell|KillBash|SendMessage|StructuredOutput|reflection|set_reflection|code_mode)$/

/** Build tools that follow the project's own rules. These tools may run the project's tests too. */
const builders =
  /^(?:g?make|cmake|ninja|meson|(?:\.\/)?(?:gradlew|mvnw)|gradle|mvn|bazel|bazelisk|ant|msbuild|just|rake|task|nx|turbo)$/

/** A check that was only started counts too, because the record lacks its result. */
const mayBeCheck = (simple: SimpleCommand): boolean => {
  const {
    classes,
    dryRun,
    exit,
    promises,
    words: [program = ""]
  } = simple
  if (dryRun) return false
  if (exit === "background" && isCheck(simple)) return true
  if (promises.length > 0 || isIdle(simple)) return false
  return isOpaque(simple) || (classes.includes("build") && !classes.includes("test") && builders.test(program ?? ""))
}

const shown = (text: string): string => `\`${oneLine(redactedHead(text, 2000), 120)}\``

/** How many characters are read from the end of an output. A runner prints its totals there. */
const tail = 16_000

/** If a call only shows or writes files, its summary is old, unless an unknown command may have written the summary. */
const printsSummary = (call: ToolCall, mayHaveRun: boolean, context: EvidenceContext): boolean => {
  const kind = toolKind(call.tool)
  const shell = shellOf(call, context)
  const ran = shell?.commands.filter((simple) => !isIdle(simple)) ?? []
  const isOld =
    shell === null
      ? kind === "read" || kind === "search" || isView(call)
      : ran.every(({ classes }) => classes.every((name) => name === "read" || name === "search" || name === "write"))
  const isRepeated =
    shell === null
      ? /^(?:edit|todo|question|plan)$/.test(kind) && !isView(call)
      : ran.length === 0 || ranTests(shell.command)
  return !isRepeated && (!isOld || mayHaveRun) && ranTests((call.output ?? "").slice(-tail))
}

interface Around {
  readonly runs: ReadonlyArray<Run>
  readonly mayHaveRun: boolean
}

const possibleRun = (
  call: ToolCall,
  { order, turn }: Pick<PossibleRun, "order" | "turn">,
  context: EvidenceContext,
  { mayHaveRun, runs }: Around
): PossibleRun | null => {
  const kind = toolKind(call.tool)
  const shell = shellOf(call, context)
  const at = shell?.commands.findLastIndex(mayBeCheck) ?? -1
  const found = shell?.commands[at]
  if (shell !== null && found !== undefined) {
    const place = placesOf(shell.commands, order, call, context)[at] ?? order
    return { gate: null, what: shown(found.via ?? found.text), order: place, turn }
  }
  if (kind === "agent") return { gate: null, what: "a subagent", order, turn }
  const what = shell === null ? `the tool ${shown(call.tool)}` : shown(shell.command)
  if (shell?.unknown === true || (kind === "other" && !idleTools.test(call.tool)))
    return { gate: null, what, order, turn }
  const isKnown = runs.some(({ gate }) => gate === "tests")
  return !isKnown && printsSummary(call, mayHaveRun, context) ? { gate: "tests", what, order, turn } : null
}

export const withPossible = (
  { issued, possible, turn }: Evidence,
  call: ToolCall,
  order: number,
  context: EvidenceContext,
  runs: ReadonlyArray<Run>
): ReadonlyArray<PossibleRun> => {
  const mayHaveRun = possible.length > 0 || issued.length > 0
  const added = possibleRun(call, { order, turn }, context, { runs, mayHaveRun })
  return added === null ? possible : [...possible.filter(({ gate }) => gate !== added.gate), added]
}

/** How git's own lines start. */
const ofGit =
  /^(?:\[|[*+!=] |[0-9a-f]{6,40}\.\.|To |Enumerating|Everything|remote:|Counting|On branch|hint:|warning:|Total |Writing|Delta)/

/** Lines before git's own lines come from a hook, which may have run any check. */
export const printsHook = (call: ToolCall): boolean => {
  const command = toolKind(call.tool) === "shell" ? (shellCommand(call)?.slice(0, 2000) ?? "") : ""
  const first = (call.output ?? "").slice(0, 4000).trimStart()
  return (
    /\bgit\b.{0,80}\b(?:commit|push)\b/.test(command) &&
    !command.includes("--no-verify") &&
    first !== "" &&
    !ofGit.test(first)
  )
}
