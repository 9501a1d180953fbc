import type { FileAnswer, FileRequest, FileStat, Gathering } from "./model.ts"

const maxFile = 262_144
const maxEntries = 2_000
const maxAncestors = 24

export const taskfiles = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"]

/** Where a project of Python's may name its runner. */
export const pythonFiles = [
  "setup.cfg",
  "setup.py",
  "tox.ini",
  "requirements.txt",
  "requirements-dev.txt",
  "dev-requirements.txt"
]

const wanted = new Set([
  "package.json",
  "composer.json",
  "deno.json",
  "deno.jsonc",
  "Makefile",
  "makefile",
  "GNUmakefile",
  "justfile",
  "Justfile",
  ".justfile",
  ...taskfiles,
  "mise.toml",
  ".mise.toml",
  "pyproject.toml",
  ...pythonFiles,
  "pubspec.yaml",
  "CMakeLists.txt"
])

export const instructions: ReadonlySet<string> = new Set([
  "CLAUDE.md",
  "CLAUDE.local.md",
  "AGENTS.md",
  "AGENT.md",
  "GEMINI.md",
  ".cursorrules",
  ".windsurfrules"
])

/** Files in folders, read when the folder is there. */
const nested: Readonly<Record<string, ReadonlyArray<string>>> = {
  ".claude": ["CLAUDE.md"],
  ".github": ["copilot-instructions.md"],
  mise: ["config.toml"],
  ".config": ["mise.toml", "mise/config.toml"],
  bin: ["rails"]
}

const gitFiles = ["HEAD", "config", "refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"]

const taskFolders = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"]

export const testFolders: ReadonlySet<string> = new Set([
  "test",
  "tests",
  "__tests__",
  "spec",
  "specs",
  "e2e",
  "integration-tests",
  "testing"
])

/** What configures a CI service; a folder ends in a slash. */
export const ciFiles: ReadonlyArray<string> = [
  ".github/workflows/",
  ".gitlab-ci.yml",
  ".circleci",
  ".travis.yml",
  ".buildkite",
  ".drone.yml",
  ".woodpecker.yml",
  "Jenkinsfile",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml"
]

type Files = Record<string, string>

type Step<A> = Generator<FileRequest, A, FileAnswer>

const isWindows = (path: string): boolean => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)

/** A POSIX path keeps its backslashes: there they are letters of a name. */
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

/** The text of a small plain file that really is in the folder `inside`, else nothing. */
function* readText(inside: string, file: string): Step<string | null> {
  const real = yield* realPath(file)
  if (real === null || (real !== inside && !real.startsWith(within(inside)))) return null
  const info = yield* stat(real)
  if (info?.kind !== "file" || info.size > maxFile) return null
  const text = yield { want: "read", path: real }
  return typeof text === "string" ? text : null
}

/** Where files are looked for, and the real path of the folder that they must be in. */
interface Place {
  readonly folder: string
  readonly inside: string
}

function* addFile(place: Place, into: Files, name: string, key: string): Step<void> {
  const text = yield* readText(place.inside, join(place.folder, name))
  if (text !== null) into[key] = text
}

function* addEntry(place: Place, into: Files, name: string, prefix: string): Step<void> {
  if (wanted.has(name)) yield* addFile(place, into, name, name)
  else if (instructions.has(name)) yield* addFile(place, into, name, `${prefix}${name}`)
  else if (testFolders.has(name)) {
    if (yield* isFolder(join(place.folder, name))) into[`${name}/`] = ""
  } else into[name] ??= ""
}

function* collect(place: Place, into: Files, prefix: string): Step<void> {
  const names = yield* list(place.folder)
  const present = new Set(names)
  for (const name of names) yield* addEntry(place, into, name, prefix)
  for (const [parent, children] of Object.entries(nested)) {
    if (!present.has(parent)) continue
    for (const child of children) yield* addFile(place, into, `${parent}/${child}`, `${prefix}${parent}/${child}`)
  }
  if (present.has(".github") && (yield* isFolder(join(place.folder, ".github/workflows"))))
    into[".github/workflows/"] = ""
  for (const tasks of taskFolders) {
    if (!present.has(tasks.split("/")[0] ?? "")) continue
    for (const name of (yield* list(join(place.folder, tasks))).slice(0, 100))
      yield* addFile(place, into, `${tasks}/${name}`, `${tasks}/${name}`)
  }
}

/** A worktree's `.git` is a file that names the folder with its HEAD. */
function* gitFolder(top: string): Step<string | null> {
  const own = join(top, ".git")
  if (yield* isFolder(own)) return own
  const pointer = (yield* readText(top, own)) ?? ""
  const target = pointer.startsWith("gitdir: ") ? (pointer.slice(8).split("\n")[0] ?? "").trim() : ""
  if (target === "") return null
  return isAbsolute(target) ? slashed(target) : join(top, target)
}

function* collectGit(top: string, into: Files): Step<void> {
  const folder = yield* gitFolder(top)
  if (folder === null) {
    // Without a repository there is no remote.
    into[".git/config"] = ""
    return
  }
  const real = (yield* realPath(folder)) ?? folder
  for (const name of gitFiles) yield* addFile({ folder: real, inside: real }, into, name, `.git/${name}`)
}

/** A folder `.git` without a HEAD makes no working copy: a sandbox may have left it. */
function* isTop(folder: string): Step<boolean> {
  const own = join(folder, ".git")
  if (yield* isFolder(own)) return (yield* stat(join(own, "HEAD"))) !== null
  return (yield* stat(own)) !== null
}

/** The nearest working copy upwards, else the folder itself. */
function* topOf(folder: string): Step<string> {
  let current = folder
  for (let depth = 0; depth < maxAncestors; depth += 1) {
    if (yield* isTop(current)) return current
    const parent = parentOf(current)
    if (parent === current) break
    current = parent
  }
  return folder
}

export function* gather(cwd: string): Gathering {
  const found: Files = {}
  if (!isAbsolute(cwd)) return found
  const folder = yield* realPath(slashed(cwd))
  if (folder === null) return found
  const top = yield* topOf(folder)
  if (top !== folder) yield* collect({ folder: top, inside: top }, found, "../")
  yield* collect({ folder, inside: top }, found, "")
  yield* collectGit(top, found)
  return found
}

export const gatherSync = (cwd: string, answer: (request: FileRequest) => FileAnswer): Readonly<Files> => {
  const gathering = gather(cwd)
  let next = gathering.next()
  while (next.done !== true) next = gathering.next(answer(next.value))
  return next.value
}
