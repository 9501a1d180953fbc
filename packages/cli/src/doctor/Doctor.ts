/** The program behind `reflexion doctor`. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { CliProcess } from "../process/CliProcess.ts"
import * as DoctorHost from "./host.ts"
import * as DoctorMemory from "./memory.ts"
import * as DoctorPlace from "./place.ts"
import * as DoctorPlugin from "./plugin.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { explain } from "../process/FileProblem.ts"
import * as Finding from "./finding.ts"
import * as Hosts from "../host/Hosts.ts"
import { hostNamed, scopeNamed } from "../install/Install.ts"
import * as LogFile from "../report/LogFile.ts"
import * as ProjectChecks from "../allow/ProjectChecks.ts"
import * as Settings from "../process/Settings.ts"
import * as StateFolder from "../process/StateFolder.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"
import type { Given } from "./model.ts"

const configuration = Effect.gen(function* () {
  const { cwd } = yield* CliProcess
  const { maxAttempts, profile } = yield* Effect.flatMap(Settings.user, (base) => Settings.workspace(base, cwd))
  const pushes = profile === "advisory" ? "no pushes" : `up to ${maxAttempts} push${maxAttempts === 1 ? "" : "es"}`
  return [Finding.good("configuration", `profile ${profile}, ${pushes} for each of your messages`)]
}).pipe(Effect.catchAll(({ problem }) => Effect.succeed([Finding.needed("configuration", problem)])))

/** Nothing where every key is called as it is called now. */
const oldKeys = Effect.gen(function* () {
  const { cwd, env } = yield* CliProcess
  const old = (yield* Settings.oldKeys(cwd)).map(
    ({ file, key, now }) =>
      `${Terminal.tilde(env, file)}: \`${key}\` is ${now === null ? "gone: remove it" : `called \`${now}\` now: rename it`}`
  )
  const unknown = (yield* Settings.unknownRules(cwd)).map(
    ({ file, name }) =>
      `${Terminal.tilde(env, file)}: no rule is called \`${oneLine(name)}\`: \`reflexion rules\` lists them`
  )
  return [...old, ...unknown].map((text) => Finding.needed("configuration", text))
}).pipe(Effect.catchAll(() => Effect.succeed([])))

const trustOf = (env: Readonly<Record<string, string | undefined>>, root: string): Finding.Finding => {
  const name = Terminal.tilde(env, root)
  const { contents, status } = Trust.Workspace.at(UserDirectories.make(env), root)
  const names = contents.map(([file]) => file)
  if (status === "changed") {
    return Finding.needed("workspace", `${name} has changed since you trusted it: look, then \`reflexion trust\``)
  }
  if (names.length === 0) return Finding.plain("workspace", `${name} has nothing to trust (${Trust.files.join(", ")})`)
  return status === "trusted"
    ? Finding.good("workspace", `${name} is trusted: ${names.join(", ")}`)
    : Finding.plain(
        "workspace",
        `${name} is not trusted: ${names.join(", ")} can set the profile, add gates and switch parts of reflexion off, no more`
      )
}

const trust = Effect.flatMap(CliProcess, ({ cwd, env }) =>
  Effect.try(() => trustOf(env, Trust.rootOf(cwd))).pipe(
    Effect.catchAll(({ error }) => Effect.succeed(Finding.needed("workspace", explain(error).problem)))
  )
)

/** Nothing where nothing is marked. */
const marks = Effect.gen(function* () {
  const { cwd } = yield* CliProcess
  const { damaged, marks } = yield* Settings.marksAt(cwd)
  const lowered = Marks.lowered(marks)
  return [
    ...(lowered.length === 0
      ? []
      : [
          Finding.plain(
            "marks",
            `of yours keep ${lowered.join(", ")} from pushing in this project: \`reflexion report\``
          )
        ]),
    ...(damaged === 0
      ? []
      : [
          Finding.needed(
            "marks",
            `${damaged} of the lines are damaged and left out: \`reflexion report\` names the file`
          )
        ])
  ]
}).pipe(Effect.catchAll(() => Effect.succeed([])))

