/** Runs the real OpenCode binary with a scripted model: as a server, or for one prompt on the command line. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import { createOpencodeClient, type Event, type OpencodeClient } from "@opencode-ai/sdk/client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Net from "node:net"
import { kiloBinary, openCodeBinary } from "../sandbox/HostBinaries.ts"
import { eventually, HostFault, orFault } from "../contract/HostContract.ts"
import { command, type Sandbox } from "../sandbox/Sandbox.ts"

export interface Program {
  /** The name in the host's folders and for `reflexion install`. The host's variables begin with it, in capitals. */
  readonly name: string
  readonly title: string
  readonly binary: typeof openCodeBinary
  readonly schema: string
  /** The package with the types for plugins. */
  readonly types: string
}

export const openCode: Program = {
  name: "opencode",
  title: "OpenCode",
  binary: openCodeBinary,
  schema: "https://opencode.ai/config.json",
  types: "@opencode-ai/plugin"
}

export const kilo: Program = {
  name: "kilo",
  title: "Kilo",
  binary: kiloBinary,
  schema: "https://app.kilo.ai/config.json",
  types: "@kilocode/plugin"
}

export interface Options {
  readonly sandbox: Sandbox
  readonly program?: Program
  /** The scripted model's address, without the path of its API. */
  readonly url: string
  /** Overrides keys of the default configuration, which allows the agent everything. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

export interface Server {
  readonly url: string
  readonly client: OpencodeClient
  readonly events: () => ReadonlyArray<Event>
  /** From standard output and standard error. */
  readonly output: () => string
  /** Ends the server as a service manager does, and waits for its end. */
  readonly stop: Effect.Effect<void>
  readonly kill: Effect.Effect<void>
}

export const model = { providerID: "scripted", modelID: "model" } as const

/** Some cases set the host's `small_model`. Without it, no model is asked about a stop. */
export const small = { providerID: model.providerID, modelID: "small" } as const

const limit = { context: 100_000, output: 4096 }

const configuration = ({ config, program = openCode, url }: Options) => ({
  $schema: program.schema,
  autoupdate: false,
  share: "disabled",
  model: `${model.providerID}/${model.modelID}`,
  enabled_providers: [model.providerID],
  permission: { "*": "allow" },
  // Snapshots would run git several times for each step.
  snapshot: false,
  provider: {
    [model.providerID]: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "test" },
      models: {
        [model.modelID]: { tool_call: true, reasoning: true, limit },
        [small.modelID]: { tool_call: true, limit }
      }
    }
  },
  ...config
})

const disabled = ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "CLAUDE_CODE", "EXTERNAL_SKILLS"]

const variable = ({ program = openCode }: Options, name: string): string => `${program.name.toUpperCase()}_${name}`

/** The host can reach only the model. This configuration is merged with the user's and the project's files. */
export const environment = (options: Options): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(disabled.map((name) => [variable(options, `DISABLE_${name}`), "1"])),
  [variable(options, "CONFIG_CONTENT")]: JSON.stringify(configuration(options)),
  // Without this, the compiler's last stage makes a short process 10% slower.
  BUN_JSC_useFTLJIT: "0",
  npm_config_registry: "http://127.0.0.1:9/",
  ...options.env
})

/** Without these files, the host installs a package of types into each folder before the first prompt. */
const seed = Effect.fnUntraced(function* ({
  program: { name, types } = openCode,
  sandbox: { home, workspace }
}: Options) {
  const fs = yield* FileSystem.FileSystem
  const own = `${workspace}/.${name}`
  const lock = `${JSON.stringify({ packages: { "": { dependencies: { [types]: "*" } } } })}\n`
  for (const folder of [`${home}/.config/${name}`, ...((yield* fs.exists(own)) ? [own] : [])]) {
    yield* fs.makeDirectory(`${folder}/node_modules`, { recursive: true })
    yield* fs.writeFileString(`${folder}/package-lock.json`, lock)
  }
})

export const invoke = Effect.fnUntraced(function* (options: Options, ...words: ReadonlyArray<string>) {
  yield* seed(options)
  const { binary } = options.program ?? openCode
  return command(options.sandbox, environment(options), [yield* binary, ...words, ...(options.args ?? [])])
}, orFault("OpenCode could not be prepared"))

/** If no port is given, the server tries only its default port. */
const freePort = Effect.async<number, HostFault>((resume) => {
  const probe = Net.createServer()
  probe.once("error", (cause) => resume(Effect.fail(new HostFault({ detail: "there is no free port", cause }))))
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    probe.close(() => resume(Effect.succeed(port)))
  })
})

interface Answer<A> {
  readonly data?: A | undefined
  readonly error?: unknown
}

