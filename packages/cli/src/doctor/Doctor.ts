/** The programs for `reflexion doctor`, and for `reflexion` without a command. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as AskLog from "@reflexion/core/internal/model/calls/AskLog"
import { isRuleName } from "@reflexion/core/internal/judge/rules/Rules"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import * as OwnModel from "../allow/OwnModel.ts"
import * as ProjectChecks from "../allow/ProjectChecks.ts"
import * as Hosts from "../host/Hosts.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import type { Values } from "../command/Parts.ts"
import * as HookBundle from "../install/HookBundle.ts"
import * as Plan from "../install/Plan.ts"
import { hostsNamed, scopeNamed } from "../install/Install.ts"
import * as LogFile from "../report/LogFile.ts"
import * as MemoryStore from "../memory/MemoryStore.ts"
import * as Asked from "../models/Asked.ts"
import { UsageError } from "../process/CliError.ts"
import { CliProcess, userDirectories } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { attempt } from "../process/FileProblem.ts"
import * as Settings from "../process/Settings.ts"
import * as Spawn from "../process/Spawn.ts"
import * as StateFolder from "../process/StateFolder.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"
import * as Finding from "./finding.ts"
import type { Findings } from "./finding.ts"
import * as DoctorHooks from "./hooks.ts"
import * as Places from "./place.ts"
import * as DoctorPlugin from "./plugin.ts"
import * as Show from "./show.ts"

/** Without a scope, both scopes are checked. */
export interface DoctorArguments extends Values<"global" | "project" | "show" | "format"> {
  readonly hosts: ReadonlyArray<string>
}

const orNeeded = <R>(term: string, look: Effect.Effect<Findings, { readonly problem: string }, R>) =>
  Effect.catchAll(look, ({ problem }) => Effect.succeed<Findings>([Finding.needed(term, problem)]))

const unknownRule = (name: string): string =>
  `unknown rule \`${oneLine(name)}\`: \`reflexion doctor --show rules\` lists all rules`

const configuration = Effect.gen(function* () {
  const config = yield* Settings.here
  const { maxAttempts, model, profile } = config
  const unknown = Object.keys({ ...config.rules, ...config.ruleLimits }).filter((name) => !isRuleName(name))
  const nudges = profile === "advisory" ? "no nudges" : `up to ${maxAttempts} nudge${maxAttempts === 1 ? "" : "s"}`
  return [
    Finding.good("configuration", `profile ${profile}, ${nudges} for each of your messages`),
    ...unknown.map((name) => Finding.needed("configuration", unknownRule(name))),
    ...(model === "off" ? [] : [yield* Show.modelFinding])
  ]
})

const trusted = (name: string, { contents, status }: { readonly contents: string; readonly status: string }) => {
  const ask = "`reflexion allow workspace`"
  if (status === "changed")
    return Finding.needed("workspace", `${name} has changed since you trusted it: ${ask} shows how`)
  if (contents === "") return Finding.plain("workspace", `${name} has nothing to trust (${Trust.files.join(", ")})`)
  const not = `${name} is not trusted: of ${contents}, reflexion uses only the profile, additional gates and switched-off parts; ${ask} shows the rest`
  return status === "trusted"
    ? Finding.good("workspace", `${name} is trusted: ${contents}`)
    : Finding.plain("workspace", not)
}

const trust = Effect.gen(function* () {
  const { cwd, env } = yield* CliProcess
  const root = yield* attempt(() => Trust.rootOf(cwd))
  const { contents, status } = yield* attempt(() => {
    const workspace = Trust.Workspace.at(UserDirectories.make(env), root)
    return { contents: workspace.contents.map(([file]) => file).join(", "), status: workspace.status }
  })
  const place = MemoryStore.ofProject(root, env)
  const memory = `${Terminal.tilde(env, place.path)}, which all work trees of this clone share`
  return [
    trusted(Terminal.tilde(env, root), { contents, status }),
    ...(place.root === root ? [] : [Finding.plain("memory", memory)])
  ]
})

