/** A fingerprint of the files that git does not ignore: contents, names and modes. A commit does not change it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { digest } from "../base/system/KeyHash.ts"
import * as Git from "../base/system/QuietGit.ts"
import * as Keeper from "./keeper.ts"

/** Null outside a working copy, or if the repository's configuration names another folder as its working copy. */
export const repositoryOf = Effect.fnUntraced(function* (directory: string, within: ReadonlyArray<string>) {
  const path = yield* Path.Path
  const git = yield* Git.open(directory, within)
  if (git === null) return null
  const words = ["rev-parse", "--is-inside-work-tree", "--show-toplevel", "--git-path", "index", "--git-common-dir"]
  const found = yield* Git.ask(git, words, { directory })
  const [inside, root = "", index, common, ...rest] = found === null ? [] : Git.text(found).split("\n")
  if (inside !== "true" || root === "" || index === undefined || common === undefined || rest.join("") !== "")
    return null
  return { git, root, index: path.resolve(directory, index), common: path.resolve(directory, common) }
})

/** Git may miss a change of a file that is as old as the index. So the copy of the index gets an older time. */
const copyIndex = Effect.fnUntraced(function* (index: string, copy: string) {
  const fs = yield* FileSystem.FileSystem
  const { mtime } = yield* fs.stat(index)
  yield* fs.copyFile(index, copy)
  const safe = new Date(Math.max(0, Option.getOrElse(mtime, () => new Date(0)).getTime() - 10))
  yield* fs.utimes(copy, safe, safe)
})

/** Leaves out our own records, because they change with every review. */
const notOurs = ["--", ".", ":(exclude,glob)**/.reflection/**"]

/**
 * Returns the files and their common fingerprint. Null if git cannot list them. The repository and index do not change.
 */
export const treeOf = Effect.fnUntraced(
  function* (directory: string, within: ReadonlyArray<string>) {
    const fs = yield* FileSystem.FileSystem
    const repository = yield* repositoryOf(directory, within)
    if (repository === null) return null
    const { git, index, root } = repository
    const folder = (yield* Keeper.folder(git)) ?? (yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-" }))
    const copy = `${folder}/index`
    yield* Effect.whenEffect(copyIndex(index, copy), fs.exists(index))
    const asking = { directory: root, index: copy }
    const list = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard", ...notOurs]
    const changed = yield* Git.ask(git, list, asking)
    if (changed === null) return null
    const update = ["update-index", "--add", "--remove", "--info-only", "-z", "--stdin"]
    if ((yield* Git.ask(git, update, { ...asking, stdin: changed })) === null) return null
    const listed = yield* Git.ask(git, ["ls-files", "-z", "--stage", ...notOurs], asking)
    if (listed === null) return null
    const files = Git.items(listed)
    // Git does not list the files of a repository inside this one, for example a submodule.
    const isPart = Git.items(changed).some((name) => name.endsWith("/"))
    const isWhole = !isPart && !files.some((line) => line.startsWith("160000 "))
    return isWhole ? { files, print: yield* digest(listed) } : null
  },
  Effect.scoped,
  Effect.orElseSucceed(() => null)
)

type Files = ReadonlyArray<string>

const nameIn = (line: string): string => line.slice(line.indexOf("\t") + 1)

export const differing = (one: Files, other: Files): ReadonlySet<string> => {
  const [here, there] = [new Set(one), new Set(other)]
  const lines = [...one.filter((line) => !there.has(line)), ...other.filter((line) => !here.has(line))]
  return new Set(lines.map(nameIn))
}
