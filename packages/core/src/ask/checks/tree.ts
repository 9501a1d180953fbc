/** A hash of all that a check's result depends on and git would keep: contents, names and modes, ignored files left out. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Git from "../../base/system/QuietGit.ts"
import { digest } from "../../base/system/KeyHash.ts"
import { plainFiles } from "./files.ts"
import type { Tree } from "./model.ts"

const maxNested = 20
const maxDepth = 3

/** Its own records change with every review. */
const notOurs = ["--", ".", ":(exclude,glob)**/.reflection/**"]

interface Repository {
  readonly git: Git.Git
  readonly root: string
  readonly index: string
}

/** Null where the folder is in no repository's working copy, or in one that is said to be elsewhere. */
export const repositoryOf = Effect.fnUntraced(function* (directory: string, within: ReadonlyArray<string>) {
  const path = yield* Path.Path
  const git = yield* Git.open(directory, within)
  if (git === null) return null
  const words = ["rev-parse", "--is-inside-work-tree", "--show-toplevel", "--git-path", "index"]
  const found = yield* Git.ask(git, words, { directory })
  const [inside, root, index, ...rest] = found === null ? [] : Git.text(found).split("\n")
  if (inside !== "true" || root === undefined || root === "") return null
  if (index === undefined || rest.join("") !== "") return null
  const repository: Repository = { git, root, index: path.resolve(directory, index) }
  return repository
})

/** Files as old as the index may have changed since without a trace: git looks into them, as long as the copy is as old. */
const copyIndex = Effect.fnUntraced(function* (index: string, copy: string) {
  const fs = yield* FileSystem.FileSystem
  const { mtime } = yield* fs.stat(index)
  yield* fs.copyFile(index, copy)
  const written = Option.getOrElse(mtime, () => new Date(0)).getTime()
  const safe = new Date(Math.max(0, written - 10))
  yield* fs.utimes(copy, safe, safe)
})

/** A copy of the index, brought up to date with the working copy; the repository's own stays as it is. */
const updated = Effect.fnUntraced(function* ({ git, index, root }: Repository) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const copy = path.join(yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-" }), "index")
  yield* Effect.whenEffect(copyIndex(index, copy), fs.exists(index))
  const asking = { directory: root, index: copy }
  const list = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard", ...notOurs]
  const changed = yield* Git.ask(git, list, asking)
  if (changed === null) return null
  const update = ["update-index", "--add", "--remove", "--info-only", "-z", "--stdin"]
  if ((yield* Git.ask(git, update, { ...asking, stdin: changed })) === null) return null
  const listed = yield* Git.ask(git, ["ls-files", "-z", "--stage", ...notOurs], asking)
  return listed === null ? null : { listed, nested: Git.items(changed).filter((name) => name.endsWith("/")) }
}, Effect.scoped)

/** "mode hash stage", a tab, and the path. */
const entryOf = (item: string): readonly [path: string, entry: string] => {
  const tab = item.indexOf("\t")
  return [item.slice(tab + 1), item.slice(0, tab)]
}

const gitTree: (repository: Repository, depth: number) => Effect.Effect<Tree | null, unknown, Needs> =
  Effect.fnUntraced(function* (repository, depth) {
    const found = yield* updated(repository)
    if (found === null) return null
    const files = new Map(Git.items(found.listed).map(entryOf))
    const links = [...files].filter(([, entry]) => entry.startsWith("160000 ")).map(([name]) => name)
    const nested = [...new Set([...links, ...found.nested.map((name) => name.slice(0, -1))])].toSorted()
    if (nested.length > maxNested || (nested.length > 0 && depth >= maxDepth)) return null
    const keys = [yield* digest(found.listed)]
    for (const name of nested) {
      const inner = yield* nestedTree(repository, name, depth)
      if (inner === null) return null
      keys.push(`${name}\0${inner.key}`)
      for (const [path, entry] of inner.files) files.set(`${name}/${path}`, entry)
    }
    return {
      key: keys.length === 1 ? (keys[0] ?? "") : yield* digest(new TextEncoder().encode(keys.join("\0"))),
      files
    }
  })

/** A submodule or a repository of its own within; one that is not checked out has nothing in it. */
const nestedTree = Effect.fnUntraced(function* ({ git, root }: Repository, name: string, depth: number) {
  const path = yield* Path.Path
  const directory = path.join(root, name)
  const inner = yield* repositoryOf(directory, git.within)
  if (inner === null || path.resolve(inner.root) === path.resolve(root)) return { key: "", files: new Map() }
  return yield* gitTree(inner, depth + 1)
})

type Needs = Effect.Effect.Context<ReturnType<typeof updated>>

/** The tree that a folder belongs to, null where it cannot be told, or not within bounds: then nothing is known of it. */
export const treeOf = Effect.fnUntraced(function* (directory: string, within: ReadonlyArray<string>) {
  const repository = yield* repositoryOf(directory, within)
  return repository === null ? yield* plainFiles(directory) : yield* gitTree(repository, 0)
})