/** Nothing where none is allowed. */
const checks = Effect.gen(function* () {
  const { cwd } = yield* CliProcess
  const { allowed, changed } = yield* ProjectChecks.at(cwd)
  const shown = (all: typeof allowed): string => all.map(({ command }) => `\`${oneLine(command)}\``).join(", ")
  const text = `you allowed ${shown(allowed)} in this project: \`reflexion allow checks --revoke\` takes that back`
  const news = `what ${shown(changed)} runs has changed since you allowed it, so it is not run: \`reflexion allow checks\` asks you again`
  return [
    ...(allowed.length === 0 ? [] : [Finding.plain("checks", text)]),
    ...(changed.length === 0 ? [] : [Finding.needed("checks", news)])
  ]
}).pipe(Effect.catchAll(() => Effect.succeed([])))

const state = Effect.map(CliProcess, ({ env }) => {
  const folder = UserDirectories.make(env).state
  const problem = StateFolder.problemOf(folder)
  return problem === null
    ? Finding.good("state", Terminal.tilde(env, folder))
    : Finding.needed("state", `cannot be written, so nothing is ever pushed: ${problem}`)
})

/** Nothing where a log is, or can be begun. */
const log = Effect.flatMap(CliProcess, ({ env }) =>
  Effect.try(() => LogFile.problemOf(UserDirectories.make(env))).pipe(
    Effect.map((problem) => (problem === null ? [] : [Finding.needed("log", Terminal.tilde(env, problem))])),
    // What keeps the state from being looked at is told of as that.
    Effect.catchAll(() => Effect.succeed([]))
  )
)

/** Nothing where there is nothing to say: git is not needed. */
const git = Effect.map(CliProcess, (where) => {
  const found = Programs.make(where).find("git")
  if (found.own.length > 0 || found.passedOver.length === 0) return []
  return [Finding.needed("git", Terminal.tilde(where.env, ProgramPath.problemOf("git", found)))]
})

const general = Effect.gen(function* () {
  const findings = [
    ...(yield* configuration),
    ...(yield* oldKeys),
    ...(yield* marks),
    ...(yield* checks),
    yield* trust,
    yield* state,
    ...(yield* log),
    ...(yield* git),
    ...(yield* DoctorMemory.look)
  ]
  return { title: `reflexion ${yield* version}`, findings } satisfies Finding.Section
})

const nowhere = (scope: Hosts.Scope | null): Finding.Finding => {
  const where = scope === null ? "" : ` for ${DoctorPlace.range({ scope })}`
  return Finding.needed("installed", `in no host${where}: run one of the commands below, for the agent that you use`)
}

/** With no host named, one that nobody installed is no fault; that nobody installed any is one. */
const softened = (
  general: Finding.Section,
  hosts: ReadonlyArray<DoctorHost.Examined>,
  scope: Hosts.Scope | null
): ReadonlyArray<Finding.Section> => {
  const all = hosts.length > 1
  const isNowhere = all && !hosts.some(({ installed }) => installed)
  const first = isNowhere ? { ...general, findings: [...general.findings, nowhere(scope)] } : general
  return [first, ...hosts.map(softenedOne(all))]
}

const softenedOne =
  (all: boolean) =>
  ({ installed, section }: DoctorHost.Examined): Finding.Section =>
    installed || !all
      ? section
      : {
          ...section,
          findings: section.findings.map((one) => (one.level === "needed" ? Finding.plain(one.term, one.text) : one))
        }

/**
 * Looks, prints what it saw, and leaves the exit status.
 *
 * @category programs
 */
export const run = Effect.fn("Doctor.run")(function* (given: Given) {
  const hosts = given.hosts.length === 0 ? Hosts.all : [yield* hostNamed("doctor", given.hosts)]
  const scope = yield* scopeNamed("doctor", given)
  const first = yield* general
  const examined = yield* Effect.forEach(hosts, (host) =>
    host.installation.form === "plugin" ? DoctorPlugin.examine(host, scope) : DoctorHost.examine(host, scope)
  )
  const sections = softened(first, examined, scope)
  yield* Console.log(Finding.render(yield* Terminal.style, sections))
  yield* Ref.set(yield* ExitStatus, Finding.exitCode(sections))
})
