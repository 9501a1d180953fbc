/**
 * Runs an agent of the OpenAI Agents SDK. Where its record shows that the task is not done, the agent goes on, at most
 * three times, and never twice for the same reason.
 *
 *     node examples/dist/openai-agents-sdk.js "Fix the discount and make sure the tests pass."
 */
import { Agent, type AgentInputItem, run, tool } from "@openai/agents"
import { judge, type TranscriptInput } from "@reflexion/core/pure"
import { spawnSync } from "node:child_process"
import { z } from "zod"

const events: Array<TranscriptInput["events"][number]> = []

const bash = tool({
  name: "bash",
  description: "Runs a shell command.",
  parameters: z.object({ command: z.string() }),
  execute: ({ command }) => {
    const { status, stderr, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" })
    events.push({ type: "tool_call", tool: "bash", input: { command }, exitCode: status, output: stdout + stderr })
    return `exit ${status}\n${stdout}${stderr}`
  }
})

const agent = new Agent({ name: "Developer", instructions: "Work in the current folder.", tools: [bash] })
const told: Array<string> = []
let history: Array<AgentInputItem> = []
let next: string | null = process.argv[2] ?? ""
while (next !== null) {
  events.push({ type: "user_message", text: next, synthetic: told.length > 0 })
  const result = await run(agent, [...history, { role: "user", content: next }])
  history = result.history
  events.push({ type: "assistant_message", text: result.finalOutput ?? "" })
  const { feedback, reason } = judge({ events }).verdict
  next = told.length === 3 || told.includes(reason) ? null : feedback
  told.push(reason)
}
process.stdout.write(`${told.at(-1)}\n`)
