/** Writes one step of a turn for a model, in one line or at length. */
import { clip, oneLine, tail } from "../../base/text/Text.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { type FileEdit, fileEdits, shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import { clean, type Entry, firstText, targetOf } from "./TurnRecord.ts"

/** Characters to read at each end. More is read than shown, because a cut secret would not be recognized. */
const read = 8000

/** Keeps the start and the end of a text. The end usually shows the result. */
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

const changed = (before: string, after: string): readonly [removed: string, added: string] => {
  const [old, now] = [before.split("\n"), after.split("\n")]
  let from = 0
  while (from < old.length && from < now.length && old[from] === now[from]) from += 1
  let end = 0
  while (end < old.length - from && end < now.length - from && old.at(-1 - end) === now.at(-1 - end)) end += 1
  return [old.slice(from, old.length - end).join("\n"), now.slice(from, now.length - end).join("\n")]
}

/** Limits in characters. A diff within the limit is shown whole. */
export interface TextBudget {
  readonly diff: number
  readonly output: number
  readonly checkOutput: number
}

export const some: TextBudget = { diff: 1100, output: 400, checkOutput: 800 }

export const much: TextBudget = { diff: 5000, output: 1500, checkOutput: 2500 }

const parts = (removed: string, added: string, { diff }: TextBudget): string => {
  const long = removed.length + added.length > diff
  const old = long ? ends(removed, diff * 0.15, diff * 0.1) : clean(removed)
  const now = long ? ends(added, diff * 0.35, diff * 0.2) : clean(added)
  return [within(old, "  - "), within(now, "  + ")].filter((text) => text.trim() !== "").join("\n")
}

const diffOf = ({ after, before, path }: FileEdit, room: TextBudget): string => {
  const [removed, added] = changed(before ?? "", after ?? "")
  return `  ${oneLine(clean(path.slice(-400)), 160)}\n${parts(removed, added, room)}`
}

const maxFiles = 4

const editText = (call: ToolCall, room: TextBudget): string => {
  const edits = fileEdits(call)
  const known = edits.filter(({ after, before }) => after !== null || before !== null)
  if (known.length > 0)
    return known
      .slice(0, maxFiles)
      .map((edit) => diffOf(edit, room))
      .join("\n")
  const path = edits.map((edit) => oneLine(clean(edit.path.slice(-400)), 160)).slice(0, 12)
  const content = firstText(call.input, ["content", "file_text", "new_source", "contents", "text"])
  if (content !== null) return `  ${path.join(", ")} (written whole)\n${parts("", content, room)}`
  const patch =
    typeof call.input === "string" ? call.input : firstText(call.input, ["patch", "input", "patchText", "diff"])
  return patch === null ? `  ${path.join(", ")}` : within(ends(patch, room.diff * 0.65, room.diff * 0.35))
}

const maxCommand = 560

/** For a check, more of the output's end is shown, because the end has the result. */
export interface How {
  readonly isCheck: boolean
  readonly room: TextBudget
}

const outputText = (call: ToolCall, { isCheck, room }: How): string =>
  within(ends(call.output ?? "", isCheck ? 100 : room.output / 3, isCheck ? room.checkOutput : room.output))

const callText = (call: ToolCall, label: string, how: How): string => {
  const outcome = outcomeOf(call)
  const head = (target = ""): string => `[${label}] ${oneLine(call.tool, 40)}${target} → ${outcome}`
  const kind = toolKind(call.tool)
  if (kind === "shell") {
    const command = ends(shellCommand(call) ?? "", 360, maxCommand - 360)
    return [head(), within(command, "  $ "), outputText(call, how)].filter((text) => text !== "").join("\n")
  }
  const plain = { ...how, isCheck: kind === "agent" }
  if (kind === "edit")
    return [head(), editText(call, how.room), ...(outcome === "ok" ? [] : [outputText(call, plain)])].join("\n")
  return [head(` \`${targetOf(call, kind === "agent" ? 300 : 200)}\``), outputText(call, plain)].join("\n")
}

export const whole = ({ event, label }: Entry, how: How): string =>
  event.type === "tool_call"
    ? callText(event, label, how)
    : `[${label}] agent: ${oneLine(clean(event.text.slice(0, read)), 700)}`

export const inLine = ({ event, label }: Entry, isLast: boolean, limit = 130): string => {
  switch (event.type) {
    case "user_message":
      return event.synthetic
        ? `[${label}] the agent was reminded: ${oneLine(clean(event.text.slice(0, 4000)), 600)}`
        : `[${label}] user: ${clip(clean(event.text.slice(0, read)), 1200)}`
    case "assistant_message":
      return `[${label}] agent: ${isLast ? "its last words, below" : oneLine(clean(event.text.slice(0, 4000)), limit)}`
    case "tool_call": {
      const files = fileEdits(event).map(({ path }) => path)
      const target = targetOf(event, limit) || oneLine(clean(files.join(", ").slice(0, 2000)), limit)
      return `[${label}] ${oneLine(event.tool, 40)} \`${target}\` → ${outcomeOf(event)}`
    }
  }
}
