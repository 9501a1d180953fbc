/** A host's record as pure steps over the values of its lines. */
import type { SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"

/** Work that went on in the background when it was read last: what a host says of it when it ends needs its beginning. */
export interface OpenWork {
  readonly key: string
  readonly call: Pick<ToolCall, "at" | "cwd" | "input" | "tool"> & { readonly id: string }
}

/** What is known of the lines before the first that is read: how many turns they have at least, and the work that was open. */
export interface Before {
  readonly turns: number
  readonly open: ReadonlyArray<OpenWork>
}

export interface RecordDecoder<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown) => readonly [S, ReadonlyArray<TranscriptEvent>]
  readonly finish: (state: S) => ReadonlyArray<TranscriptEvent>
  readonly session: (state: S) => SessionInfo
  readonly ignores: (line: Uint8Array) => boolean
  /** Shown raw lines from the last to the first, tells at which of them a turn begins. `head`: the state behind the first lines. */
  readonly beginsTurn: (head: S) => (line: Buffer) => boolean
  readonly midway: (head: S, before: Before) => S
  readonly open: (state: S) => ReadonlyArray<OpenWork>
  /** Whether a message of the user began the running turn. */
  readonly isPrompted: (state: S) => boolean
  /** How much that began after a time still goes on in the background, where the host's payload does not tell. */
  readonly background: (state: S, since: string | null) => number
  /** Which of the record's files are those of its subagents; null where the host keeps none. */
  readonly subagents: SubagentFiles<S> | null
}

export interface SubagentFiles<S> {
  readonly list: (record: string) => ReadonlyArray<string>
  readonly step: (state: S, value: unknown, file: string) => readonly [S, ReadonlyArray<ToolCall>]
}
