/** Runs an installed hook or plugin as its host would, at a stop of a session that does not exist. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Host } from "../host/Hosts.ts"
import type { HookCommand } from "../install/HookCommand.ts"
import * as LogFile from "../report/LogFile.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Finding from "./finding.ts"

type Env = Readonly<Record<string, string | undefined>>

/** In ms. A person notices a longer time. */
const slowMs = 2000

const timeout = 30_000

const quoted = (text: string): string => `"${text.trim().slice(0, 300)}"`

const said = (decision: Decision | undefined): string =>
  decision === undefined ? "" : `; decided: ${decision.decision}, ${decision.reason}`

/** Runs a program with a temporary state folder, which is deleted afterwards. */
const inScratch = (
  given: Env,
  start: (
    folder: string,
    directories: UserDirectories.UserDirectories
  ) => Pick<Spawn.Options, "program" | "stdin" | "words">,
  findingOf: (ran: Spawn.ProgramRun, decision: Decision | undefined, folder: string) => Finding.Finding
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(given["TMPDIR"] || tmpdir(), "reflexion-doctor-"))),
    (folder) => {
      const env = { ...given, XDG_STATE_HOME: join(folder, "state") }
      const directories = UserDirectories.make(env)
      return Effect.map(Spawn.run({ ...start(folder, directories), cwd: folder, env, timeout }), (ran) =>
        findingOf(ran, LogFile.read(directories).decisions.at(-1), folder)
      )
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ).pipe(Effect.catchAllDefect((defect) => Effect.succeed(Finding.blind("run", String(defect)))))

/** A stop in the host's form. The session has no record. */
const payload = (host: Host, folder: string): string =>
  JSON.stringify({
    session_id: "doctor",
    transcript_path: join(folder, "absent.jsonl"),
    cwd: folder,
    hook_event_name: "Stop",
    permission_mode: "default",
    stop_hook_active: false,
    last_assistant_message: "Done.",
    ...host.installation.sample
  })

const isAnswer = (out: string): boolean =>
  out.trim() === "" ||
  Option.exists(Option.liftThrowable((text: string): unknown => JSON.parse(text))(out), Predicate.isReadonlyRecord)

const troubleOf = (ran: Spawn.ProgramRun): string | null => {
  if (ran.missing) return "could not be started"
  if (ran.timedOut) return `did not end within ${timeout / 1000} s`
  if (ran.code !== 0) return `ended with ${ran.code === null ? "a signal" : `exit status ${ran.code}`}`
  return isAnswer(ran.out) ? null : `printed something that is not an answer: ${quoted(ran.out)}`
}

const hookFinding = (ran: Spawn.ProgramRun, decision: Decision | undefined): Finding.Finding => {
  const trouble = troubleOf(ran)
  const err = ran.err.trim() === "" ? "" : `\nstandard error: ${quoted(ran.err)}`
  if (trouble !== null) return Finding.needed("run", `${trouble}, after ${ran.durationMs} ms${err}`)
  if (decision?.decision === "failure") return Finding.needed("run", `${decision.reason}${err}`)
  const answer = ran.out.trim() === "" ? "no output" : `answered ${quoted(ran.out)}`
  const right = decision?.decision === "abstain" ? ", which is right: the sample session has no record" : ""
  const text = `exit 0 after ${ran.durationMs} ms, ${answer}${said(decision)}${right}${err}`
  return ran.durationMs > slowMs ? Finding.needed("run", `slow: ${text}`) : Finding.good("run", text)
}

/** Runs the hook with exactly these arguments and without a shell. Use it only for a hook that is known to be ours. */
export const hook = (host: Host, { event, hook: file, node }: HookCommand, given: Env) =>
  inScratch(given, (folder) => ({ program: node, words: [file, event], stdin: payload(host, folder) }), hookFinding)

