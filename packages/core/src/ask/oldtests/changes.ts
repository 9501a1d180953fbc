/** What one call of a tool did to one file, in a form that can be played forward and back. */
import * as Json from "../../ground/json/Json.ts"
import { fileOf } from "../../ground/system/Patches.ts"
import { isView } from "../../session/transcript/ToolKinds.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"

/** A part of a file and what stands in its place since; `all`: wherever it stood. */
export interface Piece {
  readonly before: string
  readonly after: string
  readonly all: boolean
}

/**
 * `pieces`: parts were replaced; `whole`: this is all that the file has since, `isNew` where the record says that there was none;
 * `unseen`: it was changed or removed, and the record does not say how.
 */
export type Change =
  | { readonly _tag: "pieces"; readonly pieces: ReadonlyArray<Piece> }
  | { readonly _tag: "whole"; readonly isNew: boolean }
  | { readonly _tag: "unseen" }

const unseen: Change = { _tag: "unseen" }

const maxPieces = 500
const maxPatch = 400_000

const named = (input: Json.Json, names: ReadonlyArray<string>): string | null => {
  for (const name of names) if (typeof input[name] === "string") return input[name]
  return null
}

const oldText = ["old_string", "oldString", "old_str", "oldText"]
const newText = ["new_string", "newString", "new_str", "newText"]
const wholeText = ["content", "contents", "file_text", "fileText"]

const pieceOf = (input: unknown): Piece | null => {
  const edit = Json.object(input)
  const before = named(edit, oldText)
  const after = named(edit, newText)
  if (before === null || after === null) return null
  return { before, after, all: edit["replace_all"] === true || edit["replaceAll"] === true }
}

const isCreated = (call: ToolCall): boolean =>
  Json.object(call.input)["command"] === "create" ||
  /\b(?:created|wrote new file|new file)\b/i.test((call.output ?? "").slice(0, 300))

/** An editor that names one file. An edit of nothing makes the file. */
const ofEditor = (call: ToolCall): Change => {
  const input = Json.object(call.input)
  const edits = Json.list(input["edits"]).slice(0, maxPieces)
  const pieces = (edits.length > 0 ? edits : [input]).map(pieceOf)
  if (pieces.every((piece) => piece !== null)) {
    const isNew = pieces.length === 1 && pieces[0]?.before === ""
    return isNew ? { _tag: "whole", isNew: true } : { _tag: "pieces", pieces }
  }
  return named(input, wholeText) === null ? unseen : { _tag: "whole", isNew: isCreated(call) }
}

/** The hunks of one file in a patch: each with the lines around it, by which its place is found again. */
const hunksOf = (lines: ReadonlyArray<string>): Change => {
  const pieces: Array<Piece> = []
  let before: Array<string> = []
  let after: Array<string> = []
  const end = (): void => {
    if (before.join("\n") !== after.join("\n"))
      pieces.push({ before: before.join("\n"), after: after.join("\n"), all: false })
    before = []
    after = []
  }
  for (const line of lines) {
    if (line.startsWith("@@")) end()
    else if (line.startsWith("-")) before.push(line.slice(1))
    else if (line.startsWith("+")) after.push(line.slice(1))
    else if (line.startsWith(" ") || line === "") {
      before.push(line.slice(1))
      after.push(line.slice(1))
    }
  }
  // The text of a patch ends with a line that belongs to no hunk.
  end()
  return pieces.length === 0 || pieces.length > maxPieces ? unseen : { _tag: "pieces", pieces }
}

const isEnd = (line: string): boolean => /^\*\*\* End (?:Patch|of File)/.test(line)

/** A patch in the form of coding agents, file by file; one in another form tells no more than its files. */
const ofPatch = (patch: string): ReadonlyMap<string, Change> => {
  const found = new Map<string, Change>()
  let path: string | null = null
  let kind = ""
  let lines: Array<string> = []
  const end = (): void => {
    if (path === null || path === "/dev/null") return
    const change: Change = kind === "Add" ? { _tag: "whole", isNew: true } : kind === "Update" ? hunksOf(lines) : unseen
    found.set(path, found.has(path) ? unseen : change)
  }
  for (const line of patch.slice(0, maxPatch).split("\n")) {
    const next = fileOf(line)
    if (next !== null) {
      const isMoved = line.startsWith("*** Move to:")
      if (isMoved && path !== null) found.set(path, unseen)
      else end()
      path = next
      kind = isMoved ? "Move" : (/^\*\*\* (Add|Update|Delete) /.exec(line)?.[1] ?? "")
      lines = []
    } else if (!isEnd(line)) lines.push(line)
  }
  end()
  return found
}

const maxFiles = 200

/** What a call of an editor did, by the path that it names. */
export const changesOf = (call: ToolCall): ReadonlyMap<string, Change> => {
  if (isView(call)) return new Map()
  const input = Json.object(call.input)
  const path = named(input, ["file_path", "filePath", "path", "notebook_path", "target_file", "filename"])
  if (path !== null) return new Map([[path, ofEditor(call)]])
  if (Json.isObject(input["changes"])) {
    const names = Object.keys(input["changes"]).slice(0, maxFiles)
    return new Map(names.map((name) => [name, unseen]))
  }
  const patch = typeof call.input === "string" ? call.input : named(input, ["patch", "input", "patchText", "diff"])
  return patch === null ? new Map() : ofPatch(patch)
}

const occurrences = (text: string, part: string): number => (part === "" ? 0 : text.split(part).length - 1)

const swap = (text: string, from: string, to: string): string | null => {
  if (occurrences(text, from) !== 1) return null
  const at = text.indexOf(from)
  return text.slice(0, at) + to + text.slice(at + from.length)
}

/** The text as it was before its changes; null where one of them cannot be taken back for certain. */
export const back = (text: string, changes: ReadonlyArray<Change>): string | null => {
  let now: string | null = text
  for (const change of changes.toReversed()) {
    if (change._tag !== "pieces") return null
    for (const piece of change.pieces.toReversed()) {
      now = now === null || piece.all ? null : swap(now, piece.after, piece.before)
      if (now === null || occurrences(now, piece.before) > 1) return null
    }
  }
  return now
}

/** Whether the changes can be made to a text, as far as the record says what they were: else they were made to another. */
export const fits = (text: string, changes: ReadonlyArray<Change>): boolean => {
  let now = text
  for (const change of changes) {
    if (change._tag !== "pieces") return true
    for (const { after, all, before } of change.pieces) {
      if (!now.includes(before)) return false
      now = all ? now.replaceAll(before, () => after) : now.replace(before, () => after)
    }
  }
  return true
}
