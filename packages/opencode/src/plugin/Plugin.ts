/** The plugin that OpenCode loads. It prints nothing: what there is to say goes to the screen or to the host's log. */
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

/** What the host hands to a plugin, as far as it is used. */
export interface Input {
  readonly client: OpencodeClient
  readonly directory: string
}

/** What the plugin hands to the host. None of these throws, but a command of ours, which ends so before a model hears of it. */
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

/** A fault of ours costs the user nothing but what we would have done. */
const quietly = (effect: Work) => Effect.catchAllCause(effect, (cause) => Effect.logWarning(cause))

const nothing = Promise.resolve()

/** Whatever becomes of it, the host goes on. */
const awaited = (runtime: Runtime, effect: Work) => runtime.runPromise(quietly(effect)).catch(() => undefined)

/** `happened` gives what an event begins; `spoke`: what the host waits for after a complete text; `rest` waits for what was begun. */
interface Driver {
  readonly program: Work
  readonly happened: (event: unknown) => Work | null
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

/** Under a configuration that cannot be used nothing is reviewed, and the user is told so once. */
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

/** `asking`: null where no model is ever asked. */
interface Begun {
  readonly runtime: Runtime
  readonly driver: Driver
  readonly todos: ReturnType<typeof TodoReminders.make>
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
    // The host waits for no event's hook, and never ends a turn in which one throws. Most mean nothing to us, and come by the
    // thousand: they cost a look, and no promise of their own.
    event: (input) => {
      try {
        take(input.event)
      } catch (cause) {
        runtime.runFork(Effect.logError("an event could not be taken", Cause.die(cause)))
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

/** What goes wrong is the tool's answer: the agent can read it and do better. */
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
        Effect.succeed(Cause.prettyErrors(cause)[0]?.message ?? "It did not work.")
      )
    )
})

/** Nobody waits longer than this for a program to close. */
const patience = "2 seconds"

const begin = async (surroundings: Services.Surroundings, { client, directory }: Input, options: unknown) => {
  const root = surroundings.rootOf(directory)
  const settled = surroundings.settings(root, options)
  const isSingle = SingleRun.isSingleRun(surroundings.argv)
  const { config, problem } = settled
  const runtime = ManagedRuntime.make(Services.layer({ ...surroundings, client, directory, root, settled, isSingle }))
  const asking = Option.getOrNull(await runtime.runPromise(Effect.serviceOption(JudgeSession)))
  const inbox = await runtime.runPromise(EventInbox)
  const driver = driverOf(inbox, problem, isSingle)
  const program = runtime.runFork(Effect.catchAllCause(driver.program, Effect.logError))
  runtime.runFork(Effect.ignore(Effect.try(surroundings.tidy)))
  // A stop that still waits is not reviewed any more: nobody would see what comes of it.
  const end = async () => {
    const rest = Effect.zipRight(Fiber.interrupt(program), driver.rest)
    await runtime.runPromise(Effect.timeoutOption(Effect.disconnect(rest), patience))
    await runtime.dispose()
  }
  const todos = TodoReminders.make({ config, problem, change: surroundings.todos })
  return { runtime, driver, todos, asking, end }
}

/** Which directories have a plugin: of the process, for every copy of the plugin is a module of its own. */
const key = Symbol.for("reflexion.opencode.owners")

/** Settled when a directory's owner is gone, and null while it stays. */
type Owners = Map<string, Promise<void> | null>

const owners = (): Owners => {
  const known: unknown = Reflect.get(globalThis, key)
  if (known instanceof Map) return known
  const fresh: Owners = new Map()
  Reflect.set(globalThis, key, fresh)
  return fresh
}

/** Takes a directory, once an owner that leaves it is gone, and gives what leaves it when some work is done; null where another stays. */
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

/** The plugin's function, called once for every directory. Of two copies for one directory the second does nothing. */
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
