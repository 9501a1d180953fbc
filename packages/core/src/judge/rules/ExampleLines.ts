/** An example in lines that a person reads. */
import { unimportant } from "./example.ts"
import type { Example } from "./model.ts"
import { shellCommand } from "../../session/transcript/ToolKinds.ts"
import type { TranscriptEvent } from "../../session/transcript/Transcript.ts"
import * as Array from "effect/Array"
import * as Json from "../../ground/json/Json.ts"

/** The text before and after, where the example is about it. */
const replaced = (input: unknown): string => {
  const before = Json.string(Json.object(input)["old_string"]) ?? unimportant
  const after = Json.string(Json.object(input)["new_string"]) ?? ""
  return before === unimportant ? "" : `: ${before} → ${after === "" ? "(nothing)" : after}`
}

const textOf = (event: TranscriptEvent): string => {
  switch (event.type) {
    case "user_message":
      return `user: ${event.text}`
    case "assistant_message":
      return `agent: ${event.text.trim() === "" ? "(nothing)" : event.text}${event.completed === false ? " …" : ""}`
    case "tool_call": {
      const command = shellCommand(event)
      if (command === null)
        return `${event.tool} ${Json.string(Json.object(event.input)["file_path"]) ?? ""}${replaced(event.input)}`
      const printed = (event.output ?? "").trim()
      return `$ ${command} (exit ${event.exitCode ?? "?"})${printed === "" ? "" : `: ${printed}`}`
    }
    case "todo_update":
      return `todos: ${event.todos.map(({ content, status }) => `${content} (${status})`).join("; ")}`
    case "notice":
      return `host: ${event.kind}${event.detail === null ? "" : `: ${event.detail}`}`
    case "mode_change":
      return `mode: ${event.mode}`
  }
}

/** What a text has below its first line is set in. */
const linesIn = (text: string): ReadonlyArray<string> =>
  text.split("\n").map((line, at) => (at === 0 || line === "" ? line : `  ${line}`))

/** Which events say as good as the same: calls that differ in a number alone. What a command did is all of it compared. */
const likeness = (event: TranscriptEvent): string => {
  const text = textOf(event)
  return event.type === "tool_call" && shellCommand(event) === null ? text.replace(/\d+/gu, "0") : text
}

/** So many are shown one by one; of more the first two. */
const handful = 5

const numbers = ["four", "five", "six", "seven", "eight", "nine", "ten"]

const runLines = (run: Example["events"]): ReadonlyArray<string> => {
  if (run.length <= handful) return run.flatMap((event) => linesIn(textOf(event)))
  const left = run.length - 2
  return [
    ...run.slice(0, 2).flatMap((event) => linesIn(textOf(event))),
    `… and ${numbers[left - 4] ?? left} more like it`
  ]
}

/**
 * The events of an example in lines, each below the one before; a long run of as good as the same is folded.
 *
 * @category rendering
 */
export const linesOf = (events: Example["events"]): ReadonlyArray<string> =>
  Array.chop(events, ([first, ...rest]) => {
    const [alike, others] = Array.span(rest, (event) => likeness(event) === likeness(first))
    return [runLines([first, ...alike]), others]
  }).flat()
