/** What the doctor sees of a host's program. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Finding from "./finding.ts"
import type { Host } from "../host/Hosts.ts"
import type * as Hosts from "../host/Hosts.ts"
import * as Spawn from "../process/Spawn.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface Binary {
  /** Null where there is none that may be run. */
  readonly path: string | null
  readonly finding: Finding.Finding
}

const nameOf = ({ installation: { binary, binaryVariable } }: Host, env: Hosts.Where["env"]): string =>
  (binaryVariable === null ? null : env[binaryVariable]) || binary

/**
 * Asks the program for its version.
 *
 * @category programs
 */
export const look = Effect.fnUntraced(function* (host: Host, where: Hosts.Where) {
  const { env } = where
  const program = Programs.make(where).find(nameOf(host, env))
  const [path] = program.own
  if (path === undefined) {
    const text = ProgramPath.problemOf(host.installation.binary, program)
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
  const tried = `tried with ${host.installation.tried}`
  const finding =
    found === undefined
      ? Finding.unsure("binary", `${name} does not tell its version; ${tried}`)
      : Finding.good(
          "binary",
          `${found}, ${name} (${found === host.installation.tried ? "the version it was tried with" : tried})`
        )
  return { path, finding } satisfies Binary
})
