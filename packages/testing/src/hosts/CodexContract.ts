/** Codex in the host contract: the real binary's app-server, which editors and Codex's own screen use. */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { codexBinary } from "../sandbox/HostBinaries.ts"
import { eventually, type Host, HostFault, type Live, orFault, type Start } from "../contract/HostContract.ts"
import * as World from "../contract/HostContractWorld.ts"
import { script } from "./codexMoves.ts"
import * as JsonLinesProcess from "../sandbox/JsonLinesProcess.ts"
import { command, type Sandbox } from "../sandbox/Sandbox.ts"
import * as ScriptedResponses from "../servers/ScriptedResponses.ts"

export const codexHome = ({ home }: Sandbox): string => `${home}/.codex`

/** Options and not a file, because the model's server exists only in this session. */
const flags = (url: string, options: Start): ReadonlyArray<string> => {
  const provider = `{ name = "scripted", base_url = "${url}/v1", wire_api = "responses", env_key = "SCRIPTED_API_KEY", request_max_retries = 0, stream_max_retries = 0, supports_websockets = false }`
  const keys = {
    model: JSON.stringify(options.scripts === true ? "gpt-5.6-sol" : "gpt-5.5"),
    model_provider: `"scripted"`,
    model_auto_compact_token_limit: "50000",
    check_for_update_on_startup: "false",
    "analytics.enabled": "false",
    "model_providers.scripted": provider
  }
  return Object.entries(keys).flatMap(([key, value]) => ["-c", `${key}=${value}`])
}

const Hooks = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      hooks: Schema.Array(Schema.Struct({ key: Schema.String, currentHash: Schema.String, trustStatus: Schema.String }))
    })
  )
})

const Thread = Schema.Struct({
  thread: Schema.Struct({ id: Schema.String, path: Schema.optional(Schema.NullOr(Schema.String)) })
})

const Ran = Schema.Struct({
  method: Schema.Literal("hook/completed"),
  params: Schema.Struct({
    run: Schema.Struct({
      eventName: Schema.String,
      status: Schema.String,
      entries: Schema.Array(Schema.Struct({ kind: Schema.String, text: Schema.String }))
    })
  })
})

const isRan = Schema.is(Ran)

const TurnEvent = Schema.Struct({
  method: Schema.String,
  params: Schema.Struct({ threadId: Schema.String, turn: Schema.Struct({ id: Schema.String, status: Schema.String }) })
})

const isTurnEvent = Schema.is(TurnEvent)

const connect = Effect.fnUntraced(function* (options: Start, url: string) {
  const { sandbox } = options
  const fs = yield* FileSystem.FileSystem
  // Codex ends at once if its folder does not exist.
  yield* fs.makeDirectory(codexHome(sandbox), { recursive: true })
  const argv = [yield* codexBinary, "app-server", ...flags(url, options), ...(options.args ?? [])]
  const env = { CODEX_HOME: codexHome(sandbox), SCRIPTED_API_KEY: "test", ...options.env }
  const host = yield* JsonLinesProcess.start(command(sandbox, env, argv))
  let requests = 0
  const call = (method: string, params: object) =>
    Effect.gen(function* () {
      requests += 1
      const id = requests
      yield* host.send({ id, method, params })
      const answer = yield* eventually(
        `the answer to ${method} (${host.errors().slice(-300)})`,
        Effect.sync(() => host.messages.find((message) => message["id"] === id && !("method" in message)) ?? null)
      )
      if (answer["error"] === undefined) return answer["result"]
      return yield* new HostFault({ detail: `${method}: ${JSON.stringify(answer["error"])}` })
    })
  yield* call("initialize", {
    clientInfo: { name: "contract", title: null, version: "1" },
    capabilities: { experimentalApi: true }
  })
  yield* host.send({ method: "initialized" })
  return { ...host, call }
})

/** A user approves the hooks in `/hooks`. Codex silently skips hooks that are not approved. */
const approve = Effect.fnUntraced(function* (
  { call }: Effect.Effect.Success<ReturnType<typeof connect>>,
  sandbox: Sandbox
) {
  const listed = yield* Schema.decodeUnknown(Hooks)(yield* call("hooks/list", { cwds: [sandbox.workspace] }))
  const state = Object.fromEntries(
    listed.data
      .flatMap(({ hooks }) => hooks)
      .filter(({ trustStatus }) => trustStatus !== "trusted")
      .map(({ currentHash, key }) => [key, { trusted_hash: currentHash.split("/")[0] }])
  )
  if (Object.keys(state).length === 0) return
  const edits = [{ keyPath: "hooks.state", value: state, mergeStrategy: "upsert" }]
  yield* call("config/batchWrite", { edits, reloadUserConfig: true })
})

const rollouts = (sandbox: Sandbox) => World.filesBelow(`${codexHome(sandbox)}/sessions`, ".jsonl")

const rolloutOf = (sandbox: Sandbox, threadId: string) =>
  Effect.map(rollouts(sandbox), (files) => files.find((name) => name.endsWith(`${threadId}.jsonl`)) ?? null)

