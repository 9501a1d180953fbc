/**
 * What makes a recorded OpenCode session: the project, what the user does, what the model says, and how the last turn is
 * to be judged.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ExpectedVerdict } from "./ClaudeCodeScenario.ts"
import { eventually, HostFault } from "../contract/HostContract.ts"
import type { Rule } from "../servers/ModelScript.ts"
import * as OpenCodeHost from "../hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../hosts/OpenCodeSession.ts"
import { everyAnswerScripted } from "./PlayedScenario.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import * as ScriptedChat from "../servers/ScriptedChat.ts"

export { act, say } from "../servers/ModelScript.ts"

type Block = ScriptedChat.Block

/**
 * What happens while the agent works on a prompt, as soon as `once` stands in an event: the user interrupts, writes on or
 * answers what the host asks, or the host is killed; or nothing does, and the turn is not over before.
 *
 * @category models
 */
export type Meanwhile =
  | { readonly once: string; readonly does: "interrupt" | "kill" | "wait" }
  | { readonly once: string; readonly prompt: string }
  | { readonly permission: "once" | "reject" }
  | { readonly answer: string }

/**
 * What the user does next: a prompt, a command of the user's own, a compaction, or a new start of the host.
 *
 * @category models
 */
export type Step =
  | { readonly prompt: string; readonly agent?: "plan"; readonly meanwhile?: Meanwhile }
  | { readonly shell: string }
  | { readonly slash: string; readonly arguments: string }
  | { readonly does: "compact" | "restart" }

export interface OpenCodeScenario {
  readonly name: string
  /** What a reader should look at, in one sentence. */
  readonly description: string
  readonly expected: ExpectedVerdict
  readonly project: Sandbox.Project
  readonly steps: ReadonlyArray<Step>
  readonly config?: OpenCodeHost.Options["config"]
  readonly env?: OpenCodeHost.Options["env"]
  /** The model's side, for a workspace at this path. */
  readonly script: (workspace: string) => ScriptedChat.Script
}

export const bash = (command: string, description = "Run a command"): Block => ({
  tool: "bash",
  input: { command, description }
})

export const read = (filePath: string): Block => ({ tool: "read", input: { filePath } })

export const edit = (filePath: string, oldString: string, newString: string): Block => ({
  tool: "edit",
  input: { filePath, oldString, newString }
})

export const task = (prompt: string, options: { readonly background?: true } = {}): Block => ({
  tool: "task",
  input: { description: "A part of the work", prompt, subagent_type: "general", ...options }
})

/**
 * Lets the host's agents work in the background, which they do not unless they are asked to.
 *
 * @category constants
 */
export const backgroundOn = { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "1" }

export const todos = (items: Readonly<Record<string, "pending" | "in_progress" | "completed">>): Block => ({
  tool: "todowrite",
  input: { todos: Object.entries(items).map(([content, status]) => ({ content, status, priority: "medium" })) }
})

/**
 * What the model is asked besides the conversation: a title for it, and a summary when it is compacted.
 *
 * @category constructors
 */
export const asides = (options: { readonly title: string; readonly summary: string }): ReadonlyArray<Rule<Block>> => [
  {
    name: "title",
    when: ({ system }) => system.startsWith("You are a title generator"),
    replies: [{ content: [{ text: options.title }] }]
  },
  {
    name: "summary",
    when: ({ lastUser, tools }) => tools.length === 0 && lastUser.includes("<conversation>"),
    replies: [{ content: [{ text: options.summary }] }]
  }
]

/**
 * Enough failures that the host gives up: it asks again five times.
 *
 * @category constructors
 */
export const outage = (status: number, error: string): ReadonlyArray<ScriptedChat.Reply> =>
  Array.from({ length: status === 429 || status >= 500 ? 6 : 1 }, () => ({ status, error, retryAfterMillis: 1 }))

/** A session in a server; both are others after a new start. */
interface Live {
  readonly server: OpenCodeHost.Server
  readonly session: OpenCodeSession.Session
}

const mentioned = ({ server }: Live, once: string) =>
  eventually(
    `an event with "${once}"`,
    Effect.sync(() => (JSON.stringify(server.events()).includes(once) ? true : null))
  )

/** Answers a request of the host's, which the client of this version has no method for. */
const post = ({ server }: Live, workspace: string, path: string, body: object) =>
  Effect.tryPromise({
    try: () =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-opencode-directory": workspace },
        body: JSON.stringify(body)
      }),
    catch: (cause) => new HostFault({ detail: `${path} could not be answered`, cause })
  }).pipe(
    Effect.filterOrFail(
      ({ ok }) => ok,
      ({ status }) => new HostFault({ detail: `${path} answered ${status}` })
    )
  )

