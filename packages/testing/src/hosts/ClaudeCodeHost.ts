/**
 * Runs the real Claude Code binary against a scripted model, the way an editor integration does: prompts go in and
 * messages come out as JSON lines, and permission requests are answered by the test.
 */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Mailbox from "effect/Mailbox"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { claudeCodeBinary } from "../sandbox/HostBinaries.ts"
import { command, type Sandbox } from "../sandbox/Sandbox.ts"
import { ScriptedAnthropic } from "../servers/ScriptedAnthropic.ts"

/**
 * What the person at the keyboard does next. `results` is how many times the host ends a turn before the next step
 * (2 where a finished background task starts a turn of its own); `interruptAfter` presses Esc that long after the
 * prompt's first tool call.
 *
 * @category models
 */
export interface Step {
  readonly prompt: string
  readonly results?: number
  readonly interruptAfter?: Duration.DurationInput
}

/**
 * Which tools may run. With `ask` the host asks for each call and the others are refused as a person would; without,
 * nobody can be asked and the host itself denies them.
 *
 * @category models
 */
export interface Permissions {
  readonly allow: ReadonlyArray<string>
  readonly ask: boolean
}

export interface SessionOptions {
  readonly sandbox: Sandbox
  readonly sessionId: string
  readonly steps: ReadonlyArray<Step>
  readonly tools: ReadonlyArray<string>
  readonly permissions: Permissions
  readonly permissionMode?: "default" | "acceptEdits" | "plan"
  readonly settings?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  readonly timeout?: Duration.DurationInput
  /** Stop the host after the last step's results instead of letting background work end. */
  readonly abandon?: boolean
}

export interface Session {
  readonly sessionId: string
  /** The transcript that the host wrote, then those of its subagents. */
  readonly transcripts: readonly [string, ...ReadonlyArray<string>]
  readonly messages: ReadonlyArray<Message>
}

export class HostRunError extends Data.TaggedError("HostRunError")<{
  readonly reason: "timeout" | "no_transcript"
  readonly detail: string
}> {
  override get message() {
    return `The Claude Code session failed (${this.reason}): ${this.detail}`
  }
}

const Message = Schema.Struct(
  {
    type: Schema.String,
    subtype: Schema.optional(Schema.String),
    request_id: Schema.optional(Schema.String),
    request: Schema.optional(
      Schema.Struct({ subtype: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    ),
    message: Schema.optional(Schema.Unknown)
  },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
)

/**
 * One line of the host's standard output.
 *
 * @category models
 */
export type Message = typeof Message.Type

/** The host writes its last message some 20 ms after it says that the turn has ended. */
const flushDelay = Duration.millis(500)

const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(Message))

/** The environment that keeps the binary offline. */
export const offline = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "test",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_BUG_COMMAND: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1"
})

const commandLine = (options: SessionOptions): ReadonlyArray<string> => {
  const line = ["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"]
  line.push("--session-id", options.sessionId, "--tools", options.tools.join(","))
  line.push("--permission-mode", options.permissionMode ?? "default")
  if (options.permissions.ask) line.push("--permission-prompt-tool", "stdio")
  else line.push("--allowedTools", options.permissions.allow.join(","))
  if (options.settings !== undefined) line.push("--settings", JSON.stringify(options.settings))
  return line
}

const encoder = new TextEncoder()

const line = (value: object) => encoder.encode(`${JSON.stringify(value)}\n`)

const userLine = (content: string) => line({ type: "user", message: { role: "user", content } })

const permissionAnswer = (message: Message, permissions: Permissions) => {
  const tool = message.request?.["tool_name"]
  const allowed = typeof tool === "string" && permissions.allow.includes(tool)
  return line({
    type: "control_response",
    response: {
      subtype: "success",
      request_id: message.request_id,
      response: allowed
        ? { behavior: "allow", updatedInput: message.request?.["input"] }
        : { behavior: "deny", message: "Not now." }
    }
  })
}

