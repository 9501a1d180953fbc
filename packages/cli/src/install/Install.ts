/** The programs behind `reflexion install` and `reflexion uninstall`. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { InstallError, UsageError } from "../process/CliError.ts"
import { hint } from "../command/CommandSpec.ts"
import { explain } from "../process/FileProblem.ts"
import * as AllowChecks from "../allow/AllowChecks.ts"
import * as HookBundle from "./HookBundle.ts"
import * as HookCommand from "./HookCommand.ts"
import * as HookEntries from "./HookEntries.ts"
import * as HookLine from "./HookLine.ts"
import * as Hosts from "../host/Hosts.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import * as Installation from "./installation.ts"
import type * as InstallFile from "./InstallFile.ts"
import * as InstallReport from "./report.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as OwnOffer from "../models/OwnOffer.ts"
import * as OwnStanding from "../models/OwnStanding.ts"
import * as NodeBinary from "./nodeBinary.ts"
import * as PluginInstallation from "./pluginInstallation.ts"
import * as PluginSpec from "./PluginSpec.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"
import type { Given } from "./model.ts"

/** Sessions that are open may still run these. */
const keptBundles = 2

const attempt = <A>(run: () => A): Effect.Effect<A, InstallError> =>
  Effect.try({ try: run, catch: (cause) => explain(cause) })

/**
 * The host that a command names: one, and one that is known.
 *
 * @category parsing
 */
export const hostNamed = (command: string, given: ReadonlyArray<string>): Effect.Effect<Host, UsageError> => {
  const [name, ...more] = given
  const fail = (problem: string) => Effect.fail(new UsageError({ command: `reflexion ${command}`, problem }))
  if (name === undefined) return fail(`name a host: ${Hosts.listed(Hosts.names, "or")}`)
  if (more.length > 0) return fail("one host at a time")
  const host = Hosts.all.find((one) => one.name === name)
  const known = Hosts.names
  return host === undefined
    ? fail(`"${oneLine(name.slice(0, 100))}" is none of ${known.join(", ")}${hint(name, known)}`)
    : Effect.succeed(host)
}

/**
 * The scope that a command names, null for none.
 *
 * @category parsing
 */
export const scopeNamed = (
  command: string,
  given: Pick<Given, "global" | "project">
): Effect.Effect<Scope | null, UsageError> =>
  given.global && given.project
    ? Effect.fail(
        new UsageError({ command: `reflexion ${command}`, problem: "--global and --project exclude each other" })
      )
    : Effect.succeed(given.project ? "project" : given.global ? "global" : null)

/**
 * What is known of a place before anything is read.
 *
 * @category constructors
 */
export const requestFor = (host: Host, scope: Scope): Effect.Effect<InstallFile.Request, never, CliProcess> =>
  Effect.map(CliProcess, ({ cwd, env }) => {
    const directories = UserDirectories.make(env)
    const folder = HookBundle.rootFolder(directories)
    const own = HookBundle.hostFolder(directories, host)
    const isPlugin = host.installation.form === "plugin"
    return {
      host,
      scope,
      directories,
      where: { env, cwd, root: Trust.rootOf(cwd) },
      isOurs: (one) => (isPlugin ? PluginSpec.parse(one, own) : HookCommand.parse(one, folder)) !== null,
      wrapped: (command) => (isPlugin ? null : HookCommand.wrapped(command, folder))
    }
  })

const request = Effect.fnUntraced(function* (command: string, given: Given) {
  const host = yield* hostNamed(command, given.hosts)
  const scope = (yield* scopeNamed(command, given)) ?? "global"
  if (given.loopWatch && host.installation.loopWatch.length === 0) {
    const problem = `--loop-watch: ${host.title} has no event for it`
    return yield* new UsageError({ command: `reflexion ${command}`, problem })
  }
  return yield* requestFor(host, scope)
})

/** A project's files name paths of this machine: they are no use in anybody else's checkout. */
const gitNotes = Effect.fnUntraced(function* ({ scope, where }: InstallFile.Request, plan: Installation.Plan) {
  if (scope === "global" || !existsSync(join(where.root, ".git"))) return []
  const files = plan.changes.map(({ found }) => found.file)
  const git = Programs.make(where).find("git")
  const [program] = git.own
  if (program === undefined) {
    const why = ProgramPath.problemOf("git", git)
    return git.passedOver.length === 0 ? [] : [`Whether git ignores what was written is not known: ${why}.`]
  }
  const ignored = yield* Effect.forEach(files, (file) =>
    Spawn.run({
      program,
      words: ["-c", "core.fsmonitor=false", "check-ignore", "-q", "--", file],
      cwd: where.root,
      env: Programs.environment(where),
      stdin: "",
      timeout: 5000
    })
  )
  return files.flatMap((file, index) =>
    ignored[index]?.code === 1
      ? [
          `git does not ignore ${Terminal.tilde(where.env, file)}: keep it out of commits, it is for this machine alone. A line in .git/info/exclude does that.`
        ]
      : []
  )
})

/** What is to be in the host's files, which name the copy in this folder. */
const planFor = Effect.fnUntraced(function* (
  asked: InstallFile.Request,
  { folder, loopWatch }: { readonly folder: string; readonly loopWatch: boolean }
) {
  const file = join(folder, HookBundle.entryOf(asked.host))
  if (asked.host.installation.form === "plugin") {
    return yield* attempt(() => PluginInstallation.install(asked, PluginSpec.render(file)))
  }
  const { program } = yield* CliProcess
  const node = yield* NodeBinary.find(program.node, asked.where)
  const { platform } = process
  const line = yield* HookLine.of(asked)
  const entries = HookEntries.make(asked.host, { node: node.path, hook: file, line, loopWatch, platform })
  const plan = yield* attempt(() => Installation.install(asked, entries))
  return { ...plan, notes: [...plan.notes, ...InstallReport.nodeNotes(node)] }
})

