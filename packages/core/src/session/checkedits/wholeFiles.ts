/** Whole files that a call shows. */
import * as Json from "../../ground/json/Json.ts"
import { isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import { isTestPath } from "./names.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** `     1→text`, `  1\ttext`, `00001| text` */
const numbered = /^\s{0,8}\d{1,6}(?:→|\t|\| ?|: )/

const withoutNumbers = (output: string): string => {
  const lines = output.slice(0, 100_000).split("\n")
  const isNumbered = lines.filter((line) => numbered.test(line)).length > lines.length / 2
  return isNumbered
    ? lines.flatMap((line) => (numbered.test(line) ? [line.replace(numbered, "")] : [])).join("\n")
    : lines.join("\n")
}

/** What is shown behind the file is taken for a part of it: it only makes it look fuller. */
const catenated =
  /^\s{0,4}(?:cat|bat|nl)(?: -[nAb]{1,2})? ["']?([\w@./+-]{1,300})["']?\s{0,4}(?:$|(;|&&)(?!.{0,300}\bcat\b))/

/** A file and all that it has; null where a call shows a part, or none. */
export const readWhole = (call: ToolCall): { readonly path: string; readonly text: string } | null => {
  const output = call.output ?? ""
  if (
    output === "" ||
    call.status === "error" ||
    output.length > 100_000 ||
    /truncated|omitted/i.test(output.slice(-300))
  )
    return null
  const kind = toolKind(call.tool)
  if (kind === "shell") {
    const path = catenated.exec(shellCommand(call)?.slice(0, 1000) ?? "")?.[1]
    const isAlone = catenated.exec(shellCommand(call)?.slice(0, 1000) ?? "")?.[2] === undefined
    return path === undefined || (!isAlone && isTestPath(path, null)) ? null : { path, text: withoutNumbers(output) }
  }
  if (kind !== "read" && !isView(call)) return null
  const input = Json.object(call.input)
  if (["offset", "limit", "view_range", "start_line", "end_line", "line_range"].some((key) => input[key] != null))
    return null
  const path = [
    input["file_path"],
    input["filePath"],
    input["path"],
    input["absolute_path"],
    input["target_file"]
  ].find((value) => typeof value === "string")
  return typeof path === "string" ? { path, text: withoutNumbers(output) } : null
}
