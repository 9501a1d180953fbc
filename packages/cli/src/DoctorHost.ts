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
import { parse as parseJson } from "jsonc-parser"
import { existsSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import * as CodexApproval from "./CodexApproval.ts"
import * as FileChange from "./FileChange.ts"
import * as Finding from "./Finding.ts"
import * as HookBundle from "./HookBundle.ts"
import * as HookCommand from "./HookCommand.ts"
import type { HookHost, Scope } from "./HookHosts.ts"
import * as HookHosts from "./HookHosts.ts"
import * as HookProbe from "./HookProbe.ts"
import * as HooksDocument from "./HooksDocument.ts"
import * as HooksToml from "./HooksToml.ts"
import { requestFor } from "./Install.ts"
import * as Installation from "./Installation.ts"
import * as JsonEdit from "./JsonEdit.ts"
import * as LogFile from "./LogFile.ts"
import { shownId } from "./LogReport.ts"
import * as NodeBinary from "./NodeBinary.ts"
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

type Env = Readonly<Record<string, string | undefined>>

interface Place {
  readonly scope: Scope
  readonly file: string
  readonly request: Installation.Request
  /** Our commands in it, or why it could not be read. */
  readonly found: Either.Either<ReadonlyArray<{ readonly event: string; readonly command: string }>, string>
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const commandsIn = (
  file: string,
  { isOurs }: Installation.Request,
  read: typeof HooksDocument.installed
): Place["found"] =>
  Either.try({ try: () => FileChange.find(file, null).text ?? "", catch: messageOf }).pipe(
    Either.flatMap((text) =>
      Either.mapLeft(
        text.trim() === "" ? Either.right([]) : read(text, isOurs),
        ({ column, line, problem }) => `${file}:${line}:${column}: ${problem}`
      )
    )
  )

const placesOf = (host: HookHost) =>
  Effect.forEach(HookHosts.scopes, (scope) =>
    Effect.map(requestFor(host, scope), (request): ReadonlyArray<Place> => {
      const { json, toml } = Installation.placesOf(request)
      const files = [
        [json, HooksDocument.installed] as const,
        ...(toml === null ? [] : [[toml, HooksToml.installed] as const])
      ]
      return files.map(([file, read]) => ({ scope, file, request, found: commandsIn(file, request, read) }))
    })
  ).pipe(Effect.map((lists) => lists.flat()))

const binary = Effect.fnUntraced(function* (host: HookHost, env: Env) {
  const [path] = NodeBinary.onPath(env, host.binary)
  if (path === undefined) return { path: null, finding: Finding.plain("binary", `no ${host.binary} on PATH`) }
  const ran = yield* Spawn.run({ program: path, words: ["--version"], cwd: "/", env, stdin: "", timeout: 10_000 })
  const found = /\d{1,6}\.\d{1,6}\.\d{1,6}\S{0,20}/u.exec(ran.out)?.[0]
  const name = Terminal.tilde(env, path)
  return {
    path,
    finding:
      found === undefined
        ? Finding.plain("binary", `${name} does not tell its version`)
        : Finding.good("binary", `${found}, ${name}`)
  }
})

const again = ({ request, scope }: Place): string =>
  `run \`reflexion install ${request.host.name}${scope === "project" ? " --project" : ""}\``

const versionFinding = (place: Place, hook: string, shipped: string | null): Finding.Finding => {
  const id = basename(dirname(hook))
  if (!existsSync(hook)) return Finding.needed("version", `${id} is installed, but its files are gone: ${again(place)}`)
  if (!HookBundle.isWhole(dirname(hook))) return Finding.needed("version", `${id} is damaged: ${again(place)}`)
  if (shipped === null) return Finding.plain("version", id)
  return shipped === id
    ? Finding.good("version", `${id}, the one of this reflexion`)
    : Finding.needed("version", `${id} is installed, this reflexion brings ${shipped}: ${again(place)}`)
}

const nodeFinding = (place: Place, node: string): Finding.Finding =>
  existsSync(node)
    ? Finding.good("node", node)
    : Finding.needed("node", `${node || "the Node binary"} is gone, so the hook cannot run: ${again(place)}`)

const eventsFinding = (place: Place, events: ReadonlyArray<string>): Finding.Finding => {
  const { host, where } = place.request
  const name = Terminal.tilde(where.env, place.file)
  const lacking = host.events.map(([event]) => event).filter((event) => !events.includes(event))
  const range = place.scope === "global" ? "all your projects" : "this project"
  return lacking.length === 0
    ? Finding.good("hooks", `${name} (${range}): ${events.length} events`)
    : Finding.needed("hooks", `${name} (${range}) lacks ${lacking.join(", ")}: ${again(place)}`)
}

const place = Effect.fnUntraced(function* (one: Place, shipped: string | null, env: Env) {
  if (Either.isLeft(one.found)) return [Finding.blind("hooks", one.found.left)]
  const commands = one.found.right
  const [first] = commands
  if (first === undefined) return []
  const parsed = HookCommand.parse(first.command, HookBundle.rootFolder(one.request.directories))
  const stop = commands.find(({ event }) => event === "Stop")
  return [
    eventsFinding(
      one,
      commands.map(({ event }) => event)
    ),
    ...(parsed === null ? [] : [versionFinding(one, parsed.hook, shipped), nodeFinding(one, parsed.node)]),
    ...(stop === undefined ? [] : [yield* HookProbe.run(one.request.host, stop.command, env)])
  ]
})

/** Claude Code runs a command that stands in several files once, and different ones each; Codex runs every one. */
const doubled = (host: HookHost, places: ReadonlyArray<Place>): ReadonlyArray<Finding.Finding> => {
  const stops = places.flatMap(({ file, found, request }) =>
    Either.getOrElse(found, (): ReadonlyArray<{ event: string; command: string }> => [])
      .filter(({ event }) => event === "Stop")
      .map(({ command }) => ({ command, file: Terminal.tilde(request.where.env, file) }))
  )
  const [first] = stops
  const isDouble =
    stops.length > 1 && (host.name === "codex" || stops.some(({ command }) => command !== first?.command))
  return isDouble
    ? [
        Finding.needed(
          "twice",
          `installed in ${stops.map(({ file }) => file).join(" and ")}, and run once for each: take one out`
        )
      ]
    : []
}

const textOf = Option.liftThrowable((file: string) => FileChange.find(file, null).text ?? "")

const disables = (file: string): boolean =>
  Option.exists(textOf(file), (text) => {
    const value: unknown = parseJson(text, [], { allowTrailingComma: true })
    return Predicate.hasProperty(value, "disableAllHooks") && value.disableAllHooks === true
  })

/** Claude Code reads none of such a file, and says nothing. */
const isIgnored = (file: string): boolean => Option.exists(textOf(file), (text) => !JsonEdit.isPlain(text))

const claudeCode = ({ where }: Installation.Request, places: ReadonlyArray<Place>): ReadonlyArray<Finding.Finding> => {
  const files = [...places.map(({ file }) => file), join(where.root, ".claude", "settings.json")]
  const ignored = files.filter(isIgnored).map((file) => Terminal.tilde(where.env, file))
  const off = files.filter(disables).map((file) => Terminal.tilde(where.env, file))
  const has = places.some(({ request }) => {
    const { command } = Installation.placesOf(request)
    return command !== null && existsSync(command)
  })
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

const stopped = (decisions: ReadonlyArray<Decision>): ReadonlyArray<Finding.Finding> => {
  const commands = decisions.filter(({ decision }) => decision === "stop" || decision === "start")
  const last = new Map(commands.map((one) => [one.sessionId, one.decision]))
  const off = [...last].flatMap(([id, decision]) => (decision === "stop" && id !== null ? [id.slice(0, shownId)] : []))
  return off.length === 0
    ? []
    : [Finding.plain("stopped", `by you in session ${off.join(", ")}; \`/reflection start\` there turns it on again`)]
}

const logged = ({ directories, host }: Installation.Request): ReadonlyArray<Finding.Finding> =>
  Either.match(Either.try({ try: () => LogFile.read(directories), catch: messageOf }), {
    onLeft: (problem) => [Finding.blind("log", problem)],
    onRight: ({ decisions }) => {
      const own = decisions.filter((one) => one.host === host.name).slice(-recent)
      return [failures(own), ...stopped(own)]
    }
  })

const approval = (request: Installation.Request, path: string | null) =>
  path === null
    ? Effect.succeed([
        Finding.plain(
          "approval",
          "unknown: there is no codex to ask; Codex runs no hook before you approve it in /hooks"
        )
      ])
    : CodexApproval.look({ binary: path, cwd: request.where.cwd, env: request.where.env, isOurs: request.isOurs })

/**
 * @since 0.1.0
 * @category programs
 */
export const examine = Effect.fn("DoctorHost.examine")(function* (host: HookHost) {
  const { env, program } = yield* CliProcess
  const own = yield* version
  const places = yield* placesOf(host)
  const request = yield* requestFor(host, "global")
  const shipped = Either.getOrNull(Either.try(() => HookBundle.shipped(program.hooks, host, own).id))
  const found = yield* binary(host, env)
  const each = yield* Effect.forEach(places, (one) => place(one, shipped, env))
  const installed = places.some((one) => Either.isRight(one.found) && one.found.right.length > 0)
  const isUnseen = places.some((one) => Either.isLeft(one.found))
  const special = !installed
    ? []
    : host.name === "codex"
      ? yield* approval(request, found.path)
      : claudeCode(request, places)
  const absent =
    installed || isUnseen ? [] : [Finding.needed("hooks", `not installed: run \`reflexion install ${host.name}\``)]
  const findings = [found.finding, ...absent, ...each.flat(), ...doubled(host, places), ...special]
  return {
    installed: installed || isUnseen,
    section: { title: host.title, findings: [...findings, ...(installed ? logged(request) : [])] }
  } satisfies Examined
})
