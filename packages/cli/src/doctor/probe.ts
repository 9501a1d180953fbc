/** Runs an installed hook or plugin as its host would, at a stop of a session that does not exist. */
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
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

const inScratch = (
  given: Env,
  start: (folder: string) => Pick<Spawn.Options, "program" | "stdin" | "words">,
  findingOf: (ran: Spawn.ProgramRun, decision: Decision | undefined) => Finding.Finding
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(given["TMPDIR"] || tmpdir(), "reflexion-doctor-"))),
    (folder) => {
      const env = { ...given, XDG_STATE_HOME: join(folder, "state") }
      return Effect.map(Spawn.run({ ...start(folder), cwd: folder, env, timeout }), (ran) =>
        findingOf(ran, LogFile.read(UserDirectories.make(env)).decisions.at(-1))
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
  return ran.code === 0 ? null : `ended with ${ran.code === null ? "a signal" : `exit status ${ran.code}`}`
}

const hookFinding = (ran: Spawn.ProgramRun, decision: Decision | undefined): Finding.Finding => {
  const odd = isAnswer(ran.out) ? null : `printed something that is not an answer: ${quoted(ran.out)}`
  const trouble = troubleOf(ran) ?? odd
  const err = ran.err.trim() === "" ? "" : `\nstandard error: ${quoted(ran.err)}`
  if (trouble !== null) return Finding.needed("run", `${trouble}, after ${ran.durationMs} ms${err}`)
  if (decision?.decision === "failure") return Finding.needed("run", `${decision.reason}${err}`)
  const answer = ran.out.trim() === "" ? "no output" : `answered ${quoted(ran.out)}`
  const right = decision?.decision === "abstain" ? ", which is right: the sample session has no record" : ""
  const said = decision === undefined ? "" : `; decided: ${decision.decision}, ${decision.reason}`
  const text = `exit 0 after ${ran.durationMs} ms, ${answer}${said}${right}${err}`
  return ran.durationMs > slowMs ? Finding.needed("run", `slow: ${text}`) : Finding.good("run", text)
}

/** Runs the hook without a shell. Use it only for a hook that is known to be ours. */
export const hook = (host: Host, { event, hook: file, node }: HookCommand, given: Env) =>
  inScratch(given, (folder) => ({ program: node, words: [file, event], stdin: payload(host, folder) }), hookFinding)

/** Starts a plugin with a client that answers nothing. */
const script = `
const [, url, directory, options] = process.argv
const { default: plugin } = await import(url)
const part = new Proxy({}, { get: () => async () => ({ data: [] }) })
const hooks = await plugin.server({ client: new Proxy({}, { get: () => part }), directory }, JSON.parse(options))
await hooks.dispose?.()
process.exit(0)
`

const pluginFinding = (ran: Spawn.ProgramRun): Finding.Finding => {
  const trouble = troubleOf(ran)
  const error = /^\w*Error: .*$/mu.exec(ran.err)?.[0]
  if (trouble !== null && error !== undefined)
    return Finding.needed("run", `could not be started: ${error.slice(0, 300)}`)
  if (trouble !== null) return Finding.needed("run", trouble)
  const printed = (ran.out + ran.err).trim()
  return printed === ""
    ? Finding.good("run", "loaded and started, and printed nothing")
    : Finding.needed("run", `printed text that would disturb the host's screen: ${quoted(printed)}`)
}

/** Use it only for a complete copy that is known to be ours. */
export const plugin = (given: {
  readonly file: string
  readonly options: unknown
  readonly node: string
  readonly env: Env
}) =>
  inScratch(
    given.env,
    (folder) => {
      const words = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module", "--eval", script]
      const told = [pathToFileURL(given.file).href, folder, JSON.stringify(given.options ?? {})]
      return { program: given.node, words: [...words, ...told], stdin: "" }
    },
    pluginFinding
  )
