/** What the doctor sees of one host. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { CliProcess } from "../process/CliProcess.ts"
import * as DoctorBinary from "./binary.ts"
import * as DoctorLog from "./log.ts"
import * as DoctorOwn from "./own.ts"
import * as DoctorPlace from "./place.ts"
import * as Finding from "./finding.ts"
import * as HookBundle from "../install/HookBundle.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import { requestFor } from "../install/Install.ts"
import * as InstallFile from "../install/InstallFile.ts"
import * as OwnStanding from "../models/OwnStanding.ts"
import * as Settings from "../process/Settings.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"

export interface Examined {
  readonly section: Finding.Section
  readonly installed: boolean
}

const isOn = (findings: ReadonlyArray<Finding.Finding>): boolean => findings.some(({ level }) => level === "good")

const hasCommand = ({ request }: DoctorPlace.Place): boolean =>
  InstallFile.filesOf(request).some(([kind, file]) => kind === "command" && existsSync(file))

/** What the host alone has to say; `path` is its program. */
const lookedAt = Effect.fnUntraced(function* (
  { host, isOurs, where, wrapped }: InstallFile.Request,
  places: ReadonlyArray<DoctorPlace.Place>,
  path: string | null
) {
  return yield* host.installation.look({
    where,
    binary: path,
    version: yield* version,
    has: { hooks: places.some(DoctorPlace.isInstalled), command: places.some(hasCommand) },
    isOurs: (command) => isOurs(command) || wrapped(command) !== null,
    shown: (file) => Terminal.tilde(where.env, file),
    run: (given) => Spawn.run({ ...given, program: path ?? "", cwd: where.cwd, env: Programs.environment(where) })
  })
})

/** A configuration that cannot be read is told of elsewhere, and under it nothing is asked. */
const consulting = Effect.fnUntraced(
  function* ({ name }: Host) {
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
export const examine = Effect.fn("DoctorHost.examine")(function* (host: Host, scope: Scope | null) {
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
  const look = yield* lookedAt(request, every, path)
  const installed = hasHooks || isOn(look.itself)
  const isUnseen = places.some((one) => Either.isLeft(one.found))
  const findings = [
    installed ? finding : { ...finding, level: finding.level === "unsure" ? ("plain" as const) : finding.level },
    ...(installed || isUnseen ? [] : [DoctorPlace.missing(host, scope)]),
    ...look.itself,
    ...Finding.distinct(each.flat()),
    ...(installed ? DoctorPlace.doubled(host, every) : []),
    ...(installed ? [...look.more, ...(yield* DoctorOwn.look(host)), ...DoctorLog.look(request)] : [])
  ]
  return { installed: installed || isUnseen, section: { title: host.title, findings } } satisfies Examined
})
