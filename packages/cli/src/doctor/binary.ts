/** What the doctor sees of a host's program. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Finding from "./finding.ts"
import type { HookHost } from "../host/HookHosts.ts"
import type * as HookHosts from "../host/HookHosts.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface Binary {
  /** Null where there is none that may be run. */
  readonly path: string | null
  readonly finding: Finding.Finding
}

/** OpenCode's program may be named by the environment, in the place of the one on PATH. */
const nameOf = (host: HookHost, env: HookHosts.Where["env"]): string =>
  host.name === "opencode" ? env["OPENCODE_BIN"] || host.binary : host.binary

/**
 * Asks the program for its version.
 *
 * @category programs
 */
export const look = Effect.fnUntraced(function* (host: HookHost, where: HookHosts.Where) {
  const { env } = where
  const program = Programs.make(where).find(nameOf(host, env))
  const [path] = program.own
  if (path === undefined) {
    const text = ProgramPath.problemOf(host.binary, program)
    return { path: null, finding: Finding.unsure("binary", Terminal.tilde(env, text)) } satisfies Binary
  }
  const ran = yield* Spawn.run({
    program: path,
    words: ["--version"],
    cwd: "/",
    env: Programs.environment(where),
    stdin: "",
    timeout: 10_000
  })
  const found = /\d{1,6}\.\d{1,6}\.\d{1,6}\S{0,20}/u.exec(ran.out)?.[0]
  const name = Terminal.tilde(env, path)
  const tried = `tried with ${host.tried}`
  const finding =
    found === undefined
      ? Finding.unsure("binary", `${name} does not tell its version; ${tried}`)
      : Finding.good("binary", `${found}, ${name} (${found === host.tried ? "the version it was tried with" : tried})`)
  return { path, finding } satisfies Binary
})
