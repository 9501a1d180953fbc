/** The doors through which a host's stop comes in, as they are built: two hooks that are programs, and a plugin. */
import type { CommandExecutor, Process } from "@effect/platform/CommandExecutor"
import * as Command from "@effect/platform/Command"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as NodeProcess from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { program } from "./openCodeHost.ts"
import * as Records from "./records.ts"
import { SituationFailure, type Ending, type World } from "./Situation.ts"

/**
 * What a host is told at a stop: the words for the agent, null where it may rest, and those for the user.
 *
 * @category models
 */
export interface StopWords {
  readonly nudge: string | null
  readonly notice: string
}

/**
 * A stop that is being answered. `interrupt`: the user presses Esc meanwhile, as the host lets its hook know.
 *
 * @category models
 */
export interface PendingStop {
  readonly process: Process
  readonly said: Effect.Effect<StopWords, SituationFailure>
  readonly interrupt: Effect.Effect<void, SituationFailure, CommandExecutor | Scope>
}

export interface Door {
  readonly name: string
  readonly stop: (
    world: World,
    ending?: Ending
  ) => Effect.Effect<PendingStop, SituationFailure, CommandExecutor | Scope>
}

const built = fileURLToPath(new URL("../../../cli/dist/hooks/", import.meta.url))

const orBroken = Effect.mapError((cause: unknown) => new SituationFailure({ detail: String(cause) }))

const Answer = Schema.parseJson(
  Schema.Struct({
    decision: Schema.optional(Schema.String),
    reason: Schema.optional(Schema.String),
    systemMessage: Schema.optional(Schema.String),
    hookSpecificOutput: Schema.optional(Schema.Struct({ additionalContext: Schema.String }))
  })
)

const read = (bytes: Process["stdout"]) => Stream.mkString(Stream.decodeText(bytes))

/** Standard output is the answer; what else a hook prints would be shown to the user. */
const answerOf = Effect.fnUntraced(function* (process: Process) {
  const [out, err] = yield* Effect.all([read(process.stdout), read(process.stderr)], { concurrency: 2 })
  const code = yield* Effect.orElseSucceed(process.exitCode, () => null)
  if (code !== 0 || err !== "") return yield* new SituationFailure({ detail: `the hook ended with ${code}: ${err}` })
  if (out === "") return { nudge: null, notice: "" }
  const { hookSpecificOutput, reason, systemMessage } = yield* Schema.decode(Answer)(out)
  return { nudge: hookSpecificOutput?.additionalContext ?? reason ?? null, notice: systemMessage ?? "" }
}, orBroken)

/**
 * A hook that is ended where the user interrupts.
 *
 * @category constructors
 */
export const hookOf = (process: Process): PendingStop => ({
  process,
  said: answerOf(process),
  interrupt: Effect.sync(() => NodeProcess.kill(process.pid, "SIGTERM"))
})

interface Hooked {
  readonly name: string
  readonly record: (world: World, ending: Ending) => string
  readonly payload: (ending: Ending) => object
  readonly interrupts: boolean
}

const hooked = ({ interrupts, name, payload, record }: Hooked): Door => {
  const begin = (world: World, event: string, ending: Ending) => {
    const { home, workspace } = world.sandbox
    const said = world.done.at(-1)?.deed
    const transcript = Path.join(home, `${world.sessionId}.jsonl`)
    const input = {
      session_id: world.sessionId,
      transcript_path: transcript,
      cwd: workspace,
      hook_event_name: event,
      stop_hook_active: world.done.some(({ deed }) => deed._tag === "Told"),
      last_assistant_message: said?._tag === "Say" ? said.text : null,
      ...payload(ending)
    }
    const words = [NodeProcess.execPath, Path.join(built, name, "hook.cjs"), event]
    return Effect.suspend(() => {
      FS.writeFileSync(transcript, record(world, ending))
      const command = Sandbox.command(world.sandbox, {}, words)
      return Command.start(Command.feed(command, JSON.stringify(input)))
    }).pipe(orBroken)
  }
  return {
    name,
    stop: (world, ending = {}) =>
      Effect.map(begin(world, "Stop", ending), (process) => ({
        ...hookOf(process),
        // Claude Code ends its hooks when the user presses Esc; Codex calls another one.
        ...(interrupts && { interrupt: Effect.asVoid(Effect.flatMap(begin(world, "Interrupt", {}), answerOf)) })
      }))
  }
}

export const claudeCode = hooked({
  name: "claude-code",
  record: Records.claudeCode,
  interrupts: false,
  payload: ({ background, plan }) => ({
    prompt_id: "f3630930-fec3-4e23-81ea-6f00165cf6fd",
    permission_mode: plan === true ? "plan" : "default",
    background_tasks: background === true ? [{ id: "a1", type: "agent", status: "running", description: "Edits" }] : [],
    session_crons: []
  })
})

export const codex = hooked({
  name: "codex",
  record: Records.codex,
  interrupts: true,
  payload: ({ plan }) => ({
    turn_id: "01a200fd-2d8d-77d1-85a3-30a710c66105",
    permission_mode: plan === true ? "plan" : "bypassPermissions"
  })
})

const Heard = Schema.parseJson(
  Schema.Struct({
    toasts: Schema.Array(Schema.String),
    prompts: Schema.Array(
      Schema.Struct({
        parts: Schema.Array(Schema.Struct({ text: Schema.String, metadata: Schema.optional(Schema.Unknown) }))
      })
    )
  })
)

const heardIn = (file: string) =>
  FS.existsSync(file)
    ? Schema.decode(Heard)(FS.readFileSync(file, "utf8"))
    : Effect.succeed({ toasts: [], prompts: [] })

export const openCode: Door = {
  name: "opencode",
  stop: Effect.fnUntraced(function* (world: World, { background = false, plan = false }: Ending = {}) {
    const { home, workspace } = world.sandbox
    const at = (name: string): string => Path.join(home, `${world.sessionId}.${name}.json`)
    // Each stop is answered by a plugin of its own, which was told of all that came before.
    const marks = at("marks")
    const before = FS.existsSync(marks) ? (yield* heardIn(marks)).prompts : []
    const given = {
      sessionID: world.sessionId,
      directory: workspace,
      background,
      messages: Records.openCode(world, { plan, marks: before.map(({ parts }) => parts[0]?.metadata) })
    }
    FS.writeFileSync(at("given"), JSON.stringify(given))
    FS.rmSync(at("answer"), { force: true })
    const url = pathToFileURL(Path.join(built, "opencode", "server.js")).href
    const log = Path.join(home, ".local", "state", "reflexion", "log.jsonl")
    const silent = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    const words = [NodeProcess.execPath, silent, "--input-type=module", "--eval", program, url]
    const process = yield* Command.start(
      Sandbox.command(world.sandbox, {}, [...words, at("given"), log, at("answer"), at("escape")])
    )
    const said = Effect.gen(function* () {
      const { notice, nudge } = yield* answerOf(process)
      if (nudge !== null || notice !== "")
        return yield* new SituationFailure({ detail: `the plugin printed ${nudge}${notice}` })
      const { prompts, toasts } = yield* heardIn(at("answer"))
      FS.writeFileSync(marks, JSON.stringify({ toasts: [], prompts: [...before, ...prompts] }))
      return { nudge: prompts[0]?.parts.map(({ text }) => text).join("") ?? null, notice: toasts.join("\n") }
    }).pipe(orBroken)
    return { process, said, interrupt: Effect.sync(() => FS.writeFileSync(at("escape"), "")) }
  }, orBroken)
}

export const doors: ReadonlyArray<Door> = [claudeCode, codex, openCode]
