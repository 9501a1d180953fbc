import * as Json from "../../base/json/Json.ts"
import type { ToolCall } from "./Transcript.ts"
import { fileOf } from "../../base/system/Patches.ts"
import { shellWord } from "../../base/text/Text.ts"

/** Says what a tool does, from the names that hosts use. Any other tool is `other` and proves nothing. */
export type ToolKind =
  | "shell"
  | "edit"
  | "read"
  | "search"
  | "fetch"
  | "agent"
  | "todo"
  | "question"
  | "plan"
  | "pull_request"
  | "other"

const kinds: Readonly<Record<Exclude<ToolKind, "other">, string>> = {
  shell:
    "bash shell sh powershell terminal exec execcommand localshell localshellcall shellcommand runshellcommand runcommand executecommand executebash runterminalcmd runinterminal containerexec",
  edit: "edit write multiedit notebookedit applypatch patch replace writefile writetofile createfile editfile filechange strreplace strreplaceeditor strreplacebasededittool replaceinfile searchreplace insertedit inserteditintofile deletefile",
  read: "read readfile readmanyfiles view viewimage notebookread ls list listdirectory",
  search: "grep glob search searchfilecontent filesearch codebasesearch findfiles grepsearch lsp",
  fetch: "webfetch websearch fetch fetchurl googlewebsearch",
  agent: "task agent spawnagent invokeagent subagent dispatchagent",
  todo: "todowrite todoread writetodos updateplan taskcreate taskupdate tasklist",
  question: "askuserquestion question askuser requestuserinput askfollowupquestion",
  plan: "exitplanmode planexit presentplan",
  pull_request: "createpullrequest createmergerequest"
}

const byName = new Map<string, ToolKind>()
for (const [kind, names] of Object.entries(kinds))
  for (const name of names.split(" ")) byName.set(name, kind as ToolKind)

/** A tool of `reflexion mcp`. It runs nothing in the project. */
const own = /^(?:mcp__?)?reflexion(?:__|[-_.])(judge|stuck|recall|reflect)$/

/** A call in a script of Codex. The whole script is one call of the tool `code_mode`. */
const inScript = /\bmcp__reflexion__judge\(/

/** True if the agent asks `reflexion mcp` for the verdict on its own turn. */
export const asksVerdict = ({ input, tool }: Pick<ToolCall, "input" | "tool">): boolean =>
  own.exec(tool)?.[1] === "judge" ||
  (tool.startsWith("code_mode") && inScript.test(Json.text(Json.object(input)["script"])))

const known = new Map<string, ToolKind>()

/** Reads the last part of the name. MCP tools are `other`, except tools for pull requests and reflexion's own tools. */
export const toolKind = (tool: string): ToolKind => {
  const cached = known.get(tool)
  if (cached !== undefined) return cached
  const name = tool.slice(0, 200)
  const parts = name.split(/__|\.|:|\//)
  const bare = (parts[parts.length - 1] ?? "").toLowerCase().replaceAll(/[^a-z]/g, "")
  const kind = byName.get(bare) ?? "other"
  if (own.test(name)) return "read"
  const trusted: ToolKind = parts.length > 1 && kind !== "pull_request" && name.startsWith("mcp") ? "other" : kind
  if (known.size < 1000) known.set(tool, trusted)
  return trusted
}

const firstString = (input: unknown, keys: ReadonlyArray<string>): string | null => {
  if (!Json.isObject(input)) return null
  for (const key of keys) {
    const value = input[key]
    if (typeof value === "string") return value
  }
  return null
}

/** Joins a list of arguments as a person would type it. Null if the call has no command. */
export const shellCommand = (call: ToolCall): string | null => {
  if (typeof call.input === "string") return call.input
  const text = firstString(call.input, ["command", "cmd", "script", "commandLine", "command_line"])
  if (text !== null) return text
  if (!Json.isObject(call.input)) return null
  const argv = call.input["command"] ?? call.input["cmd"] ?? call.input["argv"]
  if (!Array.isArray(argv)) return null
  const words = argv.slice(0, 1000).filter((word): word is string => typeof word === "string")
  const shell = /^(?:\/\S{0,100}\/)?(?:ba|z|da|k)?sh$/.test(words[0] ?? "") && /^-[a-z]{0,4}c$/.test(words[1] ?? "")
  if (shell && words[2] !== undefined) return words[2]
  return words.map(shellWord).join(" ")
}

const detached = /\b(?:nohup|setsid|disown|tmux new|screen -dm)\b|[^&>|<\s]\s{0,2}&(?![&>|\w=])/

/** True if a finished call left something running, or if the host will wake the agent. */
export const launches = (call: ToolCall): boolean => {
  if (
    call.background ||
    Json.object(call.input)["run_in_background"] === true ||
    /^(?:ScheduleWakeup|Monitor|CronCreate)$/.test(call.tool)
  )
    return true
  const command = toolKind(call.tool) === "shell" ? (shellCommand(call)?.slice(0, 4000) ?? "") : ""
  return detached.test(command) && !/\b(?:wait|kill)\b/.test(command)
}

export interface FileEdit {
  readonly path: string
  /** The old text. Null if the host does not give it. */
  readonly before: string | null
  readonly after: string | null
}

interface Hunks {
  readonly path: string
  readonly before: Array<string>
  readonly after: Array<string>
}

const patchEdits = (patch: string): ReadonlyArray<FileEdit> => {
  const files: Array<Hunks> = []
  for (const line of patch.slice(0, 200_000).split("\n")) {
    const path = fileOf(line)
    const current = files[files.length - 1]
    if (path !== null) {
      if (path !== "/dev/null" && files.length < 200) files.push({ path, before: [], after: [] })
    } else if (line.startsWith("-") && !line.startsWith("--- ")) current?.before.push(line.slice(1))
    else if (line.startsWith("+")) current?.after.push(line.slice(1))
  }
  return files.map(({ after, before, path }) =>
    before.length === 0
      ? { path, before: null, after: null }
      : { path, before: before.join("\n"), after: after.join("\n") }
  )
}

/** Joins the texts of several edits in one file. Null if a text is missing. */
const joined = (input: unknown, keys: ReadonlyArray<string>): string | null => {
  if (!Json.isObject(input) || !Array.isArray(input["edits"])) return null
  const parts = input["edits"].slice(0, 200).map((edit: unknown) => firstString(edit, keys))
  return parts.every((part) => part !== null) ? parts.join("\n") : null
}

const oldText = ["old_string", "oldString", "old_str", "oldText"]
const newText = ["new_string", "newString", "new_str", "newText"]

/** True if an edit tool was only asked to show a file. */
export const isView = (call: ToolCall): boolean => Json.object(call.input)["command"] === "view"

export const fileEdits = (call: ToolCall): ReadonlyArray<FileEdit> => {
  if (isView(call)) return []
  const path = firstString(call.input, ["file_path", "filePath", "path", "notebook_path", "target_file", "filename"])
  if (path !== null) {
    return [
      {
        path,
        before: firstString(call.input, oldText) ?? joined(call.input, oldText),
        after: firstString(call.input, newText) ?? joined(call.input, newText)
      }
    ]
  }
  if (Json.isObject(call.input) && Json.isObject(call.input["changes"])) {
    return Object.keys(call.input["changes"])
      .slice(0, 200)
      .map((name) => ({ path: name, before: null, after: null }))
  }
  const patch =
    typeof call.input === "string" ? call.input : firstString(call.input, ["patch", "input", "patchText", "diff"])
  return patch === null ? [] : patchEdits(patch)
}
