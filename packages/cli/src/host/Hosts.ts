/** The hosts that reflexion knows. A new host needs a package and a line here. */
import * as ClaudeCode from "@reflexion/claude-code/ClaudeCode"
import * as Codex from "@reflexion/codex/Codex"
import * as Copilot from "@reflexion/copilot/Copilot"
import type { Host, HookEvent, InstallScope } from "@reflexion/core/internal/session/host/Host"
import * as Gemini from "@reflexion/gemini/Gemini"
import type { TranscriptDecoder } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as OpenCode from "@reflexion/opencode/OpenCode"

export type {
  FileKind as Kind,
  Host,
  HookEvent,
  InstallScope as Scope,
  Place,
  Places,
  SessionFile,
  HostPlace as Where
} from "@reflexion/core/internal/session/host/Host"
export { homeOf } from "@reflexion/core/internal/session/host/HostFiles"

/** All hosts, in the order in which their decoders are tried on a record. */
export const all: ReadonlyArray<Host> = [
  ClaudeCode.host,
  Codex.host,
  OpenCode.host,
  OpenCode.kilo,
  Copilot.host,
  Gemini.host
]

/** Includes the neutral format, which no host writes. */
export const decoders: ReadonlyArray<TranscriptDecoder> = [
  ...all.map(({ decoder }) => decoder),
  NeutralTranscript.decoder
]

export const names: ReadonlyArray<string> = all.map(({ name }) => name)

export const named = (name: string | null): Host | null => all.find((one) => one.name === name) ?? null

/** Joins names for a sentence: "a, b or c". */
export const listed = (some: ReadonlyArray<string>, word: "and" | "or"): string =>
  [some.slice(0, -1).join(", "), ...some.slice(-1)].filter((part) => part !== "").join(` ${word} `)

export const installing = `\`reflexion install ${names[0] ?? ""}\` (or ${names.slice(1).join(", or ")})`

export const scopes: ReadonlyArray<InstallScope> = ["global", "project"]

/** The argument that tells the hook its event. It can differ from the event's name. */
export const wordOf = ([event, , more]: HookEvent): string => more?.word ?? event

/** The event arguments that mark a command as ours. Some belong to events that the hook does not answer. */
export const knownEvents: ReadonlyArray<string> = [
  ...all.flatMap(({ installation: { events, loopWatch } }) =>
    [...events, ...loopWatch].flatMap((one) => [one[0], wordOf(one)])
  ),
  "SubagentStop",
  "PreCompact",
  "PostCompact"
]
