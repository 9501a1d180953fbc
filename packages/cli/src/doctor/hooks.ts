/** Checks the hooks in a host's files. It runs only reflexion's own hooks. */
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import type { Host, HookEvent } from "../host/Hosts.ts"
import * as Hosts from "../host/Hosts.ts"
import * as HookBundle from "../install/HookBundle.ts"
import * as HookCommand from "../install/HookCommand.ts"
import * as HooksFile from "../install/HooksFile.ts"
import * as Plan from "../install/Plan.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"
import * as Finding from "./finding.ts"
import * as Places from "./place.ts"
import * as Probe from "./probe.ts"

interface Entry extends HooksFile.InstalledEntry {
  readonly parsed: HookCommand.HookCommand
}

type Place = Places.Place<Entry>

const nodeFinding = (place: Place, node: string): Finding.Finding => {
  if (Programs.isProgram(node)) return Finding.good("node", node)
  const what = existsSync(node) ? "is not a program" : "is gone"
  return Finding.needed("node", `${node} ${what}, so the hook cannot run: ${Places.again(place)}`)
}

const eventsFinding = (place: Place, found: ReadonlyArray<Entry>): Finding.Finding => {
  const has = (one: HookEvent): boolean =>
    found.some(({ event, parsed }) => event === one[0] && parsed.event === Hosts.wordOf(one))
  const { events, loopWatch } = place.request.host.installation
  const isThere = (one: HookEvent): boolean => has(one) || loopWatch.some((other) => other[0] === one[0] && has(other))
  const lacking = new Set(events.filter((one) => !isThere(one)).map(([event]) => event))
  const name = Places.named(place)
  return lacking.size === 0
    ? Finding.good("hooks", `${name}: ${new Set(found.map(({ event }) => event)).size} events`)
    : Finding.needed("hooks", `${name} has no hook for ${[...lacking].join(", ")}: ${Places.again(place)}`)
}

/** Null if the doctor may run the command. */
const refusal = (place: Place, command: string, node: string): Finding.Finding | null => {
  const refused = Places.refusal(place, command)
  if (refused !== null) return refused
  const inProject = `not run: its Node is in the project: ${node}; install with a Node outside the project`
  if (Places.isOfProject(place) && Places.isProjectsOwn(place, node)) return Finding.needed("run", inProject)
  const posix = `not run: the command in ${Places.nameOf(place)} is for a POSIX shell, and Windows shells cannot run it: ${Places.again(place)}`
  return HookCommand.isFor(command, process.platform) ? null : Finding.needed("run", posix)
}

const run = (place: Place, { command, parsed }: Entry): Effect.Effect<Finding.Findings> => {
  const refused = refusal(place, command, parsed.node)
  if (refused !== null) return Effect.succeed([refused])
  const { host, where } = place.request
  return Programs.isProgram(parsed.node) && HookBundle.isWhole(dirname(parsed.hook))
    ? Effect.map(Probe.hook(host, parsed, Programs.environment(where)), (one) => [one])
    : Effect.succeed([])
}

/** The hook that runs after the turn only finishes work that the hook at the stop did not do. */
const isLater = (host: Host, { parsed }: Entry): boolean =>
  host.installation.events.some((one) => one[2]?.wakes !== undefined && parsed.event === Hosts.wordOf(one))

const maxRun = 4

/** The first event in a host's list is the stop. */
const isStop = ({ installation: { events } }: Host, { event }: Entry): boolean => event === events[0]?.[0]

const check = Effect.fnUntraced(function* (place: Place, found: ReadonlyArray<Entry>, facts: Places.Facts) {
  const [first] = found
  if (first === undefined) return []
  const { hook, node } = first.parsed
  const { host } = place.request
  const stops = found.filter(
    (one, index) =>
      isStop(host, one) && !isLater(host, one) && found.findIndex((other) => other.command === one.command) === index
  )
  const ran = yield* Effect.forEach(facts.runs ? stops.slice(0, maxRun) : [], (one) => run(place, one))
  return [
    eventsFinding(place, found),
    Places.versionFinding(place, hook, facts),
    nodeFinding(place, node),
    ...ran.flat()
  ]
})

/** If several files have the same command, some hosts run it once, and others run it for each file. */
const doubled = (host: Host, places: ReadonlyArray<Place>): Finding.Findings => {
  const stops = places.flatMap((place) =>
    Places.entries(place)
      .filter((one) => isStop(host, one) && !isLater(host, one))
      .map(({ command }) => ({ command, file: Places.nameOf(place) }))
  )
  const isDouble =
    stops.length > 1 && (host.installation.runsEach || stops.some(({ command }) => command !== stops[0]?.command))
  const files = [...new Set(stops.map(({ file }) => file))]
  const text = `installed in ${files.join(" and ")}, so it runs twice: remove one of them`
  return isDouble ? [Finding.needed("twice", text)] : []
}

export const ofHost = Effect.fnUntraced(function* (request: Plan.Request, hasHooks: boolean, binary: string | null) {
  const { host, isOurs, where } = request
  const files = [request, Plan.otherScope(request)].flatMap(Plan.filesOf)
  return yield* host.installation.look({
    where,
    binary,
    version: yield* version,
    has: { hooks: hasHooks, command: files.some(([kind, file]) => kind === "command" && existsSync(file)) },
    isOurs,
    shown: (file) => Terminal.tilde(where.env, file),
    run: (given) => Spawn.run({ ...given, program: binary ?? "", cwd: where.cwd, env: Programs.environment(where) })
  })
})

export const form: Places.Form<Entry> = {
  read:
    ({ directories, isOurs }) =>
    (text) =>
      Either.map(HooksFile.installed(text, isOurs), (found) =>
        found.flatMap((one) => {
          const parsed = HookCommand.parse(one.command, HookBundle.rootFolder(directories))
          return parsed === null ? [] : [{ ...one, parsed }]
        })
      ),
  check,
  doubled
}
