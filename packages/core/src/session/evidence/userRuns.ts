/** Reads what the user ran: in the host's own shell, or elsewhere with the output pasted into a message. */
import { ranTests, summarize } from "../output/RunnerOutput.ts"
import type { ToolCall, UserMessage } from "../transcript/Transcript.ts"
import { type Outcome, failed, passed } from "./deliveries.ts"

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name: string) => entities[name] ?? whole)

/** A text that was cut may have lost its end tag. */
const within = (text: string, tag: string): string | null => {
  const [, rest] = text.split(`<${tag}>`, 2)
  return rest?.split(`</${tag}>`, 1)[0] ?? null
}

const status =
  /^(?:error: )?(?:exit (?:code|status):? |(?:command )?failed with exit code |exited with (?:code )?)(\d{1,3})\b/im

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

/** Null if the message has no command. If it has only output, `typed` is the command of an earlier message. */
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

export const pasted = (message: UserMessage): { readonly call: ToolCall; readonly outcome: Outcome } | null => {
  const { synthetic, text } = message
  if (synthetic || text.startsWith("<")) return null
  const printed = text.slice(-16_000).replaceAll(/^\s{0,3}(?:>\s?|```\w{0,12}$)/gm, "")
  const summary = ranTests(printed) ? summarize(printed, { kind: "tests", runner: null }) : null
  if (summary === null || summary.outcome === "none") return null
  const outcome = summary.outcome === "failed" ? failed(summary.detail) : passed(summary.detail)
  return { call: callOf(message, "what the user ran", null, ""), outcome }
}