const records: Host["records"] = (sandbox, threadId) =>
  Effect.gen(function* () {
    const own = yield* rolloutOf(sandbox, threadId)
    const others = (yield* rollouts(sandbox)).filter((file) => file !== own)
    return yield* World.records(own, others)
  })

const planMode = { mode: "plan", settings: { model: "gpt-5.5", reasoning_effort: null, developer_instructions: null } }

let sessions = 0

const start = (options: Start) =>
  Effect.gen(function* () {
    const { sandbox } = options
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    sessions += 1
    const server = yield* ScriptedResponses.make({
      first: 100 * sessions + 1,
      ...script(options.model, { scripts: options.scripts === true })
    })
    const host = yield* connect(options, server.url)
    yield* approve(host, sandbox)
    const begin = { cwd: sandbox.workspace, approvalPolicy: "never", sandbox: "danger-full-access" }
    const begun = yield* options.resume === undefined
      ? host.call("thread/start", { ...begin, ephemeral: options.ephemeral === true })
      : host.call("thread/resume", { ...begin, threadId: options.resume })
    const threadId = (yield* Schema.decodeUnknown(Thread)(begun)).thread.id
    const events = (method: string) =>
      host.messages.filter(isTurnEvent).filter((event) => event.method === method && event.params.threadId === threadId)
    let awaited = 0
    const ended = Effect.suspend(() => {
      awaited += 1
      const due = awaited
      return eventually(
        `the end of turn ${due} (${host.errors().slice(-300)})`,
        Effect.sync(() => (events("turn/completed").length >= due ? true : null))
      )
    })
    const running = Effect.sync(() => {
      const done = events("turn/completed").map(({ params }) => params.turn.id)
      return events("turn/started").find(({ params }) => !done.includes(params.turn.id))?.params.turn.id ?? null
    })
    const input = (text: string) => ({ threadId, input: [{ type: "text", text }] })
    const send = (text: string) =>
      Effect.gen(function* () {
        const turnId = yield* running
        const mode = options.plan === true ? { collaborationMode: planMode } : {}
        yield* turnId === null
          ? host.call("turn/start", { ...input(text), ...mode })
          : host.call("turn/steer", { ...input(text), expectedTurnId: turnId })
      })
    const runs = (eventName: string, kind: string) =>
      Effect.sync(() =>
        host.messages
          .filter(isRan)
          .filter(({ params }) => params.run.eventName === eventName)
          .flatMap(({ params }) => params.run.entries.filter((entry) => entry.kind === kind).map(({ text }) => text))
      )
    const live: Live = {
      sessionId: threadId,
      send,
      ended,
      interrupt: Effect.flatMap(eventually("a running turn", running), (turnId) =>
        host.call("turn/interrupt", { threadId, turnId })
      ),
      compact: Effect.zipRight(host.call("thread/compact/start", { threadId }), ended),
      goal: (objective) => Effect.asVoid(host.call("thread/goal/set", { threadId, objective })),
      requests: server.requests,
      notices: runs("stop", "warning"),
      replies: runs("userPromptSubmit", "feedback"),
      record: Effect.provide(rolloutOf(sandbox, threadId), context),
      close: host.end,
      crash: Effect.zipRight(host.kill("SIGKILL"), host.end)
    }
    if (options.continues === true) yield* host.call("turn/start", { threadId, input: [] })
    return live
  }).pipe(orFault("Codex could not be started"))

const plugin = Effect.fnUntraced(function* (sandbox: Sandbox, marketplace: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(codexHome(sandbox), { recursive: true })
  const codex = [yield* codexBinary, "plugin"]
  const run = (...words: ReadonlyArray<string>) =>
    Command.string(command(sandbox, { CODEX_HOME: codexHome(sandbox) }, [...codex, ...words]))
  yield* run("marketplace", "add", marketplace)
  yield* run("add", "reflexion@reflexion")
}, orFault("the plugin could not be installed"))

const trustProject = Effect.fnUntraced(function* (sandbox: Sandbox) {
  const fs = yield* FileSystem.FileSystem
  const entry = `\n[projects."${sandbox.workspace}"]\ntrust_level = "trusted"\n`
  yield* fs.makeDirectory(codexHome(sandbox), { recursive: true })
  yield* fs.writeFileString(`${codexHome(sandbox)}/config.toml`, entry, { flag: "a" })
}, orFault("the configuration could not be written"))

export const host: Host = {
  name: "codex",
  title: "Codex",
  can: ["hooks", "goals", "scripts"],
  between: /\n.{0,20}reflexion: /,
  commands: (word) => [`reflection ${word}`, `/reflection ${word}`],
  settings: {
    ".codex/config.toml": `# mine\nmodel_reasoning_effort = "low"\n\n[tui]\nnotifications = false # please\n`,
    ".codex/hooks.json": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true","timeout":5}]}]},\n "description": "mine"}\n`
  },
  plugin,
  trustProject,
  start,
  records
}
