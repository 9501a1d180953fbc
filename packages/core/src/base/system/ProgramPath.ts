/**
 * Finds a program on `PATH`, but never a program that the project supplies. It ignores relative and empty entries. It
 * also ignores files in the workspace, and files that are reached through the workspace. The caller supplies the access
 * to the disk.
 */
import type { Path } from "@effect/platform/Path"

/** `node:path`, or Effect's `Path`. */
export type Paths = Pick<Path, "dirname" | "isAbsolute" | "join" | "relative" | "sep">

export type Env = Readonly<Record<string, string | undefined>>

/** `real` is the path without symbolic links. */
export interface PathTarget {
  readonly is: "folder" | "program" | "other"
  readonly real: string
}

export interface Disk {
  /** Null if nothing is at the path. */
  readonly look: (path: string) => PathTarget | null
  /** Returns the link's target. Null if the path is not a link. */
  readonly link: (path: string) => string | null
}

export interface SearchScope {
  readonly paths: Paths
  /** Absolute paths: the folder of the session, and the folder of this process. */
  readonly directories: ReadonlyArray<string>
  readonly env: Env
  /** Used if the environment does not name a home. */
  readonly home?: string
}

/** In the order of PATH. */
export interface ProgramMatches {
  readonly own: ReadonlyArray<string>
  readonly passedOver: ReadonlyArray<string>
}

export interface Programs {
  readonly find: (name: string) => ProgramMatches
  /** True if a file is outside the workspace. */
  readonly isOwn: (file: string) => boolean
  /** The PATH for a program that starts other programs. */
  readonly path: () => string
}

const isWindows = ({ sep }: Paths): boolean => sep === "\\"

/** Windows does not distinguish `Path` from `PATH`. */
const valueOf = ({ env, paths }: SearchScope, name: string): string | undefined =>
  env[name] ?? (isWindows(paths) ? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] : undefined)

const isInside = ({ isAbsolute, relative, sep }: Paths, folder: string, path: string): boolean => {
  const steps = relative(folder, path)
  return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Some file systems ignore case and the different forms of accents. */
const folded = (path: string): string => path.normalize().toLowerCase()

const withAbove = (paths: Paths, folder: string): ReadonlyArray<string> => {
  const up = paths.dirname(folder)
  return up === folder ? [folder] : [folder, ...withAbove(paths, up)]
}

/** Variables in which hosts and package managers name the project. */
const projectNames = ["CLAUDE_PROJECT_DIR", "INIT_CWD"]

/** The variables that decide which file is run for a program's name. */
export const variables: ReadonlyArray<string> = ["PATH", "PATHEXT", "HOME", "USERPROFILE", ...projectNames]

/**
 * The folders whose programs are not the user's own: the working folders, the working copies around them, and the
 * packages of every folder above. `npx` and `npm run` put these packages on PATH. If the user's home is inside a
 * project, only the project's packages count.
 */
const workspaceOf = (where: SearchScope, { look }: Disk): ReadonlyArray<string> => {
  const { directories, home = "", paths } = where
  const named = (names: ReadonlyArray<string>) =>
    names.map((name) => valueOf(where, name) ?? "").filter(paths.isAbsolute)
  const bothNames = (folder: string) => [folder, look(folder)?.real ?? folder]
  const own = named(["HOME", "USERPROFILE"])
  const homes = (own.length > 0 ? own : [home].filter(paths.isAbsolute)).flatMap(bothNames)
  const worked = [...directories, ...named(projectNames)].flatMap(bothNames)
  const isProject = (folder: string): boolean => {
    const git = look(paths.join(folder, ".git"))
    const isWorkingCopy = git !== null && (git.is !== "folder" || look(paths.join(folder, ".git", "HEAD")) !== null)
    return worked.includes(folder) || isWorkingCopy
  }
  const hasHome = (folder: string): boolean =>
    paths.dirname(folder) === folder || homes.some((one) => isInside(paths, folder, one))
  return [...new Set(worked.flatMap((folder) => withAbove(paths, folder)))].flatMap((folder) => {
    const packages = paths.join(folder, "node_modules")
    if (isProject(folder)) return [hasHome(folder) ? packages : folder]
    return hasHome(folder) ? [] : [packages]
  })
}

const mostLinks = 40

const rootOf = (paths: Paths, path: string): string => withAbove(paths, path).at(-1) ?? path

/**
 * Every path that the system visits on its way to a file. A person who can change one of them can replace the file.
 * Null if there are too many links.
 */
const wayTo = (paths: Paths, { link }: Disk, file: string): ReadonlyArray<string> | null => {
  const namesOf = (path: string): Array<string> => path.split(isWindows(paths) ? /[\\/]/ : paths.sep).toReversed()
  const passed: Array<string> = []
  let [at, links] = [rootOf(paths, file), 0]
  const left = namesOf(file.slice(at.length))
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const next = paths.join(at, name)
    passed.push(next)
    const to = next === at || name === ".." ? null : link(next)
    if (to === null) {
      at = next
      continue
    }
    links += 1
    if (links > mostLinks) return null
    const root = paths.isAbsolute(to) ? rootOf(paths, to) : ""
    if (root !== "") at = root
    left.push(...namesOf(to.slice(root.length)))
  }
  return passed
}

