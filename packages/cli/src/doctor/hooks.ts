/** Checks the hooks in a host's files. It runs only reflexion's own hooks. */
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import type { Host, HookEvent, Scope } from "../host/Hosts.ts"
import * as Hosts from "../host/Hosts.ts"
import * as HookBundle from "../install/HookBundle.ts"
import * as HookCommand from "../install/HookCommand.ts"
import * as HooksFile from "../install/HooksFile.ts"
import * as Plan from "../install/Plan.ts"
import type { CliProcess } from "../process/CliProcess.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"
import * as Finding from "./finding.ts"
import * as Places from "./place.ts"
import * as Probe from "./probe.ts"

/** An entry in a host's file. */
interface Entry extends HooksFile.InstalledEntry {
  /** Our command. Null if it is another command that names our hook. */
  readonly parsed: HookCommand.HookCommand | null
}

type Place = Places.Place<Entry>

const read =
  ({ directories, isOurs, wraps }: Plan.Request) =>
  (text: string) =>
    Either.map(
      HooksFile.installed(text, (command) => isOurs(command) || wraps(command)),
      (found) =>
        found.map((one) => ({ ...one, parsed: HookCommand.parse(one.command, HookBundle.rootFolder(directories)) }))
    )

/** In a project's file, a command that only names our hook does not count as installed. */
const isInstalled = (place: Place): boolean =>
  Places.entries(place).some(({ parsed }) => parsed !== null || !Places.isOfProject(place))

const nodeFinding = (place: Place, node: string): Finding.Finding => {
  if (Programs.isProgram(node)) return Finding.good("node", node)
  const what = existsSync(node) ? "is not a program" : "is gone"
  return Finding.needed("node", `${node} ${what}, so the hook cannot run: ${Places.again(place)}`)
}

const eventsFinding = (place: Place): Finding.Finding => {
  const found = Places.entries(place)
  const own = found.filter(({ parsed }) => parsed === null).map(({ event }) => event)
  const has = (one: HookEvent): boolean =>
    found.some(({ event, parsed }) => event === one[0] && (parsed === null || parsed.event === Hosts.wordOf(one)))
  const { events, loopWatch } = place.request.host.installation
  const isThere = (one: HookEvent): boolean => has(one) || loopWatch.some((other) => other[0] === one[0] && has(other))
  const lacking = events.filter((one) => !isThere(one)).map(([event]) => event)
  const by = own.length === 0 ? "" : `, ${own.join(", ")} by your own command`
  return lacking.length === 0
    ? Finding.good("hooks", `${Places.named(place)}: ${new Set(found.map(({ event }) => event)).size} events${by}`)
    : Finding.needed(
        "hooks",
        `${Places.named(place)} lacks a hook at ${[...new Set(lacking)].join(", ")}: ${Places.again(place)}`
      )
}

/** The user may have a wrapper in their own file. A wrapper in a project's file could come from anybody. */
const foreign = (place: Place, command: string): Finding.Finding =>
  Places.isOfProject(place)
    ? Finding.needed(
        "run",
        `not run: ${Places.nameOf(place)} is the project's, and this command in it names reflexion's hook, but reflexion did not write it: ${Places.quoted(command)}`
      )
    : Finding.plain(
        "run",
        `not run: ${Places.nameOf(place)} has your own command that runs the hook: ${Places.quoted(command)}`
      )

const notRun = (why: string) => Effect.succeed([Finding.needed("run", `not run: ${why}`)])

const run = (place: Place, { command, parsed }: Entry): Effect.Effect<ReadonlyArray<Finding.Finding>> => {
  if (parsed === null) return Effect.succeed([foreign(place, command)])
  const refused = Places.refusal(place, command)
  if (refused !== null) return Effect.succeed([refused])
  if (Places.isOfProject(place) && Places.isProjectsOwn(place, parsed.node))
    return notRun(`its Node is in the project: ${parsed.node}; install with a Node outside the project`)
  if (!HookCommand.isFor(command, process.platform))
    return notRun(
      `the command in ${Places.nameOf(place)} is for a POSIX shell, and Windows shells cannot run it: ${Places.again(place)}`
    )
  const { host, where } = place.request
  return Programs.isProgram(parsed.node) && HookBundle.isWhole(dirname(parsed.hook))
    ? Effect.map(Probe.hook(host, parsed, Programs.environment(where)), (one) => [one])
    : Effect.succeed([])
}

