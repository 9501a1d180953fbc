/**
 * Runs an agent of the Vercel AI SDK. Where its record shows that the task is not done, the agent goes on, at most three
 * times, and never twice for the same reason.
 *
 *     node examples/dist/vercel-ai-sdk.js "Fix the discount and make sure the tests pass."
 */
import { judge, type TranscriptInput } from "@reflexion/core/pure"
import { generateText, type ModelMessage, stepCountIs, tool } from "ai"
import { spawnSync } from "node:child_process"
import { z } from "zod"

const events: Array<TranscriptInput["events"][number]> = []

const bash = tool({
  description: "Runs a shell command.",
  inputSchema: z.object({ command: z.string() }),
  execute: ({ command }) => {
    const { status, stderr, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" })
    events.push({ type: "tool_call", tool: "bash", input: { command }, exitCode: status, output: stdout + stderr })
    return `exit ${status}\n${stdout}${stderr}`
  }
})

const told: Array<string> = []
const messages: Array<ModelMessage> = []
let next: string | null = process.argv[2] ?? ""
while (next !== null) {
  events.push({ type: "user_message", text: next, synthetic: told.length > 0 })
  messages.push({ role: "user", content: next })
  const model = "anthropic/claude-sonnet-4.5"
  const { response, text } = await generateText({ model, messages, tools: { bash }, stopWhen: stepCountIs(50) })
  messages.push(...response.messages)
  events.push({ type: "assistant_message", text })
  const { feedback, reason } = judge({ events }).verdict
  next = told.length === 3 || told.includes(reason) ? null : feedback
  told.push(reason)
}
process.stdout.write(`${told.at(-1)}\n`)
