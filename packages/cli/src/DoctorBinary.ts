/**
 * What the doctor sees of a host's program.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isAbsolute } from "node:path"
import * as Finding from "./Finding.ts"
import type { HookHost } from "./HookHosts.ts"
import * as HookHosts from "./HookHosts.ts"
import * as NodeBinary from "./NodeBinary.ts"
import { isInside } from "@reflexion/hooks/Paths"
import * as Spawn from "./Spawn.ts"
import * as Terminal from "./Terminal.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Binary {
  /** Null where there is none that may be run. */
  readonly path: string | null
  readonly finding: Finding.Finding
}

/** `npx` puts the binaries of the project's own packages first: those are the project's, not the user's. */
const isForeign = ({ env, root }: HookHosts.Where, path: string): boolean =>
  isInside(root, path) && !isInside(root, HookHosts.homeOf(env))

const absent = (host: HookHost, where: HookHosts.Where, foreign: string | undefined): Binary => {
  const text =
    foreign === undefined
      ? `no ${host.binary} on PATH`
      : `${Terminal.tilde(where.env, foreign)} lies in the project and was not run; no other ${host.binary} is on PATH`
  return { path: null, finding: Finding.unsure("binary", text) }
}

/** OpenCode's program may be named by the environment, in the place of the one on PATH. */
const candidates = (host: HookHost, env: HookHosts.Where["env"]): ReadonlyArray<string> => {
  const named = host.name === "opencode" ? env["OPENCODE_BIN"] || host.binary : host.binary
  return isAbsolute(named) ? [named].filter(NodeBinary.isProgram) : NodeBinary.onPath(env, named)
}

/**
 * Asks the program for its version.
 *
 * @since 0.1.0
 * @category programs
 */
export const look = Effect.fnUntraced(function* (host: HookHost, where: HookHosts.Where) {
  const { env } = where
  const all = candidates(host, env)
  const path = all.find((one) => !isForeign(where, one))
  if (path === undefined) return absent(host, where, all[0])
  const ran = yield* Spawn.run({ program: path, words: ["--version"], cwd: "/", env, stdin: "", timeout: 10_000 })
  const found = /\d{1,6}\.\d{1,6}\.\d{1,6}\S{0,20}/u.exec(ran.out)?.[0]
  const name = Terminal.tilde(env, path)
  const finding =
    found === undefined
      ? Finding.unsure("binary", `${name} does not tell its version`)
      : Finding.good("binary", `${found}, ${name}`)
  return { path, finding } satisfies Binary
})
