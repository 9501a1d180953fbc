/** Runs an installed hook as its host would, on a stop of a session that does not exist, and leaves nothing behind. */
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Finding from "./finding.ts"
import type { HookCommand } from "../install/HookCommand.ts"
import type { Host } from "../host/Hosts.ts"
import * as LogFile from "../report/LogFile.ts"
import * as Spawn from "../process/Spawn.ts"

type Env = Readonly<Record<string, string | undefined>>

/** What is longer than this, a person notices. */
const slowMs = 2000

const timeoutMs = 30_000

/** A stop as the host reports it; there is no record of the session to read. */
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

export const scratch = (env: Env) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(env["TMPDIR"] || tmpdir(), "reflexion-doctor-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const parseJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const lastDecision = (env: Env): Decision | undefined => LogFile.read(UserDirectories.make(env)).decisions.at(-1)

const isAnswer = (out: string): boolean =>
  out.trim() === "" || Option.exists(parseJson(out), Predicate.isReadonlyRecord)

export const quoted = (text: string): string => `"${text.trim().slice(0, 300)}"`

const troubleOf = (ran: Spawn.Ran): string | null => {
  if (ran.missing) return "could not be started"
  if (ran.timedOut) return `did not end within ${timeoutMs / 1000} s`
  if (ran.code !== 0) return `ended with ${ran.code === null ? "a signal" : `exit status ${ran.code}`}`
  return isAnswer(ran.out) ? null : `printed what is no answer: ${quoted(ran.out)}`
}

export const said = (decision: Decision | undefined): string =>
  decision === undefined ? "" : `; decided: ${decision.decision}, ${decision.reason}`

const finding = (ran: Spawn.Ran, decision: Decision | undefined): Finding.Finding => {
  const trouble = troubleOf(ran)
  const err = ran.err.trim() === "" ? "" : `\nstandard error: ${quoted(ran.err)}`
  if (trouble !== null) return Finding.needed("run", `${trouble}, after ${ran.durationMs} ms${err}`)
  if (decision?.decision === "failure") return Finding.needed("run", `${decision.reason}${err}`)
  const answer = ran.out.trim() === "" ? "no output" : `answered ${quoted(ran.out)}`
  const right = decision?.decision === "abstain" ? ", as it should: the sample has none" : ""
  const text = `exit 0 after ${ran.durationMs} ms, ${answer}${said(decision)}${right}${err}`
  return ran.durationMs > slowMs ? Finding.needed("run", `slow: ${text}`) : Finding.good("run", text)
}

/**
 * Runs exactly these words, through no shell, with a state directory of their own. Only for a hook that is known to be
 * ours.
 *
 * @category programs
 */
export const run = (host: Host, { event, hook, node }: HookCommand, env: Env): Effect.Effect<Finding.Finding> =>
  Effect.gen(function* () {
    const folder = yield* scratch(env)
    const own = { ...env, XDG_STATE_HOME: join(folder, "state") }
    const ran = yield* Spawn.run({
      program: node,
      words: [hook, event],
      cwd: folder,
      env: own,
      stdin: payload(host, folder),
      timeout: timeoutMs
    })
    return finding(ran, lastDecision(own))
  }).pipe(
    Effect.scoped,
    Effect.catchAllDefect((defect) => Effect.succeed(Finding.blind("run", String(defect))))
  )
