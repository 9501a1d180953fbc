/**
 * Restores a project's files as they were at the beginning of a task. The files are in a separate git work tree, with
 * links to the installed packages. The project does not change. Git's list of work trees has an entry until the scope
 * ends or this process is killed.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isOfTests } from "../session/checkedits/CheckEdits.ts"
import * as Git from "../base/system/QuietGit.ts"
import * as Keeper from "./keeper.ts"
import { repositoryOf } from "./sameFiles.ts"

export interface Task {
  /** When the task was given. ISO 8601. */
  readonly since: string
  /** The absolute paths of the files that the task edited. */
  readonly edited: ReadonlyArray<string>
  /** Returns the earlier text of a file. Null if the record does not show the edits. */
  readonly undone: (file: string, text: string) => string | null
}

interface Options {
  /** A folder in the user's own state. It is used only for the work tree of this repository. */
  readonly folder: string
  readonly project: string
  readonly task: Task
  /** True for a file that should keep its current content. The name is relative to the root of the repository. */
  readonly isNow?: (name: string) => boolean
}

/** If git cannot make the work tree, it leaves an empty `worktrees` folder. The script removes this folder too. */
const worktree = `git=$1 root=$2 common=$3 folder=$4 commit=$5
shift 5
cd "$root" || exit
gone() {
  "$git" "$@" worktree remove --force --force "$folder"
  rm -rf "$folder"
  rmdir "$common/worktrees"
} </dev/null >/dev/null 2>&1
gone "$@"
"$git" "$@" worktree add --force --detach --quiet "$folder" "$commit" </dev/null >/dev/null 2>&1 && echo made && read -r _
gone "$@"`

const made = ({ common, git, root }: Repository, folder: string, commit: string) =>
  Effect.map(
    Keeper.keep(git, worktree, [git.program.git, root, common, folder, commit, ...Git.quiet, ...git.off]),
    (line) => line === "made"
  )

type Repository = NonNullable<Effect.Effect.Success<ReturnType<typeof repositoryOf>>>

/** The maximum numbers of files to copy and of folders to link. More would take too long. */
const [mostFiles, mostFolders] = [2000, 200]

const list = Effect.fnUntraced(function* ({ git, root }: Repository, words: ReadonlyArray<string>) {
  const bytes = yield* Git.ask(git, words, { directory: root })
  return bytes === null ? yield* Effect.fail("git gave no answer") : Git.items(bytes)
})

const changedIn = (repository: Repository, commit: string, filter: string) =>
  list(repository, ["diff", "--name-only", `--diff-filter=${filter}`, "-z", ...Git.plainDiff, commit])

/** Allows one millisecond more, because a file's time is rounded up and a record's time is rounded down. */
const isBefore = ({ since }: Task, { mtime }: FileSystem.File.Info): boolean =>
  Option.exists(mtime, (at) => at.getTime() <= Date.parse(since) + 1)

const longest = 1_000_000

/** The name of a folder ends with a slash. */
const ignoredOf = (repository: Repository) =>
  list(repository, ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"])

/** Copies changes that are not committed. If the agent edited a file, these edits are undone in the copy. */
const copyChanged = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  { folder, isNow = () => false, task }: Omit<Options, "project">
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { root } = repository
  const changed = yield* changedIn(repository, commit, "d")
  const others = yield* list(repository, ["ls-files", "--others", "--exclude-standard", "-z"])
  const ignored = (yield* ignoredOf(repository)).filter((name) => !name.endsWith("/"))
  const gone = yield* changedIn(repository, commit, "D")
  const names = [...changed, ...others, ...ignored]
  if (names.length + gone.length > mostFiles) return false
  const write = Effect.fnUntraced(function* (name: string) {
    const [file, target] = [path.join(root, name), path.join(folder, name)]
    const found = yield* fs.stat(file)
    if (found.type !== "File" || found.size > longest) return
    const isEdited = task.edited.includes(file) && !isNow(name)
    const text = isEdited ? task.undone(file, yield* fs.readFileString(file)) : null
    if (text === null && (isEdited || !(isNow(name) || isBefore(task, found)))) return
    yield* fs.makeDirectory(path.dirname(target), { recursive: true })
    yield* text === null ? fs.copyFile(file, target) : fs.writeFileString(target, text)
  })
  /** The time of a folder shows when something in it was last removed. */
  const remove = Effect.fnUntraced(function* (name: string) {
    const file = path.join(root, name)
    if (!isNow(name) && (task.edited.includes(file) || !isBefore(task, yield* fs.stat(path.dirname(file))))) return
    yield* fs.remove(path.join(folder, name))
  })
  yield* Effect.forEach(names, (name) => Effect.ignore(write(name)), { discard: true })
  yield* Effect.forEach(gone, (name) => Effect.ignore(remove(name)), { discard: true })
  return true
})

