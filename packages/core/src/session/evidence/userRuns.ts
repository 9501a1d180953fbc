/**
 * What the user ran: in the host's own shell, whose commands and outputs stand in the user's place, or elsewhere, with what it
 * printed pasted into a message.
 */
import { ranTests, summarize } from "../output/RunnerOutput.ts"
import type { ToolCall, UserMessage } from "../transcript/Transcript.ts"

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name: string) => entities[name] ?? whole)

/** What stands between a tag and its end, null without them; a text that was cut may have lost the end. */
const within = (text: string, tag: string): string | null => {
  const open = text.indexOf(`<${tag}>`)
  if (open < 0) return null
  const start = open + tag.length + 2
  const close = text.indexOf(`</${tag}>`, start)
  return text.slice(start, close < 0 ? undefined : close)
}

const status =
  /^(?:error: )?(?:exit (?:code|status):? |(?:command )?failed with exit code |exited with (?:code )?)(\d{1,3})\b/im

const statusIn = (text: string): number | null => {
  const found = status.exec(text.slice(0, 2000))?.[1]
  return found === undefined ? null : Number(found)
}

/** A command of the user's as the call that it would be of an agent's. */
export const userCall = (
  { at, id }: UserMessage,
  command: string,
  output: string | null = null,
  exitCode: number | null = null
): ToolCall => ({
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
})

/** What a message shows of the user's shell: a command that was typed, or one with what came of it. */
export interface UserShell {
  readonly typed: string | null
  readonly call: ToolCall | null
}

const none: UserShell = { typed: null, call: null }

/** `typed` is the command of the message before, where that has its own. */
export const userShell = (message: UserMessage, typed: string | null): UserShell => {
  const { text } = message
  const own = within(text, "user_shell_command")
  if (own !== null) {
    const command = within(own, "command")?.trim() ?? ""
    const result = within(own, "result")
    if (command === "" || result === null) return none
    const output = result.indexOf("Output:")
    return {
      typed: null,
      call: userCall(message, command, output < 0 ? result : result.slice(output + 7), statusIn(result.trim()))
    }
  }
  const input = within(text, "bash-input")
  const command = (input === null ? typed : unescaped(input).trim()) ?? ""
  const printed = [within(text, "bash-stdout"), within(text, "bash-stderr")]
  if (printed.every((part) => part === null)) return { typed: input === null ? null : command, call: null }
  if (command === "") return none
  const [out, err] = printed.map((part) => unescaped(part ?? ""))
  return { typed: null, call: userCall(message, command, `${out ?? ""}\n${err ?? ""}`, statusIn((err ?? "").trim())) }
}

/** What the tests came to by an output that the user pasted, null where there is none. */
export const pasted = ({
  synthetic,
  text
}: UserMessage): { readonly failed: boolean; readonly detail: string } | null => {
  if (synthetic || text.startsWith("<")) return null
  const printed = text.slice(-16_000).replaceAll(/^\s{0,3}(?:>\s?|```\w{0,12}$)/gm, "")
  if (!ranTests(printed)) return null
  const summary = summarize(printed, { kind: "tests", runner: null })
  return summary === null || summary.outcome === "none"
    ? null
    : { failed: summary.outcome === "failed", detail: summary.detail }
}