/** Carries changes out until one fails; says which went before it. */
const applyAll = Effect.fnUntraced(function* (request: InstallFile.Request, plan: Installation.Plan) {
  const done: Array<string> = []
  for (const change of plan.changes) {
    yield* attempt(() => Installation.apply(request, change)).pipe(
      Effect.mapError(({ problem }) =>
        done.length === 0
          ? new InstallError({ problem })
          : new InstallError({ problem: `${problem}\nChanged before that: ${done.join(", ")}.` })
      )
    )
    done.push(Terminal.tilde(request.where.env, change.found.file))
  }
})

/** Carries out every change that can be. */
const applyEach = Effect.fnUntraced(function* (request: InstallFile.Request, plan: Installation.Plan) {
  const [failed, changes] = yield* Effect.partition(plan.changes, (change) =>
    Effect.as(
      attempt(() => Installation.apply(request, change)),
      change
    )
  )
  return { ...plan, changes, problems: [...plan.problems, ...failed.map(({ problem }) => problem)] }
})

/** Whatever stands in the way of tidying up, the installation stands. */
const tidy = (request: InstallFile.Request, keep: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    attempt(() =>
      HookBundle.prune(request.directories, request.host, { texts: Installation.knownTexts(request), keep, now })
    )
  ).pipe(Effect.orElseSucceed(() => []))

/** What an installation asks: at most two questions, none of which it needs. */
const offer = Effect.fnUntraced(function* (asked: InstallFile.Request, given: Given) {
  const { name } = asked.host
  const options = { silent: given.dryRun || given.yes }
  yield* AllowChecks.atInstall(name, options)
  const before = yield* OwnStanding.said(name).pipe(Effect.orElseSucceed(() => null))
  yield* OwnOffer.atInstall(asked.host, options)
  const after = yield* OwnStanding.said(name).pipe(Effect.orElseSucceed(() => null))
  if (before?.asked !== after?.asked) yield* HookLine.update(asked)
})

export const install = Effect.fn("Install.install")(function* (given: Given) {
  const asked = yield* request("install", given)
  const named =
    asked.host.installation.form === "plugin" ? yield* attempt(() => PluginInstallation.byName(asked)) : null
  if (named !== null) {
    yield* Console.log(InstallReport.byName(yield* Terminal.style, asked, named))
    return yield* offer(asked, given)
  }
  const { program } = yield* CliProcess
  const own = yield* version
  const bundle = yield* attempt(() => HookBundle.shipped(program.hooks, asked.host, own))
  const folder = HookBundle.folderOf(asked.directories, asked.host, bundle.id)
  const plan = yield* planFor(asked, { folder, loopWatch: given.loopWatch })
  const notes = [...plan.notes, ...(yield* gitNotes(asked, plan))]
  const copied = given.dryRun
    ? !HookBundle.isWhole(folder)
    : yield* attempt(() => HookBundle.copy(asked.directories, asked.host, bundle))
  if (!given.dryRun) {
    yield* applyAll(asked, plan)
    yield* tidy(asked, keptBundles)
  }
  const report = {
    request: asked,
    plan: { ...plan, notes },
    dryRun: given.dryRun,
    bundle: { folder, id: bundle.id, copied }
  }
  yield* Console.log(InstallReport.installed(yield* Terminal.style, report))
  yield* offer(asked, given)
})

/** Whoever wrote the plugin's name into the host's list themselves wants it out as well. */
const alsoByName = (asked: InstallFile.Request): InstallFile.Request =>
  asked.host.installation.form === "plugin"
    ? { ...asked, isOurs: (one) => asked.isOurs(one) || PluginSpec.isPackage(one, asked.host) }
    : asked

/** It was done as far as it could be. */
const orFail = (problems: ReadonlyArray<string>) =>
  problems.length === 0 ? Effect.void : Effect.fail(new InstallError({ problem: [...new Set(problems)].join("\n\n") }))

export const uninstall = Effect.fn("Install.uninstall")(function* (given: Given) {
  const asked = alsoByName(yield* request("uninstall", given))
  const planned = Installation.uninstall(asked)
  const plan = given.dryRun ? planned : yield* applyEach(asked, planned)
  const pruned = given.dryRun ? [] : yield* tidy(asked, 0)
  if (!given.dryRun) yield* Effect.ignore(attempt(() => HookBundle.clearCache(asked.directories)))
  const other = { ...asked, scope: asked.scope === "global" ? ("project" as const) : ("global" as const) }
  const files = planned.changes.map(({ found }) => found.file)
  const left = Installation.uninstall(other).changes.some(({ found }) => !files.includes(found.file))
  const report = { request: asked, plan, dryRun: given.dryRun, pruned, left: left ? other.scope : null }
  if (plan.problems.length === 0 || plan.changes.length + pruned.length > 0) {
    yield* Console.log(InstallReport.uninstalled(yield* Terminal.style, report))
  }
  if (!given.dryRun) {
    yield* OwnOffer.forget(asked.host.name)
    yield* HookLine.update(asked)
  }
  yield* orFail(plan.problems)
})
