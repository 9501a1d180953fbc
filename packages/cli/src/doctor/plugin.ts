/** Checks a host that loads reflexion as a plugin. The check itself loads only copies that reflexion made. */
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dirname } from "node:path"
import * as HookBundle from "../install/HookBundle.ts"
import * as Plan from "../install/Plan.ts"
import * as PluginFile from "../install/PluginFile.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Finding from "./finding.ts"
import * as Places from "./place.ts"
import * as Probe from "./probe.ts"

interface Entry extends PluginFile.Plugin {
  /** The plugin's file. Null for the package, which the host stores itself. */
  readonly file: string | null
}

type Place = Places.Place<Entry>

const run = Effect.fnUntraced(function* (place: Place, { options, spec }: Entry, file: string) {
  const refused = Places.refusal(place, spec)
  if (refused !== null) return [refused]
  if (!HookBundle.isWhole(dirname(file))) return []
  const { program } = yield* CliProcess
  const env = Programs.environment(place.request.where)
  // A project's options could name commands to run, so they are not used.
  return [yield* Probe.plugin({ file, options: Places.isOfProject(place) ? {} : options, node: program.node, env })]
})

const checkEntry = Effect.fnUntraced(function* (place: Place, one: Entry, facts: Places.Facts) {
  const name = Places.named(place)
  if (one.file === null)
    return [
      Finding.good("plugin", `${name}, as the package ${one.spec}`),
      Finding.plain("run", `not run: ${place.request.host.title} downloads the package itself and keeps it`)
    ]
  const version = Places.versionFinding(place, one.file, facts)
  return [Finding.good("plugin", name), version, ...(facts.runs ? yield* run(place, one, one.file) : [])]
})

const maxEntries = 4

export const form: Places.Form<Entry> = {
  read:
    ({ directories, host }) =>
    (text) =>
      Either.map(PluginFile.plugins(text), (all) =>
        all.flatMap((one): ReadonlyArray<Entry> => {
          const file = PluginFile.parse(one.spec, HookBundle.hostFolder(directories, host))
          return file !== null || PluginFile.isPackage(one.spec, host) ? [{ ...one, file }] : []
        })
      ),
  check: (place, found, facts) =>
    Effect.map(
      Effect.forEach(found.slice(0, maxEntries), (one) => checkEntry(place, one, facts)),
      (lists) => lists.flat()
    ),
  // OpenCode loads a file or package once, even if it is listed twice. Of two different copies, only the first works.
  doubled: (_, all) => {
    const loaded = new Set(all.flatMap(Places.entries).map(({ file }) => file))
    const files = all.filter(Places.isInstalled).map(Places.nameOf)
    const text = `${files.join(" and ")} load different copies: ${Plan.ofTwo}, so remove one`
    return loaded.size > 1 ? [Finding.needed("twice", text)] : []
  }
}
