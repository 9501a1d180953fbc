/**
 * What the user ran: in the host's own shell, whose commands and outputs stand in the user's place, or elsewhere, with what it
 * printed pasted into a message.
 */
import { ranTests, summarize } from "../output/RunnerOutput.ts"
import type { ToolCall, UserMessage } from "../transcript/Transcript.ts"
import { type Outcome, failed, passed } from "./deliveries.ts"

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name: string) => entities[name] ?? whole)

/** What stands between a tag and its end, null without them; a text that was cut may have lost the end. */
const within = (text: string, tag: string): string | null => {
  const [, rest] = text.split(`<${tag}>`, 2)
  return rest?.split(`</${tag}>`, 1)[0] ?? null
}

const status =
  /^(?:error: )?(?:exit (?:code|status):? |(?:command )?failed with exit code |exited with (?:code )?)(\d{1,3})\b/im

/** A command of the user's as the call that it would be of an agent's. */
const callOf = ({ at, id }: UserMessage, command: string, output: string | null, said: string): ToolCall => {
  const code = status.exec(said.trim().slice(0, 2000))?.[1]
  const exitCode = code === undefined ? null : Number(code)
  return {
    type: "tool_call",
    id,
    at,
    endedAt: null,
    tool: "bash",
    input: { command },
    cwd: null,
    background: false,
    agentId: null,
    status: exitCode === null || exitCode === 0 ? "completed" : "error",
    exitCode,
    output
  }
}

/**
 * What a message shows of the user's shell, null where it is of none: a command, and whether its output is there. `typed` is the
 * command of the message before, where that has its own.
 */
export const userCall = (
  message: UserMessage,
  typed: string | null
): { readonly call: ToolCall; readonly command: string; readonly isOver: boolean } | null => {
  const { text } = message
  const own = within(text, "user_shell_command")
  const input = within(text, "bash-input")
  const command = (own === null ? (input === null ? typed : unescaped(input)) : within(own, "command"))?.trim() ?? ""
  if (command === "") return null
  if (own !== null) {
    const result = within(own, "result")
    const output = result?.split("Output:")
    return result === null
      ? null
      : { call: callOf(message, command, output?.slice(1).join("Output:") || result, result), command, isOver: true }
  }
  const [out, err] = [within(text, "bash-stdout"), within(text, "bash-stderr")].map((part) => part && unescaped(part))
  const isOver = out !== null || err !== null
  const output = isOver ? `${out ?? ""}\n${err ?? ""}` : null
  return isOver || input !== null ? { call: callOf(message, command, output, err ?? ""), command, isOver } : null
}

/** What the tests came to by an output that the user pasted, null where there is none. */
export const pasted = (message: UserMessage): { readonly call: ToolCall; readonly outcome: Outcome } | null => {
  const { synthetic, text } = message
  if (synthetic || text.startsWith("<")) return null
  const printed = text.slice(-16_000).replaceAll(/^\s{0,3}(?:>\s?|```\w{0,12}$)/gm, "")
  const summary = ranTests(printed) ? summarize(printed, { kind: "tests", runner: null }) : null
  if (summary === null || summary.outcome === "none") return null
  const outcome = summary.outcome === "failed" ? failed(summary.detail) : passed(summary.detail)
  return { call: callOf(message, "what the user ran", null, ""), outcome }
}
