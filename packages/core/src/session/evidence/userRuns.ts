/**
 * Reads which commands the user ran. Either the user used the host's own shell, and the record has the command and
 * output as messages. Or the user pasted output from elsewhere into a message.
 */
import { ranTests, summarize } from "../output/RunnerOutput.ts"
import type { ToolCall, UserMessage } from "../transcript/Transcript.ts"
import { type Outcome, failed, passed } from "./deliveries.ts"

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name: string) => entities[name] ?? whole)

/**
 * Returns the text between a tag and its end tag. Null without the tag. A text that was cut may have lost the end tag.
 */
const within = (text: string, tag: string): string | null => {
  const [, rest] = text.split(`<${tag}>`, 2)
  return rest?.split(`</${tag}>`, 1)[0] ?? null
}

const status =
  /^(?:error: )?(?:exit (?:code|status):? |(?:command )?failed with exit code |exited with (?:code )?)(\d{1,3})\b/im

/** Turns a command of the user into a call, as if the agent had made it. */
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
 * Returns the command of the user's shell in a message, and whether the message also has its output. Null if the
 * message has no command. `typed` is the command of an earlier message, for a message with only the output.
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

/** Returns the test result in an output that the user pasted. Null if the message has no test output. */
export const pasted = (message: UserMessage): { readonly call: ToolCall; readonly outcome: Outcome } | null => {
  const { synthetic, text } = message
  if (synthetic || text.startsWith("<")) return null
  const printed = text.slice(-16_000).replaceAll(/^\s{0,3}(?:>\s?|```\w{0,12}$)/gm, "")
  const summary = ranTests(printed) ? summarize(printed, { kind: "tests", runner: null }) : null
  if (summary === null || summary.outcome === "none") return null
  const outcome = summary.outcome === "failed" ? failed(summary.detail) : passed(summary.detail)
  return { call: callOf(message, "what the user ran", null, ""), outcome }
}
