/** Finds the user's own programs. Synchronous, because a hook uses it before anything else is loaded. */
import * as ProgramPath from "./ProgramPath.ts"
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/**
 * Where to look for programs.
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
    // `accessSync` returns undefined in Node and null in Bun, so its return value is not used.
    FS.accessSync(file, FS.constants.X_OK)
    return true
  }) ?? false

const seenAt = (file: string): ProgramPath.PathTarget | null =>
  attempt(() => {
    // Most of the paths do not exist, and this call is the cheapest way to find out.
    const found = FS.statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    const is = found.isDirectory() ? "folder" : found.isFile() && runs(file) ? "program" : "other"
    return { real: FS.realpathSync.native(file), is }
  })

/** Empty if the path is not a link. Null if it does not exist. */
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

/** A missing path is checked each time, because it may exist later. */
const looking = (): ProgramPath.Disk => {
  const seen = new Map<string, ProgramPath.PathTarget>()
  const links = new Map<string, string>()
  return { look: (file) => once(seen, seenAt, file), link: (file) => once(links, linkAt, file) || null }
}

const systemHome = (): string => attempt(() => Os.userInfo().homedir) ?? ""

const made = new Map<string, ProgramPath.Programs>()

/**
 * Returns the search for programs from a working folder. A path that exists is read only once.
 *
 * @category constructors
 */
export const make = ({ cwd, env }: WorkingPlace): ProgramPath.Programs => {
  // The folder in which this process was started may have been removed.
  const directories = [attempt(() => Path.resolve(cwd)), attempt(() => process.cwd())].filter((one) => one !== null)
  const key = JSON.stringify([directories, ...ProgramPath.variables.map((name) => env[name] ?? null)])
  const before = made.get(key)
  if (before !== undefined) return before
  const programs = ProgramPath.make({ paths: Path, directories, env, home: systemHome() }, looking())
  made.set(key, programs)
  return programs
}

export interface ResolvedPrograms extends ProgramPath.ProgramMatches {
  /** The PATH for a program that starts others, without programs of the project. */
  readonly path: string
  /** The original PATH. Null if there was none. */
  readonly given: string | null
}

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
 * The environment for a program that starts others. Its PATH does not lead to programs of the project.
 *
 * @category accessors
 */
export const environment = (where: WorkingPlace): ProgramPath.Env => {
  const path = make(where).path()
  if (!isWindows) return { ...where.env, PATH: path }
  const others = Object.entries(where.env).filter(([name]) => name.toUpperCase() !== "PATH")
  // Without this variable, a shell on Windows searches its current folder before PATH.
  return { ...Object.fromEntries(others), PATH: path, NoDefaultCurrentDirectoryInExePath: "1" }
}