/** Folders of installed packages. They count only if git ignores them. */
const packages: ReadonlySet<string> = new Set(["node_modules", ".venv", "venv", "vendor"])

/** True for caches that tools keep among the packages. Checks must not overwrite them. */
const isKept = (name: string): boolean => name.startsWith(".") && ![".bin", ".pnpm"].includes(name)

const packagesOf = (repository: Repository) =>
  Effect.andThen(Path.Path, (path) =>
    Effect.map(ignoredOf(repository), (found) =>
      found
        .map((name) => name.replace(/\/$/, ""))
        .filter((name) => packages.has(path.basename(name)))
        .slice(0, mostFolders)
    )
  )

/** A link to one of the project's own packages leads to the package's copy in the work tree. */
const linkPackages = Effect.fnUntraced(function* (repository: Repository, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { root } = repository
  const link = Effect.fnUntraced(function* (name: string) {
    const real = path.relative(root, yield* fs.realPath(path.join(root, name)))
    const isOwn = !real.startsWith("..") && !path.isAbsolute(real) && !real.split(path.sep).includes("node_modules")
    yield* fs.symlink(path.join(isOwn && real !== name ? folder : root, isOwn ? real : name), path.join(folder, name))
  })
  const linkAll = (name: string): Effect.Effect<void, unknown> =>
    Effect.gen(function* () {
      yield* fs.makeDirectory(path.join(folder, name), { recursive: true })
      const names = (yield* fs.readDirectory(path.join(root, name))).filter((one) => !isKept(one))
      yield* Effect.forEach(names, (one) =>
        Effect.ignore(one.startsWith("@") ? linkAll(path.join(name, one)) : link(path.join(name, one)))
      )
    })
  yield* Effect.forEach(yield* packagesOf(repository), (name) =>
    Effect.ignore(path.basename(name) === "node_modules" ? linkAll(name) : link(name))
  )
})

/** Fails outside a git repository. Called each time, because a check may configure a filter between two calls. */
const open = Effect.fnUntraced(function* ({ project, task }: Pick<Options, "project" | "task">) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const real = yield* fs.realPath(project)
  const repository = yield* repositoryOf(real, [])
  if (repository === null) return yield* Effect.fail("it is not a git repository")
  const commit = yield* Git.headAt(repository.git, repository.root, task.since)
  const within = (one: string, other: string) => (file: string) =>
    file.startsWith(`${one}${path.sep}`) ? path.join(other, path.relative(one, file)) : file
  const edited = task.edited.map(within(project, real))
  const undone: Task["undone"] = (file, text) =>
    task.undone(within(real, project)(file), text) ?? task.undone(file, text)
  return { real, repository, commit, task: { ...task, edited, undone } }
})

/** The project's folder in a work tree with the earlier files. Null if git cannot restore them. */
export const at = Effect.fn("TaskStart.at")(
  function* (options: Options) {
    const path = yield* Path.Path
    const { folder } = options
    const { commit, real, repository, task } = yield* open(options)
    if (!(yield* made(repository, folder, commit))) return null
    if (!(yield* copyChanged(repository, commit, { ...options, task }))) return null
    yield* linkPackages(repository, folder)
    return path.join(folder, path.relative(repository.root, real))
  },
  Effect.orElseSucceed(() => null)
)

/** The absolute paths of files that changed since the task was given. Null if git cannot tell. */
export const changed = Effect.fn("TaskStart.changed")(
  function* (options: Pick<Options, "project" | "task">) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { commit, real, repository, task } = yield* open(options)
    const { git, root } = repository
    const raw = yield* Git.ask(git, ["diff", "--raw", "-z", ...Git.plainDiff, commit], { directory: root })
    if (raw === null) return null
    const rows = Arr.chunksOf(Git.items(raw), 2)
    const others = yield* list(repository, ["ls-files", "--others", "--exclude-standard", "-z"])
    /** The time of a file does not show when its mode changed, so a change of the mode always counts. */
    const isSince = Effect.fnUntraced(function* ([how = "", name = ""]: ReadonlyArray<string>) {
      const [before, after] = how.slice(1).split(" ")
      const file = path.join(root, name)
      const found = yield* fs.stat(how.endsWith("D") ? path.dirname(file) : file)
      const isMode = how.endsWith("M") && before !== after
      return isMode || !isBefore(task, found)
    })
    const found = yield* Effect.filter([...rows, ...others.map((name) => ["", name])], (row) =>
      Effect.orElseSucceed(isSince(row), () => true)
    )
    return found.map(([, name = ""]) => path.join(options.project, path.relative(real, path.join(root, name))))
  },
  Effect.orElseSucceed(() => null)
)

