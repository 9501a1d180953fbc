/** OpenCode, and the programs made from it. They differ in names, and run the same plugin. */
import * as Context from "effect/Context"

export interface Program {
  /** The name for `--host`, its folders and its database. Its variables begin with it, in capitals. */
  readonly name: string
  readonly title: string
  /** The same in the user's home directory and in projects. */
  readonly folders: ReadonlyArray<string>
  /** We have seen too few stops to nudge the agent. `kilo run` stores a nudge, but ends without an answer to it. */
  readonly tellsOnly: boolean
}

export const openCode: Program = { name: "opencode", title: "OpenCode", folders: [".opencode"], tellsOnly: false }

export const kilo: Program = { name: "kilo", title: "Kilo", folders: [".kilo", ".kilocode"], tellsOnly: true }

type Env = Readonly<Record<string, string | undefined>>

export const variable = ({ name }: Program, env: Env, rest: string): string | undefined =>
  env[`${name.toUpperCase()}_${rest}`]

/** Programs that Kilo starts inherit its variables, so the process id must also match. */
export const running = (env: Env, pid: number): Program => (env["KILO_PID"] === String(pid) ? kilo : openCode)

export class CurrentProgram extends Context.Reference<CurrentProgram>()("@reflexion/opencode/CurrentProgram", {
  defaultValue: () => openCode
}) {}
