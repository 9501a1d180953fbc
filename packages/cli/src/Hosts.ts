/**
 * The hosts whose sessions can be judged, and what each can do beside decoding.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ClaudeCodeSessions from "@reflexion/claude-code/ClaudeCodeSessions"
import * as ClaudeCodeSidechains from "@reflexion/claude-code/ClaudeCodeSidechains"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as CodexAgents from "@reflexion/codex/CodexAgents"
import * as CodexSessions from "@reflexion/codex/CodexSessions"
import * as CodexTranscript from "@reflexion/codex/CodexTranscript"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import type { ToolCall } from "@reflexion/core/Transcript"
import type { TranscriptDecoder } from "@reflexion/core/TranscriptDecoder"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

type Disk = FileSystem.FileSystem | Path.Path

/**
 * @since 0.1.0
 * @category models
 */
export interface Host {
  readonly decoder: TranscriptDecoder
  /** Finds the newest session of a directory, where the host keeps sessions on this machine. */
  readonly newest: ((cwd: string) => Effect.Effect<Option.Option<string>, PlatformError | ConfigError, Disk>) | null
  /** Reads what a session's subagents did, where the host keeps that beside the session's file. */
  readonly subagentCalls: ((file: string) => Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, Disk>) | null
}

const claudeCode: Host = {
  decoder: ClaudeCodeTranscript.decoder,
  newest: (cwd) =>
    Effect.flatMap(ClaudeCodeSessions.configDirectory, (configDirectory) =>
      ClaudeCodeSessions.newest({ cwd, configDirectory })
    ),
  subagentCalls: ClaudeCodeSidechains.read
}

const codex: Host = {
  decoder: CodexTranscript.decoder,
  newest: (cwd) => Effect.flatMap(CodexSessions.codexHome, (codexHome) => CodexSessions.newest({ cwd, codexHome })),
  subagentCalls: CodexAgents.read
}

const transcript: Host = { decoder: NeutralTranscript.decoder, newest: null, subagentCalls: null }

/**
 * In the order in which a record is tried.
 *
 * @since 0.1.0
 * @category hosts
 */
export const all: ReadonlyArray<Host> = [claudeCode, codex, transcript]

/**
 * @since 0.1.0
 * @category hosts
 */
export const decoders: ReadonlyArray<TranscriptDecoder> = all.map(({ decoder }) => decoder)

/**
 * @since 0.1.0
 * @category hosts
 */
export const named = (name: string | null): Host | undefined => all.find(({ decoder }) => decoder.host === name)