const callsTool = (message: Message) =>
  message.type === "assistant" && JSON.stringify(message.message ?? null).includes(`"type":"tool_use"`)

const projectsOf = (sandbox: Sandbox) => Effect.map(Path.Path, (path) => path.join(sandbox.home, ".claude", "projects"))

/** Keeps the transcripts as they are now, for a host that is told to stop would write how its background work ended. */
const snapshot = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const kept = path.join(sandbox.root, "abandoned")
    yield* fs.copy(yield* projectsOf(sandbox), kept)
    return kept
  }).pipe(Effect.delay(flushDelay))

const transcriptsOf = (options: SessionOptions, projects: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const files = yield* fs.readDirectory(projects, { recursive: true })
    const main = files.find((file) => path.basename(file) === `${options.sessionId}.jsonl`)
    if (main === undefined) {
      return yield* new HostRunError({ reason: "no_transcript", detail: `nothing below ${projects}` })
    }
    const sidechains = Arr.sort(
      files.filter((file) => path.basename(file).startsWith("agent-") && file.endsWith(".jsonl")),
      Order.string
    )
    return [path.join(projects, main), ...sidechains.map((file) => path.join(projects, file))] as const
  })

/**
 * Plays the steps and returns once the host has exited (or was abandoned) and its transcript is on disk.
 *
 * @category constructors
 */
export const run = Effect.fn("ClaudeCodeHost.run")(function* (options: SessionOptions) {
  const server = yield* ScriptedAnthropic
  const binary = yield* claudeCodeBinary
  const input = yield* Mailbox.make<Uint8Array>()
  const messages: Array<Message> = []
  let step = -1
  let results = 0
  let armed = false

  const advance = Effect.suspend(() => {
    step += 1
    results = 0
    const next = options.steps[step]
    armed = next?.interruptAfter !== undefined
    return next === undefined ? input.end : input.offer(userLine(next.prompt))
  })

  const interrupt = (after: Duration.DurationInput) =>
    input
      .offer(line({ type: "control_request", request_id: "interrupt", request: { subtype: "interrupt" } }))
      .pipe(Effect.delay(after), Effect.forkScoped)

  const handle = (message: Message) =>
    Effect.gen(function* () {
      messages.push(message)
      const current = options.steps[step]
      if (message.type === "control_request") {
        yield* input.offer(permissionAnswer(message, options.permissions))
      } else if (armed && current?.interruptAfter !== undefined && callsTool(message)) {
        armed = false
        yield* interrupt(current.interruptAfter)
      } else if (message.type === "result") {
        results += 1
        if (results >= (current?.results ?? 1)) yield* advance
      }
    })

  const abandoned = () => options.abandon === true && step >= options.steps.length

  const argv = [binary, ...commandLine(options)]
  const process = yield* command(options.sandbox, { ...offline(server.url), ...options.env }, argv).pipe(
    Command.stdin(Mailbox.toStream(input)),
    Command.start
  )
  yield* advance
  yield* process.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filterMap((text) => decodeLine(text)),
    Stream.tap(handle),
    Stream.takeUntil(abandoned),
    Stream.runDrain,
    Effect.timeoutFail({
      duration: options.timeout ?? Duration.seconds(60),
      onTimeout: () =>
        new HostRunError({ reason: "timeout", detail: `the last message was ${JSON.stringify(messages.at(-1))}` })
    })
  )
  const projects = yield* options.abandon === true ? snapshot(options.sandbox) : projectsOf(options.sandbox)
  // Stopped and not killed: only then does the host take its background processes with it.
  if (options.abandon === true) yield* process.kill("SIGTERM")
  else yield* process.exitCode
  const transcripts = yield* transcriptsOf(options, projects)
  const session: Session = { sessionId: options.sessionId, transcripts, messages }
  return session
}, Effect.scoped)
