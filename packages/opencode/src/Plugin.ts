/**
 * The plugin that OpenCode loads: its hooks on one side, `TurnReview` on the other. It says nothing on standard output or
 * standard error; what there is to say goes to the user's screen or to the host's log.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { OpencodeClient } from "@opencode-ai/sdk"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import * as Json from "@reflexion/core/Json"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import * as TurnReview from "@reflexion/core/TurnReview"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Compaction from "./internal/compaction.ts"
import * as Owners from "./internal/owners.ts"
import * as Problem from "./internal/problem.ts"
import * as SingleRun from "./internal/singleRun.ts"
import * as UserCommand from "./internal/userCommand.ts"
import { Guidance } from "./Guidance.ts"
import { OpenCodeClient } from "./OpenCodeClient.ts"
import * as OpenCodeEvents from "./OpenCodeEvents.ts"
import * as OpenCodeHost from "./OpenCodeHost.ts"
import * as Tools from "./Tools.ts"

/**
 * What the plugin finds where it runs. `state`: the folder of the user's own in which everything is kept that outlasts a
 * session. `settings`: the configuration in force in a project, the plugin's own options included.
 *
 * @since 0.1.0
 * @category models
 */
export interface Surroundings {
  readonly state: string
  readonly argv: ReadonlyArray<string>
  readonly rootOf: (directory: string) => string
  readonly settings: (root: string, options: unknown) => Settings
  readonly platform: Layer.Layer<FileSystem.FileSystem | Path.Path>
  /** Removes what is kept of sessions that nobody has touched for long. May fail, which costs nothing. */
  readonly tidy: () => void
}

/**
 * With a problem nothing is pushed, and the user is told of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  readonly config: ReflexionConfig
  readonly problem: string | null
}

/**
 * What the host hands to a plugin, as far as it is used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly client: OpencodeClient
  readonly directory: string
}

/**
 * What the plugin hands to the host, by the host's own names. None of these ever throws, but a command of ours, which
 * ends so before a model hears of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hooks {
  readonly event: (input: { readonly event: unknown }) => Promise<void>
  readonly config: (config: Record<string, unknown>) => Promise<void>
  readonly dispose: () => Promise<void>
  readonly tool: Readonly<Record<string, Tools.HostTool>>
  readonly "command.execute.before": (input: UserCommand.Typed) => Promise<void>
  readonly "experimental.session.compacting": (
    input: { readonly sessionID: string },
    output: { readonly context: Array<string> }
  ) => Promise<void>
  readonly "experimental.text.complete": (
    input: { readonly sessionID: string; readonly messageID: string },
    output: { readonly text: string }
  ) => Promise<void>
}

type Services = OpenCodeHost.EventInbox | Guidance | OpenCodeClient | TurnReview.Services | StuckDetector | ReviewStates

const messageOf = (cause: Cause.Cause<Error>): string => Cause.prettyErrors(cause)[0]?.message ?? "It did not work."

/** A person may still interrupt what has just stopped; on the command line nobody can. */
const raceWindow = 1500

const levels: Readonly<Record<string, "debug" | "info" | "warn" | "error">> = {
  FATAL: "error",
  ERROR: "error",
  WARN: "warn",
  INFO: "info"
}

/** To the host's own log, and nowhere else. */
const logger = Layer.unwrapEffect(
  Effect.map(OpenCodeClient, ({ log }) =>
    Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ cause, logLevel, message }) => {
        const reason = Cause.isEmpty(cause) ? "" : ` ${Cause.pretty(cause)}`
        const text = `${(Array.isArray(message) ? message : [message]).map(String).join(" ")}${reason}`
        Effect.runFork(log(levels[logLevel.label] ?? "debug", text))
      })
    )
  )
)

const services = (surroundings: Surroundings, { client, directory }: Input, config: ReflexionConfig) => {
  const { platform, rootOf, state } = surroundings
  const window = SingleRun.isSingleRun(surroundings.argv) ? 0 : raceWindow
  return Layer.mergeAll(
    JudgeService.Evidence,
    StuckDetector.Heuristic,
    Artifacts.Live,
    ReviewStates.Live({ directory: `${state}/sessions/opencode` }),
    DecisionLog.Live({ file: `${state}/log.jsonl` }),
    Guidance.Live({ directory: `${state}/guidance/opencode` })
  ).pipe(
    Layer.provideMerge(OpenCodeHost.layer({ root: rootOf(directory), raceWindow: window })),
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provideMerge(platform),
    Layer.provideMerge(logger),
    Layer.provideMerge(OpenCodeClient.layer(client))
  )
}

type Runtime = ManagedRuntime.ManagedRuntime<Services, never>

