/** The texts that a call changed, file by file, whatever tool or command made the edit. */
import * as Json from "../../ground/json/Json.ts"
import { fileOf } from "../../ground/system/Patches.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { Scripts } from "../shell/model.ts"
import { fileEdits, isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import type { TextEdit } from "./model.ts"

const maxText = 100_000
const maxEdits = 64

const replaced = (path: string, before: string | null, after: string | null): TextEdit => ({
  path,
  before: before === null ? null : before.slice(0, maxText),
  after: after === null ? null : after.slice(0, maxText),
  whole: false,
  file: null
})

const written = (path: string, after: string, file: TextEdit["file"] = null): TextEdit => ({
  path,
  before: null,
  after: after.slice(0, maxText),
  whole: true,
  file
})

const deleted = (path: string): TextEdit => ({ path, before: null, after: null, whole: false, file: "deleted" })

interface Part {
  path: string
  readonly before: Array<string>
  readonly after: Array<string>
  file: TextEdit["file"]
  changed: boolean
  movedTo: string | null
}

const ofPart = ({ after, before, changed, file, movedTo, path }: Part): ReadonlyArray<TextEdit> => {
  if (file === "deleted") return [deleted(path)]
  if (file === "created") return [written(path, after.join("\n"), file)]
  const edits = changed ? [replaced(movedTo ?? path, before.join("\n"), after.join("\n"))] : []
  return movedTo === null ? edits : [...moved(path, movedTo), ...edits]
}

/** A file that bears another name has its tests still, where it is read as a test by that name as well. */
const moved = (from: string, to: string): ReadonlyArray<TextEdit> => [
  deleted(from),
  { path: to, before: null, after: null, whole: false, file: "created" }
]

/** A patch in the form of coding agents or of `diff -u`; what surrounds a change is on both sides. */
export const ofPatch = (patch: string): ReadonlyArray<TextEdit> => {
  const parts: Array<Part> = []
  let from = ""
  for (const line of patch.slice(0, 2 * maxText).split("\n")) {
    const current = parts[parts.length - 1]
    const path = fileOf(line)
    if (line.startsWith("*** Move to: ") && path !== null) {
      if (current !== undefined) current.movedTo = path
    } else if (path !== null) {
      if (parts.length >= maxEdits) break
      const file =
        line.startsWith("*** Delete") || path === "/dev/null"
          ? "deleted"
          : line.startsWith("*** Add") || from === "/dev/null"
            ? "created"
            : null
      parts.push({
        path: path === "/dev/null" ? from : path,
        before: [],
        after: [],
        file,
        changed: false,
        movedTo: null
      })
    } else if (line.startsWith("--- ")) from = line.slice(4, 500).trim().replace(/^a\//, "")
    else if (/^(?:\*\*\*|@@|diff |index |new file|deleted file|\\ )/.test(line) || current === undefined) continue
    else if (line.startsWith("-")) {
      current.before.push(line.slice(1))
      current.changed = true
    } else if (line.startsWith("+")) {
      current.after.push(line.slice(1))
      current.changed = true
    } else {
      current.before.push(line.slice(1))
      current.after.push(line.slice(1))
    }
  }
  return parts.flatMap(ofPart)
}

const text = (input: unknown, keys: ReadonlyArray<string>): string | null =>
  keys.map((key) => Json.string(Json.object(input)[key])).find((value) => value !== null && value !== undefined) ?? null

const oldKeys = ["old_string", "oldString", "old_str", "oldText"]
const newKeys = ["new_string", "newString", "new_str", "newText"]
const wholeKeys = ["content", "file_text", "contents", "code_edit_full"]
const pathKeys = ["file_path", "filePath", "path", "target_file", "filename"]

/** `{ path: { type: "update", unified_diff } }` and the like. */
const ofChanges = (changes: Readonly<Record<string, unknown>>): ReadonlyArray<TextEdit> =>
  Object.entries(changes)
    .slice(0, maxEdits)
    .flatMap(([path, change]): ReadonlyArray<TextEdit> => {
      const outer = Json.object(change)
      const type = Json.string(outer["type"]) ?? Object.keys(outer)[0] ?? ""
      const inner = { ...outer, ...Json.object(outer[type]) }
      const content = Json.string(inner["content"])
      if (type === "delete") return [deleted(path)]
      if (type === "add") return content === null ? [] : [written(path, content, "created")]
      const diff = Json.string(inner["unified_diff"]) ?? Json.string(inner["diff"])
      return diff === null ? [replaced(path, null, null)] : ofPatch(`*** Update File: ${path}\n${diff}`)
    })

const newFile = /\b(?:created|new file)\b/i

const byTool = (call: ToolCall): ReadonlyArray<TextEdit> => {
  if (isView(call)) return []
  const input = Json.object(call.input)
  const path = text(input, pathKeys)
  if (path !== null) {
    const edits = Array.isArray(input["edits"]) ? input["edits"].slice(0, maxEdits) : null
    if (edits !== null) return edits.map((edit) => replaced(path, text(edit, oldKeys), text(edit, newKeys)))
    if (/delete/i.test(call.tool)) return [deleted(path)]
    const inserted = text(input, ["insert_text"])
    const before = text(input, oldKeys)
    const after = text(input, newKeys)
    if (inserted !== null) return [replaced(path, "", inserted)]
    if (before !== null && (after !== null || !("content" in input))) return [replaced(path, before, after ?? "")]
    const whole = text(input, wholeKeys)
    const answer = (call.output ?? "").slice(0, 200)
    return whole === null
      ? [replaced(path, null, null)]
      : [
          {
            ...written(path, whole, newFile.test(answer) ? "created" : null),
            isUpdate: /\bupdated\b|\boverw/i.test(answer)
          }
        ]
  }
  if (typeof input["changes"] === "object" && input["changes"] !== null) return ofChanges(Json.object(input["changes"]))
  const patch = typeof call.input === "string" ? call.input : text(input, ["patch", "input", "patchText", "diff"])
  return patch === null ? fileEdits(call).map((edit) => replaced(edit.path, edit.before, edit.after)) : ofPatch(patch)
}

/** `s/old/new/`, with any sign between. */
const substitution =
  /^(?:\d{1,6}|\d{1,6},\d{1,6}|\$)?s([/|#,@!%~])((?:(?!\1)[^\\]|\\.){1,400})\1((?:(?!\1)[^\\]|\\.){0,400})\1?[gIi\d]{0,4}$/

/** `/pattern/d`, `/from/,/to/d` */
const deletion = /^\/((?:[^/\\]|\\.){3,300})\/(?:,.{1,200})?\s{0,4}d$/

/** `text.replace("old", "new")` in a program given as text. */
const replacement =
  /\.replace\(\s{0,20}r?("{3}|'{3}|["'])((?:(?!\1)[^\\]|\\.){1,2000})\1\s{0,20},\s{0,20}r?("{3}|'{3}|["'])((?:(?!\3)[^\\]|\\.){0,2000})\3/g

const byProgram = (code: string, paths: ReadonlyArray<string>): ReadonlyArray<TextEdit> =>
  [...code.slice(0, maxText).matchAll(replacement)]
    .slice(0, 16)
    .flatMap((match) => paths.map((path) => replaced(path, plainText(match[2] ?? ""), plainText(match[4] ?? ""))))

const plainText = (pattern: string): string =>
  pattern.replaceAll(/\\([^\w\s]|[nt])/g, (_, sign: string) => (sign === "n" ? "\n" : sign === "t" ? "\t" : sign))

/** What `sed -i 's/a/b/' file` puts in the place of what. */
const bySed = (words: ReadonlyArray<string>, paths: ReadonlyArray<string>): ReadonlyArray<TextEdit> => {
  const found = words.map((word) => substitution.exec(word.slice(0, 1000))).filter((match) => match !== null)
  const lines = words.map((word) => deletion.exec(word.slice(0, 1000))?.[1]).filter((pattern) => pattern !== undefined)
  if (lines.length > 0) return paths.flatMap((path) => lines.map((line) => replaced(path, plainText(line), "")))
  if (found.length === 0) return paths.map((path) => ({ ...replaced(path, null, null), isUnread: true }))
  return paths.flatMap((path) =>
    found.map((match) =>
      replaced(
        path,
        plainText((match[2] ?? "").replace(/^\^/, "").replace(/\$$/, "")),
        plainText((match[3] ?? "").replaceAll("&", match[2] ?? ""))
      )
    )
  )
}

const heredoc =
  /(?:^|[\n;&])\s{0,20}(?:cat|tee)\s{1,4}(?:-\s{1,4})?>?\s{0,4}("?)([\w@./+-]{1,300})\1\s{0,4}<<-?\s{0,4}["']?(\w{1,40})["']?[^\n]{0,80}\n|(?:^|[\n;&])\s{0,20}cat\s{1,4}<<-?\s{0,4}["']?(\w{1,40})["']?\s{0,4}>\s{0,4}("?)([\w@./+-]{1,300})\5[^\n]{0,80}\n/g

/** Whole files that `cat > file <<EOF` writes, by their paths. */
const heredocs = (command: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  if (!command.includes("<<")) return found
  for (const match of command.matchAll(heredoc)) {
    const from = match.index + match[0].length
    const end = command.indexOf(`\n${match[3] ?? match[4]}`, from - 1)
    const path = match[2] ?? match[6]
    if (path !== undefined && end >= from - 1 && found.size < 16)
      found.set(path, command.slice(from, Math.max(from, end)))
  }
  return found
}

const known = (words: ReadonlyArray<string | null>): ReadonlyArray<string> => words.filter((word) => word !== null)

const named = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => !word.startsWith("-")).slice(0, 16)

const ofCommand = (
  simple: ShellCommand.SimpleCommand,
  texts: ReadonlyMap<string, string>,
  command: string
): ReadonlyArray<TextEdit> => {
  const words = known(simple.words)
  const [name, verb] = words
  if (name === "rm" || name === "unlink" || name === "trash") return named(words.slice(1)).map(deleted)
  if (name === "git" && verb === "rm") return named(words.slice(2)).map(deleted)
  if (name === "mv" || (name === "git" && verb === "mv")) {
    const paths = named(words.slice(name === "mv" ? 1 : 2))
    const [from, to] = paths
    return paths.length === 2 && from !== undefined && to !== undefined ? moved(from, to) : []
  }
  if ((name === "sed" || name === "gsed" || name === "perl") && simple.writes.length > 0)
    return bySed(words.slice(1), simple.writes)
  if (
    /^(?:python[\d.]{0,5}|node|ruby|perl|deno|bun|uv)$/.test(name ?? "") &&
    simple.writes.length === 1 &&
    simple.writes[0] !== "*"
  ) {
    const edits = byProgram(command, simple.writes)
    if (edits.length > 0) return edits
  }
  return simple.writes.slice(0, 16).map((path) => {
    const whole = texts.get(path)
    return whole === undefined ? replaced(path, null, null) : written(path, whole)
  })
}

const byShell = (command: string, scripts: Scripts | undefined): ReadonlyArray<TextEdit> => {
  const patch = command.indexOf("*** Begin Patch")
  if (patch >= 0) return ofPatch(command.slice(patch))
  const texts = heredocs(command.slice(0, maxText))
  return ShellCommand.analyze(command, scripts).commands.flatMap((simple) =>
    simple.via !== null ? [] : ofCommand(simple, texts, command)
  )
}

/** The edits of a settled call, in their order. */
export const textEdits = (call: ToolCall, scripts?: Scripts): ReadonlyArray<TextEdit> => {
  const kind = toolKind(call.tool)
  if (kind === "edit") return call.status === "error" ? [] : byTool(call).slice(0, maxEdits)
  const command = kind === "shell" ? shellCommand(call) : null
  return command === null ? [] : byShell(command, scripts).slice(0, maxEdits)
}
