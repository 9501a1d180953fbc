/**
 * Loads an installed plugin as OpenCode would, has it review a stop of a session that does not exist, and leaves nothing
 * behind.
 */
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import * as Finding from "./finding.ts"
import * as HookProbe from "./hookProbe.ts"
import * as LogFile from "../report/LogFile.ts"
import * as PluginSpec from "../install/PluginSpec.ts"
import * as Spawn from "../process/Spawn.ts"

type Env = Readonly<Record<string, string | undefined>>

const timeoutMs = 30_000

/**
 * What runs in a process of its own: a client that answers as OpenCode's does, and the events of one stop. What it saw
 * goes into a file, for the plugin is to be silent.
 */
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
  tui: { showToast: async (given) => ({ data: toasts.push(given?.body?.message) > 0 }) },
  app: { log: data(true) }
}
const report = (found) => writeFileSync(folder + "/report.json", JSON.stringify(found))
try {
  const { default: plugin } = await import(url)
  const hooks = await plugin.server({ client, directory: folder }, JSON.parse(options))
  await hooks.config?.({})
  const tell = (type, properties) => hooks.event({ event: { type, properties } })
  await tell("session.created", { sessionID: "doctor", info: { id: "doctor", directory: folder } })
  await tell("session.status", { sessionID: "doctor", status: { type: "busy" } })
  for (const { info, parts } of messages) {
    await tell("message.updated", { sessionID: "doctor", info })
    for (const part of parts) await tell("message.part.updated", { sessionID: "doctor", part })
  }
  await tell("session.status", { sessionID: "doctor", status: { type: "idle" } })
  await tell("session.idle", { sessionID: "doctor" })
  for (let count = 0; count < 400 && !existsSync(log) && toasts.length === 0; count++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await hooks.dispose?.()
  report({ id: plugin.id, toasts, error: null })
} catch (error) {
  report({ id: null, toasts, error: String(error) })
}
process.exit(0)
`

const Report = Schema.parseJson(
  Schema.Struct({
    id: Schema.NullOr(Schema.String),
    toasts: Schema.Array(Schema.NullishOr(Schema.String)),
    error: Schema.NullOr(Schema.String)
  })
)

interface Seen {
  readonly ran: Spawn.Ran
  readonly report: typeof Report.Type | null
  readonly decision: Decision | undefined
}

const troubleOf = ({ decision, ran, report }: Seen): string | null => {
  if (ran.missing) return "could not be loaded: there is no Node"
  if (ran.timedOut) return `did not end within ${timeoutMs / 1000} s`
  if (report === null) return `could not be loaded${ran.err.trim() === "" ? "" : `: ${HookProbe.quoted(ran.err)}`}`
  if (report.error !== null) return `could not be started: ${report.error.slice(0, 300)}`
  const printed = ran.out + ran.err
  if (printed.trim() !== "") return `printed what would disturb the host's screen: ${HookProbe.quoted(printed)}`
  if (decision?.decision === "failure") return decision.reason
  const [toast] = report.toasts
  if (decision === undefined)
    return `reviewed nothing${toast === undefined ? "" : `: ${HookProbe.quoted(String(toast))}`}`
  return null
}

const finding = (seen: Seen): Finding.Finding => {
  const trouble = troubleOf(seen)
  return trouble === null
    ? Finding.good("run", `loaded and reviewed a sample, and printed nothing${HookProbe.said(seen.decision)}`)
    : Finding.needed("run", trouble)
}

const read = (file: string): Seen["report"] =>
  Either.getOrNull(
    Either.flatMap(
      Either.try(() => PlainFiles.read(file)),
      (text) => Schema.decodeUnknownEither(Report)(text)
    )
  )

/**
 * Loads this file in a Node process, with a state directory of its own. Only for a copy that is known to be ours and
 * whole.
 *
 * @category programs
 */
export const run = (options: {
  readonly file: string
  readonly options: unknown
  readonly node: string
  readonly env: Env
}): Effect.Effect<Finding.Finding> =>
  Effect.gen(function* () {
    const folder = yield* HookProbe.scratch(options.env)
    const env = { ...options.env, XDG_STATE_HOME: join(folder, "state") }
    const directories = UserDirectories.make(env)
    const silent = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    const own = JSON.stringify(options.options ?? {})
    const given = [PluginSpec.render(options.file), folder, UserDirectories.logFile(directories), own]
    const ran = yield* Spawn.run({
      program: options.node,
      words: [silent, "--input-type=module", "--eval", script, ...given],
      cwd: folder,
      env,
      stdin: "",
      timeout: timeoutMs
    })
    return finding({
      ran,
      report: read(join(folder, "report.json")),
      decision: LogFile.read(directories).decisions.at(-1)
    })
  }).pipe(
    Effect.scoped,
    Effect.catchAllDefect((defect) => Effect.succeed(Finding.blind("run", String(defect))))
  )
