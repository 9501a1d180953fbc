/** OpenCode, and the programs made from it. They differ in names, and run the same plugin. */
import * as Context from "effect/Context"

export interface Program {
  /**
   * The name for `--host`. The program, its folders and its database have this name. Its variables begin with it, in
   * capitals.
   */
  readonly name: string
  readonly title: string
  /** The names of the configuration's folder in the user's home directory and in projects. */
  readonly folders: ReadonlyArray<string>
  /**
   * True if the agent is not nudged, because we have seen too few stops of this host. A problem to solve first for
   * Kilo: `kilo run` stores a nudge, but ends without an answer to it.
   */
  readonly tellsOnly: boolean
}

export const openCode: Program = { name: "opencode", title: "OpenCode", folders: [".opencode"], tellsOnly: false }

export const kilo: Program = { name: "kilo", title: "Kilo", folders: [".kilo", ".kilocode"], tellsOnly: true }

type Env = Readonly<Record<string, string | undefined>>

/** Returns the value of one of the program's own variables. */
export const variable = ({ name }: Program, env: Env, rest: string): string | undefined =>
  env[`${name.toUpperCase()}_${rest}`]

/**
 * Returns the program of this process. Programs that Kilo starts inherit its variables, so the process id must also
 * match.
 */
export const running = (env: Env, pid: number): Program => (env["KILO_PID"] === String(pid) ? kilo : openCode)

/** The program that runs the plugin. */
export class CurrentProgram extends Context.Reference<CurrentProgram>()("@reflexion/opencode/CurrentProgram", {
  defaultValue: () => openCode
}) {}