const happen = (live: Live, workspace: string, meanwhile: Meanwhile) =>
  Effect.gen(function* () {
    const { server, session } = live
    if ("permission" in meanwhile) {
      const id = yield* OpenCodeSession.asked(server, session, "permission.asked")
      return yield* post(live, workspace, `/permission/${id}/reply`, { reply: meanwhile.permission })
    }
    if ("answer" in meanwhile) {
      const id = yield* OpenCodeSession.asked(server, session, "question.asked")
      return yield* post(live, workspace, `/question/${id}/reply`, { answers: [[meanwhile.answer]] })
    }
    yield* mentioned(live, meanwhile.once)
    if ("prompt" in meanwhile) return yield* session.prompt(meanwhile.prompt)
    if (meanwhile.does === "interrupt") yield* session.abort
    if (meanwhile.does === "kill") yield* server.kill
  })

const isCut = (step: Step, ...by: ReadonlyArray<"interrupt" | "kill" | "wait">) =>
  "meanwhile" in step && step.meanwhile !== undefined && "does" in step.meanwhile && by.includes(step.meanwhile.does)

const perform = (live: Live, workspace: string, step: Exclude<Step, { readonly does: unknown }>) =>
  Effect.gen(function* () {
    const { session } = live
    if ("shell" in step) yield* session.shell(step.shell)
    else if ("slash" in step) yield* session.slash(step.slash, step.arguments)
    else {
      yield* session.prompt(step.prompt, step.agent)
      if (step.meanwhile !== undefined) yield* happen(live, workspace, step.meanwhile)
    }
    if (!isCut(step, "kill")) yield* session.settled
  })

const Child = Schema.Array(Schema.Struct({ id: Schema.String }))

/** The sessions of the agents that the session started, which a killed host can no longer tell. */
const children = ({ server, session }: Live) =>
  OpenCodeHost.ask("the agents' sessions could not be listed", () =>
    server.client.session.children({ path: { id: session.id } })
  ).pipe(
    Effect.flatMap(Schema.decodeUnknown(Child)),
    Effect.map((all) => all.map(({ id }) => id))
  )

const open = (options: OpenCodeHost.Options, resume?: string) =>
  Effect.gen(function* () {
    const server = yield* OpenCodeHost.serve(options)
    const session = yield* OpenCodeSession.open(server, resume === undefined ? {} : { resume })
    const live: Live = { server, session }
    return live
  })

/** Plays the steps, and gives the session as the host exports it, with those of its agents by the names of their files. */
const played = (options: OpenCodeHost.Options, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    let live = yield* open(options)
    for (const step of steps) {
      if (!("does" in step)) yield* perform(live, options.sandbox.workspace, step)
      else if (step.does === "compact") yield* live.session.compact
      else {
        yield* live.server.stop
        live = yield* open(options, live.session.id)
      }
    }
    const agents = steps.some((step) => isCut(step, "kill")) ? [] : yield* children(live)
    yield* live.server.stop
    const main = yield* OpenCodeHost.exported(options, live.session.id)
    const exports = yield* Effect.forEach(agents, (id) =>
      Effect.map(OpenCodeHost.exported(options, id), (text) => [`${id}.json`, text] as const)
    )
    return { main, agents: Object.fromEntries(exports) }
  })

/**
 * Plays a scenario in a sandbox that stands until the scope closes.
 *
 * @category constructors
 */
export const play = Effect.fn("OpenCodeScenario.play")(function* (scenario: OpenCodeScenario) {
  const sandbox = yield* Sandbox.make({ name: "shop", project: scenario.project })
  const script = scenario.script(sandbox.workspace)
  const { requests, url } = yield* ScriptedChat.make(script)
  const { env } = scenario
  // As the host does by itself: a record of it has the snapshots.
  const config = { snapshot: true, ...scenario.config }
  const session = yield* Effect.scoped(
    played({ sandbox, url, config, ...(env === undefined ? {} : { env }) }, scenario.steps)
  )
  yield* everyAnswerScripted({
    scenario: scenario.name,
    turns: script.turns.length,
    whole: !scenario.steps.some((step) => isCut(step, "interrupt", "kill")),
    requests
  })
  return { sandbox, session }
})
