/**
 * Runs the real Codex binary against a scripted model, prompt by prompt: `codex exec --json`, then `codex exec resume`.
 */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { codexBinary } from "../sandbox/HostBinaries.ts"
import { command, type Sandbox } from "../sandbox/Sandbox.ts"
import { ScriptedResponses } from "../servers/ScriptedResponses.ts"

/**
 * What the person at the keyboard does next. `interruptAfter` presses Ctrl-C that long after the prompt's first item
 * began; `kill` ends the process that long after, with nothing written any more.
 *
 * @category models
 */
export interface Step {
  readonly prompt: string
  readonly interruptAfter?: Duration.DurationInput
  readonly killAfter?: Duration.DurationInput
}

export interface SessionOptions {
  readonly sandbox: Sandbox
  readonly steps: ReadonlyArray<Step>
  /** One that knows its model's tools; `gpt-5.6` and later only write scripts. */
  readonly model?: string
  /** Keys of `config.toml`, each given to `-c`. */
  readonly config?: Readonly<Record<string, string | number | boolean>>
  /** What stands in `hooks.json`; such hooks run without the user's trust. */
  readonly hooks?: Readonly<Record<string, unknown>>
  /** Arguments of `codex exec`, before the prompt. */
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Keeps no rollout. */
  readonly ephemeral?: boolean
  readonly timeout?: Duration.DurationInput
}

const Event = Schema.Struct(
  {
    type: Schema.String,
    thread_id: Schema.optional(Schema.String),
    item: Schema.optional(
      Schema.Struct({ type: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    )
  },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
)

/**
 * One line of the host's standard output.
 *
 * @category models
 */
export type Event = typeof Event.Type

/**
 * What one prompt came to. The exit code is null where a signal ended the process.
 *
 * @category models
 */
export interface PlayedPrompt {
  readonly events: ReadonlyArray<Event>
  readonly exitCode: number | null
  readonly errors: string
}

export interface Session {
  readonly threadId: string
  /** The session's record, null where none is kept. */
  readonly rollout: string | null
  /** The records of the agents that it started. */
  readonly agents: ReadonlyArray<string>
  readonly steps: ReadonlyArray<PlayedPrompt>
}

export class CodexRunError extends Data.TaggedError("CodexRunError")<{
  readonly reason: "timeout" | "no_thread"
  readonly detail: string
}> {
  override get message() {
    return `The Codex session failed (${this.reason}): ${this.detail}`
  }
}

/**
 * Where the sandbox's Codex keeps its configuration, hooks and sessions.
 *
 * @category accessors
 */
export const codexHome = (sandbox: Sandbox): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(sandbox.home, ".codex"))

const toml = (url: string, model: string) => `model = "${model}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`

const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(Event))

/** Writes what does not exist yet: a configuration and hooks of the caller's own stand. */
const configure = Effect.fnUntraced(function* (options: SessionOptions, url: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const home = yield* codexHome(options.sandbox)
  yield* fs.makeDirectory(home, { recursive: true })
  const file = path.join(home, "config.toml")
  const own = (yield* fs.exists(file)) ? yield* fs.readFileString(file) : ""
  const base = toml(url, options.model ?? "gpt-5.5")
  if (!own.includes("[model_providers.scripted]")) yield* fs.writeFileString(file, `${base}\n${own}`)
  if (options.hooks !== undefined) {
    yield* fs.writeFileString(path.join(home, "hooks.json"), JSON.stringify(options.hooks))
  }
  return home
})

const commandLine = (options: SessionOptions, threadId: string | null, prompt: string): ReadonlyArray<string> => [
  "exec",
  ...(threadId === null ? [] : ["resume"]),
  "--json",
  ...(options.hooks === undefined ? [] : ["--dangerously-bypass-hook-trust"]),
  ...(options.ephemeral === true ? ["--ephemeral"] : []),
  ...Object.entries(options.config ?? {}).flatMap(([key, value]) => ["-c", `${key}=${JSON.stringify(value)}`]),
  ...(options.args ?? []),
  ...(threadId === null ? [] : [threadId]),
  prompt
]

/** Runs one prompt to its end. */
const play = (options: SessionOptions, home: string, binary: string, step: Step, threadId: string | null) =>
  Effect.gen(function* () {
    const events: Array<Event> = []
    const env = { CODEX_HOME: home, SCRIPTED_API_KEY: "test", ...options.env }
    const process = yield* command(options.sandbox, env, [binary, ...commandLine(options, threadId, step.prompt)]).pipe(
      Command.stdin(Stream.empty),
      Command.start
    )
    let armed = true
    const stop = Effect.suspend(() => {
      armed = false
      const after = step.interruptAfter ?? step.killAfter ?? Duration.zero
      const kill = process.kill(step.interruptAfter === undefined ? "SIGKILL" : "SIGINT")
      return Effect.forkScoped(Effect.delay(Effect.ignore(kill), after))
    })
    const stops = step.interruptAfter !== undefined || step.killAfter !== undefined
    const handle = (event: Event) => {
      events.push(event)
      return stops && armed && event.type === "item.started" ? stop : Effect.void
    }
    const output = process.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filterMap((text) => decodeLine(text)),
      Stream.runForEach(handle)
    )
    const [, errors] = yield* Effect.all([output, Stream.mkString(Stream.decodeText(process.stderr))], {
      concurrency: "unbounded"
    })
    const exitCode = yield* Effect.option(process.exitCode)
    const played: PlayedPrompt = { events, exitCode: Option.getOrNull(exitCode), errors }
    return played
  }).pipe(
    Effect.scoped,
    Effect.timeoutFail({
      duration: options.timeout ?? Duration.seconds(60),
      onTimeout: () => new CodexRunError({ reason: "timeout", detail: `the prompt was ${step.prompt.slice(0, 200)}` })
    })
  )

const rolloutsOf = Effect.fnUntraced(function* (home: string, threadId: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const sessions = path.join(home, "sessions")
  if (!(yield* fs.exists(sessions))) return { rollout: null, agents: [] }
  const files = (yield* fs.readDirectory(sessions, { recursive: true }))
    .filter((file) => file.endsWith(".jsonl"))
    .toSorted()
    .map((file) => path.join(sessions, file))
  const own = files.find((file) => file.endsWith(`${threadId}.jsonl`)) ?? null
  const agents = yield* Effect.filter(
    files.filter((file) => file !== own),
    (file) => Effect.map(fs.readFileString(file), (text) => text.slice(0, 100_000).includes(`"${threadId}"`))
  )
  return { rollout: own, agents }
})

/**
 * Plays the steps and returns once the last process has ended and the rollout is on disk.
 *
 * @category constructors
 */
export const run = Effect.fn("CodexHost.run")(function* (options: SessionOptions) {
  const server = yield* ScriptedResponses
  const binary = yield* codexBinary
  const home = yield* configure(options, server.url)
  const steps: Array<PlayedPrompt> = []
  let threadId: string | null = null
  for (const step of options.steps) {
    const played: PlayedPrompt = yield* play(options, home, binary, step, threadId)
    steps.push(played)
    threadId ??= played.events.find((event) => event.type === "thread.started")?.thread_id ?? null
  }
  if (threadId === null) {
    return yield* new CodexRunError({ reason: "no_thread", detail: steps[0]?.errors ?? "there was no prompt" })
  }
  const session: Session = { threadId, ...(yield* rolloutsOf(home, threadId)), steps }
  return session
})
