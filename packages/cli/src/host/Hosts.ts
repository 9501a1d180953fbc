/** The hosts that reflexion knows: a new one is a package and a line here. */
import * as ClaudeCode from "@reflexion/claude-code/ClaudeCode"
import * as Codex from "@reflexion/codex/Codex"
import type { Host, HookEvent, InstallScope } from "@reflexion/core/internal/session/host/Host"
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

/** In the order in which a record is tried. */
export const all: ReadonlyArray<Host> = [ClaudeCode.host, Codex.host, OpenCode.host]

/** With the neutral form, which no host writes. */
export const decoders: ReadonlyArray<TranscriptDecoder> = [
  ...all.map(({ decoder }) => decoder),
  NeutralTranscript.decoder
]

export const names: ReadonlyArray<string> = all.map(({ name }) => name)

/** Null for a name that no host has. */
export const named = (name: string | null): Host | null => all.find((one) => one.name === name) ?? null

/** Names as a sentence has them: "a, b or c". */
export const listed = (some: ReadonlyArray<string>, word: "and" | "or"): string =>
  [some.slice(0, -1).join(", "), ...some.slice(-1)].filter((part) => part !== "").join(` ${word} `)

/** `reflexion install` for the first host, and the other names: "`reflexion install a` (or b, c)". */
export const installing = `\`reflexion install ${names[0] ?? ""}\` (or ${names.slice(1).join(", or ")})`

export const scopes: ReadonlyArray<InstallScope> = ["global", "project"]

/** What the hook is told of an event, which need not be the event's own name. */
export const wordOf = ([event, , more]: HookEvent): string => more?.word ?? event

/** Words that a command of ours may have: those that are installed, and events that the hook answers with nothing. */
export const knownEvents: ReadonlyArray<string> = [
  ...all.flatMap(({ installation: { events, loopWatch } }) =>
    [...events, ...loopWatch].flatMap((one) => [one[0], wordOf(one)])
  ),
  "SubagentStop",
  "PreCompact",
  "PostCompact"
]
