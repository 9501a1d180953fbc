import { hasFailed } from "./failedWork.ts"
import type { Edit, EvidenceContext } from "./model.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { editsIn, placesOf } from "./Places.ts"
import { fileKind, onlyWording, resolvesConflict } from "../../ground/system/Paths.ts"
import { clip } from "../../ground/text/Text.ts"
import { fileEdits, shellCommand, toolKind } from "../transcript/ToolKinds.ts"

const byTool = (call: ToolCall, order: number, cwd: string | null): ReadonlyArray<Edit> =>
  fileEdits(call).map((edit) => {
    const kind = fileKind(edit.path, cwd)
    const code = kind === "source" || kind === "test"
    return {
      path: clip(edit.path, 400),
      kind: !code
        ? kind
        : resolvesConflict(edit.before)
          ? "conflict"
          : onlyWording(edit.before, edit.after)
            ? "wording"
            : kind,
      order,
      callId: call.id
    }
  })

const byShell = (call: ToolCall, order: number, context: EvidenceContext): ReadonlyArray<Edit> => {
  const command = shellCommand(call)
  if (command === null) return []
  const edits: Array<Edit> = []
  const { commands } = ShellCommand.analyze(command, context.repo.scripts)
  const places = placesOf(commands, order, call, context)
  for (const [index, paths] of editsIn(commands).entries()) {
    for (const path of paths) {
      edits.push({
        path: clip(path, 400),
        kind: path === "*" ? "unknown" : fileKind(path, call.cwd ?? context.cwd),
        // What is written where nobody knows makes no run of the same call stale.
        order: path === "*" ? (Math.min(...places) + order - 1) / 2 : (places[index] ?? order),
        callId: call.id
      })
    }
  }
  return edits
}

/** The edits that a settled call made; a shell command that failed may still have written. */
export const editsOf = (call: ToolCall, order: number, context: EvidenceContext): ReadonlyArray<Edit> => {
  const kind = toolKind(call.tool)
  if (kind === "edit") return hasFailed(call) ? [] : byTool(call, order, call.cwd ?? context.cwd)
  return kind === "shell" ? byShell(call, order, context) : []
}
