/** What the doctor sees of one host. */
import * as BeyondEvidence from "@reflexion/core/internal/ask/tiers/BeyondEvidence"
import * as Programs from "@reflexion/node/Programs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import * as CodexApproval from "./codexApproval.ts"
import * as DoctorBinary from "./binary.ts"
import * as DoctorLog from "./log.ts"
import * as DoctorOwn from "./own.ts"
import * as DoctorPlace from "./place.ts"
import * as FileChange from "../install/FileChange.ts"
import * as Finding from "./finding.ts"
import * as HookBundle from "../install/HookBundle.ts"
import type { HookHost, Scope } from "../host/HookHosts.ts"
import { requestFor } from "../install/Install.ts"
import * as InstallFile from "../install/InstallFile.ts"
import * as JsonEdit from "../install/JsonEdit.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { version } from "../Version.ts"

export interface Examined {
  readonly section: Finding.Section
  readonly installed: boolean
}

const textOf = Option.liftThrowable((file: string) => FileChange.find(file, null).text ?? "")

const disables = (file: string): boolean =>
  Option.exists(textOf(file), (text) => {
    const value = JsonEdit.valueOf(text)
    return Predicate.hasProperty(value, "disableAllHooks") && value.disableAllHooks === true
  })

/** Claude Code reads none of such a file, and says nothing. */
const isIgnored = (file: string): boolean => Option.exists(textOf(file), (text) => !JsonEdit.isPlain(text))

/** What is looked at of one host alone; `path` is its program, null where there is none. */
type Look = (
  request: InstallFile.Request,
  places: ReadonlyArray<DoctorPlace.Place>,
  path: string | null
) => Effect.Effect<ReadonlyArray<Finding.Finding>>

const claudeCode = (
  { where }: InstallFile.Request,
  places: ReadonlyArray<DoctorPlace.Place>
): ReadonlyArray<Finding.Finding> => {
  const files = [...places.map(({ file }) => file), join(where.root, ".claude", "settings.json")]
  const ignored = files.filter(isIgnored).map((file) => Terminal.tilde(where.env, file))
  const off = files.filter(disables).map((file) => Terminal.tilde(where.env, file))
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
    ...off.map((file) => Finding.needed("turned off", `${file} says "disableAllHooks": true`)),
    ...(has
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
const consulting = Effect.gen(function* () {
  const { cwd } = yield* CliProcess
  return BeyondEvidence.isConfigured(yield* Settings.workspace(yield* Settings.user, cwd))
}).pipe(Effect.orElseSucceed(() => false))

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
  const consults = yield* consulting
  const each = yield* Effect.forEach(places, (one) => DoctorPlace.examine(one, { shipped, consults }))
  const installed = places.some(DoctorPlace.isInstalled)
  const isUnseen = places.some((one) => Either.isLeft(one.found))
  const findings = [
    installed ? finding : { ...finding, level: finding.level === "unsure" ? ("plain" as const) : finding.level },
    ...(installed || isUnseen ? [] : [DoctorPlace.missing(host, scope)]),
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