export const ask = <A>(what: string, call: () => Promise<Answer<A>>): Effect.Effect<A, HostFault> =>
  Effect.tryPromise({ try: call, catch: (cause) => new HostFault({ detail: what, cause }) }).pipe(
    Effect.flatMap(({ data, error }) =>
      data === undefined || error !== undefined
        ? new HostFault({ detail: `${what}: ${JSON.stringify(error)}` })
        : Effect.succeed(data)
    )
  )

const texts = (stream: Stream.Stream<Uint8Array, unknown>, into: Array<string>) =>
  stream.pipe(
    Stream.decodeText(),
    Stream.runForEach((text) => Effect.sync(() => into.push(text))),
    Effect.ignore,
    Effect.forkScoped
  )

/** The client reconnects forever, so a signal ends it. */
const listen = Effect.fnUntraced(function* (client: OpencodeClient) {
  const listener = new AbortController()
  const deaf = Effect.sync(() => listener.abort())
  const { signal } = listener
  const { stream } = yield* orFault("the events could not be asked for")(
    Effect.tryPromise(() => client.event.subscribe({ signal }))
  )
  const events: Array<Event> = []
  yield* Stream.fromAsyncIterable(stream, (cause) => cause).pipe(
    Stream.runForEach((event) => Effect.sync(() => events.push(event))),
    Effect.ignore,
    Effect.forkScoped
  )
  yield* Effect.addFinalizer(() => deaf)
  yield* eventually(
    "the first event",
    Effect.sync(() => (events.length === 0 ? null : true))
  )
  return { events, deaf }
})

const end = (process: CommandExecutor.Process) =>
  Effect.ignore(process.kill("SIGTERM")).pipe(
    Effect.disconnect,
    Effect.timeoutOption("5 seconds"),
    Effect.zipRight(process.isRunning),
    Effect.flatMap((runs) => (runs ? process.kill("SIGKILL") : Effect.void)),
    Effect.ignore
  )

const begin = Effect.fnUntraced(function* (options: Options) {
  const words = ["serve", "--hostname=127.0.0.1", `--port=${yield* freePort}`]
  const process = yield* orFault("OpenCode could not be started")(
    Effect.flatMap(invoke(options, ...words), (serving) => Effect.acquireRelease(Command.start(serving), end))
  )
  const output: Array<string> = []
  yield* texts(process.stdout, output)
  yield* texts(process.stderr, output)
  const gone = Effect.suspend(
    () => new HostFault({ detail: `OpenCode does not listen: ${output.join("").slice(-1500)}` })
  )
  const url = yield* eventually(
    "the server's address",
    Effect.suspend(() => {
      const found = /listening on (http:\S{1,100})/.exec(output.join(""))?.[1]
      if (found !== undefined) return Effect.succeed(found)
      return Effect.flatMap(orFault("OpenCode is gone")(process.isRunning), (runs) =>
        runs ? Effect.succeed(null) : gone
      )
    })
  )
  return { process, url, output: () => output.join("") }
})

/** Two servers that create their database at the same time can conflict, so a failed start is repeated. */
export const serve = Effect.fn("OpenCodeHost.serve")(function* (options: Options) {
  const { output, process, url } = yield* Effect.retry(begin(options), {
    times: 3,
    while: ({ detail }) => /database is locked|Failed query:\s+CREATE/.test(detail)
  })
  const client = createOpencodeClient({ baseUrl: url, directory: options.sandbox.workspace })
  const { deaf, events } = yield* listen(client)
  const server: Server = {
    url,
    client,
    events: () => events,
    output,
    stop: Effect.zipRight(deaf, end(process)),
    kill: Effect.zipRight(deaf, Effect.ignore(process.kill("SIGKILL")))
  }
  return server
})

const read = (stream: Stream.Stream<Uint8Array, unknown>) => Stream.mkString(Stream.decodeText(stream))

export const run = Effect.fn("OpenCodeHost.run")(
  function* (options: Options, ...words: ReadonlyArray<string>) {
    const process = yield* Effect.flatMap(invoke(options, ...words), (running) =>
      Command.start(Command.stdin(running, Stream.empty))
    )
    const [output, errors, exitCode] = yield* Effect.all(
      [read(process.stdout), read(process.stderr), Effect.option(process.exitCode)],
      { concurrency: "unbounded" }
    )
    return { output, errors, exitCode: Option.getOrNull(exitCode) }
  },
  Effect.scoped,
  orFault("OpenCode could not be run")
)

export const exported = (options: Options, sessionId: string) =>
  Effect.flatMap(run(options, "export", sessionId), ({ errors, exitCode, output }) =>
    exitCode === 0
      ? Effect.succeed(output)
      : new HostFault({ detail: `session ${sessionId} could not be exported: ${errors.slice(-500)}` })
  )
