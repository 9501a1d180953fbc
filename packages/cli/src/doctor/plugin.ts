/** Checks a host that loads reflexion as a plugin. It loads only a copy that reflexion made. */
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dirname } from "node:path"
import type { Host, Scope } from "../host/Hosts.ts"
import * as HookBundle from "../install/HookBundle.ts"
import * as Plan from "../install/Plan.ts"
import * as PluginFile from "../install/PluginFile.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Finding from "./finding.ts"
import type { InstalledHooks, ShippedFacts } from "./hooks.ts"
import * as Places from "./place.ts"
import * as Probe from "./probe.ts"

/** An entry in a host's file. */
interface Entry extends PluginFile.Plugin {
  /** The plugin's file. Null for the package, which the host stores itself. */
  readonly file: string | null
}

type Place = Places.Place<Entry>

const read =
  ({ directories, host }: Plan.Request) =>
  (text: string) =>
    Either.map(PluginFile.plugins(text), (all) =>
      all.flatMap((one): ReadonlyArray<Entry> => {
        const file = PluginFile.parse(one.spec, HookBundle.hostFolder(directories, host))
        return file !== null || PluginFile.isPackage(one.spec, host) ? [{ ...one, file }] : []
      })
    )

const run = Effect.fnUntraced(function* (place: Place, { options, spec }: Entry, file: string) {
  const refused = Places.refusal(place, spec)
  if (refused !== null) return [refused]
  if (!HookBundle.isWhole(dirname(file))) return []
  const { program } = yield* CliProcess
  const env = Programs.environment(place.request.where)
  // A project's options could name commands to run, so they are not used.
  return [yield* Probe.plugin({ file, options: Places.isOfProject(place) ? {} : options, node: program.node, env })]
})

const examineEntry = Effect.fnUntraced(function* (
  place: Place,
  one: Entry,
  { runs, shipped }: Omit<ShippedFacts, "binary">
) {
  if (one.file === null)
    return [
      Finding.good("plugin", `${Places.named(place)}, by the name ${one.spec}`),
      Finding.plain("run", `not run: ${place.request.host.title} downloads the package itself and keeps it`)
    ]
  return [
    Finding.good("plugin", Places.named(place)),
    Places.versionFinding(place, one.file, shipped),
    ...(runs ? yield* run(place, one, one.file) : [])
  ]
})

const maxEntries = 4

/**
 * Reports two different plugins. OpenCode loads a file or package once, even if it is named often. Of two different
 * ones, the first gets the directory.
 */
const doubled = (all: ReadonlyArray<Place>): ReadonlyArray<Finding.Finding> => {
  const loaded = new Set(all.flatMap(Places.entries).map(({ file }) => file))
  const files = all.filter((place) => Places.entries(place).length > 0).map(Places.nameOf)
  const text = `${files.join(" and ")} load different copies: ${Plan.ofTwo}, so remove one`
  return loaded.size > 1 ? [Finding.needed("twice", text)] : []
}

/** Checks one scope, or all. The finding about two plugins always covers all scopes. */
export const examine = Effect.fn("DoctorPlugin.examine")(function* (
  host: Host,
  scope: Scope | null,
  { runs, shipped }: ShippedFacts
): Effect.fn.Return<InstalledHooks, never, CliProcess> {
  const all = yield* Places.all(host, scope, read)
  const each = yield* Effect.forEach(all, (place) =>
    Either.isLeft(place.found)
      ? Effect.succeed([Finding.blind("plugin", place.found.left)])
      : Effect.map(
          Effect.forEach(place.found.right.slice(0, maxEntries), (one) => examineEntry(place, one, { runs, shipped })),
          (lists) => lists.flat()
        )
  )
  const installed = all.some((place) => Places.entries(place).length > 0)
  return {
    installed,
    unseen: all.some(({ found }) => Either.isLeft(found)),
    findings: [...Finding.distinct(each.flat()), ...(installed ? doubled(yield* Places.all(host, null, read)) : [])]
  }
})
