/** What the command line knows about a coding agent. Each host defines this value in its own package. */
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
  /** The name, as in `--host` and in a verdict's `host`. */
  readonly name: string
  /** The name as people write it. */
  readonly title: string
  readonly decoder: TranscriptDecoder
  readonly sessions: Sessions
  readonly installation: Installation
  /** Null if reflexion asks no model of this host. */
  readonly model: SmallModel | null
  readonly resume: (sessionId: string) => string
}

/** The host's own program manages the sessions. This program could not answer a question about them. */
export class HostError extends Data.TaggedError("HostError")<{ readonly problem: string }> {
  override get message(): string {
    return this.problem
  }
}

export interface Place {
  readonly cwd: string
  readonly env: Env
  /** Only sessions that changed after this time count. In ms since the epoch. */
  readonly after: number
  readonly unpack: Unpack
}

export interface SessionFile {
  readonly name: string
  readonly file: string
  /** The time of the last change, in ms since the epoch. */
  readonly written: number
}

type Finding<A> = Effect.Effect<
  A,
  PlatformError | ConfigError | HostError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
>

export interface Sessions {
  readonly newest: (place: Place) => Finding<Option.Option<SessionFile>>
  /** Returns at most `most` sessions, the newest change first. A `Left` says why a session could not be read. */
  readonly recent: (place: Place, most: number) => Finding<ReadonlyArray<Either.Either<SessionFile, string>>>
  /** Returns the calls of the session's subagents, if the host stores them separately. */
  readonly subagentCalls: (
    file: string
  ) => Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path>
  /** True if a subagent has its own record, in the folder of its session or below it. */
  readonly keepsAgentsApart: boolean
}

/** `global`: for everything that the user does with the host. `project`: for one project on this machine. */
export type InstallScope = "global" | "project"

/** The content of a file: hooks, the text that defines `/reflection`, or a list of plugins. */
export type FileKind = "json" | "command" | "plugins"

/** For `plugins`, one file is enough, and the best file comes first. */
export type Places = ReadonlyArray<readonly [kind: FileKind, file: string]>

/** An event, the hook's time limit in seconds, and more settings of the entry. */
export type HookEvent = readonly [event: string, timeout: number, more?: HookEventMore]

export interface HookEventMore {
  /** The word that the hook gets instead of the name of the event. */
  readonly word: string
  /** The tools that the hook is for. If left out, the hook is for all tools. */
  readonly tools?: ReadonlyArray<string>
  /** For a hook that may wake the idle agent after its turn. The user sees `summary`, the agent reads `message`. */
  readonly wakes?: { readonly summary: string; readonly message: string }
}

export interface HostPlace {
  readonly env: Env
  readonly cwd: string
  readonly root: string
}

export interface Installation {
  readonly form: "hooks" | "plugin"
  readonly binary: string
  /** The environment variable that can name another program than the one on PATH. Null if there is none. */
  readonly binaryVariable: string | null
  /** The environment variable that is set for programs that the agent runs. */
  readonly agentVariable: string
  /** The version that the host tests use. */
  readonly tried: string
  readonly events: ReadonlyArray<HookEvent>
  /** Events for `--loop-watch`. These events replace the events with the same names. */
  readonly loopWatch: ReadonlyArray<HookEvent>
  /** The unit of the time limits in the host's file. Seconds if left out. */
  readonly timeoutUnit?: "ms"
  /** The name of our entries, if the host shows it with a hook's message. */
  readonly hookName?: string
  /** True if the host treats a hook that could not run as a refusal. The command then always ends with status 0. */
  readonly endsWithZero?: true
  /** The shell to write into an entry on Windows, if the host would otherwise use a POSIX shell. Null if not needed. */
  readonly windowsShell: string | null
  /** True if the user must approve each hook in the host, and also the line that is shown while the hook runs. */
  readonly approves: boolean
  /** True if a hook that is in two files runs twice. If false, two equal hooks run only once. */
  readonly runsEach: boolean
  /** True if reflexion tells the user but never nudges the agent, because too few stops of this host are known. */
  readonly tellsOnly: boolean
  /** True if a comment makes the host ignore the whole file. */
  readonly plainJson: boolean
  /** The package, its folder next to the command line, and the schema in the host's own file. Null without a plugin. */
  readonly plugin: { readonly packageName: string; readonly bundle: string; readonly schema: string } | null
  readonly places: (scope: InstallScope, where: HostPlace) => Places
  /** Fields that a hook's payload has only at the end of a turn. */
  readonly sample: Readonly<Record<string, unknown>>
  readonly words: InstallationWords
  readonly look: (looked: DoctorFacts) => Effect.Effect<Look>
}

export interface InstallationWords {
  readonly command: string
  readonly changes: string
  /** What the user must do after the installation. */
  readonly installed: string
  /** More text after an installation for one project. Null if there is no such text. */
  readonly ofProject: string | null
  /** The text for a host that waits for the user's decision. Null if the host needs no such text. */
  readonly waiting: string | null
  /** What remains in the host after reflexion is removed. Null if nothing remains. */
  readonly stays: string | null
  readonly checks: string
}

/** `plain`: only information. `needed`: the user must do something. `blind`: this could not be checked. */
export type Level = "good" | "plain" | "needed" | "blind"

export interface LookFinding {
  readonly level: Level
  readonly term: string
  readonly text: string
}

export interface ProgramRun {
  readonly out: string
  readonly timedOut: boolean
}

export interface DoctorFacts {
  readonly where: HostPlace
  /** The host's program. Null if it was not found. */
  readonly binary: string | null
  readonly version: string
  /** `hooks`: one of the host's files has hooks of reflexion. `command`: the text that defines `/reflection` exists. */
  readonly has: { readonly hooks: boolean; readonly command: boolean }
  readonly isOurs: (command: string) => boolean
  readonly shown: (path: string) => string
  /** The program's input stays open until `enough` returns true for the output. */
  readonly run: (given: {
    readonly words: ReadonlyArray<string>
    readonly stdin: string
    readonly timeout: number
    readonly enough: (out: string) => boolean
  }) => Effect.Effect<ProgramRun>
}

export interface Look {
  /** What the host itself installed. A `good` finding here counts as installed. */
  readonly itself: ReadonlyArray<LookFinding>
  readonly more: ReadonlyArray<LookFinding>
}

/** The host's own small model. The model is asked only if the user agreed. */
export interface SmallModel {
  readonly title: string
  /** The program that asks the model. Null if the host itself asks it. */
  readonly program: string | null
  /** A clause that says what pays for an answer. For example, the limits of the user's plan. */
  readonly paid: string
  /** What the user can run to see why there is no answer. */
  readonly tries: string
}
