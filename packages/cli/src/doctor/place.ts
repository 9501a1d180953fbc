/**
 * What the doctor sees of the files that hooks are in, and which of the commands there it runs: those of reflexion alone,
 * and of a project's none but what the user's own records say was installed.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { basename, dirname } from "node:path"
import type { CliProcess } from "../process/CliProcess.ts"
import * as FileChange from "../install/FileChange.ts"
import { explain } from "../process/FileProblem.ts"
import * as Finding from "./finding.ts"
import * as HookBundle from "../install/HookBundle.ts"
import * as HookCommand from "../install/HookCommand.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import * as Hosts from "../host/Hosts.ts"
import * as HookLine from "../install/HookLine.ts"
import * as HookProbe from "./hookProbe.ts"
import * as HooksDocument from "../install/HooksDocument.ts"
import * as HooksToml from "../install/HooksToml.ts"
import { requestFor } from "../install/Install.ts"
import * as InstallFile from "../install/InstallFile.ts"
import * as InstallRecord from "../install/InstallRecord.ts"
import { clip, oneLine } from "../terminal/Layout.ts"
import { isInside } from "@reflexion/hooks/places/ProjectRoot"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Terminal from "../terminal/Terminal.ts"

/** `parsed` is null for a command of somebody else's that names our hook. */
interface Entry extends HooksDocument.InstalledEntry {
  readonly parsed: HookCommand.HookCommand | null
}

/**
 * A file that a host reads.
 *
 * @category models
 */
export interface HostFile {
  readonly scope: Scope
  readonly file: string
  readonly request: InstallFile.Request
}

/**
 * A file that a host reads hooks from. `found`: the commands in it that are ours or name our hook, or why it could not be
 * read.
 *
 * @category models
 */
export interface Place extends HostFile {
  readonly found: Either.Either<ReadonlyArray<Entry>, string>
}

const foundIn = (
  file: string,
  { directories, isOurs, wrapped }: InstallFile.Request,
  read: typeof HooksDocument.installed
): Place["found"] =>
  Either.try({
    try: () => FileChange.find(file, null).text ?? "",
    catch: (cause) => explain(cause, file).problem
  }).pipe(
    Either.flatMap((text) =>
      Either.mapBoth(
        text.trim() === "" ? Either.right([]) : read(text, (command) => isOurs(command) || wrapped(command) !== null),
        {
          onLeft: ({ column, line, problem }) => `${file}:${line}:${column}: ${problem}: mend the file`,
          onRight: (entries) =>
            entries.map((one) => ({
              ...one,
              parsed: HookCommand.parse(one.command, HookBundle.rootFolder(directories))
            }))
        }
      )
    )
  )

/**
 * The files of some scopes; one that serves both, as in the home directory, once.
 *
 * @category reading
 */
export const distinct = <Found extends HostFile>(
  scope: Scope | null,
  of: (scope: Scope) => Effect.Effect<ReadonlyArray<Found>, never, CliProcess>
): Effect.Effect<ReadonlyArray<Found>, never, CliProcess> =>
  Effect.map(Effect.forEach(scope === null ? Hosts.scopes : [scope], of), (lists) => {
    const all = lists.flat()
    return all.filter(({ file }, index) => all.findIndex((other) => other.file === file) === index)
  })

/**
 * Every file that a host reads here, or those of one scope.
 *
 * @category reading
 */
export const all = (host: Host, scope: Scope | null): Effect.Effect<ReadonlyArray<Place>, never, CliProcess> =>
  distinct(scope, (scope) =>
    Effect.map(requestFor(host, scope), (request): ReadonlyArray<Place> => {
      const files = InstallFile.filesOf(request).filter(([kind]) => kind === "json" || kind === "toml")
      return files.map(([kind, file]) => {
        const read = kind === "toml" ? HooksToml.installed : HooksDocument.installed
        return { scope, file, request, found: foundIn(file, request, read) }
      })
    })
  )

const entries = ({ found }: Place): ReadonlyArray<Entry> => Either.getOrElse(found, (): ReadonlyArray<Entry> => [])

/** A home directory in a repository of its own is no project. */
const holdsHome = ({ request: { where } }: HostFile): boolean => isInside(where.root, Hosts.homeOf(where.env))

/**
 * Whether a file came with the project, for all that is known.
 *
 * @category predicates
 */
export const isOfProject = (place: HostFile): boolean =>
  place.scope === "project" || (isInside(place.request.where.root, place.file) && !holdsHome(place))

export const nameOf = ({ file, request }: HostFile): string => Terminal.tilde(request.where.env, file)

/**
 * Whether hooks of ours are in the file. In a project's, a command that only names them is none.
 *
 * @category predicates
 */
export const isInstalled = (place: Place): boolean =>
  entries(place).some(({ parsed }) => parsed !== null || !isOfProject(place))

/**
 * That nothing is installed, where it was looked for, and what to do about it.
 *
 * @category rendering
 */
export const missing = ({ installation: { form }, name }: Host, scope: Scope | null): Finding.Finding => {
  const where = scope === null ? "" : ` for ${range({ scope })}`
  const option = scope === "project" ? " --project" : ""
  return Finding.needed(form, `not installed${where}: run \`reflexion install ${name}${option}\``)
}

