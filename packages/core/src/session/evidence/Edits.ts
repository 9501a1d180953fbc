/** Finds the edits of a call, and the sequence of its commands and edits. A test after an edit tested that edit. */
import * as KeyHash from "../../base/system/KeyHash.ts"
import { fileKind, onlyWording, resolvesConflict } from "../../base/system/Paths.ts"
import { clip } from "../../base/text/Text.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import { fileEdits, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { discardOf } from "./Discards.ts"
import type { Edit, EvidenceContext } from "./model.ts"
import { hasFailed, isCheck, shellOf } from "./Calls.ts"

export const isCode = ({ kind }: Pick<Edit, "kind">): boolean =>
  kind === "source" || kind === "test" || kind === "conflict"

export const mayBeCode = (edit: Pick<Edit, "kind">): boolean => isCode(edit) || edit.kind === "unknown"

const printOf = (before: string, after: string): number => KeyHash.ofText(`${before}\0${after}`)

/** True for an earlier edit that this call exactly reverses. A call that edits several files reverses no edit. */
export const takesBack = (call: ToolCall): ((edit: Edit) => boolean) => {
  const [only, ...others] = toolKind(call.tool) !== "edit" || hasFailed(call) ? [] : fileEdits(call)
  if (only === undefined || others.length > 0 || !only.before || !only.after) return () => false
  const [path, print] = [clip(only.path, 400), printOf(only.after, only.before)]
  return (edit) => edit.path === path && edit.print === print
}

const byTool = (call: ToolCall, order: number, cwd: string | null): ReadonlyArray<Edit> =>
  fileEdits(call).map(({ after, before, path }) => {
    const kind = fileKind(path, cwd)
    const finer = resolvesConflict(before) ? "conflict" : onlyWording(before, after) ? "wording" : kind
    const print = before && after ? { print: printOf(before, after) } : {}
    return { path: clip(path, 400), kind: isCode({ kind }) ? finer : kind, order, callId: call.id, ...print }
  })

const removing: ReadonlySet<string | null | undefined> = new Set(["rm", "unlink", "trash"])

/** Leaves out the output file of a check, and the removal of a file that the same call wrote. */
const pathsOf = (commands: ReadonlyArray<SimpleCommand>): ReadonlyArray<ReadonlyArray<string>> =>
  commands.map((simple, index) => {
    if (discardOf(simple) !== null || isCheck(simple)) return []
    const before = removing.has(simple.words[0]) ? commands.slice(0, index) : []
    return simple.writes.slice(0, 16).filter((path) => !before.some(({ writes }) => writes.includes(path)))
  })

/** Commands after the last edit get the call's `order`, earlier commands a lower one. A pipeline has one `order`. */
export const placesOf = (
  commands: ReadonlyArray<SimpleCommand>,
  order: number,
  call: ToolCall,
  context: EvidenceContext
): ReadonlyArray<number> => {
  const cwd = call.cwd ?? context.cwd
  const isEdit = (path: string): boolean => path !== "*" && !/^(?:outside|docs)$/.test(fileKind(path, cwd))
  const paths = pathsOf(commands)
  const edits = new Set(commands.filter((_, index) => paths[index]?.some(isEdit)).map(({ step }) => step))
  const steps = [...new Set(commands.map(({ step }) => step))].toSorted((one, other) => one - other)
  /** How often the commands so far have changed between editing and not editing. */
  let phase = 0
  const phases = new Map(
    steps.map((step, at) => {
      if (at > 0 && edits.has(step) !== edits.has(steps[at - 1] ?? 0)) phase += 1
      return [step, phase]
    })
  )
  return commands.map(({ step }) => order - (phase - (phases.get(step) ?? 0)) / (phase + 1))
}

/** Calculates the `order` of a call from the `order` of one of its commands. */
export const callOf = (order: number): number => Math.ceil(order)

const byShell = (call: ToolCall, order: number, context: EvidenceContext): ReadonlyArray<Edit> => {
  const commands = shellOf(call, context)?.commands ?? []
  const places = placesOf(commands, order, call, context)
  return pathsOf(commands).flatMap((paths, index) =>
    paths.map((path) => ({
      path: clip(path, 400),
      kind: path === "*" ? "unknown" : fileKind(path, call.cwd ?? context.cwd),
      // A write to an unknown path comes before all commands of the call, so that it makes no run of the call stale.
      order: path === "*" ? (Math.min(...places) + order - 1) / 2 : (places[index] ?? order),
      callId: call.id
    }))
  )
}

/** Returns the edits of a finished call. A shell command may have written files even if it failed. */
export const editsOf = (call: ToolCall, order: number, context: EvidenceContext): ReadonlyArray<Edit> =>
  toolKind(call.tool) === "edit"
    ? hasFailed(call)
      ? []
      : byTool(call, order, call.cwd ?? context.cwd)
    : byShell(call, order, context)
