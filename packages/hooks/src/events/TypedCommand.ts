/** The commands to reflexion among a user's prompts. */
import type { Hook } from "../session/Hook.ts"

export type TypedCommand = "stop" | "start" | "status" | "away" | "here" | "wrong"

const typed = /^\/(?:reflexion:)?(?:reflection|reflexion)(?=\s|$)\s*([a-z]*)/i
const bare = /^(?:reflection|reflexion)(?:[ \t]+(stop|start|status|away|here|wrong))?[ \t]*[.!]?$/i

const commands: ReadonlySet<string> = new Set<TypedCommand>(["stop", "start", "status", "away", "here", "wrong"])

const isCommand = (word: string): word is TypedCommand => commands.has(word)

/**
 * What was typed: `/reflection stop`, `start`, `status`, `away`, `here` or `wrong`; `status` is meant without a word, too. Nobody but us answers
 * to the slash, so whatever follows the first word changes nothing, and another word is `unknown`. Where the host's
 * `command` has no slash, it may be left out, but of such a prompt nothing else may be said: it is the model's then.
 *
 * @category decoding
 */
export const parse = (prompt: string, { command }: Pick<Hook<never>, "command">): TypedCommand | "unknown" | null => {
  const text = prompt.trim()
  const found = typed.exec(text) ?? (command.startsWith("/") || text.length > 100 ? null : bare.exec(text))
  if (found === null) return null
  const isAlone = found[0].length === text.length
  const word = (found[1] ?? "").toLowerCase()
  if (word === "") return isAlone ? "status" : "unknown"
  return isCommand(word) ? word : "unknown"
}
