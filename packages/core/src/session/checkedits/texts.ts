/** Returns the texts that a call replaced, file by file. */
import * as ShellCommand from "../shell/ShellCommand.ts"
import { fileEdits, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

export interface TextEdit {
  readonly path: string
  /** Null if the record does not show the old text. */
  readonly before: string | null
  readonly after: string | null
  readonly isGone: boolean
}

const removed = (words: ReadonlyArray<string | null>): ReadonlyArray<TextEdit> => {
  const [program, ...rest] = words.filter((word) => word !== null && !word.startsWith("-"))
  const named = program === "git" && rest[0] === "rm" ? rest.slice(1) : program === "rm" ? rest : []
  return named.flatMap((path) => (path === null ? [] : { path, before: null, after: null, isGone: true }))
}

/** Leaves out an edit if its texts are not recorded, because such an edit cannot be compared. */
export const textEdits = (call: ToolCall): ReadonlyArray<TextEdit> => {
  if (toolKind(call.tool) !== "shell") {
    const patch = typeof call.input === "string" ? call.input : JSON.stringify(call.input ?? "")
    return fileEdits(call).map((one) => ({ ...one, isGone: patch.includes(`*** Delete File: ${one.path}`) }))
  }
  const command = shellCommand(call) ?? ""
  return /\brm\b/.test(command.slice(0, 8000))
    ? ShellCommand.analyze(command).commands.flatMap(({ words }) => removed(words))
    : []
}