/** A fault of ours costs the user nothing but what we would have done. */
const quietly = (runtime: Runtime, effect: Effect.Effect<void, unknown, Services>) =>
  runtime.runPromise(Effect.catchAllCause(effect, (cause) => Effect.logWarning(cause)))

const nothing = Promise.resolve()

type EventHooks = Pick<Hooks, "event" | "experimental.text.complete">

/** The host waits for no event's hook, and never ends a turn in which one throws. */
const eventHooks = (
  runtime: Runtime,
  inbox: Context.Tag.Service<OpenCodeHost.EventInbox>,
  single: SingleRun.SingleRun | null
): EventHooks => {
  const take = (event: unknown): void => {
    if (single === null) return inbox.offer(event)
    const due = OpenCodeEvents.isRelevant(event) ? single.happened(event) : null
    if (due !== null) runtime.runFork(due)
  }
  return {
    // Most events mean nothing to us, and come by the thousand: they cost a look, and no promise of their own.
    event: (input) => {
      try {
        take(input.event)
      } catch (cause) {
        runtime.runFork(Effect.logError("an event could not be taken", String(cause)))
      }
      return nothing
    },
    "experimental.text.complete": async ({ messageID, sessionID }, { text }) => {
      if (single !== null) await quietly(runtime, single.spoke({ messageID, sessionID, text }))
    }
  }
}

type UserHooks = Pick<Hooks, "config" | "command.execute.before" | "experimental.session.compacting">

const userHooks = (runtime: Runtime): UserHooks => {
  let answers = false
  return {
    config: async (config) => {
      answers = UserCommand.configure(config)
    },
    "command.execute.before": async (typed) => {
      if (!UserCommand.isOurs(typed, answers)) return
      await quietly(runtime, UserCommand.answer(typed))
      throw new UserCommand.Answered()
    },
    "experimental.session.compacting": ({ sessionID }, { context }) =>
      quietly(
        runtime,
        Effect.map(Compaction.text(sessionID), (text) => {
          if (text !== null) context.push(text)
        })
      )
  }
}

type Run = (args: Json.Json, sessionId: string) => Effect.Effect<string, Error, Services>

/** What goes wrong is the tool's answer: the agent can read it and do better. */
const tool = (
  runtime: Runtime,
  { args, description, run }: Omit<Tools.HostTool, "execute"> & { readonly run: Run }
): Tools.HostTool => ({
  args,
  description,
  execute: (given, { sessionID }) =>
    runtime.runPromise(
      Effect.catchAllCause(run(Json.object(given), sessionID), (cause) => Effect.succeed(messageOf(cause)))
    )
})

const tools = (runtime: Runtime): Hooks["tool"] => ({
  set_reflection: tool(runtime, Tools.setReflection),
  reflection: tool(runtime, Tools.reflection)
})

/** What reviews: nothing under a configuration that cannot be used, else every stop. */
const program = ({ problem }: Settings) =>
  (problem === null ? TurnReview.run() : Problem.tell(problem)).pipe(Effect.catchAllCause(Effect.logError))

/** Nobody waits longer than this for a program to close. */
const patience = "2 seconds"

const begin = async (surroundings: Surroundings, input: Input, options: unknown) => {
  const settings = surroundings.settings(surroundings.rootOf(input.directory), options)
  const runtime = ManagedRuntime.make(services(surroundings, input, settings.config))
  const inbox = await runtime.runPromise(OpenCodeHost.EventInbox)
  const single = SingleRun.isSingleRun(surroundings.argv) && settings.problem === null ? SingleRun.make() : null
  const reviewing = runtime.runFork(program(settings))
  runtime.runFork(Effect.ignore(Effect.try(surroundings.tidy)))
  // A stop that still waits is not reviewed any more: nobody would see what comes of it.
  const end = async () => {
    const rest = Effect.zipRight(Fiber.interrupt(reviewing), single?.rest ?? Effect.void)
    await runtime.runPromise(Effect.timeoutOption(Effect.disconnect(rest), patience))
    await runtime.dispose()
  }
  return { runtime, inbox, single, end }
}

/**
 * The plugin's function, as the host calls it once for every directory. Of two copies for one directory the second does
 * nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const server =
  (surroundings: Surroundings) =>
  async (input: Input, options?: unknown): Promise<Partial<Hooks>> => {
    const owner = await Owners.take(input.directory)
    if (owner === null) return {}
    try {
      const { end, inbox, runtime, single } = await begin(surroundings, input, options)
      const dispose = () => Owners.leave(input.directory, owner, end)
      return { ...eventHooks(runtime, inbox, single), ...userHooks(runtime), tool: tools(runtime), dispose }
    } catch (cause) {
      await Owners.leave(input.directory, owner, () => Promise.resolve())
      throw cause
    }
  }
