/** What the doctor sees of one host. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import * as ClaudeSettings from "./claudeSettings.ts"
import * as CodexApproval from "./codexApproval.ts"
import * as DoctorBinary from "./binary.ts"
import * as DoctorLog from "./log.ts"
import * as DoctorOwn from "./own.ts"
import * as DoctorPlace from "./place.ts"
import * as Finding from "./finding.ts"
import * as HookBundle from "../install/HookBundle.ts"
import type { HookHost, Scope } from "../host/HookHosts.ts"
import { requestFor } from "../install/Install.ts"
import * as InstallFile from "../install/InstallFile.ts"
import * as OwnStanding from "../models/OwnStanding.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"

export interface Examined {
  readonly section: Finding.Section
  readonly installed: boolean
}

/** What is looked at of one host alone; `path` is its program, null where there is none. */
type Look = (
  request: InstallFile.Request,
  places: ReadonlyArray<DoctorPlace.Place>,
  path: string | null
) => Effect.Effect<ReadonlyArray<Finding.Finding>>

/** What Claude Code installed itself, as `install` has nothing to do with. */
const pluginOf = (request: InstallFile.Request, own: string, hasHooks: boolean): ReadonlyArray<Finding.Finding> => {
  if (request.host.name !== "claude-code") return []
  const found = ClaudeSettings.plugin(settingsFiles(request))
  if (found === null) return []
  const file = Terminal.tilde(request.where.env, found.file)
  if (!found.value) return [Finding.plain("plugin", `${file} turns it off`)]
  const version = ClaudeSettings.pluginVersion(dirname(fileOf(request)))
  const beside = hasHooks ? ", beside the hooks: each stop is decided once" : ""
  const text = `reflexion ${version ?? "of an unknown version"}, by Claude Code's own \`claude plugin\`, turned on in ${file}${beside}`
  return version === null || version === own
    ? [Finding.good("plugin", text)]
    : [
        Finding.good("plugin", text),
        Finding.needed(
          "version",
          `reflexion ${version} is the plugin, this reflexion is ${own}: \`claude plugin update reflexion@reflexion\``
        )
      ]
}

const isOn = (findings: ReadonlyArray<Finding.Finding>): boolean => findings.some(({ level }) => level === "good")

const fileOf = ({ host, where }: InstallFile.Request): string => host.places("global", where)[0]?.[1] ?? ""

const settingsFiles = ({ host, where }: InstallFile.Request): ReadonlyArray<string> =>
  ClaudeSettings.files(where, host.places("global", where), host.places("project", where))

const claudeCode = (
  request: InstallFile.Request,
  places: ReadonlyArray<DoctorPlace.Place>
): ReadonlyArray<Finding.Finding> => {
  const { where } = request
  const files = settingsFiles(request)
  const ignored = files.filter(ClaudeSettings.isIgnored).map((file) => Terminal.tilde(where.env, file))
  const off = ClaudeSettings.hooksOff(files)
  const has = places.some(({ request }) =>
    InstallFile.filesOf(request).some(([kind, file]) => kind === "command" && existsSync(file))
  )
  return [
    ...ignored.map((file) =>
      Finding.needed(
        "settings",
        `${file} is no plain JSON (comments, trailing commas): Claude Code ignores the whole file`
      )
    ),
    ...(off?.value === true
      ? [Finding.needed("turned off", `${Terminal.tilde(where.env, off.file)} says "disableAllHooks": true`)]
      : []),
    ...(has || ClaudeSettings.plugin(files)?.value === true
      ? []
      : [Finding.needed("/reflection", "Claude Code does not know the command: run `reflexion install claude-code`")])
  ]
}

const unasked =
  "unknown: there is no codex to ask. Codex runs no hook before you approve it: start codex and trust those of reflexion"

const approval: Look = ({ isOurs, where, wrapped }, _places, path) =>
  path === null
    ? Effect.succeed([Finding.blind("approval", unasked)])
    : CodexApproval.look({
        binary: path,
        cwd: where.cwd,
        env: Programs.environment(where),
        isOurs: (command) => isOurs(command) || wrapped(command) !== null
      })

const special: Readonly<Record<HookHost["name"], Look>> = {
  "claude-code": (request, places) => Effect.succeed(claudeCode(request, places)),
  codex: approval,
  opencode: () => Effect.succeed([])
}

/** A configuration that cannot be read is told of elsewhere, and under it nothing is asked. */
const consulting = Effect.fnUntraced(
  function* ({ name }: HookHost) {
    const { cwd } = yield* CliProcess
    const config = yield* Settings.workspace(yield* Settings.user, cwd)
    return BeyondEvidence.isConfigured(config) || OwnStanding.isAsked(yield* OwnStanding.at(name, cwd))
  },
  Effect.orElseSucceed(() => false)
)

/**
 * Looks at one scope, or at all; what the host makes of all of them together is said in either case.
 *
 * @category programs
 */
export const examine = Effect.fn("DoctorHost.examine")(function* (host: HookHost, scope: Scope | null) {
  const { program } = yield* CliProcess
  const own = yield* version
  const places = yield* DoctorPlace.all(host, scope)
  const every = yield* DoctorPlace.all(host, null)
  const request = yield* requestFor(host, "global")
  const shipped = Either.getOrNull(Either.try(() => HookBundle.shipped(program.hooks, host, own).id))
  const { finding, path } = yield* DoctorBinary.look(host, request.where)
  const consults = yield* consulting(host)
  const each = yield* Effect.forEach(places, (one) => DoctorPlace.examine(one, { shipped, consults }))
  const hasHooks = places.some(DoctorPlace.isInstalled)
  const plugin = pluginOf(request, own, hasHooks)
  const installed = hasHooks || isOn(plugin)
  const isUnseen = places.some((one) => Either.isLeft(one.found))
  const findings = [
    installed ? finding : { ...finding, level: finding.level === "unsure" ? ("plain" as const) : finding.level },
    ...(installed || isUnseen ? [] : [DoctorPlace.missing(host, scope)]),
    ...plugin,
    ...Finding.distinct(each.flat()),
    ...(installed ? DoctorPlace.doubled(host, every) : []),
    ...(installed
      ? [
          ...(yield* special[host.name](request, every, path)),
          ...(yield* DoctorOwn.look(host)),
          ...DoctorLog.look(request)
        ]
      : [])
  ]
  return { installed: installed || isUnseen, section: { title: host.title, findings } } satisfies Examined
})
