/** Finds the few files that describe a working copy, starting from a folder inside the copy. */

/**
 * A request to the file system. Names in `path` are separated by `/`, which works on Windows too.
 *
 * @category gathering
 */
export interface FileRequest {
  readonly want: "list" | "read" | "realPath" | "stat"
  readonly path: string
}

/**
 * The kind and size of a file, after following links. `size` is in bytes.
 *
 * @category gathering
 */
export interface FileStat {
  readonly kind: "file" | "folder" | "other"
  readonly size: number
}

/**
 * The names in a folder, the text of a file, a real path as the system writes it, or a stat. Null if absent.
 *
 * @category gathering
 */
export type FileAnswer = ReadonlyArray<string> | string | FileStat | null

/** Texts by relative path. A folder's path ends in `/`. A file that was not read has an empty text. */
export type Files = Readonly<Record<string, string>>

/**
 * A running search. The search yields requests and returns the file contents for `fromFiles`.
 *
 * @category gathering
 */
export type Gathering = Generator<FileRequest, Files, FileAnswer>

export const maxFile = 262_144
const maxEntries = 2_000
const maxAncestors = 24

const words = (text: string): ReadonlyArray<string> => text.split(" ")

export const makefiles = words("GNUmakefile makefile Makefile")
export const justfiles = words("justfile Justfile .justfile")
export const taskfiles = words("Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml Taskfile.dist.yml")
export const denoFiles = words("deno.json deno.jsonc")
export const miseFiles = words("mise.toml .mise.toml .config/mise.toml")

/** Files in which a Python project may name its test runner. */
export const pythonFiles = words("pyproject.toml setup.cfg setup.py tox.ini requirements.txt")

const read: ReadonlySet<string> = new Set(
  ["package.json", "composer.json", ".gitignore"].concat(
    makefiles,
    justfiles,
    taskfiles,
    denoFiles,
    miseFiles,
    pythonFiles
  )
)

/** Files with instructions for agents, the most important first. */
const instructions = words(
  "AGENTS.md CLAUDE.md AGENT.md GEMINI.md .github/copilot-instructions.md .claude/CLAUDE.md CLAUDE.local.md .cursorrules .windsurfrules"
)

export const testFolders: ReadonlySet<string> = new Set(
  words("test tests __tests__ spec specs e2e integration-tests testing")
)

export const ciFiles = words(
  ".github/workflows/ .gitlab-ci.yml .circleci .travis.yml .buildkite .drone.yml .woodpecker.yml Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml"
)

const nested = [...read, ...instructions, "bin/rails"].filter((path) => path.includes("/"))

const gitFiles = ["HEAD", "config", "refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"]

type Step<A> = Generator<FileRequest, A, FileAnswer>

const isWindows = (path: string): boolean => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)

/** Replaces backslashes in Windows paths only. In a POSIX path, a backslash is part of a name. */
const slashed = (path: string): string => (isWindows(path) ? path.replaceAll("\\", "/") : path)

const isAbsolute = (path: string): boolean => path.startsWith("/") || isWindows(path)

const within = (folder: string): string => (folder.endsWith("/") ? folder : `${folder}/`)

const join = (folder: string, name: string): string => within(folder) + name

const root = /^(?:[A-Za-z]:\/|\/\/[^/]+\/[^/]+\/?|\/)$/

const parentOf = (path: string): string => {
  if (root.test(path)) return path
  const parent = path.slice(0, path.lastIndexOf("/"))
  return parent === "" || parent.endsWith(":") ? `${parent}/` : parent
}

function* realPath(path: string): Step<string | null> {
  const answer = yield { want: "realPath", path }
  return typeof answer === "string" ? slashed(answer) : null
}

function* stat(path: string): Step<FileStat | null> {
  const answer = yield { want: "stat", path }
  return typeof answer === "object" && answer !== null && "size" in answer ? answer : null
}

function* list(path: string): Step<ReadonlyArray<string>> {
  const answer = yield { want: "list", path }
  return typeof answer === "object" && answer !== null && !("size" in answer) ? answer.slice(0, maxEntries) : []
}

