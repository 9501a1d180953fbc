/** Decides whether a text in the user's role was typed by a person. */
import * as Json from "@reflexion/core/internal/base/json/Json"

const hookText = /^<hook_context>[^<]*<\/hook_context>\s*/

const ofHost = [
  "<state_snapshot>",
  "System: Potential loop detected.",
  "[System: ",
  "I ran the following shell command:\n",
  "User steering update:",
  "A previously backgrounded execution has completed"
]

export interface Prompt {
  readonly text: string
  readonly synthetic: boolean
}

/** Null for the results of tools and for the host's description of the folder. */
export const read = (content: unknown): Prompt | null => {
  const parts = typeof content === "string" ? [content] : Json.list(content).map(Json.object)
  if (parts.some((part) => typeof part !== "string" && Json.isObject(part["functionResponse"]))) return null
  const whole = Json.contentText(content)
  if (whole.startsWith("<session_context>")) return null
  const said = parts
    .map((part) => Json.contentText(part).replace(hookText, ""))
    .filter((text) => text !== "")
    .join("\n")
  if (said === "" && (whole !== "" || typeof content === "string" || parts.length === 0)) return null
  const synthetic = said === "Please continue." || ofHost.some((start) => said.startsWith(start))
  return { text: said === "" ? "[image]" : said, synthetic }
}
