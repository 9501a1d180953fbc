/** Where the user's checks run. Checks execute the agent's code, so they run in the host's sandbox if there is one. */
import * as Command from "@effect/platform/Command"
import * as Hosts from "./Hosts.ts"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import type { ModelPlace } from "./ConfiguredModels.ts"
import { isInside } from "../places/ProjectRoot.ts"
import * as Programs from "@reflexion/core/internal/base/system/Programs"

export interface Options extends ModelPlace {
  readonly host: string
  readonly state: string
  readonly record: string | null
}

export interface Place {
  /** The words before the check's own command. Empty without a sandbox. */
  readonly words: ReadonlyArray<string>
  /** True if a check has no network. */
  readonly offline: boolean
  readonly leavingNothing?: (typeof Hosts.sandboxes)[string]["leavingNothing"]
}

/** Exits with 3 if it can write a file outside the project. The folder for temporary files is writable on purpose. */
const probe = '[ -z "$1" ] || { (: >"$1") 2>/dev/null && rm -f "$1" && exit 3; }; exit 0'

const patience = "20 seconds"

const probed = ({ cwd, env, state }: Options): string => {
  const open = [cwd, "/tmp", env["TMPDIR"] ?? "/tmp"]
  return open.some((folder) => isInside(folder, state)) ? "" : join(state, `.sandbox-${process.pid}`)
}

const confines = (words: ReadonlyArray<string>, options: Options) => {
  const [program = "", ...rest] = [...words, "/bin/sh", "-c", probe, "sh", probed(options)]
  return Command.make(program, ...rest).pipe(
    Command.workingDirectory(options.cwd),
    Command.env({ PATH: Programs.make(options).path() }),
    Command.stdin(Stream.empty),
    Command.exitCode,
    Effect.map((code) => code === 0),
    Effect.timeoutTo({ duration: patience, onSuccess: (confined) => confined, onTimeout: () => false }),
    Effect.orElseSucceed(() => false)
  )
}

/** Null if the host's sandbox does not work. If the host has a sandbox, the agent's code must not run outside it. */
export const find: (options: Options) => Effect.Effect<Place | null, never, CommandExecutor.CommandExecutor> =
  Effect.fn("CheckSandbox.find")(function* (options: Options) {
    const sandbox = Hosts.sandboxes[options.host]
    if (sandbox === undefined) return { words: [], offline: false }
    const { leavingNothing, placeIn, program: name } = sandbox
    const found = Programs.make(options).find(name)
    const [program] = found.own
    if (program === undefined) {
      if (found.passedOver.length > 0) yield* Effect.logWarning(ProgramPath.problemOf(name, found))
      return null
    }
    const place = { ...placeIn(program, options.record), leavingNothing }
    return (yield* leavingNothing(options.cwd, confines(place.words, options))) ? place : null
  })

const denied =
  /\b(?:EPERM|EACCES|EROFS|ENETUNREACH|ENETDOWN|EAI_AGAIN)\b|operation not permitted|read-only file system|permission denied|network is unreachable|could not resolve|name resolution/i

/** Without a network, some processes print nothing in Codex's sandbox. */
const isUnsure = ({ failing, output, result }: CheckResult, { offline }: Place): boolean =>
  result === "failed" && (denied.test(output) || (offline && failing.length === 0))

const why = "it failed in the sandbox, and the sandbox may be the cause"

/** Like `Verification.Live`, but a failure that the sandbox may have caused is "unavailable". */
export const verification = (place: Place | null, state: string) => {
  const words = place?.words ?? []
  const live = Verification.Live({ directory: state, within: words })
  if (place?.leavingNothing === undefined) return live
  const { leavingNothing } = place
  const settled = (result: CheckResult): CheckResult =>
    isUnsure(result, place) ? { ...result, result: "unavailable", detail: why, failing: [] } : result
  const cautious = Effect.map(Verification, ({ run }) => ({
    run: (request: Parameters<typeof run>[0]) =>
      leavingNothing(
        request.directory,
        Effect.map(run(request), (results) => results.map(settled))
      )
  }))
  return Layer.provide(Layer.effect(Verification, cautious), live)
}
