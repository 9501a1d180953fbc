/** The files of a project put into another folder, within bounds. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

/** By git: `files` are those that it has or would take, `ignored` the others; a folder ends with a slash. */
export interface Listed {
  readonly files: ReadonlyArray<string>
  readonly ignored: ReadonlyArray<string>
}

const maxFiles = 20_000
const maxBytes = 512 * 1024 * 1024
const maxIgnoredFiles = 3000
const maxDepth = 16

/** What package managers install, and nobody edits. */
const packages = "node_modules bower_components .venv venv Pods __pypackages__ .pixi .eggs".split(" ")

/** These as well, where git ignores them: else they may be anybody's own. */
const ignoredPackages: ReadonlySet<string> = new Set([...packages, "env", "vendor", "deps", ".bundle", ".yarn"])

/** What tools leave behind, and make again. */
const rubbish: ReadonlySet<string> = new Set(
  "__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .gradle .next .nuxt .turbo .cache .parcel-cache target coverage htmlcov .nyc_output .git .hg .svn .jj .reflection logs tmp".split(
    " "
  )
)

/** What was copied so far; `over` where a bound was reached. */
interface Budget {
  files: number
  bytes: number
  over: boolean
}

type Visit = Effect.Effect<void, unknown, FileSystem.FileSystem | Path.Path>

interface Place {
  readonly from: string
  readonly to: string
  readonly budget: Budget
}

const copyOne = Effect.fnUntraced(function* ({ budget, from, to }: Place, name: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (budget.over) return
  const [source, target] = [path.join(from, name), path.join(to, name)]
  const link = yield* Effect.orElseSucceed(fs.readLink(source), () => null)
  const info = yield* Effect.orElseSucceed(fs.stat(source), () => null)
  yield* fs.makeDirectory(path.dirname(target), { recursive: true })
  if (link !== null) return yield* fs.symlink(link, target)
  // A repository within this one is none of its files.
  if (info?.type === "Directory") return yield* fs.symlink(source, target)
  if (info?.type !== "File") return
  budget.files += 1
  budget.bytes += Number(info.size)
  budget.over ||= budget.files > maxFiles || budget.bytes > maxBytes
  if (!budget.over) yield* fs.copyFile(source, target)
})

/** Where the first part of a path stands that is a folder of installed packages; null where there is none. */
const installedIn = (name: string): string | null => {
  const parts = name.split("/")
  const at = parts.findIndex((part) => packages.includes(part))
  return at === -1 || at === parts.length - 1 ? null : parts.slice(0, at + 1).join("/")
}

/**
 * A folder of links to what is installed: so tools that keep something of their own beside it keep it in the copy. A package of
 * this very project is linked to its own copy.
 */
const linkPackages: (place: Place, folder: string, depth: number) => Visit = Effect.fnUntraced(
  function* (place, folder, depth) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const source = path.join(place.from, folder)
    yield* fs.makeDirectory(path.join(place.to, folder), { recursive: true })
    for (const name of yield* fs.readDirectory(source)) {
      if (name === ".cache" || name === ".vite" || name === ".vitest") continue
      if (name.startsWith("@") && depth === 0) {
        yield* linkPackages(place, `${folder}/${name}`, 1)
        continue
      }
      const link = yield* Effect.orElseSucceed(fs.readLink(path.join(source, name)), () => null)
      const leads = link === null ? null : path.relative(place.from, path.resolve(source, link))
      const isOwn =
        leads !== null && !leads.startsWith("..") && !path.isAbsolute(leads) && installedIn(`${leads}/`) === null
      yield* fs.symlink(isOwn ? path.join(place.to, leads) : path.join(source, name), path.join(place.to, folder, name))
    }
  }
)

const linkInstalled = Effect.fnUntraced(function* (place: Place, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (path.basename(folder) === "node_modules") return yield* linkPackages(place, folder, 0)
  yield* fs.makeDirectory(path.dirname(path.join(place.to, folder)), { recursive: true })
  yield* fs.symlink(path.join(place.from, folder), path.join(place.to, folder))
})

/** What git ignores and no package manager put there: settings, what was generated or built. Only as long as it is little. */
const copyIgnored: (place: Place, name: string, depth: number) => Visit = Effect.fnUntraced(
  function* (place, name, depth) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const bare = name.replace(/\/$/, "")
    const base = path.basename(bare)
    if (place.budget.over || rubbish.has(base) || /\.(?:log|pyc|tsbuildinfo)$/.test(base) || depth > maxDepth) return
    if (ignoredPackages.has(base)) return yield* linkInstalled(place, bare)
    const isLink = yield* Effect.isSuccess(fs.readLink(path.join(place.from, bare)))
    const info = yield* Effect.orElseSucceed(fs.stat(path.join(place.from, bare)), () => null)
    if (isLink || info?.type !== "Directory") return yield* copyOne(place, bare)
    for (const inner of yield* fs.readDirectory(path.join(place.from, bare)))
      yield* copyIgnored(place, `${bare}/${inner}`, depth + 1)
  }
)

/** False where there is too much. What git ignores may be left out for that. */
export const copyFiles = Effect.fnUntraced(function* (from: string, to: string, { files, ignored }: Listed) {
  const folders = new Set(files.map(installedIn).filter((folder) => folder !== null))
  const tracked = files.filter((name) => installedIn(name) === null && !/(?:^|\/)\.(?:git|reflection)\//.test(name))
  if (tracked.length > maxFiles) return false
  const budget: Budget = { files: 0, bytes: 0, over: false }
  const place: Place = { from, to, budget }
  yield* Effect.forEach(tracked, (name) => copyOne(place, name.replace(/\/$/, "")), { concurrency: 16, discard: true })
  if (budget.over) return false
  yield* Effect.forEach(folders, (folder) => linkInstalled(place, folder), { discard: true })
  const few: Place = { from, to, budget: { files: maxFiles - maxIgnoredFiles, bytes: maxBytes / 2, over: false } }
  const rest = ignored.filter((name) => !folders.has(name.replace(/\/$/, "")))
  yield* Effect.forEach(rest, (name) => Effect.ignore(copyIgnored(few, name, 0)), { discard: true })
  return true
})
