/** Where runs print whose output the call itself does not show, and what a later look at it says of them. */
import { isCheck } from "../gates/GateTable.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import * as Json from "../../ground/json/Json.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { foreignRun } from "./foreignRuns.ts"
import { tellsKilled } from "./Killed.ts"
import type { Evidence, EvidenceContext, Output, Run } from "./model.ts"
import { printedText, withoutNumbers } from "./printedText.ts"
import { cutters } from "./runsOfCall.ts"

const maxOutputs = 8
const maxNames = 8

const isGate = ({ classes }: ShellCommand.SimpleCommand): boolean =>
  classes.some((name) => name === "test" || name === "build" || name === "typecheck" || name === "lint")

/** The files that a command's output goes to. */
const filesOf = (commands: ReadonlyArray<ShellCommand.SimpleCommand>, isRun: boolean): ReadonlyArray<string> =>
  commands
    .filter(
      (simple) =>
        simple.words.length === 0 || simple.words[0] === "tee" || (isRun ? isGate(simple) : simple.words[0] !== "echo")
    )
    .flatMap(({ writes }) => writes)
    .filter((path) => path !== "*" && path !== "/dev/null")

/** By what a host calls a task that it has put into the background: its number, and the file that it writes. */
const toldNames = (output: string): ReadonlyArray<string> => {
  const head = output.slice(0, 2000)
  return [
    ...[...head.matchAll(/\bID:? ?([\w-]{1,60})/g)].map((match) => match[1] ?? ""),
    ...[...head.matchAll(/(?:^|[\s"'`])((?:\/|[A-Za-z]:\\)[^\s"'`]{2,300})/g)].map((match) => match[1] ?? "")
  ].map((name) => name.replace(/[.,;:]$/, ""))
}

/** Short, and without a secret: it is kept. */
const isPlain = (name: string): boolean => name.length <= 400 && redactedHead(name, 400) === name

/** A command without one of these prints to nowhere but its own output. */
const redirects = />|\btee\b|\bnohup\b/

interface Place {
  readonly order: number
  readonly turn: number
}

/** What a call leaves to be read: of its `known` runs and of those that it only `started`, else of a command that nobody here understands. */
export const openedBy = (
  call: ToolCall,
  { known, started }: { readonly known: ReadonlyArray<Run>; readonly started: ReadonlyArray<Run> },
  place: Place,
  context: EvidenceContext
): ReadonlyArray<Output> => {
  const runs = [...known, ...started]
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command === null || (!call.background && !redirects.test(command))) return []
  const { commands } = ShellCommand.analyze(command, context.repo.scripts)
  const checks = runs.filter(({ gate }) => isCheck(gate))
  const isStarted = (run: Run): boolean => call.background || started.includes(run)
  const files = filesOf(commands, checks.length > 0)
  const told = call.background ? toldNames(call.output ?? "") : []
  const left = /\bnohup\b/.test(command) && files.length === 0 ? ["nohup.out"] : []
  const names = [...new Set([...files, ...told, ...left])].filter(isPlain).slice(0, maxNames)
  if (names.length === 0) return []
  if (checks.length > 0)
    return checks.map((run) => ({
      run: { ...run, failing: [] },
      names,
      known: true,
      killed: false,
      started: isStarted(run)
    }))
  const foreign = foreignRun(call, place, context)
  return foreign === null ? [] : [{ run: foreign, names, known: false, killed: false, started: call.background }]
}

export const withOutputs = (outputs: ReadonlyArray<Output>, added: ReadonlyArray<Output>): ReadonlyArray<Output> =>
  added.length === 0 ? outputs : [...outputs, ...added].slice(-maxOutputs)

/** The host says that what it had put into the background is over. */
export const whenOver = (outputs: ReadonlyArray<Output>, { background, id }: ToolCall): ReadonlyArray<Output> =>
  background && id !== null && outputs.some(({ run }) => run.callId === id)
    ? outputs.map((one) => (one.run.callId === id ? { ...one, started: false } : one))
    : outputs

/** A run that was killed has no word on what it would have come to, whatever it printed before. */
export const whenKilled = (outputs: ReadonlyArray<Output>, callId: string | null): ReadonlyArray<Output> =>
  callId !== null && outputs.some(({ run }) => run.callId === callId)
    ? outputs.map((one) => (one.run.callId === callId ? { ...one, killed: true } : one))
    : outputs

const bare = (path: string): string => path.replace(/^(?:\.\/)+/, "").replaceAll("\\", "/")

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** Whether a word names a file, or by a star several of a folder. */
const isSame = (word: string, name: string): boolean => {
  if (word === name || word.endsWith(`/${name}`) || name.endsWith(`/${word}`)) return word !== ""
  return (
    /^[^*]{1,200}\*[^*]{0,100}$/.test(word) && new RegExp(`^${word.split("*").map(escaped).join("[^/]*")}$`).test(name)
  )
}

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Object.values(Json.object(value))
    .slice(0, 20)
    .flatMap((one) => (typeof one === "string" ? [one] : typeof one === "number" ? [String(one)] : []))

/** The words of a call by which it may name what it looks at. */
const wordsOf = (call: ToolCall): ReadonlyArray<string> => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return command === null ? textsIn(call.input) : command.slice(0, 4000).split(/[\s"'`;|&()<>=,]+/)
}

const repeats: ReadonlySet<string> = new Set(["todo", "question", "plan", "agent"])

const isRunOf = ({ run: own }: Output, run: Run): boolean =>
  run.gate === own.gate && (own.callId === null ? run.order === own.order : run.callId === own.callId)

/** Whether the call itself is the run, and was read as that. */
const isOwn = (output: Output, { runs }: Pick<Evidence, "runs">, call: ToolCall, order: number): boolean =>
  (output.run.callId === null ? output.run.order === order : output.run.callId === call.id) &&
  (!output.known || runs.some((run) => isRunOf(output, run)))

/** The outputs of one run at which a call looks, the newest that it names. */
const lookedAt = (
  { outputs, runs }: Pick<Evidence, "outputs" | "runs">,
  call: ToolCall,
  order: number
): ReadonlyArray<Output> => {
  const kind = toolKind(call.tool)
  if (outputs.length === 0 || repeats.has(kind) || (kind === "edit" && !isView(call))) return []
  const words = wordsOf(call).map(bare)
  const found = outputs.findLast(
    (one) =>
      !isOwn(one, { runs }, call, order) && one.names.some((name) => words.some((word) => isSame(word, bare(name))))
  )
  return found === undefined
    ? []
    : outputs.filter(({ names, run }) => run.order === found.run.order && names === found.names)
}

/** Whether what is shown may leave out the lines that say what failed. */
const isCut = (call: ToolCall, context: EvidenceContext): boolean => {
  if (toolKind(call.tool) === "search") return true
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return (
    command !== null &&
    ShellCommand.analyze(command, context.repo.scripts).commands.some(({ words }) => cutters.has(words[0] ?? ""))
  )
}

/** What is shown of an output; null where that does not tell. */
const shown = (call: ToolCall, { killed, known, run }: Output, context: EvidenceContext): Partial<Run> | null => {
  const text = printedText(call.output ?? "")
  const kind = isCheck(run.gate) ? run.gate : "tests"
  const partial = isCut(call, context)
  const plain = withoutNumbers(text)
  for (const read of plain === text ? [text] : [text, plain]) {
    const summary = RunnerOutput.summarize(read, { kind, runner: null, partial })
    if (summary?.outcome === "failed" && (kind !== "tests" || RunnerOutput.endsFailed(read)))
      return { result: "failed", detail: summary.detail, failing: summary.failing.slice(0, 10) }
    if (!known) continue
    if (summary?.outcome === "passed" && !killed && !tellsKilled(read))
      return { result: "passed", detail: summary.detail }
    const why =
      summary === null || summary.outcome === "failed"
        ? RunnerOutput.whyNothing(read, { kind, runner: null, succeeded: false })
        : null
    if (why !== null && run.exitCode !== 0) return { result: "unknown", detail: why }
  }
  return null
}

/** An exit status of its own outranks a green output, and a failure is not taken back. */
const settled = (run: Run, found: Partial<Run>): Run | null => {
  if (found.result === "failed") return run.result === "failed" ? run : { ...run, ...found }
  if (run.result === "failed") return null
  if (found.result === "passed") return run.result === "unknown" && run.exitCode === null ? { ...run, ...found } : run
  return run.exitCode === null || run.detail.endsWith(" exited 0") ? { ...run, ...found } : run
}

interface Look extends Place {
  /** The last edit that a run depends on. */
  readonly edit: number
}

const late: Pick<Run, "detail" | "failing" | "result"> = {
  result: "unknown",
  detail: "it was started before the last edit",
  failing: []
}

/** What a call that looks at outputs of runs makes of these runs; null where it looks at none. */
export const readBy = (
  { outputs, runs }: Pick<Evidence, "outputs" | "runs">,
  call: ToolCall,
  { edit, order, turn }: Look,
  context: EvidenceContext
): { readonly runs: ReadonlyArray<Run>; readonly isNew: boolean } | null => {
  const found = lookedAt({ outputs, runs }, call, order)
  if (found.length === 0) return null
  const bases = found.map((output) => runs.findLast((run) => isRunOf(output, run)) ?? output.run)
  // What is shown now is as new as the look, unless something has changed or run since.
  const isNew = bases.every(
    (base) =>
      edit <= base.order && !runs.some((run) => run.gate === base.gate && run !== base && run.order > base.order)
  )
  /** What was only started may have printed it after an edit, and for the code before. */
  const mayFollow = found.every(({ started }) => started)
  const all = found.reduce<ReadonlyArray<Run>>((before, output, at) => {
    const told = shown(call, output, context)
    const base = bases[at] ?? output.run
    const isLate = mayFollow && told?.result === "passed" && edit > base.order
    const next = told === null ? null : isLate ? { ...base, ...late } : settled(base, told)
    if (next === null) return before
    const placed = isNew || isLate ? { ...next, order, turn } : next
    return [...before.filter((run) => !isRunOf(output, run)), placed]
  }, runs)
  return { runs: all.toSorted((one, other) => one.order - other.order), isNew }
}
