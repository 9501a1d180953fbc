/**
 * What the doctor sees of one host.
 *
 * @since 0.1.0
 */
import type { Decision } from "@reflexion/core/Decision"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import * as CodexApproval from "./CodexApproval.ts"
import * as DoctorPlace from "./DoctorPlace.ts"
import * as FileChange from "./FileChange.ts"
import { explain } from "./FileProblem.ts"
import * as Finding from "./Finding.ts"
import * as HookBundle from "./HookBundle.ts"
import type { HookHost } from "./HookHosts.ts"
import * as HookHosts from "./HookHosts.ts"
import { requestFor } from "./Install.ts"
import * as InstallFile from "./InstallFile.ts"
import * as JsonEdit from "./JsonEdit.ts"
import * as LogFile from "./LogFile.ts"
import { shownId } from "./LogReport.ts"
import * as NodeBinary from "./NodeBinary.ts"
import { isInside } from "./Paths.ts"
import * as Spawn from "./Spawn.ts"
import * as Terminal from "./Terminal.ts"
import { version } from "./Version.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Examined {
  readonly section: Finding.Section
  readonly installed: boolean
}

interface Binary {
  /** Null where there is none that may be run. */
  readonly path: string | null
  readonly finding: Finding.Finding
}

/** `npx` puts the binaries of the project's own packages first: those are the project's, not the user's. */
const isForeign = ({ env, root }: HookHosts.Where, path: string): boolean =>
  isInside(root, path) && !isInside(root, HookHosts.homeOf(env))

const absent = (host: HookHost, where: HookHosts.Where, foreign: string | undefined): Binary => {
  const text =
    foreign === undefined
      ? `no ${host.binary} on PATH`
      : `${Terminal.tilde(where.env, foreign)} lies in the project and was not run; no other ${host.binary} is on PATH`
  return { path: null, finding: Finding.unsure("binary", text) }
}

const binary = Effect.fnUntraced(function* (host: HookHost, where: HookHosts.Where) {
  const { env } = where
  const all = NodeBinary.onPath(env, host.binary)
  const path = all.find((one) => !isForeign(where, one))
  if (path === undefined) return absent(host, where, all[0])
  const ran = yield* Spawn.run({ program: path, words: ["--version"], cwd: "/", env, stdin: "", timeout: 10_000 })
  const found = /\d{1,6}\.\d{1,6}\.\d{1,6}\S{0,20}/u.exec(ran.out)?.[0]
  const name = Terminal.tilde(env, path)
  const finding =
    found === undefined
      ? Finding.unsure("binary", `${name} does not tell its version`)
      : Finding.good("binary", `${found}, ${name}`)
  return { path, finding } satisfies Binary
})

const textOf = Option.liftThrowable((file: string) => FileChange.find(file, null).text ?? "")

const disables = (file: string): boolean =>
  Option.exists(textOf(file), (text) => {
    const value = JsonEdit.valueOf(text)
    return Predicate.hasProperty(value, "disableAllHooks") && value.disableAllHooks === true
  })

/** Claude Code reads none of such a file, and says nothing. */
const isIgnored = (file: string): boolean => Option.exists(textOf(file), (text) => !JsonEdit.isPlain(text))

const claudeCode = (
  { where }: InstallFile.Request,
  places: ReadonlyArray<DoctorPlace.Place>
): ReadonlyArray<Finding.Finding> => {
  const files = [...places.map(({ file }) => file), join(where.root, ".claude", "settings.json")]
  const ignored = files.filter(isIgnored).map((file) => Terminal.tilde(where.env, file))
  const off = files.filter(disables).map((file) => Terminal.tilde(where.env, file))
  const has = places.some(({ request }) =>
    InstallFile.filesOf(request).some(([kind, file]) => kind === "command" && existsSync(file))
  )
  return [
    ...ignored.map((file) =>
      Finding.needed(
        "settings",
        `${file} is no plain JSON (comments, trailing commas): Claude Code ignores the whole file`
      )
    ),
    ...off.map((file) => Finding.needed("turned off", `${file} says "disableAllHooks": true`)),
    ...(has
      ? []
      : [Finding.needed("/reflection", "Claude Code does not know the command: run `reflexion install claude-code`")])
  ]
}

