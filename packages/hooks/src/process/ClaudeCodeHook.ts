/** Claude Code's hooks. GitHub's Copilot CLI loads the same plugins, but a few fields of its payload differ. */
import * as ClaudeCodePresence from "@reflexion/claude-code/ClaudeCodePresence"
import * as ClaudeCodeTodos from "@reflexion/claude-code/ClaudeCodeTodos"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as SidechainCalls from "@reflexion/claude-code/SidechainCalls"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import { type HookAnswer, type HookEvent, rendered, specific } from "../input/HookEvent.ts"
import type { HookProgram } from "./HookProcess.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type { RecordDecoder } from "../session/RecordTail.ts"

const ended = new Set(["completed", "failed", "error", "killed", "stopped", "cancelled", "idle"])

/** Counts running tasks and the agent's wake-ups, but not recurring wake-ups: the agent does not wait for these. */
const waiting = (payload: HookEvents.Payload): number =>
  HookEvents.objects(payload, "background_tasks").filter((task) => !ended.has(String(task["status"]))).length +
  HookEvents.objects(payload, "session_crons").filter((cron) => cron["recurring"] === false).length

/** Copilot CLI's stop has a reason. Claude Code's stop has the permission mode and the final message instead. */
const isCopilot = (payload: HookEvents.Payload): boolean =>
  "stop_reason" in payload && !("permission_mode" in payload) && !("last_assistant_message" in payload)

/** The main agent has a name only if the user chose one. */
const agentOf = (payload: HookEvents.Payload): string => HookEvents.text(payload, "agent_type") ?? "main"

/** Null if the value is not a payload of a session. */
export const decode = (value: unknown): HookEvent | null => {
  const found = HookEvents.decode(value)
  if (found === null) return null
  const { event, payload } = found
  const turnId = HookEvents.text(payload, "prompt_id")
  const blocks = turnId === null && isCopilot(payload)
  return { ...event, turnId, blocks, agent: agentOf(payload), background: waiting(payload) }
}

/** Copilot CLI needs a block. In Claude Code, a block would reach the model twice and look like a hook failure. */
const goOn = (feedback: string, event: HookEvent): object =>
  event.blocks ? { decision: "block", reason: feedback } : specific(event, { additionalContext: feedback })

export const output = (answer: HookAnswer, event: HookEvent): object | null =>
  rendered(answer, event, {
    nudge: (feedback) => goOn(feedback, event),
    reply: specific(event, { suppressOriginalPrompt: true })
  })

/** A line with the role "user" may also be a tool's result or a line from the host. */
const beginsTurn = (line: Buffer): boolean => {
  if (!line.includes('"type":"user"') || line.includes('"tool_use_id"')) return false
  const [, events] = ClaudeCodeTranscript.step(ClaudeCodeTranscript.initial, JsonLines.first(line.toString("utf8")))
  return events.some(TaskContext.isGenuine)
}

export const decoder: RecordDecoder<ClaudeCodeTranscript.State> = {
  initial: ClaudeCodeTranscript.initial,
  step: ClaudeCodeTranscript.step,
  finish: ClaudeCodeTranscript.finish,
  session: ClaudeCodeTranscript.session,
  ignores: (line) => ClaudeCodeTranscript.ignores(line) !== null,
  beginsTurn: () => beginsTurn,
  midway: (head, { open, turns }) => ({
    ...ClaudeCodeTranscript.initial,
    sessionId: head.sessionId,
    cwd: head.cwd,
    attended: head.attended,
    turn: turns - 1,
    background: open.map(({ call, key }) => ({ task: key, call: { ...call, agentId: null } }))
  }),
  open: ({ background }) =>
    background.flatMap(({ call: { agentId, ...call }, task }) => (agentId === null ? [{ key: task, call }] : [])),
  isPrompted: () => true,
  background: () => 0,
  subagents: {
    list: SidechainCalls.filesOf,
    step: SidechainCalls.step
  }
}

export const program: HookProgram<ClaudeCodeTranscript.State> = {
  host: "claude-code",
  // The command has a slash, because Claude Code puts any other blocked prompt back into the input box.
  command: "/reflection",
  decoder,
  decode,
  output,
  todos: ClaudeCodeTodos,
  rest: (sessionId) =>
    ClaudeCodePresence.isAtScreen(process.env)
      ? ClaudeCodePresence.rest(sessionId, () => ClaudeCodePresence.read(process.env))
      : null
}
