/** Claude Code's hooks, and those of GitHub's Copilot CLI, which loads its plugins and names a few fields otherwise. */
import * as ClaudeCodePresence from "@reflexion/claude-code/ClaudeCodePresence"
import * as ClaudeCodeTodos from "@reflexion/claude-code/ClaudeCodeTodos"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as SidechainCalls from "@reflexion/claude-code/SidechainCalls"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import * as FS from "node:fs"
import * as Path from "node:path"
import { type HookAnswer, type HookEvent, rendered, specific } from "../input/HookEvent.ts"
import type { HookProgram } from "./HookProcess.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type { RecordDecoder } from "../session/RecordTail.ts"

const ended = new Set(["completed", "failed", "error", "killed", "stopped", "cancelled", "idle"])

/** A running task, or a wake-up that the agent set for itself: a schedule that recurs waits for nothing. */
const waiting = (payload: HookEvents.Payload): number =>
  HookEvents.objects(payload, "background_tasks").filter((task) => !ended.has(String(task["status"]))).length +
  HookEvents.objects(payload, "session_crons").filter((cron) => cron["recurring"] === false).length

/** Claude Code's own stops tell the mode of permissions and the final message; Copilot CLI's tell the reason instead. */
const isCopilot = (payload: HookEvents.Payload): boolean =>
  "stop_reason" in payload && !("permission_mode" in payload) && !("last_assistant_message" in payload)

/** The agent that the user speaks to has a name only where one was chosen. */
const agentOf = (payload: HookEvents.Payload): string => HookEvents.text(payload, "agent_type") ?? "main"

/** Null for what is no payload of a session. */
export const decode = (value: unknown): HookEvent | null => {
  const found = HookEvents.decode(value)
  if (found === null) return null
  const { event, payload } = found
  const turnId = HookEvents.text(payload, "prompt_id")
  const blocks = turnId === null && isCopilot(payload)
  return { ...event, turnId, blocks, agent: agentOf(payload), background: waiting(payload) }
}

/** A block would reach Claude Code's model twice and look like a failure of the hook; Copilot CLI goes on by nothing else. */
const goOn = (feedback: string, event: HookEvent): object =>
  event.blocks ? { decision: "block", reason: feedback } : specific(event, { additionalContext: feedback })

export const output = (answer: HookAnswer, event: HookEvent): object | null =>
  rendered(answer, event, {
    nudge: (feedback) => goOn(feedback, event),
    reply: specific(event, { suppressOriginalPrompt: true })
  })

const sidechains = (transcript: string): ReadonlyArray<string> => {
  const folder = Path.join(transcript.replace(/\.jsonl$/, ""), "subagents")
  if (!FS.existsSync(folder)) return []
  const names = FS.readdirSync(folder, { recursive: true, encoding: "utf8" })
  return names.filter((name) => SidechainCalls.isFile(Path.basename(name))).map((name) => Path.join(folder, name))
}

/** A line of the user's role that is no result of a tool is a prompt, unless it is the host's. */
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
    list: sidechains,
    step: SidechainCalls.step
  }
}

export const program: HookProgram<ClaudeCodeTranscript.State> = {
  host: "claude-code",
  // A blocked prompt that is no command of the host's goes back into the input box.
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
