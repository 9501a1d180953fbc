/** The programs for `reflexion install` and `reflexion uninstall`. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as AllowChecks from "../allow/AllowChecks.ts"
import * as OwnModel from "../allow/OwnModel.ts"
import { hint } from "../command/Help.ts"
import type { Values } from "../command/Parts.ts"
import * as Hosts from "../host/Hosts.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import { CliFailure, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { attempt } from "../process/FileProblem.ts"
import * as Spawn from "../process/Spawn.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"
import * as HookBundle from "./HookBundle.ts"
import * as HooksFile from "./HooksFile.ts"
import * as InstallRecord from "./InstallRecord.ts"
import * as NodeBinary from "./nodeBinary.ts"
import * as Plan from "./Plan.ts"
import * as PluginFile from "./PluginFile.ts"
import * as InstallReport from "./report.ts"

export interface InstallArguments extends Values<"global" | "project" | "loopWatch" | "dryRun" | "yes"> {
  readonly hosts: ReadonlyArray<string>
}

/** How many older bundles are kept. Open sessions can be running them. */
const keptBundles = 2

const refuse = (problem: string) => new CliFailure({ problem })

export const hostsNamed = (
  command: string,
  given: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Host>, UsageError> =>
  Effect.forEach([...new Set(given)], (name) => {
    const host = Hosts.named(name)
    const problem = `"${oneLine(name.slice(0, 100))}" is not a host; the hosts are ${Hosts.listed(Hosts.names, "and")}`
    return host === null
      ? Effect.fail(new UsageError({ command: `reflexion ${command}`, problem: problem + hint(name, Hosts.names) }))
      : Effect.succeed(host)
  })

export const scopeNamed = (
  command: string,
  { global, project }: Pick<InstallArguments, "global" | "project">
): Effect.Effect<Scope | null, UsageError> =>
  global !== null && project !== null
    ? new UsageError({ command: `reflexion ${command}`, problem: "give either --global or --project, not both" })
    : Effect.succeed(project !== null ? "project" : global !== null ? "global" : null)

const isHere = (request: Plan.Request): boolean =>
  Plan.filesOf(request).some(([, file]) => existsSync(dirname(file))) ||
  Programs.make(request.where).find(request.host.installation.binary).own.length > 0

/** Warns about files that git does not ignore. They name paths of this machine, so they should not be committed. */
const gitNotes = Effect.fnUntraced(function* ({ scope, where }: Plan.Request, files: ReadonlyArray<string>) {
  if (scope === "global" || !existsSync(join(where.root, ".git"))) return []
  const git = Programs.make(where).find("git")
  const [program] = git.own
  if (program === undefined) {
    const why = ProgramPath.problemOf("git", git)
    return git.passedOver.length === 0 ? [] : [`It is unknown whether git ignores the written files: ${why}.`]
  }
  const words = ["-c", "core.fsmonitor=false", "check-ignore", "-q", "--"]
  const how = { program, cwd: where.root, env: Programs.environment(where), stdin: "", timeout: 5000 }
  const kept = yield* Effect.filter(files, (file) =>
    Effect.map(Spawn.run({ ...how, words: [...words, file] }), ({ code }) => code === 1)
  )
  const warning = "do not commit it, because it is only for this machine. A line in .git/info/exclude keeps it out."
  return kept.map((file) => `git does not ignore ${Terminal.tilde(where.env, file)}: ${warning}`)
})

const planFor = Effect.fnUntraced(function* (asked: Plan.Request, folder: string, loopWatch: boolean) {
  const file = join(folder, HookBundle.entries[asked.host.installation.form])
  if (asked.host.installation.form === "plugin")
    return yield* attempt(() => Plan.plugin(asked, pathToFileURL(file).href))
  const { program } = yield* CliProcess
  const node = yield* NodeBinary.find(program.node, asked.where)
  const isWindows = process.platform === "win32"
  const entries = HooksFile.entriesFor(asked.host, { node: node.path, hook: file, loopWatch, isWindows })
  const plan = yield* attempt(() => Plan.hooks(asked, entries))
  return { ...plan, notes: [...plan.notes, ...InstallReport.nodeNotes(node)] }
})

/** The error names the files that were changed before the failure. */
const applyAll = Effect.fnUntraced(function* (request: Plan.Request, { changes }: Plan.Plan) {
  for (const [at, change] of changes.entries()) {
    const done = changes.slice(0, at).map(({ found }) => Terminal.tilde(request.where.env, found.file))
    const before = done.length === 0 ? "" : `\nChanged before that: ${done.join(", ")}.`
    const applied = attempt(() => Plan.apply(request, change))
    yield* Effect.mapError(applied, ({ problem }) => refuse(problem + before))
  }
})

const applyEach = Effect.fnUntraced(function* (request: Plan.Request, plan: Plan.Plan) {
  const apply = (change: Plan.Change) =>
    Effect.as(
      attempt(() => Plan.apply(request, change)),
      change
    )
  const [failed, changes] = yield* Effect.partition(plan.changes, apply)
  return { ...plan, changes, problems: [...plan.problems, ...failed.map(({ problem }) => problem)] }
})

/** An error here does not affect the installation. */
const tidy = (request: Plan.Request, keep: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    attempt(() => HookBundle.prune(request.directories, request.host, { texts: Plan.knownTexts(request), keep, now }))
  ).pipe(Effect.orElseSucceed(() => []))

const installOne = Effect.fnUntraced(function* (asked: Plan.Request, given: InstallArguments) {
  const { host } = asked
  const named = host.installation.form === "plugin" ? yield* attempt(() => Plan.byName(asked)) : null
  if (named !== null) return yield* Console.log(InstallReport.byName(yield* Terminal.style, asked, named))
  const { program } = yield* CliProcess
  const own = yield* version
  const dryRun = given.dryRun !== null
  const bundle = yield* attempt(() => HookBundle.shipped(program.hooks, host, own))
  const folder = HookBundle.folderOf(asked.directories, host, bundle.id)
  const loopWatch = given.loopWatch !== null || (yield* attempt(() => Plan.watchesLoops(asked)))
  const plan = yield* planFor(asked, folder, loopWatch)
  const files = plan.changes.map(({ found }) => found.file)
  const notes = [...plan.notes, ...(yield* gitNotes(asked, files))]
  const copied = dryRun
    ? !HookBundle.isWhole(folder)
    : yield* attempt(() => HookBundle.copy(asked.directories, host, bundle))
  if (!dryRun) {
    yield* applyAll(asked, plan)
    yield* tidy(asked, keptBundles)
  }
  const report = { request: asked, plan: { ...plan, notes }, dryRun, bundle: { folder, id: bundle.id, copied } }
  yield* Console.log(InstallReport.installed(yield* Terminal.style, report))
})

/** If no host was named, returns a request for each host for which `isMeant` is true. */
const requestsFor = Effect.fnUntraced(function* (
  command: string,
  given: Pick<InstallArguments, "global" | "hosts" | "project">,
  isMeant: (request: Plan.Request) => boolean
) {
  const hosts = yield* hostsNamed(command, given.hosts)
  const scope = (yield* scopeNamed(command, given)) ?? "global"
  const all = yield* Effect.forEach(hosts.length === 0 ? Hosts.all : hosts, (host) => Plan.requestFor(host, scope))
  return hosts.length === 0 ? all.filter((one) => isMeant({ ...one, scope: "global" })) : all
})

const agree = Effect.fnUntraced(function* (all: ReadonlyArray<Plan.Request>, given: InstallArguments) {
  const names = all.map(({ host }) => host.name).join(" ")
  if (names === "")
    return yield* refuse(`no agent was found on this machine. Name the agent that you use: ${Hosts.installing}.`)
  const style = yield* Terminal.style
  yield* Console.log(all.map((one) => InstallReport.proposal(style, one)).join("\n\n"))
  if (given.yes !== null || given.dryRun !== null) return yield* Console.log("")
  const answer = yield* Terminal.answer("Install this?")
  if (answer === null)
    return yield* refuse(
      `nobody can be asked here: run \`reflexion install ${names}\`, or add --yes. Nothing was changed.`
    )
  if (!Terminal.isYes(answer)) return yield* refuse("you did not agree, so nothing was changed.")
})

/** Runs every item even if one fails. */
const each = <A, R>(all: ReadonlyArray<A>, run: (one: A) => Effect.Effect<void, { readonly problem: string }, R>) =>
  Effect.mapError(
    Effect.validateAll(all, (one, at) => Effect.zipRight(at > 0 ? Console.log("") : Effect.void, run(one)), {
      discard: true
    }),
    (errors) => refuse(errors.map(({ problem }) => problem).join("\n\n"))
  )

export const install = Effect.fn("Install.install")(function* (given: InstallArguments) {
  const all = yield* requestsFor("install", given, isHere)
  if (given.loopWatch !== null && !all.some(({ host }) => host.installation.loopWatch.length > 0)) {
    const titles = all.map(({ host }) => host.title)
    const problem = `--loop-watch: ${Hosts.listed(titles, "or")} has no event for this`
    return yield* new UsageError({ command: "reflexion install", problem })
  }
  if (given.hosts.length === 0) yield* agree(all, given)
  yield* each(all, (one) => installOne(one, given))
  const silent = given.dryRun !== null || given.yes !== null
  const names = all.map(({ host }) => host.name)
  yield* AllowChecks.atInstall(names, { silent })
  yield* Effect.forEach(all, ({ host }) => OwnModel.atInstall(host, { silent }))
})

/** Also removes the plugin's name if the user wrote it into the host's list. */
const alsoByName = (asked: Plan.Request): Plan.Request =>
  asked.host.installation.form === "plugin"
    ? { ...asked, isOurs: (one) => asked.isOurs(one) || PluginFile.isPackage(one, asked.host) }
    : asked

const uninstallOne = Effect.fnUntraced(function* (request: Plan.Request, dryRun: boolean) {
  const asked = alsoByName(request)
  const planned = Plan.uninstall(asked)
  const plan = dryRun ? planned : yield* applyEach(asked, planned)
  const pruned = dryRun ? [] : yield* tidy(asked, 0)
  if (!dryRun) yield* Effect.ignore(attempt(() => HookBundle.clearCache(asked.directories)))
  const other = Plan.otherScope(asked)
  const files = planned.changes.map(({ found }) => found.file)
  const left = Plan.uninstall(other).changes.some(({ found }) => !files.includes(found.file))
  const report = { request: asked, plan, dryRun, pruned, left: left ? other.scope : null }
  if (plan.problems.length === 0 || plan.changes.length + pruned.length > 0)
    yield* Console.log(InstallReport.uninstalled(yield* Terminal.style, report))
  if (!dryRun) yield* OwnModel.forget(asked.host.name)
  const problem = [...new Set(plan.problems)].join("\n\n")
  if (problem !== "") return yield* refuse(problem)
})

const isIn = (request: Plan.Request): boolean => {
  const { changes, problems } = Plan.uninstall(alsoByName(request))
  return changes.length + problems.length > 0
}

const scopesOf = (request: Plan.Request): ReadonlyArray<Plan.Request> =>
  [request, Plan.otherScope(request)].filter(isIn)

const isInstalled = (request: Plan.Request): boolean =>
  InstallRecord.all(request.directories, request.host.name).length > 0 || scopesOf(request).length > 0

export const uninstall = Effect.fn("Install.uninstall")(function* (given: Omit<InstallArguments, "loopWatch" | "yes">) {
  const all = yield* requestsFor("uninstall", given, isInstalled)
  if (all.length === 0) return yield* Console.log("reflexion is not installed in any agent here, so nothing changes.")
  const isAnyScope = given.global === null && given.project === null
  const meant = all.flatMap((one) => {
    const found = isAnyScope ? scopesOf(one) : []
    return found.length === 0 ? [one] : found
  })
  yield* each(meant, (one) => uninstallOne(one, given.dryRun !== null))
})
