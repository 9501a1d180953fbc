/** The program for `reflexion allow checks`, and its question during `install`. */
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { Check } from "@reflexion/core/ReflexionConfig"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { hint } from "../command/Help.ts"
import * as Hosts from "../host/Hosts.ts"
import { CliProcess, userDirectories } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import * as Consent from "./consent.ts"
import type { AllowArguments } from "./consent.ts"
import * as ProjectChecks from "./ProjectChecks.ts"
import type { ProjectCheckList, Offered } from "./ProjectChecks.ts"

/** A command is shown completely, because it may be run. */
const rowOf = ({ command, file = null, name, runs = null }: Check & Partial<Offered>, before = ""): Sheet.Row => {
  const why = [before === "" && file !== null ? `by ${file}` : before, runs ?? ""].filter((part) => part !== "")
  return [oneLine(name), `${oneLine(command)}${why.length === 0 ? "" : `  (${oneLine(why.join(": "))})`}`]
}

const rows = (checks: ReadonlyArray<Check>, before?: string): ReadonlyArray<Sheet.Row> =>
  checks.map((check) => rowOf(check, before))

const when =
  "If you agree, reflexion runs each check once now, with your rights. Later it runs a check when the agent stops and the check has not passed since the last change, and when you type `/reflection checks run`. A check also runs the code that the agent wrote. If the check's script changes, reflexion asks you again before it runs it."

const leftOut = ({ leftOut: all }: ProjectCheckList): ReadonlyArray<string> =>
  all.length === 0 ? [] : [`Left out: ${all.map(({ name, why }) => `${name} (${why})`).join(", ")}.`]

const places = (hosts: ReadonlyArray<string>): ReadonlyArray<string> =>
  Hosts.all.filter(({ name }) => hosts.includes(name)).map(({ installation: { words } }) => words.checks)

const except = <A extends Check>(checks: ReadonlyArray<A>, others: ReadonlyArray<Check>): ReadonlyArray<A> =>
  checks.filter(({ name }) => !others.some((other) => other.name === name))

const question = (
  style: TerminalStyle,
  known: ProjectCheckList,
  fresh: ReadonlyArray<Offered>,
  hosts: ReadonlyArray<string>
) =>
  Sheet.blocks([
    Sheet.terms(style, "Checks of this project that reflexion can run", [
      ...rows(except(known.allowed, fresh), "allowed before"),
      ...fresh.map((check) => rowOf(check, known.changed.includes(check) ? "changed since you agreed" : ""))
    ]),
    Sheet.texts(style, leftOut(known)),
    Sheet.texts(style, [when, ...places(hosts)])
  ])

/** The time limit of a check, in seconds. It is short, because a person waits. */
const patience = 120

const isKept = ({ changed, result }: CheckResult.CheckResult, isNamed: boolean): boolean =>
  changed !== true && (isNamed || (result !== "unavailable" && result !== "timed_out"))

const isRed = ({ result }: CheckResult.CheckResult): boolean => result === "failed" || result === "failed_before"

const told = (style: TerminalStyle, result: CheckResult.CheckResult, kept: boolean): ReadonlyArray<string> => {
  const again =
    result.changed === true ? "" : `. Not allowed: \`reflexion allow checks ${result.gate}\` allows it anyway`
  const red = isRed(result) ? ". Tests that already fail do not count against a new task" : ""
  const sign = result.result === "passed" ? "passed" : isRed(result) ? "failed" : "warning"
  return Terminal.signed(
    style,
    sign,
    `${oneLine(result.gate)}: ${CheckResult.describe(result)}${oneLine(kept ? red : again)}`
  )
}

/** A check that the user named is saved even without a result, unless it changes files. */
const tryAll = Effect.fnUntraced(function* (
  { root, signals }: ProjectCheckList,
  fresh: ReadonlyArray<Offered>,
  isNamed: boolean
) {
  const secrets = ModelRouting.keyVariables(yield* Settings.user)
  const { run } = yield* Verification
  const style = yield* Terminal.style
  const tried = yield* Effect.forEach(
    fresh,
    Effect.fnUntraced(function* (offered) {
      const check = Struct.omit(offered, "file", "runs")
      const checks = [{ ...check, timeout: patience }]
      const asked = { directory: root, checks, limit: 2 * patience, scripts: signals.scripts, secrets }
      const results = yield* Terminal.slowly(`running ${check.name}`)(run(asked))
      yield* Console.log(results.flatMap((one) => told(style, one, isKept(one, isNamed))).join("\n"))
      return results.every((one) => isKept(one, isNamed)) ? [check] : []
    })
  )
  return tried.flat()
})

const keep = Effect.fnUntraced(function* (known: ProjectCheckList, fresh: ReadonlyArray<Offered>, isNamed: boolean) {
  const directory = join((yield* userDirectories).state, "checks")
  const verification = Verification.Live({ directory, wait: "1 minute" })
  const checks = yield* Effect.provide(tryAll(known, fresh, isNamed), verification)
  const before = (yield* ProjectChecks.kept(known.root)) ?? []
  yield* ProjectChecks.keep(known.root, [...except(before, fresh), ...checks])
  const allowed = `Allowed in this project: ${ProjectChecks.shown(checks)}. \`reflexion allow checks --revoke\` withdraws this. If OpenCode is running and no check was allowed before, restart OpenCode.`
  yield* Terminal.say(checks.length === 0 ? "No check is allowed." : allowed)
})