/** A client like OpenCode's, and the events of one stop. A file has the results: the plugin must print nothing. */
const script = `
import { existsSync, writeFileSync } from "node:fs"
const [, url, folder, log, options] = process.argv
const at = 1767225600000
const said = (id, role, text, more) => ({
  info: { id, sessionID: "doctor", role, agent: "build", time: { created: at, completed: at }, ...more },
  parts: [{ id: "prt_" + id, type: "text", messageID: id, sessionID: "doctor", text, time: { start: at, end: at } }]
})
const messages = [said("msg_1", "user", "Are you there?", {}), said("msg_2", "assistant", "Yes.", { parentID: "msg_1", finish: "stop" })]
const toasts = []
const data = (value) => async () => ({ data: value })
const client = {
  session: {
    get: data({ id: "doctor", directory: folder }),
    messages: data(messages),
    status: data({}),
    children: data([]),
    prompt: data({}),
    promptAsync: data({})
  },
  tui: { showToast: async (given) => ({ data: toasts.push(String(given?.body?.message)) > 0 }) },
  app: { log: data(true) }
}
const report = (error) => writeFileSync(folder + "/report.json", JSON.stringify({ toasts, error }))
try {
  const { default: plugin } = await import(url)
  const hooks = await plugin.server({ client, directory: folder }, JSON.parse(options))
  await hooks.config?.({})
  const tell = (type, properties) => hooks.event({ event: { type, properties: { sessionID: "doctor", ...properties } } })
  await tell("session.created", { info: { id: "doctor", directory: folder } })
  await tell("session.status", { status: { type: "busy" } })
  for (const { info, parts } of messages) {
    await tell("message.updated", { info })
    for (const part of parts) await tell("message.part.updated", { part })
  }
  await tell("session.status", { status: { type: "idle" } })
  await tell("session.idle", {})
  for (let count = 0; count < 400 && !existsSync(log) && toasts.length === 0; count++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await hooks.dispose?.()
  report(null)
} catch (error) {
  report(String(error))
}
process.exit(0)
`

const Report = Schema.parseJson(
  Schema.Struct({ toasts: Schema.Array(Schema.String), error: Schema.NullOr(Schema.String) })
)

const pluginTrouble = (ran: Spawn.ProgramRun, decision: Decision | undefined, folder: string): string | null => {
  if (ran.missing) return "could not be loaded: there is no Node"
  if (ran.timedOut) return `did not end within ${timeout / 1000} s`
  const read = Option.liftThrowable(() => PlainFiles.read(join(folder, "report.json")))
  const report = Option.flatMap(read(), Schema.decodeUnknownOption(Report))
  if (Option.isNone(report)) return `could not be loaded${ran.err.trim() === "" ? "" : `: ${quoted(ran.err)}`}`
  const { error, toasts } = report.value
  if (error !== null) return `could not be started: ${error.slice(0, 300)}`
  const printed = ran.out + ran.err
  if (printed.trim() !== "") return `printed text that would disturb the host's screen: ${quoted(printed)}`
  if (decision?.decision === "failure") return decision.reason
  return decision === undefined ? `reviewed nothing${toasts.map((toast) => `: ${quoted(toast)}`).join("")}` : null
}

/** Loads the file in a Node process. Use it only for a complete copy that is known to be ours. */
export const plugin = (given: {
  readonly file: string
  readonly options: unknown
  readonly node: string
  readonly env: Env
}) =>
  inScratch(
    given.env,
    (folder, directories) => {
      const options = JSON.stringify(given.options ?? {})
      const words = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module", "--eval", script]
      const told = [pathToFileURL(given.file).href, folder, UserDirectories.logFile(directories), options]
      return { program: given.node, words: [...words, ...told], stdin: "" }
    },
    (ran, decision, folder) => {
      const trouble = pluginTrouble(ran, decision, folder)
      return trouble === null
        ? Finding.good("run", `loaded and reviewed a sample, and printed nothing${said(decision)}`)
        : Finding.needed("run", trouble)
    }
  )
