/**
 * What the doctor sees of a host that loads reflexion as a plugin. It loads a copy that reflexion made, and of those that
 * a project names none but what the user's own records say was installed.
 */
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dirname } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import * as DoctorBinary from "./binary.ts"
import type { Examined } from "./host.ts"
import * as DoctorLog from "./log.ts"
import * as DoctorOwn from "./own.ts"
import * as DoctorPlace from "./place.ts"
import { again, type HostFile, isRecorded, nameOf, range, versionFinding } from "./place.ts"
import * as FileChange from "../install/FileChange.ts"
import { explain } from "../process/FileProblem.ts"
import * as Finding from "./finding.ts"
import * as HookBundle from "../install/HookBundle.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import { requestFor } from "../install/Install.ts"
import * as InstallFile from "../install/InstallFile.ts"
import * as PluginList from "../install/PluginList.ts"
import * as PluginProbe from "./pluginProbe.ts"
import * as PluginSpec from "../install/PluginSpec.ts"
import { version } from "../Version.ts"

/** `file` is null for the package, which the host keeps where it will. */
interface Entry extends PluginList.Plugin {
  readonly file: string | null
}

interface Place extends HostFile {
  readonly found: Either.Either<ReadonlyArray<Entry>, string>
}

const entriesIn = (text: string, folder: string, host: Host) =>
  Either.map(PluginList.plugins(text), (plugins) =>
    plugins.flatMap((one): ReadonlyArray<Entry> => {
      const file = PluginSpec.parse(one.spec, folder)
      return file !== null || PluginSpec.isPackage(one.spec, host) ? [{ ...one, file }] : []
    })
  )

const foundIn = (file: string, { directories, host }: InstallFile.Request): Place["found"] =>
  Either.try({
    try: () => FileChange.find(file, null).text ?? "",
    catch: (cause) => explain(cause, file).problem
  }).pipe(
    Either.flatMap((text) =>
      Either.mapLeft(
        entriesIn(text, HookBundle.hostFolder(directories, host), host),
        ({ column, line, problem }) => `${file}:${line}:${column}: ${problem}: mend the file`
      )
    )
  )

const places = (host: Host, scope: Scope | null): Effect.Effect<ReadonlyArray<Place>, never, CliProcess> =>
  DoctorPlace.distinct(scope, (scope) =>
    Effect.map(requestFor(host, scope), (request) =>
      InstallFile.filesOf(request).map(([, file]): Place => ({ scope, file, request, found: foundIn(file, request) }))
    )
  )

const entries = ({ found }: Place): ReadonlyArray<Entry> => Either.getOrElse(found, (): ReadonlyArray<Entry> => [])

const byName = (place: Place, { spec }: Entry): ReadonlyArray<Finding.Finding> => [
  Finding.good("plugin", `${nameOf(place)} (${range(place)}), by the name ${spec}`),
  Finding.plain("run", `not run: ${place.request.host.title} fetches the package itself, and once it has it keeps it`)
]

const run = Effect.fnUntraced(function* (place: Place, { options, spec }: Entry, file: string) {
  const isOfProject = DoctorPlace.isOfProject(place)
  if (isOfProject && !isRecorded(place, spec)) {
    const text = `not run: ${nameOf(place)} is the project's, and your records do not say that reflexion wrote this there: ${spec}; if it is yours, ${again(place)}`
    return [Finding.needed("run", text)]
  }
  if (!HookBundle.isWhole(dirname(file))) return []
  const { program } = yield* CliProcess
  const env = Programs.environment(place.request.where)
  // What a project sets may name commands to run.
  return [yield* PluginProbe.run({ file, options: isOfProject ? {} : options, node: program.node, env })]
})

const entry = Effect.fnUntraced(function* (place: Place, one: Entry, shipped: string | null) {
  if (one.file === null) return byName(place, one)
  return [
    Finding.good("plugin", `${nameOf(place)} (${range(place)})`),
    versionFinding(place, one.file, shipped),
    ...(yield* run(place, one, one.file))
  ]
})

const maxEntries = 4

const examinePlace = (place: Place, shipped: string | null) =>
  Either.isLeft(place.found)
    ? Effect.succeed([Finding.blind("plugin", place.found.left)])
    : Effect.map(
        Effect.forEach(place.found.right.slice(0, maxEntries), (one) => entry(place, one, shipped)),
        (lists) => lists.flat()
      )

/** OpenCode loads a file once, however often it is named, and so a package; but each of them, and the first has the directory. */
const doubled = (all: ReadonlyArray<Place>): ReadonlyArray<Finding.Finding> => {
  const loaded = new Set(all.flatMap(entries).map(({ file }) => file))
  const files = all.filter((place) => entries(place).length > 0).map(nameOf)
  return loaded.size > 1
    ? [
        Finding.needed(
          "twice",
          `in ${files.join(" and ")} there are different ones: ${PluginSpec.ofTwo}, so take one out`
        )
      ]
    : []
}

/**
 * Looks at one scope, or at all; that there are two of them is said in either case.
 *
 * @category programs
 */
export const examine = Effect.fn("DoctorPlugin.examine")(function* (host: Host, scope: Scope | null) {
  const { program } = yield* CliProcess
  const own = yield* version
  const all = yield* places(host, scope)
  const request = yield* requestFor(host, "global")
  const shipped = Either.getOrNull(Either.try(() => HookBundle.shipped(program.hooks, host, own).id))
  const { finding } = yield* DoctorBinary.look(host, request.where)
  const each = yield* Effect.forEach(all, (place) => examinePlace(place, shipped))
  const installed = all.some((place) => entries(place).length > 0)
  const isUnseen = all.some(({ found }) => Either.isLeft(found))
  const findings = [
    installed || finding.level !== "unsure" ? finding : { ...finding, level: "plain" as const },
    ...(installed || isUnseen ? [] : [DoctorPlace.missing(host, scope)]),
    ...Finding.distinct(each.flat()),
    ...(installed ? doubled(yield* places(host, null)) : []),
    ...(installed ? [...(yield* DoctorOwn.look(host)), ...DoctorLog.look(request)] : [])
  ]
  return { installed: installed || isUnseen, section: { title: host.title, findings } } satisfies Examined
})