const marks = Effect.gen(function* () {
  const { cwd } = yield* CliProcess
  const { damaged, marks: all } = yield* Settings.marksAt(cwd)
  const lowered = Marks.lowered(all)
  const kept = `because of your marks, ${lowered.join(", ")} may not nudge in this project: \`reflexion report --clear RULE\` removes the marks`
  const broken = `${damaged} of the lines cannot be read and are ignored`
  return [
    ...(lowered.length === 0 ? [] : [Finding.plain("marks", kept)]),
    ...(damaged === 0 ? [] : [Finding.needed("marks", broken)])
  ]
})

const checks = Effect.gen(function* () {
  const { allowed, changed, proposed } = yield* ProjectChecks.at((yield* CliProcess).cwd)
  const shown = ProjectChecks.shown
  const text = `you allowed ${shown(allowed)} in this project: \`reflexion allow checks --revoke\` forbids it again`
  const news = `the script of ${shown(changed)} has changed since you allowed it, so it is not run: \`reflexion allow checks\` asks you again`
  const more = `reflexion could run ${shown(proposed)} here: \`reflexion allow checks\` asks you`
  return [
    ...(allowed.length === 0 ? [] : [Finding.plain("checks", text)]),
    ...(changed.length === 0 ? [] : [Finding.needed("checks", news)]),
    ...(proposed.length === 0 ? [] : [Finding.plain("checks", more)])
  ]
})

const state = Effect.map(CliProcess, ({ env }): Findings => {
  const directories = UserDirectories.make(env)
  const problem = StateFolder.problemOf(directories.state)
  if (problem !== null)
    return [Finding.needed("state", `the folder cannot be written, so no agent is nudged: ${problem}`)]
  const log = Either.getOrNull(Either.try(() => LogFile.problemOf(directories)))
  return [
    Finding.good("state", Terminal.tilde(env, directories.state)),
    ...(log === null ? [] : [Finding.needed("log", Terminal.tilde(env, log))])
  ]
})

/** A missing git is fine. A git that reflexion refuses to run is a problem. */
const git = Effect.map(CliProcess, (where): Findings => {
  const found = Programs.make(where).find("git")
  if (found.own.length > 0 || found.passedOver.length === 0) return []
  return [Finding.needed("git", Terminal.tilde(where.env, ProgramPath.problemOf("git", found)))]
})

const general = Effect.gen(function* () {
  const parts = yield* Effect.all([
    orNeeded("configuration", configuration),
    // The finding about the configuration already reports errors of `marks` and `checks`.
    Effect.orElseSucceed(marks, () => []),
    Effect.orElseSucceed(checks, () => []),
    orNeeded("workspace", trust),
    state,
    git
  ])
  return { title: `reflexion ${yield* version}`, findings: parts.flat() } satisfies Finding.Section
})

const binary = Effect.fnUntraced(function* ({ installation }: Host) {
  const where = yield* CliProcess
  const { env } = where
  const given = installation.binaryVariable === null ? undefined : env[installation.binaryVariable]
  const program = Programs.make(where).find(given || installation.binary)
  const [path] = program.own
  if (path === undefined) {
    const problem = ProgramPath.problemOf(installation.binary, program)
    return { path: null, finding: Finding.blind("binary", Terminal.tilde(env, problem)) }
  }
  const how = { program: path, words: ["--version"], cwd: "/", env: Programs.environment(where), stdin: "" }
  const { out } = yield* Spawn.run({ ...how, timeout: 30_000 })
  const found = /\d{1,6}\.\d{1,6}\.\d{1,6}\S{0,20}/u.exec(out)?.[0]
  const name = Terminal.tilde(env, path)
  const other = `reflexion is tested with ${installation.tried}`
  if (found === undefined)
    return { path, finding: Finding.blind("binary", `${name} does not print its version; ${other}`) }
  const tried = found === installation.tried ? "the version that reflexion is tested with" : other
  return { path, finding: Finding.good("binary", `${found}, ${name} (${tried})`) }
})

/** Says why the newest session asks no model any more. Empty if it still asks. */
const silence = (host: Host, lines: ReadonlyArray<AskLog.AskLine>): Findings => {
  const session = lines.at(-1)?.session
  if (session === undefined || !AskLog.isOff(lines, session)) return []
  const ends = lines.filter((line) => line.session === session).slice(-3)
  const how = [...new Set(ends.map(({ end }) => end))].join(", ")
  const text = `the last three questions of the newest session were not answered (${how}), so reflexion asks no model there any more: ${host.model === null ? "" : `${host.model.tries}; `}${OwnModel.typed(host, "on")} in that session, or a new session, starts the questions again`
  return [Finding.needed("no answer", text)]
}

