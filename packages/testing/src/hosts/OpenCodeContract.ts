/** OpenCode in the host contract: the real binary's server, which OpenCode's own screen and editors use. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { Event } from "@opencode-ai/sdk/client"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Url from "node:url"
import { eventually, type Host, HostFault, type Live, orFault, type Start } from "../contract/HostContract.ts"
import * as World from "../contract/HostContractWorld.ts"
import { backgroundOn, script } from "./openCodeMoves.ts"
import * as OpenCodeHost from "./OpenCodeHost.ts"
import * as OpenCodeSession from "./OpenCodeSession.ts"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import * as ScriptedChat from "../servers/ScriptedChat.ts"

/** In ms. After an abort, the review begins within this time. If nothing was logged by then, nothing will be. */
const silence = 14_000

/** When the agent stopped. Null after an abort, a failure or a summary: reflexion does not judge these. */
const stoppedAt = (entries: ReadonlyArray<OpenCodeSession.Entry>): number | null => {
  const last = entries.at(-1)?.info
  if (last?.role !== "assistant" || last.error !== undefined || last.summary === true) return null
  return last.finish === undefined || last.finish === "tool-calls" ? null : (last.time.completed ?? null)
}

const toasts = (events: ReadonlyArray<Event>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === "tui.toast.show"
      ? [[event.properties.title, event.properties.message].filter((text) => text !== undefined).join(": ")]
      : []
  )

/** An answer to a command. No message about a stop looks like this. */
const answer = /\bis (?:on|off) in this session|^reflexion ran /

/** Messages about work in progress. They are not notices about a stop. */
const progress = /^reflexion (?:runs|asks) /

const notices = (events: ReadonlyArray<Event>) =>
  toasts(events).filter((text) => !answer.test(text) && !progress.test(text))

const replies = (events: ReadonlyArray<Event>) => toasts(events).filter((text) => answer.test(text))

const aside = ["failure", "rearm", "start", "stop"]

const spoken = ["nudge", "notice"]

const unjudged = (events: ReadonlyArray<Event>): string => {
  const turns = events.flatMap(({ properties, type }) => {
    if (type !== "session.idle" && type !== "session.status") return []
    const { sessionID, ...rest } = properties
    return [`${sessionID.slice(-4)} ${"status" in rest ? rest.status.type : "stopped"}`]
  })
  return `nothing was logged of a stop; what the host said before: ${turns.slice(-24).join(", ")}`
}

/**
 * A turn is over if nothing runs, reflexion has logged its decision, and the user has seen its messages. A stop with a
 * nudge does not end the turn. If reflexion does not judge the stop, an idle session is enough.
 */
const turnsEnd = Effect.fnUntraced(function* (
  server: OpenCodeHost.Server,
  { sandbox, silent = false }: Start,
  sessionId: string
) {
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const begun = yield* Clock.currentTimeMillis
  const { plugin = [] } = yield* OpenCodeHost.ask("the configuration could not be read", () =>
    server.client.config.get()
  )
  const log = { state: `${sandbox.home}/.local/state/reflexion` }
  let waiting = { stop: 0, since: 0 }
  return (entries: ReadonlyArray<OpenCodeSession.Entry>) =>
    Effect.gen(function* () {
      const stop = stoppedAt(entries)
      if (stop === null || plugin.length === 0) return true
      const now = yield* Clock.currentTimeMillis
      if (waiting.stop !== stop) waiting = { stop, since: now }
      const isAtIt = progress.test(toasts(server.events()).at(-1) ?? "")
      if (now - waiting.since > silence && !isAtIt) {
        return silent || (yield* new HostFault({ detail: unjudged(server.events()) }))
      }
      const logged = (yield* World.decisions(log, sessionId)).filter(({ decision }) => !aside.includes(decision))
      const due = logged.filter(({ at, decision }) => spoken.includes(decision) && Date.parse(at) >= begun).length
      const last = logged.findLast(({ at }) => Date.parse(at) >= stop)?.decision
      return last !== undefined && last !== "nudge" && notices(server.events()).length >= due
    }).pipe(Effect.provide(context))
})

