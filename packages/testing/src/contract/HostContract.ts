/**
 * PORT: a coding agent as the host contract sees it. Every case of the contract is written once, in these words, and run
 * over every host's real binary with the real hooks.
 */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ModelRequest } from "../servers/ModelScript.ts"
import type { Sandbox } from "../sandbox/Sandbox.ts"

/** A todo list: the state of each todo, by what it says. */
export type Todos = Readonly<Record<string, "pending" | "in_progress" | "completed">>

/**
 * One thing that a scripted model does, whatever its host's tools are called. `edit` replaces one whole line by another; `Todos` writes the agent's whole todo list; `Delegate` lets a subagent work and waits for it; `Background` starts a command and does not wait; `Hang` keeps the host waiting for the answer;
 * with `Fill` it takes up the rest of the context, so that the host compacts it.
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

/** One answer of the model. */
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

/** A tool of the host's own, by its name there. */
export const call = (tool: string, input: Readonly<Record<string, unknown>>): Move => ({ _tag: "Call", tool, input })

export const fail = (status: number, error: string): Move => ({ _tag: "Fail", status, error })

export const fill: Move = { _tag: "Fill" }

export const hang: Move = { _tag: "Hang" }

/**
 * What a host can do beyond the least, and what the test can see of it. `queues`: input that waits while a stop is
 * judged stands in the session's record. `goals`: the host sets the agent to work without a message. `scripts`: its newest
 * models call their tools from code. `wakes`: what ends in the background starts a turn. `continues`: a turn that was cut
 * off goes on by the user's first message when the host is started again. `hooks`: it runs a program at each stop, and keeps
 * a session's record in a file.
 */
export type Capability = "queues" | "goals" | "scripts" | "wakes" | "continues" | "hooks"

/** How a session is begun. `model` is what the model answers, one by one. */
export interface Start {
  readonly sandbox: Sandbox
  readonly model: ReadonlyArray<Answer>
  /** The session to go on with. */
  readonly resume?: string
  /** The turn of it that was cut off goes on at once, without a word of the user's. */
  readonly continues?: boolean
  readonly plan?: boolean
  /** Nothing is logged of its stops, so that a host whose turn ends before its review is waited for in silence. */
  readonly silent?: boolean
  /** Keeps no record of the session. */
  readonly ephemeral?: boolean
  /** With a model that calls its tools from code. */
  readonly scripts?: boolean
  /** Further arguments of the host's command line. */
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/** A session that goes on in a process of its own. */
export interface Live {
  readonly sessionId: string
  /** Hands a prompt over; the turn need not be over, nor even have begun. */
  readonly send: (text: string) => Effect.Effect<void, HostFault>
  /** Waits for the end of the next turn that nobody has waited for. */
  readonly ended: Effect.Effect<void, HostFault>
  readonly interrupt: Effect.Effect<void, HostFault>
  readonly compact: Effect.Effect<void, HostFault>
  /** Sets a goal for the agent, where the host has goals. */
  readonly goal: (text: string) => Effect.Effect<void, HostFault>
  readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>>
  /** What reflexion said to the user at stops, as the host shows it. */
  readonly notices: Effect.Effect<ReadonlyArray<string>>
  /** What reflexion answered to commands that the user typed. */
  readonly replies: Effect.Effect<ReadonlyArray<string>>
  /** The session's record, null where there is none. */
  readonly record: Effect.Effect<string | null, HostFault>
  /** Ends the process in good order. */
  readonly close: Effect.Effect<void, HostFault>
  /** Ends the process in the middle of what it does. */
  readonly crash: Effect.Effect<void, HostFault>
}

export interface Records {
  readonly main: string
  readonly agents: Readonly<Record<string, string>>
}

export type Needs = FileSystem | Path | CommandExecutor | Scope

export interface Host {
  /** As `reflexion install` calls it. */
  readonly name: string
  readonly title: string
  readonly can: ReadonlyArray<Capability>
  /** What comes before something that it tells the user behind something else: a line of its own, or none. */
  readonly between: RegExp
  /** The prompts that turn reflexion off and on in a session and ask for its state, in each form that works. */
  readonly commands: (word: "stop" | "start" | "status" | "away" | "checks run") => ReadonlyArray<string>
  /** Lets the host read a project's own hooks, where it asks the user before it does. */
  readonly trustProject: (sandbox: Sandbox) => Effect.Effect<void, HostFault, Needs>
  /** Where the user's own settings for hooks are, with a content that has hooks of others; below the home directory. */
  readonly settings: Readonly<Record<string, string>>
  /** Installs the plugin of the marketplace in a folder. */
  readonly plugin: (sandbox: Sandbox, marketplace: string) => Effect.Effect<void, HostFault, Needs>
  readonly start: (options: Start) => Effect.Effect<Live, HostFault, Needs>
  /** A session's record as the host keeps it, when its process has ended, and those of its agents by their files' names. */
  readonly records: (sandbox: Sandbox, sessionId: string) => Effect.Effect<Records, HostFault, Needs>
}

/**
 * A case of the contract: a sentence that holds, and how it is tried. `night`: tried where REFLEXION_TESTS is `night`, and not
 * before each change lands; `plugin`: before that in hosts with hooks alone, for another takes seconds to start.
 */
export interface Case {
  readonly name: string
  readonly night?: true | "plugin"
  readonly needs?: ReadonlyArray<Capability>
  readonly run: (host: Host) => Effect.Effect<void, HostFault, Needs>
}

/** The host or the test's surroundings failed, or what was waited for did not come. */
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

/** Less and less often: each look at a host takes a share of the processor that the host itself is waiting for. */
const look = <A, E, R>(once: Effect.Effect<A | null, E, R>, wait = soonest): Effect.Effect<A, E, R> =>
  Effect.flatMap(once, (found) =>
    found === null
      ? Effect.delay(
          Effect.suspend(() => look(once, Math.min(wait * 1.2, 120))),
          wait
        )
      : Effect.succeed(found)
  )

/** Looks until there is something to see. The time is a bound and no measure: what is waited for comes, or the test fails. */
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