/**
 * What to do to have it there as it should be.
 *
 * @category rendering
 */
export const again = ({ request, scope }: HostFile): string =>
  `run \`reflexion install ${request.host.name}${scope === "project" ? " --project" : ""}\``

/**
 * Whether a copy is there, whole and of this version.
 *
 * @category reading
 */
export const versionFinding = (place: HostFile, hook: string, shipped: string | null): Finding.Finding => {
  const id = basename(dirname(hook))
  if (!existsSync(hook)) return Finding.needed("version", `${id} is installed, but its files are gone: ${again(place)}`)
  if (!HookBundle.isWhole(dirname(hook))) return Finding.needed("version", `${id} is damaged: ${again(place)}`)
  if (shipped === null) return Finding.plain("version", id)
  return shipped === id
    ? Finding.good("version", `${id}, the one of this reflexion`)
    : Finding.needed("version", `${id} is installed, this reflexion brings ${shipped}: ${again(place)}`)
}

const nodeFinding = (place: Place, node: string): Finding.Finding => {
  if (Programs.isProgram(node)) return Finding.good("node", node)
  const what = existsSync(node) ? "is no program" : "is gone"
  return Finding.needed("node", `${node} ${what}, so the hook cannot run: ${again(place)}`)
}

export const range = ({ scope }: Pick<HostFile, "scope">): string =>
  scope === "global" ? "all your projects" : "this project"

const eventsFinding = (place: Place): Finding.Finding => {
  const name = nameOf(place)
  const found = entries(place)
  const events = [...new Set(found.map(({ event }) => event))]
  const own = found.filter(({ parsed }) => parsed === null).map(({ event }) => event)
  const has = (one: Hosts.HookEvent): boolean =>
    found.some(({ event, parsed }) => event === one[0] && (parsed === null || parsed.event === Hosts.wordOf(one)))
  const naming = ([event, , more]: Hosts.HookEvent): string => {
    if (!found.some((one) => one.event === event)) return event
    return more?.wakes === undefined ? `the present form of ${event}` : "the hook that goes on after the turn"
  }
  const lacking = [...new Set(place.request.host.installation.events.filter((one) => !has(one)).map(naming))]
  const by = own.length === 0 ? "" : `, ${own.join(", ")} by a command of your own`
  return lacking.length === 0
    ? Finding.good("hooks", `${name} (${range(place)}): ${events.length} events${by}`)
    : Finding.needed("hooks", `${name} (${range(place)}) lacks ${lacking.join(", ")}: ${again(place)}`)
}

/** Claude Code takes names with `|` between them, and `*` or nothing for all tools. */
const isFor = (matcher: string, tool: string): boolean =>
  matcher === "" || matcher === "*" || matcher.split(/[|,]/).some((one) => one.trim() === tool)

const matcherFinding = (place: Place): ReadonlyArray<Finding.Finding> =>
  place.request.host.installation.events.flatMap(([event, , more]) => {
    const found = entries(place).filter((one) => one.event === event && one.parsed !== null)
    const tools = more?.tools ?? []
    const left = tools.filter((tool) => !found.some(({ matcher }) => matcher === null || isFor(matcher, tool)))
    return found.length === 0 || left.length === 0
      ? []
      : [
          Finding.needed(
            "matcher",
            `${nameOf(place)} runs the hook at ${event} for ${found.map(({ matcher }) => clip(oneLine(matcher ?? ""), 100, "…")).join(", ")} and not for ${left.join(", ")}: take the entry out, then ${again(place)}`
          )
        ]
  })

/** The events at which a hook may take minutes. */
const slow: ReadonlyMap<string, string> = new Map([
  ["Stop", "a stop"],
  ["UserPromptSubmit", "a prompt, as at `/reflection checks run`,"]
])

/** What is asked beyond evidence at a stop may take minutes: a host that gives up on the hook before has nothing of it. */
const timeoutFinding = (place: Place): ReadonlyArray<Finding.Finding> => {
  const wanted = new Map(place.request.host.installation.events.map(([event, timeout]) => [event, timeout]))
  const short = entries(place).flatMap(({ event, parsed, timeout }) =>
    slow.has(event) && parsed !== null && timeout !== null && timeout < (wanted.get(event) ?? 0)
      ? [{ event, timeout }]
      : []
  )
  const [first] = short
  return first === undefined
    ? []
    : [
        Finding.needed(
          "timeout",
          `${nameOf(place)} ends the hook at ${slow.get(first.event)} after ${first.timeout} s, and the checks or models of your configuration may take minutes: ${again(place)}`
        )
      ]
}

/** A line of ours that says what does not hold any more, as after a change of the configuration. */
const lineFinding = Effect.fnUntraced(function* (place: Place) {
  const own = entries(place).filter(({ event, parsed }) => event === "Stop" && parsed !== null)
  const found = yield* Effect.forEach(own, ({ statusMessage }) =>
    statusMessage === null
      ? Effect.succeed([])
      : Effect.map(HookLine.wanted(place.request, statusMessage), (line) =>
          line === null
            ? []
            : [
                Finding.needed(
                  "line",
                  `while the hook runs ${nameOf(place)} has "${clip(oneLine(statusMessage), 200, "…")}" shown, and as it stands now that is "${line}": ${again(place)}`
                )
              ]
        )
  )
  return found.flat()
})

