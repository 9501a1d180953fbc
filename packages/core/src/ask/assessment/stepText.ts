/** One step of a turn as a model is shown it: in a line, and at length. */
import * as Json from "../../ground/json/Json.ts"
import { clip, oneLine, tail } from "../../ground/text/Text.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { type FileEdit, fileEdits, shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import { clean, type Entry, targetOf } from "./TurnRecord.ts"

/** Enough of a text for secrets in the part that is shown to be known as such. */
const read = 8000

/** Both ends of a text; the end is where it says how it went. */
export const ends = (text: string, first: number, last: number): string => {
  const whole = clean(text.length <= 2 * read ? text : `${text.slice(0, read)}\n…\n${text.slice(-read)}`)
  if (whole.length <= first + last + 20) return whole
  const head = first === 0 ? "" : `${whole.slice(0, first).trimEnd()}\n`
  return `${head}…\n${tail(whole, last)}`
}

const within = (text: string, mark = "  "): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `${mark}${line}`)
    .join("\n")

export const outcomeOf = (call: ToolCall): string =>
  call.exitCode === null
    ? ({ completed: "ok", error: "failed", denied: "denied by the user", interrupted: "interrupted" }[
        String(call.status)
      ] ?? (call.status === null ? "outcome unknown" : `still ${call.status}`))
    : `exit ${call.exitCode}`

const opening = ({ event, label }: Entry & { readonly event: ToolCall }): string =>
  `[${label}] ${oneLine(event.tool, 40)}`

/** The lines in which two texts differ, at most so many characters of each. */
const changed = (before: string, after: string): readonly [removed: string, added: string] => {
  const [old, now] = [before.split("\n"), after.split("\n")]
  let from = 0
  while (from < old.length && from < now.length && old[from] === now[from]) from += 1
  let end = 0
  while (end < old.length - from && end < now.length - from && old.at(-1 - end) === now.at(-1 - end)) end += 1
  return [old.slice(from, old.length - end).join("\n"), now.slice(from, now.length - end).join("\n")]
}

/** A diff that is no longer is shown whole. */
const shortDiff = 1100

const parts = (removed: string, added: string): string => {
  const long = removed.length + added.length > shortDiff
  const old = long ? ends(removed, 160, 100) : clean(removed)
  const now = long ? ends(added, 320, 200) : clean(added)
  return [within(old, "  - "), within(now, "  + ")].filter((text) => text.trim() !== "").join("\n")
}

const contentOf = (input: unknown): string | null =>
  ["content", "file_text", "new_source", "contents", "text"]
    .map((name) => Json.string(Json.object(input)[name]))
    .find((text) => text !== null) ?? null

const patchOf = (input: unknown): string | null =>
  typeof input === "string"
    ? input
    : (["patch", "input", "patchText", "diff"]
        .map((name) => Json.string(Json.object(input)[name]))
        .find((text) => text !== null) ?? null)

const diffOf = ({ after, before, path }: FileEdit): string => {
  const [removed, added] = changed(before ?? "", after ?? "")
  return `  ${oneLine(clean(path.slice(-400)), 160)}\n${parts(removed, added)}`
}

const maxFiles = 4

const editText = (call: ToolCall): string => {
  const edits = fileEdits(call)
  const known = edits.filter(({ after, before }) => after !== null || before !== null)
  if (known.length > 0) return known.slice(0, maxFiles).map(diffOf).join("\n")
  const path = edits.map((edit) => oneLine(clean(edit.path.slice(-400)), 160)).slice(0, 12)
  const content = contentOf(call.input)
  if (content !== null) return `  ${path.join(", ")} (written whole)\n${parts("", content)}`
  const patch = patchOf(call.input)
  return patch === null ? `  ${path.join(", ")}` : within(ends(patch, 700, 400))
}

const maxCommand = 560

/** A check's output says at its end how it went. */
const outputText = (call: ToolCall, isCheck: boolean): string =>
  within(ends(call.output ?? "", isCheck ? 100 : 150, isCheck ? 800 : 400))

const callText = (entry: Entry & { readonly event: ToolCall }, isCheck: boolean): string => {
  const call = entry.event
  const head = `${opening(entry)} → ${outcomeOf(call)}`
  switch (toolKind(call.tool)) {
    case "shell": {
      const command = ends(shellCommand(call) ?? "", 360, maxCommand - 360)
      return [head, within(command, "  $ "), outputText(call, isCheck)].filter((text) => text !== "").join("\n")
    }
    case "edit":
      return [head, editText(call), ...(outcomeOf(call) === "ok" ? [] : [outputText(call, false)])].join("\n")
    case "agent":
      return [`${opening(entry)} \`${targetOf(call, 300)}\` → ${outcomeOf(call)}`, outputText(call, true)].join("\n")
    default:
      return [`${opening(entry)} \`${targetOf(call, 200)}\` → ${outcomeOf(call)}`, outputText(call, false)].join("\n")
  }
}

const lastWords = "its last words, below"

/** At length. `isLast`: it is shown elsewhere. */
export const whole = (entry: Entry, { isCheck, isLast }: { readonly isCheck: boolean; readonly isLast: boolean }) => {
  const { event, label } = entry
  if (event.type === "tool_call") return callText({ ...entry, event }, isCheck)
  if (event.type === "assistant_message")
    return `[${label}] agent: ${isLast ? lastWords : oneLine(clean(event.text.slice(0, read)), 700)}`
  return inLine(entry, isLast)
}

/** In a line, with how it ended. */
export const inLine = ({ event, label }: Entry, isLast: boolean, limit = 130): string => {
  switch (event.type) {
    case "user_message":
      return event.synthetic
        ? `[${label}] the agent was reminded: ${oneLine(clean(event.text.slice(0, 4000)), 600)}`
        : `[${label}] user: ${clip(clean(event.text.slice(0, read)), 1200)}`
    case "assistant_message":
      return `[${label}] agent: ${isLast ? lastWords : oneLine(clean(event.text.slice(0, 4000)), limit)}`
    case "tool_call": {
      const files = fileEdits(event).map(({ path }) => path)
      const target = targetOf(event, limit) || oneLine(clean(files.join(", ").slice(0, 2000)), limit)
      return `[${label}] ${oneLine(event.tool, 40)} \`${target}\` → ${outcomeOf(event)}`
    }
  }
}
