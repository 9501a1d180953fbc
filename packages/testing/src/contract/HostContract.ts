/** PORT: a coding agent as the host contract sees it. Each case is written once, for every host's real binary. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ModelRequest } from "../servers/ModelScript.ts"
import type { Sandbox } from "../sandbox/Sandbox.ts"

export type Todos = Readonly<Record<string, "pending" | "in_progress" | "completed">>

/**
 * One action of a scripted model, independent of the host's tool names. `Edit` replaces one whole line. `Background`
 * does not wait. `Hang` never ends the answer. `Fill` fills the rest of the context, so that the host compacts it.
 */
export type Move =
  | { readonly _tag: "Say"; readonly text: string }
  | { readonly _tag: "Shell"; readonly command: string }
  | { readonly _tag: "Edit"; readonly file: string; readonly before: string; readonly after: string }
  | { readonly _tag: "Background"; readonly command: string }
  | { readonly _tag: "Todos"; readonly todos: Todos }
  | { readonly _tag: "Delegate"; readonly task: string; readonly answers: ReadonlyArray<Answer> }
  | { readonly _tag: "Call"; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Fail"; readonly status: number; readonly error: string }
  | { readonly _tag: "Fill" }
  | { readonly _tag: "Hang" }

export type Answer = ReadonlyArray<Move>

type Of<Tag extends Move["_tag"]> = Extract<Move, { readonly _tag: Tag }>

export const say = (text: string): Of<"Say"> => ({ _tag: "Say", text })

export const shell = (command: string): Of<"Shell"> => ({ _tag: "Shell", command })

export const edit = (file: string, before: string, after: string): Of<"Edit"> => ({
  _tag: "Edit",
  file,
  before,
  after
})

export const plan = (todos: Todos): Move => ({ _tag: "Todos", todos })

export const background = (command: string): Move => ({ _tag: "Background", command })

export const delegate = (task: string, ...answers: ReadonlyArray<Answer>): Move => ({ _tag: "Delegate", task, answers })

/** `tool` is the host's own name. */
export const call = (tool: string, input: Readonly<Record<string, unknown>>): Move => ({ _tag: "Call", tool, input })

export const fail = (status: number, error: string): Move => ({ _tag: "Fail", status, error })

export const fill: Move = { _tag: "Fill" }

export const hang: Move = { _tag: "Hang" }

/**
 * What some hosts cannot do or do not show to a test. `queues`: the record contains input that waits while a stop is
 * judged. `goals`: the host can start work without a message. `scripts`: the newest models call tools from code.
 * `wakes`: the end of background work starts a turn. `continues`: after a restart, an interrupted turn continues as
 * part of the user's first message. `hooks`: the host runs a program at each stop and keeps a record in a file.
 */
export type Capability = "queues" | "goals" | "scripts" | "wakes" | "continues" | "hooks"

export interface Start {
  readonly sandbox: Sandbox
  readonly model: ReadonlyArray<Answer>
  readonly resume?: string
  /** Continues the interrupted turn at once, without a message of the user. */
  readonly continues?: boolean
  readonly plan?: boolean
  /** Reflexion logs nothing about the stops. The test then only waits for some time. */
  readonly silent?: boolean
  readonly ephemeral?: boolean
  /** The model calls its tools from code. */
  readonly scripts?: boolean
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

export interface Live {
  readonly sessionId: string
  /** Does not wait for the end of a running turn. */
  readonly send: (text: string) => Effect.Effect<void, HostFault>
  /** Waits for the end of the next turn. A second call waits for the turn after it. */
  readonly ended: Effect.Effect<void, HostFault>
  readonly interrupt: Effect.Effect<void, HostFault>
  readonly compact: Effect.Effect<void, HostFault>
  readonly goal: (text: string) => Effect.Effect<void, HostFault>
  readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>>
  /** Reflexion's messages to the user at stops, as the host shows them. */
  readonly notices: Effect.Effect<ReadonlyArray<string>>
  /** Reflexion's answers to commands that the user typed. */
  readonly replies: Effect.Effect<ReadonlyArray<string>>
  readonly record: Effect.Effect<string | null, HostFault>
  readonly close: Effect.Effect<void, HostFault>
  readonly crash: Effect.Effect<void, HostFault>
}

export interface Records {
  readonly main: string
  readonly agents: Readonly<Record<string, string>>
}

export type Needs = FileSystem | Path | CommandExecutor | Scope

export interface Host {
  /** The name for `reflexion install`. */
  readonly name: string
  readonly title: string
  readonly can: ReadonlyArray<Capability>
  /** Matches the separator between two texts for the user. */
  readonly between: RegExp
  /** Each form of a command that works in the host. */
  readonly commands: (word: "stop" | "start" | "status" | "away" | "checks run") => ReadonlyArray<string>
  /** Some hosts ask the user about a project's own hooks. */
  readonly trustProject: (sandbox: Sandbox) => Effect.Effect<void, HostFault, Needs>
  /** Hooks of other programs in the user's settings, by paths below the home directory. */
  readonly settings: Readonly<Record<string, string>>
  readonly plugin: (sandbox: Sandbox, marketplace: string) => Effect.Effect<void, HostFault, Needs>
  readonly start: (options: Start) => Effect.Effect<Live, HostFault, Needs>
  /** Called after the process has ended. The keys of `agents` are file names. */
  readonly records: (sandbox: Sandbox, sessionId: string) => Effect.Effect<Records, HostFault, Needs>
}

/** Before a merge, only the hosts in `byDay` play the case. The default is all hosts. At night, all hosts play it. */
export interface Case {
  readonly name: string
  readonly byDay?: ReadonlyArray<string>
  readonly needs?: ReadonlyArray<Capability>
  readonly run: (host: Host) => Effect.Effect<void, HostFault, Needs>
}

/** The host or the test environment failed, or an expected event did not come. */
export class HostFault extends Data.TaggedError("HostFault")<{ readonly detail: string; readonly cause?: unknown }> {
  override get message() {
    return this.cause === undefined ? this.detail : `${this.detail}: ${String(this.cause)}`
  }
}

export const orFault =
  (detail: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, HostFault, R> =>
    Effect.mapError(effect, (cause) => (cause instanceof HostFault ? cause : new HostFault({ detail, cause })))

const patience = Duration.seconds(90)

const soonest = 15

/** Waits longer after each look, because looking takes processor time from the host. */
const look = <A, E, R>(once: Effect.Effect<A | null, E, R>, wait = soonest): Effect.Effect<A, E, R> =>
  Effect.flatMap(once, (found) =>
    found === null
      ? Effect.delay(
          Effect.suspend(() => look(once, Math.min(wait * 1.2, 120))),
          wait
        )
      : Effect.succeed(found)
  )

/** The time limit is generous: only a failing test reaches it. */
export const eventually = <A, E, R>(
  what: string,
  once: Effect.Effect<A | null, E, R>
): Effect.Effect<A, E | HostFault, R> =>
  look(once).pipe(
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () => new HostFault({ detail: `waited in vain for ${what}` })
    })
  )