const quoted = (command: string): string => `\`${clip(oneLine(command), 300, "…")}\``

/** A wrapper in the user's own file is the user's business; in a project's it may be anybody's. */
const foreign = (place: Place, command: string): Finding.Finding =>
  isOfProject(place)
    ? Finding.needed(
        "run",
        `not run: ${nameOf(place)} is the project's, and this command in it names reflexion's hook but is not as reflexion writes it: ${quoted(command)}`
      )
    : Finding.plain("run", `not run: ${nameOf(place)} has a command of your own that runs the hook: ${quoted(command)}`)

/**
 * Whether the user's records say that reflexion wrote this command into the file.
 *
 * @category predicates
 */
export const isRecorded = ({ file, request }: HostFile, command: string): boolean =>
  Either.match(
    Either.try(() => InstallRecord.find(request.directories, request.host.name, FileChange.find(file, null).real)),
    {
      onLeft: () => false,
      onRight: (record) => record?.commands.includes(command) === true
    }
  )

/** Why a command of ours is not run; null where it may be. */
const refusal = (place: Place, command: string, node: string): string | null => {
  if (!isOfProject(place)) return null
  if (!isRecorded(place, command)) {
    return `not run: ${nameOf(place)} is the project's, and your records do not say that reflexion wrote this command: ${quoted(command)}; if the hooks there are yours, ${again(place)}`
  }
  return !holdsHome(place) && isInside(place.request.where.root, node)
    ? `not run: its Node lies in the project: ${node}; install with a Node of your own`
    : null
}

const isRunnable = ({ hook, node }: HookCommand.HookCommand): boolean =>
  Programs.isProgram(node) && HookBundle.isWhole(dirname(hook))

const run = (place: Place, { command, parsed }: Entry) => {
  if (parsed === null) return Effect.succeed([foreign(place, command)])
  const problem = refusal(place, command, parsed.node)
  if (problem !== null) return Effect.succeed([Finding.needed("run", problem)])
  if (!HookCommand.isFor(command, process.platform)) {
    const unread = `not run: the command in ${nameOf(place)} is for a POSIX shell, and the shells of Windows do not run it: ${again(place)}`
    return Effect.succeed([Finding.needed("run", unread)])
  }
  const { host, where } = place.request
  return isRunnable(parsed)
    ? Effect.map(HookProbe.run(host, parsed, Programs.environment(where)), (one) => [one])
    : Effect.succeed([])
}

/** A hook that goes on after the turn does only what the one at the stop leaves to it. */
const isLater = (host: Host, { parsed }: Entry): boolean =>
  host.installation.events.some((one) => one[2]?.wakes !== undefined && parsed?.event === Hosts.wordOf(one))

const maxRun = 4

/**
 * `shipped`: the version that an installation would bring, null where that is not known. `consults`: whether the
 * configuration has checks run or models asked at a stop.
 *
 * @category models
 */
export interface Expected {
  readonly shipped: string | null
  readonly consults: boolean
}

/**
 * Looks at the commands of a file, and runs that for a stop.
 *
 * @category programs
 */
export const examine = Effect.fnUntraced(function* (place: Place, { consults, shipped }: Expected) {
  if (Either.isLeft(place.found)) return [Finding.blind("hooks", place.found.left)]
  const found = place.found.right
  const first = found.find(({ parsed }) => parsed !== null)?.parsed ?? null
  const stops = found.filter(
    (one, index) =>
      (one.event === "Stop" || (one.parsed === null && isOfProject(place))) &&
      !isLater(place.request.host, one) &&
      found.findIndex((other) => other.command === one.command) === index
  )
  const ran = yield* Effect.forEach(stops.slice(0, maxRun), (one) => run(place, one))
  return [
    ...(isInstalled(place) ? [eventsFinding(place), ...matcherFinding(place)] : []),
    ...(consults ? timeoutFinding(place) : []),
    ...(yield* lineFinding(place)),
    ...(first === null ? [] : [versionFinding(place, first.hook, shipped), nodeFinding(place, first.node)]),
    ...ran.flat()
  ]
})

/**
 * Some hosts run a command that stands in several files once, others every one.
 *
 * @category accessors
 */
export const doubled = (host: Host, places: ReadonlyArray<Place>): ReadonlyArray<Finding.Finding> => {
  const stops = places.filter(isInstalled).flatMap((place) =>
    entries(place)
      .filter((one) => one.event === "Stop" && !isLater(host, one))
      .map(({ command }) => ({ command, file: nameOf(place) }))
  )
  const [first] = stops
  const isDouble =
    stops.length > 1 && (host.installation.runsEach || stops.some(({ command }) => command !== first?.command))
  const files = [...new Set(stops.map(({ file }) => file))]
  return isDouble
    ? [Finding.needed("twice", `installed in ${files.join(" and ")}, and run once for each: take one out`)]
    : []
}
