/**
 * Where the user's checks are run. They run what the agent wrote, and hosts do not confine their hooks: so a check runs in
 * the sandbox that the host has for its agent, or where the user's own configuration says that none is needed.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { CheckResult } from "@reflexion/core/CheckResult"
import { Verification } from "@reflexion/core/Verification"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { join } from "node:path"
import type { Where } from "./HostModels.ts"
import { isInside } from "./Paths.ts"
import * as Programs from "./Programs.ts"

/**
 * `unsandboxed` is `verify.unsandboxed` of the user's own configuration, `state` a folder of the user's own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Where {
  readonly host: string
  readonly unsandboxed: boolean
  readonly state: string
}

/** What the user set for the sandbox's roots and network holds; whether there is one is not left to a project. */
const codexWords = (program: string): ReadonlyArray<string> => [
  program,
  "sandbox",
  "-c",
  'sandbox_mode="workspace-write"',
  "--"
]

/** 3 where a file could be written that is not the project's; where temporary files go is writable by intent. */
const probe = '[ -z "$1" ] || { (: >"$1") 2>/dev/null && rm -f "$1" && exit 3; }; exit 0'

const patience = "20 seconds"

const probed = ({ cwd, env, state }: Options): string => {
  const open = [cwd, "/tmp", env["TMPDIR"] ?? "/tmp"]
  return open.some((folder) => isInside(folder, state)) ? "" : join(state, `.sandbox-${process.pid}`)
}

/** Whether it starts, and confines. */
const confines = (words: ReadonlyArray<string>, options: Options) => {
  const [program = "", ...rest] = [...words, "/bin/sh", "-c", probe, "sh", probed(options)]
  return Command.make(program, ...rest).pipe(
    Command.workingDirectory(options.cwd),
    Command.stdin(Stream.empty),
    Command.exitCode,
    Effect.map((code) => code === 0),
    Effect.timeoutTo({ duration: patience, onSuccess: (confined) => confined, onTimeout: () => false }),
    Effect.orElseSucceed(() => false)
  )
}

/**
 * The words that a check's own are put behind: none where it needs no sandbox, null where it needs one and there is none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const find: (
  options: Options
) => Effect.Effect<ReadonlyArray<string> | null, never, CommandExecutor.CommandExecutor> = Effect.fn(
  "CheckSandbox.find"
)(function* (options: Options) {
  if (options.unsandboxed) return []
  const program = options.host === "codex" ? Programs.own(options, "codex") : null
  if (program === null) return null
  const words = codexWords(program)
  return (yield* confines(words, options)) ? words : null
})

/** How a system says that something was not allowed, or that there is no network. */
const denied =
  /\b(?:EPERM|EACCES|EROFS|ENETUNREACH|ENETDOWN|EAI_AGAIN)\b|operation not permitted|read-only file system|permission denied|network is unreachable|could not resolve|name resolution/i

const unsure = (result: CheckResult): CheckResult =>
  result.result === "failed" && denied.test(result.output)
    ? { ...result, result: "unavailable", detail: "it failed in the sandbox, which may be why it failed", failing: [] }
    : result

/**
 * The checks as `Verification.Live` runs them; of one that a sandbox may have made fail nothing is known.
 *
 * @since 0.1.0
 * @category layers
 */
export const verification = (within: ReadonlyArray<string> | null, state: string) => {
  const live = Verification.Live({ directory: state, within: within ?? [] })
  if (within === null || within.length === 0) return live
  const cautious = Effect.map(Verification, ({ run }) => ({
    run: (request: Parameters<typeof run>[0]) => Effect.map(run(request), (results) => results.map(unsure))
  }))
  return Layer.provide(Layer.effect(Verification, cautious), live)
}
