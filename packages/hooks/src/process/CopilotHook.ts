/** The hooks of GitHub's Copilot CLI: decodes the payloads, encodes the answers and reads the record. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as CopilotTranscript from "@reflexion/copilot/CopilotTranscript"
import type { HookAnswer, HookEvent } from "../input/HookEvent.ts"
import type { HookProgram } from "./HookProcess.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type { RecordDecoder } from "../session/RecordTail.ts"

/** In plan mode, the host writes a mark before the user's prompt. */
const planned = /^\[\[PLAN\]\] /

/** Plan mode and background work are missing here, because only the record has them. */
export const decode = (value: unknown): HookEvent | null => {
  const found = HookEvents.decode(value)
  return found === null ? null : { ...found.event, prompt: found.event.prompt?.replace(planned, "") ?? null }
}

export const output = (answer: HookAnswer, event: HookEvent): object | null =>
  answer._tag === "context" ? { additionalContext: answer.text } : HookEvents.blocking(answer, event)

const mark = '"type":"user.message"'

export const decoder: RecordDecoder<CopilotTranscript.State> = {
  initial: CopilotTranscript.initial,
  step: CopilotTranscript.step,
  finish: CopilotTranscript.finish,
  session: CopilotTranscript.session,
  ignores: () => false,
  beginsTurn: () => (line) => line.includes(mark) && CopilotTranscript.begins(JsonLines.first(line.toString("utf8"))),
  midway: (head, { open, turns }) => ({
    ...CopilotTranscript.initial,
    sessionId: head.sessionId,
    cwd: head.cwd,
    mode: "build",
    turn: turns - 1,
    background: open.map(({ call, key }) => ({ task: key, call: { ...call, agentId: null } }))
  }),
  open: ({ background }) =>
    background.flatMap(({ call: { agentId, ...call }, task }) => (agentId === null ? [{ key: task, call }] : [])),
  isPrompted: () => true,
  // A detached command does not count, because it is a server, and the agent does not wait for it.
  background: ({ background }, since) =>
    background.filter(({ call: { at, input } }) => Json.object(input)["detach"] !== true && (at ?? "") >= (since ?? ""))
      .length,
  subagents: null
}

/** In ms. On a busy machine, the last lines came 51 ms after the hook began. */
const [longest, napMs] = [500, 10]

const tailBytes = 64 * 1024

/** The host's line about this stop comes after all other lines of the turn. At a first stop, there may be no record. */
const isWhole = (record: string, moment: number): boolean => {
  try {
    const tail = PlainFiles.following(record, (descriptor, { size }) =>
      PlainFiles.readBetween(descriptor, Math.max(0, size - tailBytes), size).toString("latin1")
    )
    const lines = tail.split("\n").filter((line) => line.includes('"hookType":"agentStop"') && line.endsWith("}"))
    return lines.some((line) => line.includes(`"timestamp":${moment},`))
  } catch {
    return false
  }
}

/** At a stop, waits for the turn's last lines. The host writes them a moment after the hook began. */
const patient = (value: unknown): HookEvent | null => {
  const event = decode(value)
  const moment = Json.momentOf(Json.string(Json.object(value)["timestamp"]))
  if (event?.kind !== "stop" || event.subagent || event.transcript === null || moment === null) return event
  const until = Date.now() + longest
  while (!isWhole(event.transcript, moment) && Date.now() < until)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, napMs)
  return event
}

export const program: HookProgram<CopilotTranscript.State> = {
  host: "copilot",
  // Copilot refuses an unknown command with a slash before any hook sees it.
  command: "reflection",
  tellsOnly: true,
  showsErrors: true,
  decoder,
  decode: patient,
  output
}