/** If `silent`, only prints how to allow new checks. An error does not stop the installation. */
export const atInstall = Effect.fn("AllowChecks.atInstall")(
  function* (hosts: ReadonlyArray<string>, { silent }: { readonly silent: boolean }) {
    const { ask, cwd, env } = yield* CliProcess
    const root = Trust.rootOf(cwd)
    if (!existsSync(join(root, ".git")) || !ProjectRoot.isWorkspace(root, env)) return
    const known = yield* ProjectChecks.at(cwd)
    const fresh = [...known.changed, ...known.proposed]
    if (fresh.length === 0) return
    yield* Console.log("")
    const later = `This project has checks that reflexion can run (${ProjectChecks.shown(fresh)}), but you have not allowed any. To allow them, run \`reflexion allow checks\` in a terminal.`
    if (silent || ask === null) return yield* Terminal.say(later)
    yield* Console.log(question(yield* Terminal.style, known, fresh, hosts))
    const typed = yield* Terminal.answer("Run each once now?")
    if (Terminal.isYes(typed ?? "")) return yield* keep(known, fresh, false)
    yield* Terminal.say("No check was run or allowed. `reflexion allow checks` asks you again.")
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: no checks are proposed: ${problem}`))
)

const checkName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/

/** If the user named no check, returns the proposed and the changed checks. */
const chosen = Effect.fnUntraced(function* (known: ProjectCheckList, [name, command, ...more]: ReadonlyArray<string>) {
  const { usage } = Consent
  const open = [...known.changed, ...known.proposed]
  if (more.length > 0)
    return yield* usage("put the command in quotation marks, for example: allow checks tests 'make test'")
  if (name === undefined) return open
  if (!checkName.test(name)) return yield* usage(`"${oneLine(name.slice(0, 60))}" is not the name of a check`)
  if (known.configured.some((other) => other.name === name))
    return yield* usage(`${name} is already in your configuration, so it is allowed`)
  if (command !== undefined) {
    if (command.trim() === "" || command.length > 500) return yield* usage("a command has 1 to 500 characters")
    return [yield* ProjectChecks.offered(known, { name, command }, null)]
  }
  const found = [...open, ...known.allowed].find((check) => check.name === name)
  if (found !== undefined) return [found]
  const names = open.map((check) => check.name)
  const near = hint(name, names)
  return yield* usage(`the project's files suggest no check called ${name}${near}; add your own command after the name`)
})

const list = (style: TerminalStyle, known: ProjectCheckList): string => {
  const { allowed, configured } = known
  const nothing =
    "No check is allowed in this project, and its files suggest none. `reflexion allow checks NAME COMMAND` allows your own, for example: reflexion allow checks tests 'make test'."
  if (allowed.length + configured.length === 0) return Sheet.texts(style, [nothing, ...leftOut(known)]).join("\n")
  const back = "`reflexion allow checks --revoke` forbids all checks again; with a NAME, only that check."
  return Sheet.blocks([
    Sheet.terms(style, "Configured (checks):", rows(configured)),
    Sheet.terms(style, "Allowed in this project:", rows(allowed)),
    Sheet.texts(style, [...leftOut(known), ...places(Hosts.names), back])
  ])
}

/** Also removes a saved check that can no longer be understood. */
const revoke = Effect.fnUntraced(function* (root: string, [name, ...more]: ReadonlyArray<string>) {
  if (more.length > 0) return yield* Consent.usage("one check at a time")
  const before = yield* ProjectChecks.kept(root).pipe(
    Effect.catchAll((error) => (name === undefined ? Effect.succeed([]) : Effect.fail(error)))
  )
  const left = name === undefined ? [] : (before ?? []).filter((check) => check.name !== name)
  const named = name === undefined ? "" : ` named ${oneLine(name)}`
  if (before === null || (name !== undefined && left.length === before.length))
    return yield* Terminal.say(`No check${named} is allowed in this project; nothing changes.`)
  yield* ProjectChecks.keep(root, left)
  const gone = before.length - left.length
  const what = gone === 0 ? "All checks are" : `${counted(gone, "check")} ${gone === 1 ? "is" : "are"}`
  yield* Terminal.say(`${what} not allowed any more in this project.`)
})

export const run = Effect.fn("AllowChecks.run")(function* ({ revoke: revoked, words, yes }: AllowArguments) {
  const { cwd } = yield* CliProcess
  if (revoked !== null) return yield* revoke(Trust.rootOf(cwd), words)
  const known = yield* ProjectChecks.at(cwd)
  const fresh = yield* chosen(known, words)
  const style = yield* Terminal.style
  if (fresh.length === 0) return yield* Console.log(list(style, known))
  yield* Console.log(question(style, known, fresh, Hosts.names))
  yield* Consent.agree("Run each once now?", { yes, undone: "No check was run or allowed." })
  yield* keep(known, fresh, words.length > 0)
})
