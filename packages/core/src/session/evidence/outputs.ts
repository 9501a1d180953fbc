/** If the call of a run does not show the output, tracks where the output is, and what a later call reads from it. */
import { isCheck } from "../vocabulary/GateTable.ts"
import * as Json from "../../base/json/Json.ts"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import { isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import * as Calls from "./Calls.ts"
import { type Outcome, failed, passed, unknown } from "./deliveries.ts"
import { foreignRun, readings } from "./foreign.ts"
import { tellsKilled } from "./Killed.ts"
import type { Evidence, EvidenceContext, Output, Run } from "./model.ts"
import { cutters } from "./Calls.ts"
import type { CallEvidence, Place } from "./runs.ts"

const maxOutputs = 8
const maxNames = 8

/** The names that a host gives to a background task: the task's number, and the file with its output. */
const toldNames = (output: string): ReadonlyArray<string> =>
  [...output.slice(0, 2000).matchAll(/\bID:? ?([\w-]{1,60})|(?:^|[\s"'`])((?:\/|[A-Za-z]:\\)[^\s"'`]{2,300})/g)].map(
    (match) => (match[1] ?? match[2] ?? "").replace(/[.,;:]$/, "")
  )

/** True if the name is short and has no secret. Names are stored. */
const isPlain = (name: string): boolean => name.length <= 400 && redactedHead(name, 400) === name

/** Each output belongs to a run or a started check of the call, or else to an unknown command. */
export const openedBy = (
  call: ToolCall,
  { runs, started }: Pick<CallEvidence, "runs" | "started">,
  place: Place,
  context: EvidenceContext
): ReadonlyArray<Output> => {
  const shell = Calls.shellOf(call, context)
  if (shell === null || (!call.background && !/>|\btee\b|\bnohup\b/.test(shell.command))) return []
  const checks = [...runs, ...started].filter(({ gate }) => isCheck(gate))
  const known = checks.length > 0
  const files = shell.commands
    .filter(
      (simple) =>
        simple.words.length === 0 ||
        simple.words[0] === "tee" ||
        (known ? Calls.isCheck(simple) : simple.words[0] !== "echo")
    )
    .flatMap(({ writes }) => writes)
    .filter((path) => path !== "*" && path !== "/dev/null")
  const left = files.length === 0 && /\bnohup\b/.test(shell.command) ? ["nohup.out"] : []
  const told = call.background ? toldNames(call.output ?? "") : []
  const names = [...new Set([...files, ...told, ...left])].filter(isPlain).slice(0, maxNames)
  if (names.length === 0) return []
  const own = known ? checks : [foreignRun(call, place, context)].filter((run) => run !== null)
  return own.map((run) => ({
    run: { ...run, failing: [] },
    names,
    known,
    started: call.background || started.includes(run)
  }))
}

export const withOutputs = (outputs: ReadonlyArray<Output>, added: ReadonlyArray<Output>): ReadonlyArray<Output> =>
  added.length === 0 ? outputs : [...outputs, ...added].slice(-maxOutputs)

const bare = (path: string): string => path.replace(/^(?:\.\/)+/, "").replaceAll("\\", "/")

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** A star may stand for several files of a folder. */
const isSame = (word: string, name: string): boolean => {
  if (word === name || word.endsWith(`/${name}`) || name.endsWith(`/${word}`)) return word !== ""
  return (
    /^[^*]{1,200}\*[^*]{0,100}$/.test(word) && new RegExp(`^${word.split("*").map(escaped).join("[^/]*")}$`).test(name)
  )
}

const wordsOf = (call: ToolCall): ReadonlyArray<string> => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return command === null
    ? Object.values(Json.object(call.input)).slice(0, 20).map(String)
    : command.slice(0, 4000).split(/[\s"'`;|&()<>=,]+/)
}

const isRunOf = ({ run: own }: Output, run: Run): boolean =>
  run.gate === own.gate && (own.callId === null ? run.order === own.order : run.callId === own.callId)

/** If a call names several outputs, the newest output counts. The call that made the run does not count as a look. */
const lookedAt = (
  { outputs, runs }: Pick<Evidence, "outputs" | "runs">,
  call: ToolCall,
  order: number
): ReadonlyArray<Output> => {
  const kind = toolKind(call.tool)
  if (outputs.length === 0 || /^(?:todo|question|plan|agent)$/.test(kind) || (kind === "edit" && !isView(call)))
    return []
  const words = wordsOf(call).map(bare)
  const isOwn = (output: Output): boolean =>
    (output.run.callId === null ? output.run.order === order : output.run.callId === call.id) &&
    (!output.known || runs.some((run) => isRunOf(output, run)))
  const isNamed = ({ names }: Output): boolean => names.some((name) => words.some((word) => isSame(word, bare(name))))
  const found = outputs.findLast((one) => !isOwn(one) && isNamed(one))
  return outputs.filter(
    ({ names, run }) => found !== undefined && run.order === found.run.order && names === found.names
  )
}

const isCut = (call: ToolCall, context: EvidenceContext): boolean =>
  toolKind(call.tool) === "search" ||
  Calls.shellOf(call, context)?.commands.some(({ words }) => cutters.has(words[0] ?? "")) === true

const shown = (call: ToolCall, { known, run }: Output, context: EvidenceContext): Outcome | null => {
  const kind = isCheck(run.gate) ? run.gate : "tests"
  const hint = { kind, runner: null, partial: isCut(call, context) }
  for (const read of readings(call.output ?? "")) {
    const summary = RunnerOutput.summarize(read, hint)
    const isFailed = summary?.outcome === "failed"
    if (isFailed && (kind !== "tests" || RunnerOutput.endsFailed(read))) return failed(summary.detail, summary.failing)
    if (!known) continue
    if (summary?.outcome === "passed" && !tellsKilled(read)) return passed(summary.detail)
    const why = summary === null || isFailed ? RunnerOutput.whyNothing(read, { ...hint, succeeded: false }) : null
    if (why !== null && run.exitCode !== 0) return unknown(why)
  }
  return null
}

/** The run's own exit status counts more than a green output. A failure stays. Null if nothing changes. */
const settled = (run: Run, found: Outcome): Run | null => {
  const { detail, failing, result } = found
  const isOpen = run.exitCode === null
  if (result === "failed") return run.result === "failed" ? run : { ...run, result, detail, failing }
  if (run.result === "failed") return null
  if (result === "passed") return isOpen && run.result === "unknown" ? { ...run, result, detail } : run
  return isOpen || run.detail.endsWith(" exited 0") ? { ...run, result, detail } : run
}

/** Null if the call does not look at an output. `edit` is the `order` of the last edit that can matter to a run. */
export const readBy = (
  { outputs, runs }: Pick<Evidence, "outputs" | "runs">,
  call: ToolCall,
  { edit, ...place }: Place & { readonly edit: number },
  context: EvidenceContext
): ReadonlyArray<Run> | null => {
  const found = lookedAt({ outputs, runs }, call, place.order)
  if (found.length === 0) return null
  /** A run that was only started may print after an edit, although it tested the code before the edit. */
  const mayFollow = found.every(({ started }) => started)
  const all = found.reduce<ReadonlyArray<Run>>((before, output) => {
    const told = shown(call, output, context)
    const base = runs.findLast((run) => isRunOf(output, run)) ?? output.run
    const isLate = mayFollow && told?.result === "passed" && edit > base.order
    const next =
      told === null
        ? null
        : isLate
          ? { ...base, ...unknown("it was started before the last edit") }
          : settled(base, told)
    if (next === null) return before
    // The result gets the time of the look, unless an edit or another run came after the run.
    const isNew = edit <= base.order && !runs.some((run) => run.gate === base.gate && run.order > base.order)
    return [...before.filter((run) => !isRunOf(output, run)), isNew || isLate ? { ...next, ...place } : next]
  }, runs)
  return all.toSorted((one, other) => one.order - other.order)
}
