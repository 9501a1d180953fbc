/** OpenCode, and the programs made from it. They have different names, but run the same plugin. */
import * as Context from "effect/Context"

export interface Program {
  /** The name for `--host`, for folders and for the database. In capitals, it begins the names of variables. */
  readonly name: string
  readonly title: string
  /** The program's folders, in the user's home directory and in projects. */
  readonly folders: ReadonlyArray<string>
  /** True if we have seen too few stops to nudge. `kilo run` stores a nudge, but ends before the agent answers. */
  readonly tellsOnly: boolean
}

export const openCode: Program = { name: "opencode", title: "OpenCode", folders: [".opencode"], tellsOnly: false }

export const kilo: Program = { name: "kilo", title: "Kilo", folders: [".kilo", ".kilocode"], tellsOnly: true }

type Env = Readonly<Record<string, string | undefined>>

export const variable = ({ name }: Program, env: Env, rest: string): string | undefined =>
  env[`${name.toUpperCase()}_${rest}`]

/** The process id must match too, because programs that Kilo starts inherit its variables. */
export const running = (env: Env, pid: number): Program => (env["KILO_PID"] === String(pid) ? kilo : openCode)

export class CurrentProgram extends Context.Reference<CurrentProgram>()("@reflexion/opencode/CurrentProgram", {
  defaultValue: () => openCode
}) {}
