/** Codex's hooks: decodes the payloads, encodes the answers and reads the rollout file. */
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import * as AgentRollouts from "@reflexion/codex/AgentRollouts"
import * as CodexTodos from "@reflexion/codex/CodexTodos"
import * as CodexTranscript from "@reflexion/codex/CodexTranscript"
import type { HookEvent } from "../input/HookEvent.ts"
import type { HookProgram } from "./HookProcess.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type { RecordDecoder } from "../session/RecordTail.ts"

/** Plan mode and background processes are missing here, because only the rollout file has them. */
export const decode = (value: unknown): HookEvent | null => {
  const found = HookEvents.decode(value)
  return found === null ? null : { ...found.event, turnId: HookEvents.text(found.payload, "turn_id"), agent: "main" }
}

/** Codex treats an answer with an unknown key as a failure. */
export const output = HookEvents.blocking

const marks = ['"user_message"', '"role":"user"', '"task_started"', '"turn_started"']

/** Uses the host's line about a turn's start. Old records lack this line, and so do messages typed during a turn. */
const beginsTurn = (head: CodexTranscript.State): ((line: Buffer) => boolean) => {
  const isNamed = head.phase !== "unknown"
  let isPrompted = false
  return (line) => {
    if (!marks.some((mark) => line.includes(mark))) return false
    const [state, events] = CodexTranscript.step(CodexTranscript.initial, JsonLines.first(line.toString("utf8")))
    if (state.phase === "begun") {
      const begins = isPrompted
      isPrompted = false
      return begins
    }
    const isPrompt = state.held !== null || events.some(TaskContext.isGenuine)
    isPrompted ||= isPrompt
    return isPrompt && !isNamed
  }
}

export const decoder: RecordDecoder<CodexTranscript.State> = {
  initial: CodexTranscript.initial,
  step: CodexTranscript.step,
  finish: CodexTranscript.finish,
  session: CodexTranscript.session,
  ignores: () => false,
  beginsTurn,
  midway: (head, { open, turns }) => ({
    ...CodexTranscript.initial,
    sessionId: head.sessionId,
    parentSessionId: head.parentSessionId,
    cwd: head.cwd,
    attended: head.attended,
    namesPrompts: head.namesPrompts,
    namesMessages: head.namesMessages,
    prompts: turns,
    turn: turns - 1,
    running: open.map(({ call, key }) => ({ key, call: { ...call, parts: [] }, output: "" }))
  }),
  open: ({ running }) =>
    running.map(({ call: { at, cwd, id, input, tool }, key }) => ({ key, call: { at, cwd, id, input, tool } })),
  // A goal that the user set can start a turn without a message.
  isPrompted: (state) => state.phase !== "begun",
  // Counts only processes of this turn. If a process ended together with its host, the record lacks the end.
  background: ({ running }, since) => running.filter(({ call }) => (call.at ?? "") >= (since ?? "")).length,
  subagents: {
    list: (record) => AgentRollouts.of(record, 256),
    step: AgentRollouts.step
  }
}

export const program: HookProgram<CodexTranscript.State> = {
  host: "codex",
  // Codex rejects an unknown command with a slash before any hook sees it.
  command: "reflection",
  decoder,
  decode,
  output,
  todos: CodexTodos,
  watches: "todos"
}
