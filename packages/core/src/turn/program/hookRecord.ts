/** The record of a session whose host runs hooks: its file, its subagents' calls, and the text that it may lack yet. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { Payload } from "./hookPayload.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import * as SubagentMerge from "../../session/transcript/SubagentMerge.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { Mode, ToolCall, Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { TranscriptDecoder } from "../../session/transcript/TranscriptDecoder.ts"
import * as TranscriptFile from "../../session/transcript/TranscriptFile.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** How a host's records are read. */
export interface Reading {
  readonly decoder: TranscriptDecoder
  /** What the session's subagents did, where the host keeps that beside the record. */
  readonly subagentCalls: (record: string) => Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, Disk>
}

/** What a record says of the moment. */
export interface Found {
  readonly userMessageId: string | null
  readonly mode: Mode
  /** Calls of this turn that go on in the background. */
  readonly running: number
  /** Whether a message of the user waits for the agent to stop. */
  readonly queued: boolean
}

const inTurn = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<TranscriptEvent> =>
  events.slice(Math.max(0, events.findLastIndex(TaskContext.isGenuine)))

const runningIn = (events: ReadonlyArray<TranscriptEvent>): number => {
  const calls = new Map<string | null, boolean>()
  for (const event of events) if (event.type === "tool_call") calls.set(event.id, event.status === "running")
  return [...calls.values()].filter((running) => running).length
}

export const found = (transcript: Transcript): Found => {
  const events = NeutralTranscript.events(transcript)
  const { mode, userMessageId } = events.reduce(TaskContext.step, TaskContext.initial)
  const { queued } = events.reduce(StopSignal.step, StopSignal.initial)
  return { userMessageId, mode, running: runningIn(inTurn(events)), queued }
}

const hasMessage = (events: ReadonlyArray<TranscriptEvent>, message: string): boolean => {
  const last = inTurn(events).findLast((event) => event.type === "assistant_message")
  const text = last?.type === "assistant_message" ? last.text.trim() : ""
  return message === "" || (text !== "" && (text.endsWith(message) || message.endsWith(text)))
}

/** Whether the end of the record is still to come. */
const isLate = ({ events }: Transcript, message: string): boolean =>
  !hasMessage(events, message) || events.reduce(StopSignal.step, StopSignal.initial).pending.length > 0

const readNow = Effect.fnUntraced(function* ({ decoder, subagentCalls }: Reading, file: string) {
  const transcript = yield* TranscriptFile.read(file, { decoders: [decoder], host: decoder.host })
  const merge = SubagentMerge.make(yield* subagentCalls(file))
  return { ...transcript, events: [...merge.push(transcript.events), ...merge.end()] }
})

/** The record at a stop, or why there is none: the host may write the end of it a moment after it tells of the stop. */
export const read = Effect.fnUntraced(
  function* (reading: Reading, { message, sessionId, transcript: file }: Payload) {
    if (file === null) return yield* Effect.fail({ message: "the host keeps no record of this session" })
    const first = yield* readNow(reading, file)
    const transcript = isLate(first, message) ? yield* Effect.delay(readNow(reading, file), "120 millis") : first
    const said = { type: "assistant_message", id: null, at: null, text: message, completed: true } as const
    const events = hasMessage(transcript.events, message)
      ? transcript.events
      : [...transcript.events, { ...said, outputTokens: null, model: null }]
    const whole: Transcript = { ...transcript, sessionId, events }
    return whole
  },
  Effect.mapError(({ message }) => message)
)
