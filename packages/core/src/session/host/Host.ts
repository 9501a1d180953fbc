/**
 * A coding agent as the command line knows it: its records, its installation, its small model. One value a host, in the
 * host's own package; the command line lists them and names none.
 */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { ConfigError } from "effect/ConfigError"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Unpack } from "../transcript/RecordFiles.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import type { TranscriptDecoder } from "../transcript/TranscriptDecoder.ts"

export type Env = Readonly<Record<string, string | undefined>>

export interface Host {
  /** As in `--host` and in a verdict's `host`. */
  readonly name: string
  /** As people write it. */
  readonly title: string
  readonly decoder: TranscriptDecoder
  readonly sessions: Sessions
  readonly installation: Installation
  readonly model: SmallModel
}

/** Why a host's own program, which has its sessions, did not say what it was asked. */
export class HostError extends Data.TaggedError("HostError")<{ readonly problem: string }> {
  override get message(): string {
    return this.problem
  }
}

/** Where sessions are looked for. Only those that were written to after a moment count, in ms since the epoch. */
export interface Place {
  readonly cwd: string
  readonly env: Env
  readonly after: number
  /** How a packed record is read. */
  readonly unpack: Unpack
}

/** What a session is called, and the file that has its record; `written` in ms since the epoch. */
export interface SessionFile {
  readonly name: string
  readonly file: string
  readonly written: number
}

type Finding<A> = Effect.Effect<
  A,
  PlatformError | ConfigError | HostError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
>

/** A directory's sessions on this machine. */
export interface Sessions {
  readonly newest: (place: Place) => Finding<Option.Option<SessionFile>>
  /** At most `most`, the last written first; left, in words, for one that could not be had. */
  readonly recent: (place: Place, most: number) => Finding<ReadonlyArray<Either.Either<SessionFile, string>>>
  /** What the session's subagents did, where the host keeps that apart. */
  readonly subagentCalls: (
    file: string
  ) => Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path>
  /** Whether a subagent has a record of its own, in its session's folder or below it. */
  readonly keepsAgentsApart: boolean
}

/** For everything that the user does with the host, or for one project on this machine. */
export type InstallScope = "global" | "project"

/** What a file has: hooks, the text that makes `/reflection` known, or a list of plugins. */
export type FileKind = "json" | "command" | "plugins"

/** Files of one scope that the host reads. Of those with a list of plugins any will do: the best one comes first. */
export type Places = ReadonlyArray<readonly [kind: FileKind, file: string]>

/** An event, after how many seconds the host is to give up on the hook, and what else there is to say of the entry. */
export type HookEvent = readonly [event: string, timeout: number, more?: HookEventMore]

export interface HookEventMore {
  /** What the hook is called with in the event's place. */
  readonly word: string
  /** The tools that it is for; without it, all. */
  readonly tools?: ReadonlyArray<string>
  /** The hook goes on after the agent's turn, and may wake the idle agent: what the user then sees, and the agent reads first. */
  readonly wakes?: { readonly summary: string; readonly message: string }
}

/** `root` is that of the project which `cwd` belongs to. */
export interface HostPlace {
  readonly env: Env
  readonly cwd: string
  readonly root: string
}

/** How reflexion gets into the host. */
export interface Installation {
  readonly form: "hooks" | "plugin"
  readonly binary: string
  /** The environment variable that names the program, where the one on PATH is not meant. */
  readonly binaryVariable: string | null
  /** The environment variable that is set in what its agent runs. */
  readonly agentVariable: string
  /** The version that it was tried with: the one that the host tests pin. */
  readonly tried: string
  readonly events: ReadonlyArray<HookEvent>
  /** Events that are asked for with `--loop-watch`, instead of those of the same name. */
  readonly loopWatch: ReadonlyArray<HookEvent>
  /** The shell to name in an entry on Windows, where the host would take a POSIX one otherwise. */
  readonly windowsShell: string | null
  /** Whether the user approves each hook in the host, together with the line that is shown while it runs. */
  readonly approves: boolean
  /** Whether a hook that stands in two files runs twice; else only two different ones do. */
  readonly runsEach: boolean
  /** Whether a comment in a file makes the host ignore all of it. */
  readonly plainJson: boolean
  /** The plugin among packages, and the schema that the host writes into a file of its own. */
  readonly plugin: { readonly packageName: string; readonly schema: string } | null
  readonly places: (scope: InstallScope, where: HostPlace) => Places
  /** What a stop's payload has that others have not. */
  readonly sample: Readonly<Record<string, unknown>>
  readonly words: InstallationWords
  /** What the doctor looks at in this host alone. */
  readonly look: (looked: DoctorFacts) => Effect.Effect<Look>
}

export interface InstallationWords {
  /** How `/reflection` is typed there. */
  readonly command: string
  /** Which files change. */
  readonly changes: string
  /** What the user does once it is installed. */
  readonly installed: string
  /** The same where it is installed for a project. */
  readonly ofProject: string | null
  /** Said where nothing is decided yet. */
  readonly waiting: string | null
  /** What stays with the host when it is out. */
  readonly stays: string | null
  /** Where a check is run there. */
  readonly checks: string
}

/** `good`: as it should be. `unsure`: it may be. `needed`: something for the user to do. `blind`: it could not be seen. */
export type Level = "good" | "plain" | "unsure" | "needed" | "blind"

export interface LookFinding {
  readonly level: Level
  readonly term: string
  readonly text: string
}

/** How a program of the host's ended; `out` is what it printed. */
export interface ProgramRun {
  readonly out: string
  readonly timedOut: boolean
}

/** What the doctor knows when it asks a host. */
export interface DoctorFacts {
  readonly where: HostPlace
  /** The host's program, null where there is none. */
  readonly binary: string | null
  /** The version of this reflexion. */
  readonly version: string
  /** Whether hooks of ours are in one of its files, and the text that makes `/reflection` known. */
  readonly has: { readonly hooks: boolean; readonly command: boolean }
  /** Whether a command in a hook is ours or runs ours. */
  readonly isOurs: (command: string) => boolean
  /** A path as people read it. */
  readonly shown: (path: string) => string
  /** Runs the host's program; its input stays open until `enough` was printed. */
  readonly run: (given: {
    readonly words: ReadonlyArray<string>
    readonly stdin: string
    readonly timeout: number
    readonly enough: (out: string) => boolean
  }) => Effect.Effect<ProgramRun>
}

/** `itself`: what the host installed by its own means; a good one of these counts as installed. */
export interface Look {
  readonly itself: ReadonlyArray<LookFinding>
  readonly more: ReadonlyArray<LookFinding>
}

/** The host's own small model, which is asked only where the user agreed. */
export interface SmallModel {
  readonly title: string
  /** What asks it, null where the host does it itself. */
  readonly program: string | null
  /** What an answer counts against. */
  readonly paid: string
  /** What shows why it gives no answer. */
  readonly tries: string
}
