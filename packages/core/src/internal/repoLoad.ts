import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const maxFile = 262_144
const maxEntries = 2_000
const maxAncestors = 24

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
  "Taskfile.yml",
  "Taskfile.yaml",
  "taskfile.yml",
  "taskfile.yaml",
  "Taskfile.dist.yml",
  "mise.toml",
  ".mise.toml",
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "tox.ini",
  "requirements.txt",
  "requirements-dev.txt",
  "dev-requirements.txt",
  "pubspec.yaml",
  "CMakeLists.txt"
])

const instructions = new Set([
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

type Files = Record<string, string>

interface Root {
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  /** The real path that everything read must be in. */
  readonly inside: string
}

const isInside = (root: Root, real: string): boolean =>
  real === root.inside ||
  real.startsWith(root.inside.endsWith(root.path.sep) ? root.inside : root.inside + root.path.sep)

/** The text of a small plain file of the repository, else nothing. */
const readText = (root: Root, file: string) =>
  Effect.gen(function* () {
    const real = yield* root.fs.realPath(file)
    if (!isInside(root, real)) return Option.none<string>()
    const info = yield* root.fs.stat(real)
    if (info.type !== "File" || info.size > FileSystem.Size(maxFile)) return Option.none<string>()
    return Option.some(yield* root.fs.readFileString(real))
  }).pipe(Effect.orElseSucceed(() => Option.none<string>()))

const list = (fs: FileSystem.FileSystem, folder: string) =>
  fs.readDirectory(folder).pipe(
    Effect.map((names) => names.slice(0, maxEntries)),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )

const addFile = (root: Root, into: Files, folder: string, name: string, key: string) =>
  readText(root, root.path.join(folder, name)).pipe(
    Effect.map((text) => {
      if (Option.isSome(text)) into[key] = text.value
    })
  )

const isFolder = (root: Root, path: string) =>
  root.fs.stat(path).pipe(
    Effect.map((info) => info.type === "Directory"),
    Effect.orElseSucceed(() => false)
  )

const testFolders = new Set(["test", "tests", "__tests__", "spec", "specs", "e2e", "integration-tests", "testing"])

const collect = (root: Root, folder: string, into: Files, prefix: string) =>
  Effect.gen(function* () {
    const names = yield* list(root.fs, folder)
    const present = new Set(names)
    for (const name of names) {
      if (wanted.has(name)) yield* addFile(root, into, folder, name, name)
      else if (instructions.has(name)) yield* addFile(root, into, folder, name, `${prefix}${name}`)
      else if (testFolders.has(name)) {
        if (yield* isFolder(root, root.path.join(folder, name))) into[`${name}/`] = ""
      } else into[name] ??= ""
    }
    for (const [parent, children] of Object.entries(nested)) {
      if (!present.has(parent)) continue
      for (const child of children)
        yield* addFile(root, into, folder, `${parent}/${child}`, `${prefix}${parent}/${child}`)
    }
    for (const tasks of taskFolders) {
      if (!present.has(tasks.split("/")[0] ?? "")) continue
      for (const name of (yield* list(root.fs, root.path.join(folder, tasks))).slice(0, 100)) {
        yield* addFile(root, into, folder, `${tasks}/${name}`, `${tasks}/${name}`)
      }
    }
  })

/** A worktree's `.git` is a file that names the folder with its HEAD. */
const gitFolder = (root: Root, top: string) =>
  Effect.gen(function* () {
    const own = root.path.join(top, ".git")
    if (yield* isFolder(root, own)) return own
    const pointer = Option.getOrElse(yield* readText(root, own), () => "")
    const target = pointer.startsWith("gitdir: ") ? (pointer.slice(8).split("\n")[0] ?? "").trim() : ""
    return target === "" ? null : root.path.resolve(top, target)
  })

const collectGit = (root: Root, top: string, into: Files) =>
  Effect.gen(function* () {
    const folder = yield* gitFolder(root, top)
    if (folder === null) return
    const real = yield* root.fs.realPath(folder).pipe(Effect.orElseSucceed(() => folder))
    const git: Root = { ...root, inside: real }
    yield* Effect.forEach(gitFiles, (name) => addFile(git, into, real, name, `.git/${name}`), { discard: true })
  })

/** The nearest folder upwards that holds `.git`, else the folder itself. */
const topOf = (fs: FileSystem.FileSystem, path: Path.Path, folder: string) =>
  Effect.gen(function* () {
    let current = folder
    for (let depth = 0; depth < maxAncestors; depth += 1) {
      if (yield* fs.exists(path.join(current, ".git")).pipe(Effect.orElseSucceed(() => false))) return current
      const parent = path.dirname(current)
      if (parent === current) break
      current = parent
    }
    return folder
  })

/** The contents of the few files that matter, by path relative to the folder. */
export const files = (cwd: string): Effect.Effect<Readonly<Files>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (!path.isAbsolute(cwd)) return {}
    const folder = yield* fs.realPath(cwd)
    const top = yield* topOf(fs, path, folder)
    const root: Root = { fs, path, inside: top }
    const found: Files = {}
    if (top !== folder) yield* collect(root, top, found, "../")
    yield* collect(root, folder, found, "")
    yield* collectGit(root, top, found)
    return found
  }).pipe(Effect.orElseSucceed(() => ({})))
