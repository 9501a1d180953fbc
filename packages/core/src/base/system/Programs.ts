/** The user's own programs by `ProgramPath`'s rule, without waiting: a hook runs them before anything else is loaded. */
import * as ProgramPath from "./ProgramPath.ts"
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/**
 * `cwd`: what is worked in.
 *
 * @category models
 */
export interface WorkingPlace {
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

const runs = (file: string): boolean =>
  attempt(() => {
    // What it answers itself is undefined in Node, and null in Bun.
    FS.accessSync(file, FS.constants.X_OK)
    return true
  }) ?? false

const seenAt = (file: string): ProgramPath.PathTarget | null =>
  attempt(() => {
    // Most of what is looked for is nowhere, and costs no more than this.
    const found = FS.statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    const is = found.isDirectory() ? "folder" : found.isFile() && runs(file) ? "program" : "other"
    return { real: FS.realpathSync.native(file), is }
  })

/** Empty where there is something, and no link. */
const linkAt = (file: string): string | null =>
  attempt(() => {
    const found = FS.lstatSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    return found.isSymbolicLink() ? FS.readlinkSync(file) : ""
  })

const once = <A>(known: Map<string, A>, ask: (file: string) => A | null, file: string): A | null => {
  const found = known.get(file) ?? ask(file)
  if (found !== null) known.set(file, found)
  return found
}

/** Asks the disk once for what there is; what is missing may be there the next time. */
const looking = (): ProgramPath.Disk => {
  const seen = new Map<string, ProgramPath.PathTarget>()
  const links = new Map<string, string>()
  return { look: (file) => once(seen, seenAt, file), link: (file) => once(links, linkAt, file) || null }
}

const systemHome = (): string => attempt(() => Os.userInfo().homedir) ?? ""

const made = new Map<string, ProgramPath.Programs>()

/**
 * The programs for a folder that is worked in. Each is looked for once.
 *
 * @category constructors
 */
export const make = ({ cwd, env }: WorkingPlace): ProgramPath.Programs => {
  // The folder that this process was started in may have been removed.
  const directories = [attempt(() => Path.resolve(cwd)), attempt(() => process.cwd())].filter((one) => one !== null)
  const key = JSON.stringify([directories, ...ProgramPath.variables.map((name) => env[name] ?? null)])
  const before = made.get(key)
  if (before !== undefined) return before
  const programs = ProgramPath.make({ paths: Path, directories, env, home: systemHome() }, looking())
  made.set(key, programs)
  return programs
}

/** Those of a name; the PATH for a program that starts others, which leads to none of the project's; and the PATH that was given. */
export interface ResolvedPrograms extends ProgramPath.ProgramMatches {
  readonly path: string
  readonly given: string | null
}

/** The programs of a name in this process's environment, with some of it replaced by `env`. */
export const find = (
  where: { readonly cwd: string; readonly env?: ProgramPath.Env },
  name: string
): ResolvedPrograms => {
  const env = { ...process.env, ...where.env }
  const programs = make({ cwd: where.cwd, env })
  return { ...programs.find(name), path: programs.path(), given: env["PATH"] ?? null }
}

export const isProgram = (file: string): boolean => seenAt(file)?.is === "program"

const isWindows = process.platform === "win32"

/**
 * The environment for a program that starts others: its PATH leads to none of the project's.
 *
 * @category accessors
 */
export const environment = (where: WorkingPlace): ProgramPath.Env => {
  const path = make(where).path()
  if (!isWindows) return { ...where.env, PATH: path }
  const others = Object.entries(where.env).filter(([name]) => name.toUpperCase() !== "PATH")
  // Else a shell of Windows looks in the folder that it is started in before it looks on PATH.
  return { ...Object.fromEntries(others), PATH: path, NoDefaultCurrentDirectoryInExePath: "1" }
}