const recent = 200

const failures = (decisions: ReadonlyArray<Decision>): Finding.Finding => {
  const failed = decisions.filter(({ decision }) => decision === "failure")
  const last = failed.at(-1)
  if (decisions.length === 0) return Finding.plain("log", "nothing decided yet")
  const newest = decisions.length === 1 ? "the last decision" : `the last ${decisions.length} decisions`
  if (last === undefined) return Finding.good("log", `no failure in ${newest}`)
  const text = `${failed.length} of ${newest} failed, at ${last.at}: ${last.reason}`
  return decisions.at(-1) === last ? Finding.needed("log", text) : Finding.plain("log", text)
}

const stopped = (host: HookHost, decisions: ReadonlyArray<Decision>): ReadonlyArray<Finding.Finding> => {
  const commands = decisions.filter(({ decision }) => decision === "stop" || decision === "start")
  const last = new Map(commands.map((one) => [one.sessionId, one.decision]))
  const off = [...last].flatMap(([id, decision]) => (decision === "stop" && id !== null ? [id.slice(0, shownId)] : []))
  const text = `by you in session ${off.join(", ")}; \`${host.command} start\` there turns it on again`
  return off.length === 0 ? [] : [Finding.plain("stopped", text)]
}

const logged = ({ directories, host }: InstallFile.Request): ReadonlyArray<Finding.Finding> =>
  Either.match(Either.try({ try: () => LogFile.read(directories), catch: (cause) => explain(cause).problem }), {
    onLeft: (problem) => [Finding.blind("log", problem)],
    onRight: ({ decisions }) => {
      const own = decisions.filter((one) => one.host === host.name).slice(-recent)
      return [failures(own), ...stopped(host, own)]
    }
  })

const unasked =
  "unknown: there is no codex to ask. Codex runs no hook before you approve it: start codex, type /hooks and trust those of reflexion"

const approval = ({ isOurs, where, wrapped }: InstallFile.Request, path: string | null) =>
  path === null
    ? Effect.succeed([Finding.blind("approval", unasked)])
    : CodexApproval.look({
        binary: path,
        cwd: where.cwd,
        env: where.env,
        isOurs: (command) => isOurs(command) || wrapped(command) !== null
      })

const special = (request: InstallFile.Request, places: ReadonlyArray<DoctorPlace.Place>, path: string | null) =>
  request.host.name === "codex" ? approval(request, path) : Effect.succeed(claudeCode(request, places))

/**
 * @since 0.1.0
 * @category programs
 */
export const examine = Effect.fn("DoctorHost.examine")(function* (host: HookHost) {
  const { program } = yield* CliProcess
  const own = yield* version
  const places = yield* DoctorPlace.all(host)
  const request = yield* requestFor(host, "global")
  const shipped = Either.getOrNull(Either.try(() => HookBundle.shipped(program.hooks, host, own).id))
  const { finding, path } = yield* binary(host, request.where)
  const each = yield* Effect.forEach(places, (one) => DoctorPlace.examine(one, shipped))
  const installed = places.some(DoctorPlace.isInstalled)
  const isUnseen = places.some((one) => Either.isLeft(one.found))
  const missing = Finding.needed("hooks", `not installed: run \`reflexion install ${host.name}\``)
  const findings = [
    installed ? finding : { ...finding, level: finding.level === "unsure" ? ("plain" as const) : finding.level },
    ...(installed || isUnseen ? [] : [missing]),
    ...Finding.distinct(each.flat()),
    ...DoctorPlace.doubled(host, places),
    ...(installed ? [...(yield* special(request, places, path)), ...logged(request)] : [])
  ]
  return { installed: installed || isUnseen, section: { title: host.title, findings } } satisfies Examined
})