/** True for a hook that continues after the turn. It only does what the hook at the stop leaves for it. */
const isLater = (host: Host, { parsed }: Entry): boolean =>
  host.installation.events.some((one) => one[2]?.wakes !== undefined && parsed?.event === Hosts.wordOf(one))

const maxRun = 4

/** Checks the commands of a file and runs the ones for a stop. */
const examineFile = Effect.fnUntraced(function* (place: Place, { runs, shipped }: ShippedFacts) {
  if (Either.isLeft(place.found)) return [Finding.blind("hooks", place.found.left)]
  const found = place.found.right
  const first = found.find(({ parsed }) => parsed !== null)?.parsed ?? null
  const stops = found.filter(
    (one, index) =>
      (one.event === "Stop" || (one.parsed === null && Places.isOfProject(place))) &&
      !isLater(place.request.host, one) &&
      found.findIndex((other) => other.command === one.command) === index
  )
  const ran = yield* Effect.forEach(runs ? stops.slice(0, maxRun) : [], (one) => run(place, one))
  return [
    ...(isInstalled(place) ? [eventsFinding(place)] : []),
    ...(first === null ? [] : [Places.versionFinding(place, first.hook, shipped), nodeFinding(place, first.node)]),
    ...ran.flat()
  ]
})

/** Reports a double installation. Some hosts run a command from several files once, others run each. */
const doubled = (host: Host, places: ReadonlyArray<Place>): ReadonlyArray<Finding.Finding> => {
  const stops = places.filter(isInstalled).flatMap((place) =>
    Places.entries(place)
      .filter((one) => one.event === "Stop" && !isLater(host, one))
      .map(({ command }) => ({ command, file: Places.nameOf(place) }))
  )
  const isDouble =
    stops.length > 1 && (host.installation.runsEach || stops.some(({ command }) => command !== stops[0]?.command))
  const files = [...new Set(stops.map(({ file }) => file))]
  return isDouble
    ? [Finding.needed("twice", `installed in ${files.join(" and ")}, so it runs twice: remove one of them`)]
    : []
}

/** Returns the findings that only the host itself can make. `binary` is the host's program, or null. */
const lookedAt = Effect.fnUntraced(function* (
  { host, isOurs, where, wraps }: Plan.Request,
  places: ReadonlyArray<Place>,
  binary: string | null
) {
  const hasCommand = places.some(({ request }) =>
    Plan.filesOf(request).some(([kind, file]) => kind === "command" && existsSync(file))
  )
  return yield* host.installation.look({
    where,
    binary,
    version: yield* version,
    has: { hooks: places.some(isInstalled), command: hasCommand },
    isOurs: (command) => isOurs(command) || wraps(command),
    shown: (file) => Terminal.tilde(where.env, file),
    run: (given) => Spawn.run({ ...given, program: binary ?? "", cwd: where.cwd, env: Programs.environment(where) })
  })
})

/** How a host is checked, and the version that this reflexion brings. Null if this build has none. */
export interface ShippedFacts extends Places.Facts {
  readonly shipped: string | null
}

/** The result for one host. */
export interface InstalledHooks {
  readonly findings: ReadonlyArray<Finding.Finding>
  readonly installed: boolean
  /** True if a file could not be read, so it is unknown whether something is installed. */
  readonly unseen: boolean
}

/** Checks one scope, or all. The findings about double installations always cover all scopes. */
export const examine = Effect.fn("DoctorHooks.examine")(function* (
  host: Host,
  scope: Scope | null,
  facts: ShippedFacts
): Effect.fn.Return<InstalledHooks, never, CliProcess> {
  const places = yield* Places.all(host, scope, read)
  const every = yield* Places.all(host, null, read)
  const each = yield* Effect.forEach(places, (one) => examineFile(one, facts))
  const { itself, more } = yield* lookedAt(yield* Plan.requestFor(host, "global"), every, facts.binary)
  const installed = places.some(isInstalled) || itself.some(({ level }) => level === "good")
  return {
    installed,
    unseen: places.some((one) => Either.isLeft(one.found)),
    findings: [...itself, ...Finding.distinct(each.flat()), ...(installed ? [...doubled(host, every), ...more] : [])]
  }
})
