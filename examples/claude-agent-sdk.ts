/**
 * Runs the Claude Agent SDK. At a stop where the record shows that the task is not done, the agent goes on, at most
 * three times, and never twice for the same reason.
 *
 *     node examples/dist/claude-agent-sdk.js "Fix the discount and make sure the tests pass."
 *
 * CLAUDE_PATH names the Claude Code that is run, otherwise the one on the PATH.
 */
import { type HookCallback, type Options, query } from "@anthropic-ai/claude-agent-sdk"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import { judge } from "@reflexion/core/pure"
import { readFile } from "node:fs/promises"

const told: Array<string> = []

const stop: HookCallback = async (input) => {
  if (input.hook_event_name !== "Stop") return {}
  const decoding = ClaudeCodeTranscript.decoder.start()
  const lines = (await readFile(input.transcript_path, "utf8")).split("\n").filter((line) => line !== "")
  const events = [...lines.flatMap((line) => decoding.push(JSON.parse(line))), ...decoding.end()]
  const { verdict } = judge({ ...decoding.session(), events })
  const { feedback, reason } = verdict
  if (feedback === null || told.length === 3 || told.includes(reason)) return {}
  told.push(reason)
  return { decision: "block", reason: feedback }
}

const [prompt = ""] = process.argv.slice(2)
const options: Options = {
  hooks: { Stop: [{ hooks: [stop] }] },
  pathToClaudeCodeExecutable: process.env["CLAUDE_PATH"] ?? "claude",
  permissionMode: "acceptEdits"
}
for await (const message of query({ prompt, options })) {
  if (message.type === "result") process.stdout.write(`${message.subtype}, after ${told.length} nudges\n`)
}