const model = Effect.fnUntraced(
  function* (host: Host) {
    const { cwd } = yield* CliProcess
    const standing = yield* OwnModel.at(host.name, cwd)
    const asked = OwnModel.isAsked(standing)
    const level = standing.state === "unread" ? Finding.needed : asked ? Finding.good : Finding.plain
    const first = level("model", OwnModel.words(host, standing))
    const lines = yield* Effect.either(Asked.lines)
    if (Either.isLeft(lines)) return [first, Finding.needed("asked today", lines.left.message)]
    const { models } = yield* Settings.here
    const now = yield* Clock.currentTimeMillis
    const own = lines.right.filter((line) => line.host === host.name)
    const here = AskLog.today(own, now)
    if (!asked && here.length === 0) return [first]
    const all = Asked.ofTheDay(AskLog.today(lines.right, now), models.callsPerDay)
    const today = Finding.plain("asked today", `${Asked.summed(here)}; ${all}, all hosts together`)
    return [first, today, ...silence(host, own)]
  },
  (look) => orNeeded("model", look)
)

const recent = 200

const decided = Effect.fnUntraced(function* (host: Host) {
  const directories = yield* userDirectories
  const read = yield* Effect.either(attempt(() => LogFile.read(directories).decisions))
  if (Either.isLeft(read)) return [Finding.blind("log", read.left.problem)]
  const own: ReadonlyArray<Decision> = read.right.filter((one) => one.host === host.name).slice(-recent)
  const failed = own.filter(({ decision }) => decision === "failure")
  const last = failed.at(-1)
  const newest = own.length === 1 ? "the last decision" : `the last ${own.length} decisions`
  const failures = (): Finding.Finding => {
    if (own.length === 0) return Finding.plain("log", "no decision yet")
    if (last === undefined) return Finding.good("log", `no failure in ${newest}`)
    const text = `${failed.length} of ${newest} failed, at ${last.at}: ${last.reason}`
    return own.at(-1) === last ? Finding.needed("log", text) : Finding.plain("log", text)
  }
  const commands = own.filter(({ decision }) => decision === "stop" || decision === "start")
  const off = [...new Map(commands.map((one) => [one.sessionId, one.decision]))].flatMap(([id, decision]) =>
    decision === "stop" && id !== null ? [id.slice(0, 8)] : []
  )
  const text = `by you in session ${off.join(", ")}; \`${host.installation.words.command} start\` in that session turns reflexion on again`
  return [failures(), ...(off.length === 0 ? [] : [Finding.plain("stopped", text)])]
})

/** Looks for double installations in all scopes, even if `scope` names one. */
const examineFiles = <Entry>(
  { check, doubled, read }: Places.Form<Entry>,
  host: Host,
  scope: Scope | null,
  { binary, runs }: { readonly binary: string | null; readonly runs: boolean }
) =>
  Effect.gen(function* () {
    const { program } = yield* CliProcess
    const own = yield* version
    const shipped = Either.getOrNull(Either.try(() => HookBundle.shipped(program.hooks, host, own).id))
    const every = yield* Places.all(host, Hosts.scopes, read)
    const places = scope === null ? every : yield* Places.all(host, [scope], read)
    const each = yield* Effect.forEach(places, (place) =>
      Either.match(place.found, {
        onLeft: (problem) => Effect.succeed<Findings>([Finding.blind(host.installation.form, problem)]),
        onRight: (entries) => check(place, entries, { runs, shipped })
      })
    )
    const request = yield* Plan.requestFor(host, "global")
    const { itself, more } = yield* DoctorHooks.ofHost(request, every.some(Places.isInstalled), binary)
    const installed = places.some(Places.isInstalled) || itself.some(({ level }) => level === "good")
    return {
      installed,
      // A file that cannot be read may contain an installation.
      unseen: places.some(({ found }) => Either.isLeft(found)),
      findings: [...itself, ...Finding.distinct(each.flat()), ...(installed ? [...doubled(host, every), ...more] : [])]
    }
  })

