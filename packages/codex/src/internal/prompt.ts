/** Decides whether a text in the user's role was typed by a person or added by the host. */
import * as Json from "@reflexion/core/internal/base/json/Json"

export type Prompt =
  | { readonly kind: "genuine" | "unsaid" | "synthetic" | "notification"; readonly text: string }
  | { readonly kind: "context" }

const context: Prompt = { kind: "context" }

/** The host gives this context to the model. It is not an event of the session. */
const contexts = [
  "<environment_context>",
  "<user_instructions>",
  "<permissions instructions>",
  "<collaboration_mode>",
  "<personality_spec>",
  "<recommended_plugins>",
  "<skills_instructions>",
  "<skill>",
  "<turn_aborted>",
  "<user_action>",
  "<context_window",
  "# AGENTS.md instructions for ",
  "# AGENTS.md instructions\n\n<INSTRUCTIONS>"
]

const notification = "<subagent_notification>"
const hookOpen = "<hook_prompt"
const hookClose = "</hook_prompt>"
const maxSynthetic = 16 * 1024

/** `kinds` names the author of each part, if the host records it. */
export const classify = (content: unknown, kinds: ReadonlyArray<unknown>): Prompt => {
  const parts = Json.list(content).filter((_, index) => Json.text(kinds[index]).startsWith("user."))
  if (parts.length > 0) return { kind: "genuine", text: typed(Json.contentText(parts), parts.length) }
  const text = Json.contentText(content).trim()
  if (contexts.some((prefix) => text.startsWith(prefix))) return context
  if (text.startsWith(notification)) return { kind: "notification", text }
  if (text.startsWith(hookOpen)) return { kind: "synthetic", text: Json.clip(hookText(text), maxSynthetic / 2) }
  const byHost = kinds.some((kind) => kind !== "unknown") || /^<[a-z][a-z_]{2,40}[> ]/.test(text.slice(0, 50))
  return text === ""
    ? context
    : { kind: byHost ? "synthetic" : "unsaid", text: byHost ? Json.clip(text, maxSynthetic / 2) : text }
}

/** A prompt can consist of only an image. */
export const typed = (text: string, parts: number): string => (text.trim() === "" && parts > 0 ? "[image]" : text)

/** Hooks gave this text to the agent. Tags and escapes are removed. */
const hookText = (text: string): string => {
  const fragments: Array<string> = []
  for (let open = text.indexOf(hookOpen); open !== -1;) {
    const start = text.indexOf(">", open)
    const close = start === -1 ? -1 : text.indexOf(hookClose, start)
    if (close === -1) break
    fragments.push(unescaped(text.slice(start + 1, close)))
    open = text.indexOf(hookOpen, close + hookClose.length)
  }
  return fragments.length === 0 ? text : fragments.join("\n")
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hex) => {
    if (typeof name === "string") return entities[name] ?? whole
    const code = Number.parseInt(String(decimal ?? hex), decimal === undefined ? 16 : 10)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
