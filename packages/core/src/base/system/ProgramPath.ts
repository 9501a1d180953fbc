/**
 * Which file a program's name stands for on `PATH`, so that nothing runs in the user's name that a project brings along:
 * relative and empty entries are passed over, and so is what lies in the workspace or is reached by way of it. What the disk
 * has is asked of the caller, so this is the one rule for all who run something.
 */
import type { Path } from "@effect/platform/Path"

/** How a system puts paths together: `node:path`, or Effect's `Path`. */
export type Paths = Pick<Path, "dirname" | "isAbsolute" | "join" | "relative" | "sep">

export type Env = Readonly<Record<string, string | undefined>>

/** What a path leads to, and where that lies, without symbolic links. */
export interface PathTarget {
  readonly is: "folder" | "program" | "other"
  readonly real: string
}

export interface Disk {
  /** What there is at an absolute path, null for nothing. */
  readonly look: (path: string) => PathTarget | null
  /** What a symbolic link says, null for all that is none. */
  readonly link: (path: string) => string | null
}

export interface SearchScope {
  readonly paths: Paths
  /** Absolute: where the session works, and where this process does. */
  readonly directories: ReadonlyArray<string>
  readonly env: Env
  /** The user's, where the environment names none. */
  readonly home?: string
}

/** The programs of a name, in the order of PATH: the user's own, and those that were passed over. */
export interface ProgramMatches {
  readonly own: ReadonlyArray<string>
  readonly passedOver: ReadonlyArray<string>
}

export interface Programs {
  /** By a name, or by a path in its place. */
  readonly find: (name: string) => ProgramMatches
  /** Whether a file lies outside of the workspace. */
  readonly isOwn: (file: string) => boolean
  /** The PATH for a program that starts others. */
  readonly path: () => string
}

const isWindows = ({ sep }: Paths): boolean => sep === "\\"

/** Windows does not tell `Path` from `PATH`. */
const valueOf = ({ env, paths }: SearchScope, name: string): string | undefined =>
  env[name] ?? (isWindows(paths) ? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] : undefined)

const isInside = ({ isAbsolute, relative, sep }: Paths, folder: string, path: string): boolean => {
  const steps = relative(folder, path)
  return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Some disks tell neither case nor accents that are written in two ways apart. */
const folded = (path: string): string => path.normalize().toLowerCase()

const withAbove = (paths: Paths, folder: string): ReadonlyArray<string> => {
  const up = paths.dirname(folder)
  return up === folder ? [folder] : [folder, ...withAbove(paths, up)]
}

/** In which hosts and package managers say where the project is that they were started in. */
const projectNames = ["CLAUDE_PROJECT_DIR", "INIT_CWD"]

/** The variables that say which program a name stands for. */
export const variables: ReadonlyArray<string> = ["PATH", "PATHEXT", "HOME", "USERPROFILE", ...projectNames]

/**
 * The folders whose programs are not the user's: those that are worked in, the working copies around them, and the
 * packages of every folder above, whose programs `npx` and `npm run` put on PATH. Of a project that the user's home lies
 * in it is the packages alone.
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

/** As many as systems follow. */
const mostLinks = 40

const rootOf = (paths: Paths, path: string): string => withAbove(paths, path).at(-1) ?? path

/**
 * All that a system passes on its way to a file, links and what they lead to: who can change one of these can put
 * another file in its place. Null where it would give up.
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

/** What Windows can start; it knows a program by the end of its name. */
const startable = [".com", ".exe", ".bat", ".cmd"]

const endsOf = (where: SearchScope, name: string): ReadonlyArray<string> => {
  if (!isWindows(where.paths)) return [""]
  const given = (valueOf(where, "PATHEXT") || startable.join(";")).toLowerCase().split(";")
  const has = startable.some((end) => name.toLowerCase().endsWith(end))
  return [...(has ? [""] : []), ...given.filter((end) => startable.includes(end))]
}

/** What is looked for by programs that are started: by their first lines, by sandboxes, and by scripts. */
const furtherNames = ["env", "node", "bun", "sh", "bash", "git", "rm", "bwrap"]

export const make = (where: SearchScope, disk: Disk): Programs => {
  const { directories, paths } = where
  const { look } = disk
  const windows = isWindows(paths)
  // Where a system looks without a PATH.
  const value = valueOf(where, "PATH") ?? (windows ? "" : "/usr/bin:/bin")
  const delimiter = windows ? ";" : ":"
  const entries = [...new Set((windows ? value.replaceAll('"', "") : value).split(delimiter))]
  // In the last two the same name stands for another file in every process.
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
    // Put together as a file's is, so that what is judged is what is named. An empty PATH would be the folder worked in.
    const folders = entries.filter(paths.isAbsolute).map((entry) => paths.join(entry))
    return folders.filter((folder) => isOwn(folder) && !leadsBack(folder)).join(delimiter) || "/dev/null"
  }
  return { find, isOwn, path }
}

/** Why no program of a name is run. */
export const problemOf = (name: string, { passedOver: [file] }: ProgramMatches): string =>
  file === undefined
    ? `no ${name} on PATH`
    : `${file} was not run, for it lies in the project or in a folder that PATH names relatively; no other ${name} is on PATH`
