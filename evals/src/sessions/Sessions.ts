/** Decodes sessions and finds their turns. */
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as CodexTranscript from "@reflexion/codex/CodexTranscript"
import * as CopilotTranscript from "@reflexion/copilot/CopilotTranscript"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import type { Verdict } from "@reflexion/core/Verdict"
import * as GeminiTranscript from "@reflexion/gemini/GeminiTranscript"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"

export const decoders = [
  NeutralTranscript.decoder,
  ClaudeCodeTranscript.decoder,
  CodexTranscript.decoder,
  CopilotTranscript.decoder,
  GeminiTranscript.decoder,
  OpenCodeTranscript.decoder
]

export const decode = (bytes: Uint8Array): Transcript => {
  const reader = TranscriptReader.make({ decoders })
  const events = [...reader.push(bytes), ...reader.end()]
  return { version: 1, ...reader.session(), events }
}

export const turnEvents = (
  transcript: Transcript,
  verdict: Verdict,
  next: Verdict | undefined
): ReadonlyArray<TranscriptEvent> => {
  const begin = promptIndex(transcript, verdict)
  const end = next === undefined ? -1 : promptIndex(transcript, next)
  return transcript.events.slice(Math.max(0, begin), end === -1 ? undefined : end)
}

const promptIndex = (transcript: Transcript, verdict: Verdict): number =>
  transcript.events.findIndex(
    (event) =>
      event.type === "user_message" &&
      !event.synthetic &&
      event.at === verdict.turn.userMessageAt &&
      (event.id === null || verdict.turn.userMessageId === null || event.id === verdict.turn.userMessageId)
  )

export const finalText = (events: ReadonlyArray<TranscriptEvent>): string => {
  const texts = events.flatMap((event) => (event.type === "assistant_message" ? [event.text] : []))
  return texts.filter((text) => text.trim() !== "").at(-1) ?? ""
}

export const prompt = (events: ReadonlyArray<TranscriptEvent>): string => {
  const first = events.find((event) => event.type === "user_message")
  return first?.type === "user_message" ? first.text : ""
}

/** Empty if no turn follows. */
export const nextPrompt = (transcript: Transcript, next: Verdict | undefined): string => {
  const event = next === undefined ? undefined : transcript.events[promptIndex(transcript, next)]
  return event?.type === "user_message" ? event.text : ""
}
