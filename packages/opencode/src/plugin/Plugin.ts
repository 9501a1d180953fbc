/** The plugin that OpenCode loads. It never prints: messages go to the screen or to the host's log. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as TurnReview from "@reflexion/core/TurnReview"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Guidance from "../host/Guidance.ts"
import * as OpenCodeEvents from "../host/OpenCodeEvents.ts"
import { EventInbox } from "../host/OpenCodeHost.ts"
import { configure, JudgeSession } from "../models/JudgeSession.ts"
import * as Commands from "./commands.ts"
import * as Decided from "./decided.ts"
import * as Memory from "./memory.ts"
import * as Services from "./services.ts"
import * as SingleRun from "./singleRun.ts"
import * as SystemWords from "./systemWords.ts"
import * as TodoReminders from "./todoReminders.ts"
import * as Tools from "./Tools.ts"

export type { Settings, Surroundings } from "./services.ts"

export interface Input {
  readonly client: OpencodeClient
  readonly directory: string
}

/** No hook throws, with one exception: our own command must throw to end before a model is asked. */
export interface Hooks {
  readonly event: (input: { readonly event: unknown }) => Promise<void>
  readonly config: (config: Record<string, unknown>) => Promise<void>
  readonly dispose: () => Promise<void>
  readonly tool: Readonly<Record<string, Tools.HostTool>>
  readonly "command.execute.before": (
    input: Commands.TypedCommand,
    output: { readonly parts?: Array<unknown> }
  ) => Promise<void>
  readonly "tool.execute.after": (input: TodoReminders.EndedCall, output: { output?: unknown }) => Promise<void>
  readonly "experimental.session.compacting": (
    input: { readonly sessionID: string },
    output: { readonly context: Array<string> }
  ) => Promise<void>
  readonly "experimental.chat.system.transform": (
    input: { readonly sessionID?: string },
    output: { readonly system: Array<string> }
  ) => Promise<void>
  readonly "experimental.text.complete": (
    input: { readonly sessionID: string; readonly messageID: string },
    output: { readonly text: string }
  ) => Promise<void>
}

type Runtime = ManagedRuntime.ManagedRuntime<Services.Services, never>

type Work = Effect.Effect<void, unknown, Services.Services>

/** An error of ours must not disturb the user's work. */
const quietly = (effect: Work) => Effect.catchAllCause(effect, (cause) => Effect.logWarning(cause))

const nothing = Promise.resolve()

/** Never rejects, so the host always goes on. */
const awaited = (runtime: Runtime, effect: Work) => runtime.runPromise(quietly(effect)).catch(() => undefined)

interface Driver {
  readonly program: Work
  /** Returns the work that an event starts. */
  readonly happened: (event: unknown) => Work | null
  /** Returns work that the host waits for after a complete text. */
  readonly spoke: ((spoken: SingleRun.LastMessage) => Work) | null
  readonly rest: Work
}

const served = (inbox: Context.Tag.Service<EventInbox>): Driver => ({
  program: Memory.around(TurnReview.run()),
  happened: (event) => {
    inbox.offer(event)
    return null
  },
  spoke: null,
  rest: Effect.void
})

/** Used if the configuration is invalid. Reviews nothing and tells the user once. */
const unusable = (problem: string): Driver => {
  let told = false
  const tell = (sessionId: string) =>
    Effect.suspend(() => {
      if (told) return Effect.void
      told = true
      return Decided.tellProblem(sessionId, problem)
    })
  const happened = (event: unknown) => {
    const { properties, type } = Json.object(event)
    return type === "session.idle" ? tell(Json.text(Json.object(properties)["sessionID"])) : null
  }
  return { program: Effect.void, happened, spoke: ({ sessionID }) => tell(sessionID), rest: Effect.void }
}

const driverOf = (inbox: Context.Tag.Service<EventInbox>, problem: string | null, isSingle: boolean): Driver =>
  problem !== null ? unusable(problem) : isSingle ? { program: Effect.void, ...SingleRun.make() } : served(inbox)

interface Begun {
  readonly runtime: Runtime
  readonly driver: Driver
  readonly todos: ReturnType<typeof TodoReminders.make>
  /** Null if no model is ever asked. */
  readonly asking: Context.Tag.Service<JudgeSession> | null
}