/** If `binary` is null and `runs` false, it runs no program. */
const installation = (host: Host, scope: Scope | null, how: Parameters<typeof examineFiles>[3]) =>
  host.installation.form === "plugin"
    ? examineFiles(DoctorPlugin.form, host, scope, how)
    : examineFiles(DoctorHooks.form, host, scope, how)

interface Examined extends Finding.Section {
  readonly installed: boolean
}

const examine = Effect.fnUntraced(function* (host: Host, scope: Scope | null) {
  const { finding, path } = yield* binary(host)
  const { findings, installed, unseen } = yield* installation(host, scope, { binary: path, runs: true })
  const all = [
    installed || finding.level !== "blind" ? finding : { ...finding, level: "plain" as const },
    ...(installed || unseen ? [] : [Places.missing(host, scope)]),
    ...findings,
    ...(installed && host.installation.tellsOnly
      ? [Finding.plain("nudges", `none: in ${host.title}, reflexion only tells you what is missing`)]
      : []),
    ...(installed ? [...(yield* model(host)), ...(yield* decided(host))] : [])
  ]
  return { installed: installed || unseen, title: host.title, findings: all } satisfies Examined
})

/** If no host was named and some host has an installation, a missing one is not a problem. */
const softened = (first: Finding.Section, hosts: ReadonlyArray<Examined>, scope: Scope | null) => {
  if (hosts.length === 1) return [first, ...hosts]
  const where = scope === null ? "" : ` for ${Places.range(scope)}`
  const nowhere = `not installed in any agent${where}: \`reflexion install\` finds the agents that you use`
  const more = hosts.some(({ installed }) => installed) ? [] : [Finding.needed("installed", nowhere)]
  const rest = hosts.map(({ findings, installed, title }) => ({
    title,
    findings: installed ? findings : Finding.softened(findings)
  }))
  return [{ ...first, findings: [...first.findings, ...more] }, ...rest]
}

const usage = (problem: string) => new UsageError({ command: "reflexion doctor", problem })

export const run = Effect.fn("Doctor.run")(function* (given: DoctorArguments) {
  if (given.show !== null) {
    if (given.hosts.length > 0) return yield* usage("--show takes no HOST")
    return yield* Show.run(given.show, given.format === "json")
  }
  if (given.format !== null) return yield* usage("--format needs --show")
  const hosts = yield* hostsNamed("doctor", given.hosts)
  const scope = yield* scopeNamed("doctor", given)
  const first = yield* general
  const examined = yield* Effect.forEach(hosts.length === 0 ? Hosts.all : hosts, (host) => examine(host, scope))
  const sections = softened(first, examined, scope)
  yield* Console.log(Finding.render(yield* Terminal.style, sections))
  yield* Ref.set(yield* ExitStatus, Finding.exitCode(sections))
})

/** Runs no installed program. */
export const here = Effect.fn("Doctor.here")(function* () {
  const { cwd } = yield* CliProcess
  const first = yield* general
  const agents = yield* Effect.forEach(Hosts.all, (host) =>
    Effect.gen(function* () {
      const asked = OwnModel.isAsked(yield* OwnModel.at(host.name, cwd))
      const { findings, installed, unseen } = yield* installation(host, null, { binary: null, runs: false })
      const wrong = findings.find(({ level, term }) => level === "needed" || (unseen && term === "hooks"))
      if (!installed && !unseen) return Finding.plain(host.title, `not installed: \`reflexion install ${host.name}\``)
      return wrong === undefined
        ? Finding.good(host.title, `installed; ${asked ? "a model is asked at stops" : "no model is asked"}`)
        : Finding.needed(host.title, `installed, with a problem: ${wrong.text}`)
    })
  )
  const none = agents.every(({ level }) => level === "plain")
  const isWrong = [...first.findings, ...agents].some(({ level }) => level === "needed")
  const next = isWrong
    ? "correct what is marked ✗ above, then run `reflexion doctor`."
    : none
      ? "run `reflexion install`. It finds the agents on this machine and asks you."
      : "`reflexion report` shows what happened in your sessions; `reflexion judge` judges the newest session of this folder; `reflexion doctor` tests the installation."
  const list = Finding.list(yield* Terminal.style, [first, { title: "Agents", findings: agents }])
  yield* Console.log(list.join("\n\n"))
  yield* Terminal.say(`\nNext: ${next} \`reflexion --help\` lists all commands.`)
})
