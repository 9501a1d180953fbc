/** An example in lines that a person reads. */
import type { Example } from "./model.ts"
import { shellCommand } from "../../session/transcript/ToolKinds.ts"
import type { TranscriptEvent } from "../../session/transcript/Transcript.ts"
import * as Json from "../../ground/json/Json.ts"

const said = (who: string, text: string): string =>
  `${who}: ${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}`

const lineOf = (event: TranscriptEvent): string => {
  switch (event.type) {
    case "user_message":
      return said("user", event.text)
    case "assistant_message":
      return (
        said("agent", event.text.trim() === "" ? "(nothing)" : event.text) + (event.completed === false ? " …" : "")
      )
    case "tool_call": {
      const command = shellCommand(event)
      if (command === null) return `${event.tool} ${Json.string(Json.object(event.input)["file_path"]) ?? ""}`
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

/**
 * The events of an example, a line each.
 *
 * @category rendering
 */
export const linesOf = (events: Example["events"]): ReadonlyArray<string> => events.map(lineOf)