const hooksOf = ({ asking, driver, runtime, todos }: Begun): Omit<Hooks, "dispose" | "tool"> => {
  let answers = false
  const said = SystemWords.make()
  const begin = (due: Work | null): void => {
    if (due !== null) runtime.runFork(quietly(due))
  }
  const take = (event: unknown): void => {
    asking?.take(event)
    begin(driver.happened(event))
    if (!OpenCodeEvents.isRelevant(event)) return
    said.happened(event)
    todos.happened(event)
    begin(Guidance.due(event))
  }
  return {
    // The host does not wait for this hook. After an error here, the turn would not end. Most events are unimportant,
    // so each event is checked quickly, without a promise.
    event: (input) => {
      try {
        take(input.event)
      } catch (cause) {
        runtime.runFork(Effect.logError("an event could not be handled", Cause.die(cause)))
      }
      return nothing
    },
    "experimental.text.complete": ({ messageID, sessionID }, { text }) =>
      driver.spoke === null ? nothing : awaited(runtime, driver.spoke({ messageID, sessionID, text })),
    "experimental.chat.system.transform": ({ sessionID }, { system }) => {
      if (sessionID === undefined) return nothing
      asking?.instruct(sessionID, system)
      const words = said.words(sessionID)
      return words === null ? nothing : awaited(runtime, Effect.map(words, SystemWords.say(system)))
    },
    "tool.execute.after": (ended, output) => {
      const due = todos.after(ended, output)
      return due === null ? nothing : awaited(runtime, due)
    },
    config: async (config) => {
      answers = Commands.configure(config)
      if (asking !== null) configure(config)
    },
    "command.execute.before": async (typed, { parts = [] }) => {
      if (!Commands.isOurs(typed, answers)) return Commands.mark(typed, parts)
      await awaited(runtime, Commands.answer(typed))
      throw new Commands.CommandEnd()
    },
    "experimental.session.compacting": ({ sessionID }, { context }) =>
      awaited(
        runtime,
        Effect.map(SystemWords.kept(sessionID), (text) => {
          if (text !== null) context.push(text)
        })
      )
  }
}

/** An error becomes the tool's answer, so that the agent can react. */
const tool = <E extends Error>(
  runtime: Runtime,
  {
    args,
    description,
    run
  }: Omit<Tools.HostTool, "execute"> & {
    readonly run: (args: Json.Json, sessionId: string) => Effect.Effect<string, E, Services.Services>
  }
): Tools.HostTool => ({
  args,
  description,
  execute: (given, { sessionID }) =>
    runtime.runPromise(
      Effect.catchAllCause(run(Json.object(given), sessionID), (cause) =>
        Effect.succeed(Cause.prettyErrors(cause)[0]?.message ?? "The tool failed.")
      )
    )
})

const patience = "2 seconds"

const begin = async (surroundings: Services.Surroundings, { client, directory }: Input, options: unknown) => {
  const root = surroundings.rootOf(directory)
  const settled = Services.toldOnly(surroundings.settings(root, options), surroundings.program)
  const isSingle = SingleRun.isSingleRun(surroundings.argv)
  const { config, problem } = settled
  const runtime = ManagedRuntime.make(Services.layer({ ...surroundings, client, directory, root, settled, isSingle }))
  const asking = Option.getOrNull(await runtime.runPromise(Effect.serviceOption(JudgeSession)))
  const inbox = await runtime.runPromise(EventInbox)
  const driver = driverOf(inbox, problem, isSingle)
  const program = runtime.runFork(Effect.catchAllCause(driver.program, Effect.logError))
  runtime.runFork(Effect.ignore(Effect.try(surroundings.tidy)))
  // If a stop still waits for its review, the review is dropped, because nobody would see the result.
  const end = async () => {
    const rest = Effect.zipRight(Fiber.interrupt(program), driver.rest)
    await runtime.runPromise(Effect.timeoutOption(Effect.disconnect(rest), patience))
    await runtime.dispose()
  }
  const todos = TodoReminders.make({ config, problem, change: surroundings.todos })
  return { runtime, driver, todos, asking, end }
}

/** Copies of the plugin are separate modules. They share only this value of the process. */
const key = Symbol.for("reflexion.opencode.owners")

/** The owners by directory. Null while the owner works. A promise while the owner ends. */
type Owners = Map<string, Promise<void> | null>

const owners = (): Owners => {
  const known: unknown = Reflect.get(globalThis, key)
  if (known instanceof Map) return known
  const fresh: Owners = new Map()
  Reflect.set(globalThis, key, fresh)
  return fresh
}

/**
 * Waits for an owner that is ending. The result does some work and then releases the directory. Null if another copy
 * owns it.
 */
export const own = async (directory: string): Promise<((work: () => Promise<void>) => Promise<void>) | null> => {
  for (let gone = owners().get(directory); gone !== undefined; gone = owners().get(directory)) {
    if (gone === null) return null
    await gone
  }
  owners().set(directory, null)
  let left: Promise<void> | null = null
  return (work) => {
    const release = (): void => void owners().delete(directory)
    if (left !== null) return left
    left = work().then(release, release)
    owners().set(directory, left)
    return left
  }
}

/** The host calls this function once for each directory. If two copies serve one directory, the second does nothing. */
export const server =
  (surroundings: Services.Surroundings) =>
  async (input: Input, options?: unknown): Promise<Partial<Hooks>> => {
    const leave = await own(input.directory)
    if (leave === null) return {}
    try {
      const begun = await begin(surroundings, input, options)
      const { end, runtime } = begun
      const tools = {
        set_reflection: tool(runtime, Tools.setReflection),
        reflection: tool(runtime, Tools.reflection)
      }
      return { ...hooksOf(begun), tool: tools, dispose: () => leave(end) }
    } catch (cause) {
      await leave(() => Promise.resolve())
      throw cause
    }
  }