/** True if the task changed or removed a test file that was committed before the task. */
export const hasChangedTests = Effect.fn("TaskStart.hasChangedTests")(
  function* (options: Pick<Options, "project" | "task">) {
    const path = yield* Path.Path
    const { commit, repository, task } = yield* open(options)
    const names = yield* changedIn(repository, commit, "MD")
    return names.some((name) => isOfTests(name) && task.edited.includes(path.join(repository.root, name)))
  },
  Effect.orElseSucceed(() => false)
)

/** True if the earlier content of every changed file is known. The user may have changed files without a record. */
export const isSure = Effect.fn("TaskStart.isSure")(
  function* (options: Pick<Options, "project" | "task">) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { commit, repository, task } = yield* open(options)
    const names = yield* changedIn(repository, commit, "M")
    return yield* Effect.every(
      names,
      Effect.fnUntraced(function* (name) {
        const file = path.join(repository.root, name)
        if (!task.edited.includes(file)) return isBefore(task, yield* fs.stat(file))
        return task.undone(file, yield* fs.readFileString(file)) !== null
      })
    )
  },
  Effect.orElseSucceed(() => false)
)

/** A program loads code from the places in these variables before it looks in its own folder. */
const variables =
  "PYTHONPATH NODE_PATH GOPATH GOWORK RUBYLIB PERL5LIB CLASSPATH LUA_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH CARGO_TARGET_DIR".split(
    " "
  )

/** The file that an installer writes last, for each package folder. */
const stamps: Readonly<Record<string, ReadonlyArray<string>>> = {
  node_modules: [".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml"],
  vendor: ["composer/installed.json"]
}

/** Manifests of Python packages. The packages may be in a place that does not show when they were installed. */
const pythonManifest =
  /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|requirements[\w.-]*\.txt|(?:uv|poetry|Pipfile)\.lock)$/

/** Files that make a Python environment use a package from outside the environment. */
const leading = /^__editable__|\.(?:pth|egg-link)$/

/** True if the installed packages are older than the task, and none leads to the project's current code. */
const areOld = Effect.fnUntraced(function* (repository: Repository, task: Task, isOwn: (text: string) => boolean) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isOld = (file: string) => Effect.map(fs.stat(file), (info) => isBefore(task, info))
  return yield* Effect.every(
    yield* packagesOf(repository),
    Effect.fnUntraced(function* (name) {
      const folder = path.join(repository.root, name)
      const known = (stamps[path.basename(name)] ?? []).map((file) => path.join(folder, file))
      const [stamp = folder] = yield* Effect.filter(known, (file) => fs.exists(file))
      if (!name.endsWith("venv")) return yield* isOld(stamp)
      const versions = (yield* fs.readDirectory(path.join(folder, "lib"))).filter((one) => one.startsWith("python"))
      const places = versions.map((version) => path.join(folder, "lib", version, "site-packages"))
      return yield* Effect.every(
        places,
        Effect.fnUntraced(function* (place) {
          const files = (yield* fs.readDirectory(place)).filter((file) => leading.test(file))
          const texts = yield* Effect.forEach(files, (file) =>
            Effect.orElseSucceed(fs.readFileString(path.join(place, file)), () => "")
          )
          return !texts.some(isOwn) && (yield* isOld(place))
        })
      )
    })
  )
})

/** True if, as far as known, a command in the work tree would use the code and packages from before the task. */
export const isApart = Effect.fn("TaskStart.isApart")(
  function* (command: string, options: Pick<Options, "project" | "task">) {
    const path = yield* Path.Path
    const { commit, repository, task } = yield* open(options)
    const folders = [repository.root, options.project]
    const isOwn = (text: string): boolean =>
      text
        .split(/[:;,=\s"'()]+/)
        .some((word) => folders.some((one) => word === one || word.startsWith(`${one}${path.sep}`)))
    const values = yield* Effect.forEach(variables, (name) => Config.withDefault(Config.string(name), ""))
    if ([command, ...values].some(isOwn)) return false
    if ((yield* changedIn(repository, commit, "MD")).some((name) => pythonManifest.test(name))) return false
    return yield* areOld(repository, task, isOwn)
  },
  Effect.orElseSucceed(() => false)
)
