/** The hosts whose sessions can be judged, and what each can do beside decoding. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ClaudeCodeSessions from "@reflexion/claude-code/ClaudeCodeSessions"
import * as ClaudeCodeSidechains from "@reflexion/claude-code/ClaudeCodeSidechains"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as CodexAgents from "@reflexion/codex/CodexAgents"
import * as CodexSessions from "@reflexion/codex/CodexSessions"
import * as CodexTranscript from "@reflexion/codex/CodexTranscript"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import type { ToolCall } from "@reflexion/core/Transcript"
import type { TranscriptDecoder } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as OpenCodeAgents from "@reflexion/opencode/OpenCodeAgents"
import * as OpenCodeSessions from "@reflexion/opencode/OpenCodeSessions"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Input from "../process/Input.ts"

type Disk = FileSystem.FileSystem | Path.Path

/**
 * Where the newest session is looked for: only one that was written to after a moment, in milliseconds since the epoch,
 * is wanted.
 *
 * @category models
 */
export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly after: number
}

/**
 * A session that was found: what it is called, and the file that has it.
 *
 * @category models
 */
export interface Newest {
  readonly name: string
  readonly file: string
  readonly written: number
}

type Finding = Effect.Effect<
  Option.Option<Newest>,
  PlatformError | ConfigError | OpenCodeSessions.OpenCodeError,
  Disk | Scope.Scope
>

export interface Host {
  readonly decoder: TranscriptDecoder
  /** Finds the newest session of a directory, where the host keeps sessions on this machine. */
  readonly newest: ((place: Place) => Finding) | null
  /** Reads what a session's subagents did, where the host keeps that beside the session's file. */
  readonly subagentCalls: ((file: string) => Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, Disk>) | null
}

/** Where each session has a file, which is also its name. */
const inFiles =
  (find: (cwd: string) => Effect.Effect<Option.Option<string>, PlatformError | ConfigError, Disk>) =>
  ({ after, cwd }: Place): Finding =>
    Effect.gen(function* () {
      const found = yield* find(cwd)
      if (Option.isNone(found)) return Option.none()
      const fs = yield* FileSystem.FileSystem
      const written = yield* fs.stat(found.value).pipe(
        Effect.map(({ mtime }) => Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })),
        Effect.orElseSucceed(() => 0)
      )
      return written > after ? Option.some({ name: found.value, file: found.value, written }) : Option.none()
    })

const claudeCode: Host = {
  decoder: ClaudeCodeTranscript.decoder,
  newest: inFiles((cwd) =>
    Effect.flatMap(ClaudeCodeSessions.configDirectory, (configDirectory) =>
      ClaudeCodeSessions.newest({ cwd, configDirectory })
    )
  ),
  subagentCalls: ClaudeCodeSidechains.read
}

const codex: Host = {
  decoder: CodexTranscript.decoder,
  newest: inFiles((cwd) =>
    Effect.flatMap(CodexSessions.codexHome, (codexHome) =>
      CodexSessions.newest({ cwd, codexHome, unpack: Input.unpacked })
    )
  ),
  subagentCalls: CodexAgents.read
}

/** Its program is asked only where its database may have a newer session than was found: that takes seconds. */
const newestExport = ({ after, cwd, env }: Place): Finding =>
  Effect.gen(function* () {
    const written = yield* OpenCodeSessions.writtenAt(env)
    if (Option.isNone(written) || written.value <= after) return Option.none()
    const fs = yield* FileSystem.FileSystem
    const options = { cwd, env, folder: yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-" }) }
    const newest = yield* OpenCodeSessions.newest(options)
    if (Option.isNone(newest) || newest.value.updated <= after) return Option.none()
    const { id, updated } = newest.value
    return Option.some({ name: id, file: yield* OpenCodeSessions.download(options, id), written: updated })
  })

const openCode: Host = {
  decoder: OpenCodeTranscript.decoder,
  newest: newestExport,
  subagentCalls: OpenCodeAgents.read
}

const transcript: Host = { decoder: NeutralTranscript.decoder, newest: null, subagentCalls: null }

/**
 * In the order in which a record is tried.
 *
 * @category hosts
 */
export const all: ReadonlyArray<Host> = [claudeCode, codex, openCode, transcript]

export const decoders: ReadonlyArray<TranscriptDecoder> = all.map(({ decoder }) => decoder)

export const named = (name: string | null): Host | undefined => all.find(({ decoder }) => decoder.host === name)
