/** Gemini CLI's hooks: decodes the payloads, encodes the answers and reads the session's record. */
import * as AgentCalls from "@reflexion/gemini/AgentCalls"
import * as GeminiTranscript from "@reflexion/gemini/GeminiTranscript"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { HookEvent } from "../input/HookEvent.ts"
import type { HookProgram } from "./HookProcess.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type { RecordDecoder } from "../session/RecordTail.ts"

const kinds: ReadonlyMap<string, HookEvent["kind"]> = new Map([
  ["AfterAgent", "stop"],
  ["BeforeAgent", "prompt"],
  ["SessionStart", "session_start"]
])

/** Gemini CLI has no event for the end of a subagent. */
export const decode = (value: unknown): HookEvent | null => {
  const event = HookEvents.decode(value)?.event ?? null
  return event === null ? null : { ...event, kind: kinds.get(event.name) ?? "other" }
}

/** A blocked prompt does not reach the model, and the user sees the reason. */
export const output = HookEvents.blocking

const namesIn = (folder: string): ReadonlyArray<string> => (FS.existsSync(folder) ? FS.readdirSync(folder) : [])

const maxAgents = 256

const agents = (record: string): ReadonlyArray<string> => {
  const chats = Path.dirname(record)
  return namesIn(chats)
    .filter((name) => AgentCalls.isFolderOf(Path.basename(record), name))
    .flatMap((folder) => namesIn(Path.join(chats, folder)).map((name) => Path.join(chats, folder, name)))
    .filter((file) => file.endsWith(".jsonl"))
    .slice(0, maxAgents)
}

/** A line with a rewritten history also contains old prompts, but the decoder makes no message from such a line. */
const beginsTurn = (line: Buffer): boolean => {
  if (!line.includes('"type":"user"') || line.includes('"functionResponse"')) return false
  const [, events] = GeminiTranscript.step(GeminiTranscript.initial, JsonLines.first(line.toString("utf8")))
  return events.some(TaskContext.isGenuine)
}

export const decoder: RecordDecoder<GeminiTranscript.State> = {
  initial: GeminiTranscript.initial,
  step: GeminiTranscript.step,
  finish: GeminiTranscript.finish,
  session: GeminiTranscript.session,
  ignores: () => false,
  beginsTurn: () => beginsTurn,
  midway: ({ cwd, sessionId }, { turns }) => ({ ...GeminiTranscript.initial, cwd, sessionId, turn: turns - 1 }),
  // The record does not show when background work ends.
  open: () => [],
  isPrompted: () => true,
  background: () => 0,
  subagents: { list: agents, step: AgentCalls.step }
}

export const program: HookProgram<GeminiTranscript.State> = {
  host: "gemini",
  // Gemini CLI handles an unknown command with a slash itself.
  command: "reflection",
  tellsOnly: true,
  decoder,
  decode,
  output
}