/** The host keeps the record in a database, so this writes a file. */
const recordOf = (sandbox: Sandbox, session: OpenCodeSession.Session) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${sandbox.root}/${session.id}.json`
    yield* fs.writeFileString(file, JSON.stringify(yield* session.entries))
    return file
  }).pipe(orFault("the record could not be written"))

let sessions = 0

const startOf = (program: OpenCodeHost.Program) => (options: Start) =>
  Effect.gen(function* () {
    const { sandbox } = options
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    sessions += 1
    const model = yield* ScriptedChat.make({
      first: 100 * sessions + 1,
      ...script(sandbox.workspace, options.model)
    })
    const server = yield* OpenCodeHost.serve({
      program,
      sandbox,
      url: model.url,
      ...(options.args === undefined ? {} : { args: options.args }),
      env: {
        ...(options.model.flat().some(({ _tag }) => _tag === "Background") ? backgroundOn : {}),
        ...options.env
      }
    })
    const session = yield* OpenCodeSession.open(server, options.resume === undefined ? {} : { resume: options.resume })
    const isOver = yield* turnsEnd(server, options, session.id)
    const scope = yield* Effect.scope
    let commands = 0
    /** After an interruption or a command, the next turn may end without a new message. */
    let quiet = false
    let waitedFor: string | null = null
    const command = (text: string) =>
      Effect.gen(function* () {
        const [, name = "", words = ""] = /^\/(\S{1,100})\s{0,9}(.*)$/s.exec(text) ?? []
        const body = { command: name, arguments: words }
        commands += 1
        quiet = true
        yield* Effect.promise(() => server.client.session.command({ path: { id: session.id }, body })).pipe(
          Effect.ensuring(Effect.sync(() => (commands -= 1))),
          // The plugin makes its own command fail, so that no model gets the command.
          Effect.ignore,
          Effect.forkIn(scope)
        )
      })
    const send = (text: string) =>
      Effect.suspend(() => {
        quiet = false
        return text.startsWith("/") ? command(text) : session.prompt(text, options.plan === true ? "plan" : undefined)
      })
    const over = Effect.gen(function* () {
      const entries = commands === 0 ? yield* session.rest : null
      if (entries === null) return null
      const last = entries.at(-1)?.info.id ?? null
      if (!quiet && (last === waitedFor || !(yield* isOver(entries)))) return null
      waitedFor = last
      return true
    })
    const ended = Effect.suspend(() =>
      Effect.asVoid(eventually(`the end of the turn (${server.output().slice(-300)})`, over))
    )
    const live: Live = {
      sessionId: session.id,
      send,
      ended,
      interrupt: Effect.suspend(() => {
        quiet = true
        return session.abort
      }),
      compact: Effect.zipRight(session.compact, ended),
      goal: () => new HostFault({ detail: "OpenCode has no goals" }),
      requests: model.requests,
      notices: Effect.sync(() => notices(server.events())),
      replies: Effect.sync(() => replies(server.events())),
      record: Effect.provide(recordOf(sandbox, session), context),
      close: server.stop,
      crash: server.kill
    }
    return live
  }).pipe(orFault("OpenCode could not be started"))

const Ids = Schema.parseJson(Schema.Array(Schema.Struct({ id: Schema.String })))

const recordsOf =
  (program: OpenCodeHost.Program): Host["records"] =>
  (sandbox, sessionId) =>
    Effect.gen(function* () {
      const options = { program, sandbox, url: "http://127.0.0.1:9" }
      const query = `select id from session where parent_id = '${sessionId}'`
      const { output } = yield* OpenCodeHost.run(options, "db", query, "--format", "json")
      const children = (yield* Schema.decode(Ids)(output)).map(({ id }) => id)
      const texts = yield* Effect.forEach(children, (id) => OpenCodeHost.exported(options, id))
      const agents = Object.fromEntries(children.map((id, index) => [`${id}.json`, texts[index] ?? ""]))
      return { main: yield* OpenCodeHost.exported(options, sessionId), agents }
    }).pipe(orFault("the session could not be exported"))

/** The package as it is published. */
const packaged = Url.fileURLToPath(new URL("../../../opencode", import.meta.url))

const pluginOf = (program: OpenCodeHost.Program) =>
  Effect.fnUntraced(function* (sandbox: Sandbox) {
    const options = { program, sandbox, url: "http://127.0.0.1:9" }
    const installed = yield* OpenCodeHost.run(options, "plugin", packaged, "--global")
    if (installed.exitCode !== 0) yield* new HostFault({ detail: `${installed.output}${installed.errors}` })
  }, orFault("the plugin could not be installed"))

const settings = (schema: string): string => `{
  "$schema": "${schema}",
  // mine
  "theme": "system",
  "plugin": ["./mine.js"], // please
}
`

const mine = `export default { id: "mine", server: async () => ({ event: async () => {} }) }\n`

const hostOf = (program: OpenCodeHost.Program): Host => ({
  name: program.name,
  title: program.title,
  can: ["wakes"],
  between: /[.\]] /,
  commands: (word) => [`/reflection ${word}`],
  settings: {
    [`.config/${program.name}/${program.name}.jsonc`]: settings(program.schema),
    [`.config/${program.name}/mine.js`]: mine
  },
  plugin: pluginOf(program),
  trustProject: () => Effect.void,
  start: startOf(program),
  records: recordsOf(program)
})

export const host: Host = hostOf(OpenCodeHost.openCode)

export const kilo: Host = hostOf(OpenCodeHost.kilo)