/** The endings of programs that Windows can start. */
const startable = [".com", ".exe", ".bat", ".cmd"]

const endsOf = (where: SearchScope, name: string): ReadonlyArray<string> => {
  if (!isWindows(where.paths)) return [""]
  const given = (valueOf(where, "PATHEXT") || startable.join(";")).toLowerCase().split(";")
  const has = startable.some((end) => name.toLowerCase().endsWith(end))
  return [...(has ? [""] : []), ...given.filter((end) => startable.includes(end))]
}

/** Programs that a started program may look for, for example because of a script's first line. */
const furtherNames = ["env", "node", "bun", "sh", "bash", "git", "rm", "bwrap"]

export const make = (where: SearchScope, disk: Disk): Programs => {
  const { directories, paths } = where
  const { look } = disk
  const windows = isWindows(paths)
  // Without a PATH, the system uses this default.
  const value = valueOf(where, "PATH") ?? (windows ? "" : "/usr/bin:/bin")
  const delimiter = windows ? ";" : ":"
  const entries = [...new Set((windows ? value.replaceAll('"', "") : value).split(delimiter))]
  // In `/proc` and `/dev`, the same name means a different file in each process.
  const foreign = [...workspaceOf(where, disk), ...(windows ? [] : ["/proc", "/dev"])].map(folded)
  const judged = new Map<string, boolean>()
  const isForeignPlace = (path: string): boolean => {
    const is = judged.get(path) ?? foreign.some((folder) => isInside(paths, folder, folded(path)))
    judged.set(path, is)
    return is
  }
  const isOwn = (file: string): boolean => {
    const way = wayTo(paths, disk, file)
    return way !== null && ![file, ...way, look(file)?.real ?? file].some(isForeignPlace)
  }
  const under = (folder: string, name: string): string =>
    paths.join(...(paths.isAbsolute(folder) ? [] : [directories[0] ?? paths.sep]), folder, name)
  const candidates = (name: string): ReadonlyArray<{ readonly file: string; readonly isFixed: boolean }> => {
    if (paths.isAbsolute(name)) return [{ file: name, isFixed: true }]
    if (/[/\\]/.test(name)) return [{ file: under("", name), isFixed: true }]
    return entries.flatMap((entry) =>
      endsOf(where, name).map((end) => ({ file: under(entry, name + end), isFixed: paths.isAbsolute(entry) }))
    )
  }
  const isProgram = (file: string): boolean => look(file)?.is === "program"
  const find = (name: string): ProgramMatches => {
    const programs = candidates(name).filter(({ file }) => isProgram(file))
    const own = programs.filter(({ file, isFixed }) => isFixed && isOwn(file))
    const passedOver = programs.filter((one) => !own.includes(one))
    return { own: own.map(({ file }) => file), passedOver: passedOver.map(({ file }) => file) }
  }
  const leadsBack = (folder: string): boolean =>
    look(folder)?.is === "folder" &&
    furtherNames
      .flatMap((name) => endsOf(where, name).map((end) => paths.join(folder, name + end)))
      .some((file) => isProgram(file) && !isOwn(file))
  const path = (): string => {
    // `join` normalises folders and file paths in the same way, so the checked path is also the path that is used. An
    // empty PATH would mean the working folder.
    const folders = entries.filter(paths.isAbsolute).map((entry) => paths.join(entry))
    return folders.filter((folder) => isOwn(folder) && !leadsBack(folder)).join(delimiter) || "/dev/null"
  }
  return { find, isOwn, path }
}

export const problemOf = (name: string, { passedOver: [file] }: ProgramMatches): string =>
  file === undefined
    ? `no ${name} on PATH`
    : `${file} was not run, because it is in the project or in a relative folder of PATH; no other ${name} is on PATH`
