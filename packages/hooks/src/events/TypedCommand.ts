/** The commands to reflexion among a user's prompts. */
import type { Hook } from "../session/Hook.ts"

export type TypedCommand =
  | "stop"
  | "start"
  | "status"
  | "away"
  | "here"
  | "wrong"
  | "verify"
  | "done-when"
  | "model"
  | "model-on"
  | "model-off"

const typed = /^\/(?:reflexion:)?(?:reflection|reflexion)(?=\s|$)\s*([a-z]*(?:-when)?)/i
const bare =
  /^(?:reflection|reflexion)(?:[ \t]+(stop|start|status|away|here|wrong|verify|model|model[ \t]+on|model[ \t]+off))?[ \t]*[.!]?$/i

/** What follows it says when the task is done. */
const bareConditions = /^(?:reflection|reflexion)[ \t]+(done-when)(?=\s|$)/i

const commands: ReadonlySet<string> = new Set<TypedCommand>([
  "stop",
  "start",
  "status",
  "away",
  "here",
  "wrong",
  "verify",
  "done-when",
  "model"
])

/** What may follow `model`. */
const modelWords: Readonly<Record<string, TypedCommand>> = { "": "model", on: "model-on", off: "model-off" }

const modelCommand = (rest: string): TypedCommand | "unknown" => {
  const word = /^[ \t:]*([a-z]*)/i.exec(rest)?.[1]?.toLowerCase() ?? ""
  return rest.trim() !== "" && word === "" ? "unknown" : (modelWords[word] ?? "unknown")
}

const isCommand = (word: string): word is TypedCommand => commands.has(word)

const bareIn = (text: string): RegExpExecArray | null =>
  bareConditions.exec(text) ?? (text.length > 100 ? null : bare.exec(text))

/**
 * What was typed: `/reflection stop`, `start`, `status`, `away`, `here`, `wrong`, `verify`, `model`, with `on` or `off` behind it, or
 * `done-when` with a text; `status` is meant without
 * a word, too. Nobody but us answers to the slash, so whatever follows those words changes nothing, and another word is `unknown`. Where the host's
 * `command` has no slash, it may be left out, but of such a prompt nothing else may be said: it is the model's then.
 */
export const parse = (prompt: string, { command }: Pick<Hook<never>, "command">): TypedCommand | "unknown" | null => {
  const text = prompt.trim()
  const found = typed.exec(text) ?? (command.startsWith("/") ? null : bareIn(text))
  if (found === null) return null
  const isAlone = found[0].length === text.length
  const word = (found[1] ?? "").toLowerCase()
  if (word === "") return isAlone ? "status" : "unknown"
  if (/^model\b/.test(word)) return modelCommand(word.slice("model".length) + text.slice(found[0].length))
  return isCommand(word) ? word : "unknown"
}

/** What was typed behind `done-when`. */
export const conditions = (prompt: string): string => prompt.trim().replace(/^.{0,40}?\bdone-when\b[ \t:]*/is, "")