function* isFolder(path: string): Step<boolean> {
  return (yield* stat(path))?.kind === "folder"
}

/** Returns the text of a small plain file. Null if the real file is not in the folder `inside`. */
function* readText(inside: string, file: string): Step<string | null> {
  const real = yield* realPath(file)
  if (real === null || (real !== inside && !real.startsWith(within(inside)))) return null
  const info = yield* stat(real)
  if (info?.kind !== "file" || info.size > maxFile) return null
  const text = yield { want: "read", path: real }
  return typeof text === "string" ? text : null
}

/** `prefix` marks instructions, so that the root's files do not replace the files of the session's folder. */
function* collect(folder: string, inside: string, into: Record<string, string>, prefix: string): Step<void> {
  const names = yield* list(folder)
  const present = new Set(names)
  const below = nested.filter((path) => present.has(path.slice(0, path.indexOf("/"))))
  for (const path of [...names, ...below]) {
    const isInstruction = instructions.includes(path)
    if (isInstruction || read.has(path) || path.includes("/")) {
      const text = yield* readText(inside, join(folder, path))
      if (text !== null) into[isInstruction ? prefix + path : path] = text
    } else if (testFolders.has(path)) {
      if (yield* isFolder(join(folder, path))) into[`${path}/`] = ""
    } else into[path] ??= ""
  }
  if (present.has(".github") && (yield* isFolder(join(folder, ".github/workflows")))) into[".github/workflows/"] = ""
}

/** Returns the folder with the HEAD of git. In a linked work tree, `.git` is a file that names this folder. */
function* gitFolder(top: string): Step<string | null> {
  const own = join(top, ".git")
  if (yield* isFolder(own)) return own
  const pointer = (yield* readText(top, own)) ?? ""
  const target = pointer.startsWith("gitdir: ") ? (pointer.slice(8).split("\n")[0] ?? "").trim() : ""
  if (target === "") return null
  return isAbsolute(target) ? slashed(target) : join(top, target)
}

function* collectGit(top: string, into: Record<string, string>): Step<void> {
  const folder = yield* gitFolder(top)
  // Without a repository there is no remote.
  if (folder === null) into[".git/config"] = ""
  if (folder === null) return
  const real = (yield* realPath(folder)) ?? folder
  for (const name of gitFiles) {
    const text = yield* readText(real, join(real, name))
    if (text !== null) into[`.git/${name}`] = text
  }
}

/** A `.git` folder without a HEAD does not count, because a sandbox may have left such a folder. */
function* topOf(folder: string): Step<string> {
  let current = folder
  for (let depth = 0; depth < maxAncestors; depth += 1) {
    const own = join(current, ".git")
    if ((yield* stat((yield* isFolder(own)) ? join(own, "HEAD") : own)) !== null) return current
    const parent = parentOf(current)
    if (parent === current) break
    current = parent
  }
  return folder
}

/**
 * Requests the files that `load` reads, for a program with its own file system.
 *
 * @category gathering
 */
export function* gather(cwd: string): Gathering {
  const found: Record<string, string> = {}
  if (!isAbsolute(cwd)) return found
  const folder = yield* realPath(slashed(cwd))
  if (folder === null) return found
  const top = yield* topOf(folder)
  if (top !== folder) yield* collect(top, top, found, "../")
  yield* collect(folder, top, found, "")
  yield* collectGit(top, found)
  return found
}

export const gatherSync = (cwd: string, answer: (request: FileRequest) => FileAnswer): Files => {
  const gathering = gather(cwd)
  let next = gathering.next()
  while (next.done !== true) next = gathering.next(answer(next.value))
  return next.value
}

export const first = (files: Files, names: ReadonlyArray<string>): string => {
  const text = names
    .map((name) => (Object.hasOwn(files, name) ? files[name] : undefined))
    .find((one) => one !== undefined)
  return text === undefined || text.length > maxFile ? "" : text
}

export const instructionsIn = (files: Files): ReadonlyArray<string> =>
  ["", "../"].flatMap((prefix) => instructions.flatMap((name) => first(files, [prefix + name]) || []))
