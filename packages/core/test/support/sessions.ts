/**
 * Sessions in a line, for tables. Events stand with ` / ` between them:
 *
 *     > Fix it.                  the user; `>>` the harness, `>+` the user while the agent works
 *     edit src/a.ts              `edit! a` failed, `edit-denied a`; `edit a: old ==> new`
 *     $ npm test => 5 passed     a command that exited 0; `$1`; `$?` has no result that is known
 *     $denied make               also interrupted, pending, running, background
 *     call Read {"file_path":"a"} => text; `call!` failed, `call1` exited with 1, `call?` is not through
 *     todo [x] csv; [~] json; [ ] xml
 *     notice aborted: why        mode plan
 *     Done.                      the agent; `… Now I will` was cut off, `~ Now I` may have been
 *
 * `3x event` is that event three times, `#c1 event` has that id, `=09:30 event` that time, `@a1 event` is a subagent's. `\n` is a line break, and any other character behind `\` stands for itself.
 */
import type { Mode, Notice, Todo, ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, mode, notice, run, todos, user } from "./events.ts"
import { plain } from "./rows.ts"

export type Words = Readonly<Record<string, string>>

const parted = (text: string, arrow: string): readonly [string, string] => {
  const [before = "", ...behind] = text.split(arrow)
  return [plain(before), plain(behind.join(arrow))]
}

const ran = (how: string, text: string): ToolCall => {
  const [command, output] = parted(text, " => ")
  if (how === "?") return run(command, null, output, { status: null, output: output === "" ? null : output })
  if (how === "background") return run(command, null, output, { background: true, status: "running" })
  if (how === "" || /^-?\d+$/.test(how)) return run(command, Number(how), output)
  return run(command, null, output, { status: how as ToolCall["status"] })
}

const edited = (how: string, text: string): ToolCall => {
  const rest = how === "!" ? { status: "error" as const } : how === "-denied" ? { status: "denied" as const } : {}
  const [, path = text, change] = /^(\S+): (.*)$/s.exec(text) ?? []
  if (change === undefined) return edit(plain(path), rest)
  const [old_string, new_string] = parted(change, " ==> ")
  return call("Edit", { file_path: plain(path), old_string, new_string }, rest)
}

const called = (how: string, text: string): ToolCall => {
  const [, tool = "", json = "{}", said] = /^(\S+)(?: (\{.*?\}))?(?: => (.*))?$/s.exec(text) ?? []
  const output = said === undefined ? "" : plain(said)
  const status = how === "!" ? "error" : how === "?" ? "pending" : "completed"
  const exitCode = how === "" || Number.isNaN(Number(how)) ? null : Number(how)
  return call(tool, JSON.parse(json.replaceAll("\\`", "`")), { output: how === "?" ? null : output, status, exitCode })
}

const states: Readonly<Record<string, Todo["status"]>> = {
  "[x]": "completed",
  "[~]": "in_progress",
  "[ ]": "pending",
  "[-]": "cancelled"
}

const listed = (text: string): TranscriptEvent =>
  todos(...text.split("; ").map((item) => [plain(item.slice(4)), states[item.slice(0, 3)] ?? "pending"] as const))

const forms: ReadonlyArray<readonly [RegExp, (how: string, text: string) => TranscriptEvent]> = [
  [/^>()(?: (.*))?$/s, (_, text) => user(plain(text))],
  [/^>(>)(?: (.*))?$/s, (_, text) => user(plain(text), { synthetic: true })],
  [/^>(\+)(?: (.*))?$/s, (_, text) => user(plain(text), { turn: 0 })],
  [/^\$(\?|-?\d+|[a-z]*) (.*)$/s, ran],
  [/^edit(!|-denied)? (.*)$/s, edited],
  [/^call(!|\?|\d+)? (.*)$/s, called],
  [/^todo() (.*)$/s, (_, text) => listed(text)],
  [/^notice ([a-z_]+)(?:: (.*))?$/s, (kind, text) => notice(kind as Notice["kind"], text === "" ? null : plain(text))],
  [/^mode() (.*)$/s, (_, text) => mode(text as Mode)],
  [/^…() (.*)$/s, (_, text) => agent(plain(text), false)],
  [/^~() (.*)$/s, (_, text) => agent(plain(text), null)]
]

const event = (text: string): TranscriptEvent => {
  for (const [form, make] of forms) {
    const found = form.exec(text)
    if (found !== null) return make(found[1] ?? "", found[2] ?? "")
  }
  return agent(plain(text))
}

export const session = (line: string, words: Words = {}): ReadonlyArray<TranscriptEvent> =>
  line.split(" / ").flatMap((part): ReadonlyArray<TranscriptEvent> => {
    const [, count = "1", id, time, agentId, text = ""] =
      /^(?:(\d+)x )?(?:#(\w+) )?(?:=(\d\d:\d\d) )?(?:@(\w+) )?(.*)$/s.exec(part) ?? []
    const at = time === undefined ? "" : `2026-03-02T${time}:00.000Z`
    const said = words[text]
    const made = Array.from({ length: Number(count) }, () =>
      said === undefined ? [event(text)] : session(said, words)
    )
    return made.flat().map((one) => ({ ...one, ...(id && { id }), ...(at && { at }), ...(agentId && { agentId }) }))
  })

/** The fields of a table's rows. A line break or ` ¦ ` separates rows, and `::` separates fields. */
export const table = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("// "))
    .flatMap((line) => line.split(" ¦ "))
    .map((line) => line.split(/ ::(?= |$)/).map((field) => field.trim()))
