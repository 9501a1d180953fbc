/** What a file was, as a call that read it shows it. */
import * as Json from "../../ground/json/Json.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"

/** `whole`: from the file's first line to its last, as far as the call says. */
export interface Shown {
  readonly path: string
  readonly lines: ReadonlyArray<string>
  readonly whole: boolean
}

const maxText = 400_000

const numbered = /^\s{0,8}\d{1,6}(?:[→\t|]|: ?)/

/** Readers number the lines, and put words of their own around them. */
const linesOf = (output: string): { readonly lines: ReadonlyArray<string>; readonly first: number | null } => {
  const all = output.split("\n")
  const marked = all.filter((line) => numbered.test(line.slice(0, 20)))
  if (marked.length === 0) return { lines: all, first: null }
  const first = Number(/\d{1,6}/.exec(marked[0]?.slice(0, 20) ?? "")?.[0] ?? "0")
  return { lines: marked.map((line) => line.replace(numbered, "")), first }
}

const isCut = /truncated|more lines|too (?:long|large)|offset|\[…\]|…$/i

const plainCat = /^\s*(?:cat|bat)\s+(?:--\s+)?(['"]?)([^\s'"|<>;&$*?]+)\1\s*$/

/** The file that a call shows, null where it shows none or not as it is. */
export const shownBy = (call: ToolCall): Shown | null => {
  const output = call.output ?? ""
  if (output.length > maxText || call.status === "error") return null
  if (toolKind(call.tool) === "shell") {
    const path = plainCat.exec((shellCommand(call) ?? "").slice(0, 500))?.[2]
    if (path === undefined || (call.exitCode ?? 0) !== 0) return null
    return { path, lines: output.split("\n"), whole: call.exitCode === 0 }
  }
  const input = Json.object(call.input)
  const path = ["file_path", "filePath", "path"].map((name) => input[name]).find((name) => typeof name === "string")
  if (toolKind(call.tool) !== "read" || typeof path !== "string") return null
  const { first, lines } = linesOf(output)
  const isPart = input["offset"] != null || input["limit"] != null || input["view_range"] != null
  return { path, lines, whole: !isPart && first === 1 && !isCut.test(output.slice(-400)) }
}
