/** The texts that a call put into the place of others, file by file. */
import * as ShellCommand from "../shell/ShellCommand.ts"
import { fileEdits, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** `before` and `after` are null where the record does not show them; `isGone`: the file is there no more. */
export interface TextEdit {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly isGone: boolean
}

const removed = (words: ReadonlyArray<string | null>): ReadonlyArray<TextEdit> => {
  const [program, ...rest] = words.filter((word) => word !== null && !word.startsWith("-"))
  const named = program === "git" && rest[0] === "rm" ? rest.slice(1) : program === "rm" ? rest : []
  return named.flatMap((path) => (path === null ? [] : { path, before: null, after: null, isGone: true }))
}

/** The edits of a call whose texts are on record; an edit that is not among them is one that nobody sees. */
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
