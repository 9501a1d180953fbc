/**
 * The user's own programs by `ProgramPath`'s rule, without waiting: a hook runs them before anything else is loaded.
 *
 * @since 0.1.0
 */
import * as ProgramPath from "@reflexion/core/ProgramPath"
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/**
 * `cwd`: what is worked in.
 *
 * @since 0.1.0
 * @category models
 */
export interface Where {
  readonly cwd: string
  readonly env: ProgramPath.Env
}

const attempt = <A>(work: () => A): A | null => {
  try {
    return work()
  } catch {
    return null
  }
}

const runs = (file: string): boolean => attempt(() => FS.accessSync(file, FS.constants.X_OK)) !== null

const seenAt = (file: string): ProgramPath.Seen | null =>
  attempt(() => {
    const real = FS.realpathSync(file)
    const found = FS.statSync(real)
    const is = found.isDirectory() ? "folder" : found.isFile() && runs(real) ? "program" : "other"
    return { real, is }
  })

/** Asks the disk once for what there is; what is missing may be there the next time. */
const looking = (): ProgramPath.Look => {
  const seen = new Map<string, ProgramPath.Seen>()
  return (file) => {
    const found = seen.get(file) ?? seenAt(file)
    if (found !== null) seen.set(file, found)
    return found
  }
}

const systemHome = (): string => attempt(() => Os.userInfo().homedir) ?? ""

const made = new Map<string, ProgramPath.Programs>()

/**
 * The programs for a folder that is worked in. Each is looked for once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ cwd, env }: Where): ProgramPath.Programs => {
  const directories = [Path.resolve(cwd), process.cwd()]
  const key = JSON.stringify([directories, ...ProgramPath.variables.map((name) => env[name] ?? null)])
  const before = made.get(key)
  if (before !== undefined) return before
  const programs = ProgramPath.make({ paths: Path, directories, env, home: systemHome() }, looking())
  made.set(key, programs)
  return programs
}

/**
 * @since 0.1.0
 * @category predicates
 */
export const isProgram = (file: string): boolean => seenAt(file)?.is === "program"

const isWindows = process.platform === "win32"

/**
 * The environment for a program that starts others: its PATH leads to none of the project's.
 *
 * @since 0.1.0
 * @category accessors
 */
export const environment = (where: Where): ProgramPath.Env => {
  const path = make(where).path()
  if (!isWindows) return { ...where.env, PATH: path }
  const others = Object.entries(where.env).filter(([name]) => name.toUpperCase() !== "PATH")
  // Else a shell of Windows looks in the folder that it is started in before it looks on PATH.
  return { ...Object.fromEntries(others), PATH: path, NoDefaultCurrentDirectoryInExePath: "1" }
}
