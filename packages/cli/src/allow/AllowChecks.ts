/** The program behind `reflexion allow checks`, and what `install` asks: with a yes each check is run once, and kept. */
import type * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Hosts from "../host/Hosts.ts"
import * as InstallRecord from "../install/InstallRecord.ts"
import { hint } from "../command/CommandSpec.ts"
import { ConfigurationError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { counted, oneLine, wrap } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as Settings from "../process/Settings.ts"
import * as Waiting from "../terminal/Waiting.ts"
import * as ChecksReport from "./checksReport.ts"
import type { Given } from "./model.ts"
import * as ProjectChecks from "./ProjectChecks.ts"

const say = (text: string) => Effect.flatMap(Terminal.style, ({ width }) => Console.log(wrap(text, width).join("\n")))

const usage = (problem: string) => new UsageError({ command: "reflexion allow", problem })

const refuse = (problem: string) => new ConfigurationError({ problem })

/** In seconds: as long as somebody who is there is made to wait. */
const patience = 120

const isKept = ({ changed, result }: CheckResult.CheckResult, isNamed: boolean): boolean =>
  changed !== true && (isNamed || (result !== "unavailable" && result !== "timed_out"))

/** Runs each and says how it went; gives those that are kept. `isNamed`: also what gives no result, for the user named it. */
const tryAll = Effect.fnUntraced(function* (
  { root, signals }: ProjectChecks.Known,
  fresh: ReadonlyArray<ProjectChecks.Offered>,
  isNamed: boolean
) {
  const cli = yield* CliProcess
  const waiting = Waiting.make(cli)
  const config = yield* Settings.user
  const { run } = yield* Verification
  const style = yield* Terminal.style
  const tried = yield* Effect.forEach(
    fresh,
    Effect.fnUntraced(function* (offered) {
      const check = Struct.omit(offered, "file", "runs")
      const once = { ...check, timeout: patience }
      const request = {
        directory: root,
        checks: [once],
        limit: 2 * patience,
        scripts: signals.scripts,
        secrets: ModelRouting.keyVariables(config)
      }
      const results = yield* waiting.shown(`running ${check.name}`, run(request))
      yield* Console.log(results.flatMap((one) => ChecksReport.tried(style, one, isKept(one, isNamed))).join("\n"))
      return results.every((one) => isKept(one, isNamed)) ? [check] : []
    })
  )
  return tried.flat()
})

const running = Effect.map(CliProcess, ({ env }) =>
  Verification.Live({ directory: join(UserDirectories.make(env).state, "checks"), wait: "1 minute" })
)

/** Whether a plugin of ours is in a host that loads its checks when it starts. */
const isInPlugin = Effect.fnUntraced(function* (host?: string) {
  const directories = UserDirectories.make((yield* CliProcess).env)
  return Hosts.all.some(
    ({ installation: { form }, name }) =>
      form === "plugin" && (name === host || InstallRecord.all(directories, name).length > 0)
  )
})

interface How {
  readonly host?: string
  readonly yes?: boolean
  readonly isNamed?: boolean
}

/** Shows what would be allowed and asks; says whether anybody agreed. Null where nobody can be asked. */
const put = Effect.fnUntraced(function* (
  known: ProjectChecks.Known,
  fresh: ReadonlyArray<ProjectChecks.Offered>,
  { host, isNamed = false, yes = false }: How
) {
  const { ask } = yield* CliProcess
  yield* Console.log(
    ChecksReport.question(yield* Terminal.style, { fresh, known, ...(host !== undefined && { host }) })
  )
  if (!yes && ask === null) return null
  const answer =
    yes || ask === null ? "y" : yield* Effect.promise(() => ask("\nRun each once now? [y/N] ").catch(() => ""))
  if (!Terminal.isYes(answer)) return false
  const checks = yield* Effect.provide(tryAll(known, fresh, isNamed), yield* running)
  const others = ((yield* ProjectChecks.kept(known.root)) ?? []).filter(
    ({ name }) => !fresh.some((other) => other.name === name)
  )
  yield* ProjectChecks.keep(known.root, [...others, ...checks])
  yield* say(ChecksReport.kept(checks, { isLoaded: yield* isInPlugin(host) }))
  return true
})

const isProject = (root: string, env: CliProcess["Type"]["env"]): boolean =>
  existsSync(join(root, ".git")) && ProjectRoot.isWorkspace(root, env)

/**
 * Proposes the checks of the current project, where there are any that the user has not heard of. `silent`: nothing is asked,
 * and one line says how to do it later. What stands in the way of it is said, and nothing else fails for it.
 *
 * @category programs
 */
export const atInstall = Effect.fn("AllowChecks.atInstall")(
  function* (host: string, { silent }: { readonly silent: boolean }) {
    const { ask, cwd, env } = yield* CliProcess
    if (!isProject(Trust.rootOf(cwd), env)) return
    const known = yield* ProjectChecks.at(cwd)
    const fresh = [...known.changed, ...known.proposed]
    if (fresh.length === 0) return
    yield* Console.log("")
    if (silent || ask === null) return yield* say(ChecksReport.later(fresh))
    if (!(yield* put(known, fresh, { host }))) yield* say(ChecksReport.declined)
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: no checks are proposed: ${problem}`))
)

const checkName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/

/** What the words name; without words what is proposed, and what has changed. */
const chosen = Effect.fnUntraced(function* (
  known: ProjectChecks.Known,
  [name, command, ...more]: ReadonlyArray<string>
) {
  const open = [...known.changed, ...known.proposed]
  if (more.length > 0) return yield* usage("put a command in quotation marks, as in: allow checks tests 'make test'")
  if (name === undefined) return open
  if (!checkName.test(name)) return yield* usage(`"${oneLine(name.slice(0, 60))}" is no name of a check`)
  if (known.configured.some((other) => other.name === name))
    return yield* usage(`${name} is in your configuration already, which needs no further word`)
  if (command !== undefined) {
    if (command.trim() === "" || command.length > 500) return yield* usage("a command has 1 to 500 characters")
    return [yield* ProjectChecks.offered(known, { name, command }, null)]
  }
  const found = [...open, ...known.allowed].find((check) => check.name === name)
  if (found !== undefined) return [found]
  const names = open.map((check) => check.name)
  return yield* usage(`no check is proposed as ${name}${hint(name, names)}; name a command of your own behind it`)
})

/** Also what cannot be understood any more goes. */
const revoke = Effect.fnUntraced(function* (root: string, [name, ...more]: ReadonlyArray<string>) {
  if (more.length > 0) return yield* usage("one check at a time")
  const before = yield* ProjectChecks.kept(root).pipe(
    Effect.catchAll((error) => (name === undefined ? Effect.succeed([]) : Effect.fail(error)))
  )
  const left = name === undefined ? [] : (before ?? []).filter((check) => check.name !== name)
  if (before === null || (name !== undefined && left.length === before.length))
    return yield* say(
      `No check${name === undefined ? "" : ` named ${oneLine(name)}`} is allowed in this project; nothing changes.`
    )
  yield* ProjectChecks.keep(root, left)
  const gone = before.length - left.length
  const what = gone === 0 ? "What was allowed is" : `${counted(gone, "check")} ${gone === 1 ? "is" : "are"}`
  yield* say(`${what} not allowed any more in this project.`)
})

/**
 * Shows the checks of the project where it is run, and allows or revokes some.
 *
 * @category programs
 */
export const run = Effect.fn("AllowChecks.run")(function* ({ revoke: revoked, words, yes }: Given) {
  const { cwd, env } = yield* CliProcess
  if (revoked !== null) return yield* revoke(Trust.rootOf(cwd), words)
  const known = yield* ProjectChecks.at(cwd)
  const fresh = yield* chosen(known, words)
  if (fresh.length === 0) return yield* Console.log(ChecksReport.list(yield* Terminal.style, known))
  const agent = Hosts.all.find(({ installation }) => env[installation.agentVariable])
  if (agent !== undefined)
    return yield* refuse(`an agent of ${agent.title} runs this: only you can agree, in a terminal outside of it`)
  const agreed = yield* put(known, fresh, { yes: yes !== null, isNamed: words.length > 0 })
  if (agreed === null)
    return yield* refuse("nobody can be asked here: add --yes to agree. Nothing was run, and nothing is kept.")
  if (!agreed) return yield* refuse("nobody agreed: nothing was run, and nothing is kept")
})
