/**
 * A project as it is now, in a folder of its own: for a run that may change its files. Nothing is written in the project or
 * in what git keeps of it. What packages were installed there is linked to, other files that git ignores are copied as far as
 * they are few.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Git from "../../ground/system/QuietGit.ts"
import { copyFiles, type Listed } from "./copyFiles.ts"
import { passingFolder } from "./copyPlace.ts"
import { repositoryOf, treeOf } from "./tree.ts"

/** `state`: a folder of the user's own state. `within`: the words of a sandbox, in which git is asked. */
export interface Options {
  readonly directory: string
  readonly within: ReadonlyArray<string>
  readonly state: string
}

/**
 * `directory` is the project's own in the copy, `root` its repository's there; `counterpart` is where a file of the project
 * lies in the copy, null for one that is not the repository's.
 */
export interface Copy {
  readonly root: string
  readonly directory: string
  readonly counterpart: (file: string) => string | null
}

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** More than these is no small project, and a copy of it would take too long. */
const maxListed = 16 * 1024 * 1024

const listed = Effect.fnUntraced(function* (git: Git.Git, root: string) {
  const ask = (words: ReadonlyArray<string>) =>
    Effect.map(
      Git.ask(git, ["ls-files", "-z", "--others", "--exclude-standard", ...words], {
        directory: root,
        limit: maxListed
      }),
      (out) => (out === null ? null : Git.items(out))
    )
  const files = yield* ask(["--cached"])
  const ignored = yield* ask(["--ignored", "--directory"])
  if (files === null || ignored === null) return null
  const found: Listed = { files: [...new Set(files)], ignored }
  return found
})

/** Null where git does not know the project's files, or there are too many. The copy goes with the scope. */
export const make: (options: Options) => Effect.Effect<Copy | null, never, Needs | Scope.Scope> = Effect.fn(
  "ProjectCopy.make"
)(
  function* ({ directory, state, within }: Options) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const repository = yield* repositoryOf(directory, within)
    if (repository === null) return null
    const root = yield* fs.realPath(repository.root)
    const own = yield* fs.realPath(directory)
    const found = yield* listed(repository.git, root)
    if (found === null) return null
    const folder = yield* passingFolder(path.join(state, "copies"))
    if (!(yield* copyFiles(root, folder, found))) return null
    const inside = (file: string): string | null => {
      const name = path.relative(root, file)
      return name === "" || name.startsWith("..") || path.isAbsolute(name) ? null : name
    }
    const counterpart = (file: string): string | null => {
      const name = inside(file) ?? inside(path.join(own, path.relative(directory, file)))
      return name === null ? null : path.join(folder, name)
    }
    const copy: Copy = { root: folder, directory: path.join(folder, path.relative(root, own)), counterpart }
    return copy
  },
  Effect.orElseSucceed(() => null)
)

/** Names the files as they are, null where they cannot be told apart. */
export const fingerprint = (
  directory: string,
  within: ReadonlyArray<string>
): Effect.Effect<string | null, never, Needs> =>
  Effect.orElseSucceed(
    Effect.map(treeOf(directory, within), (tree) => tree?.key ?? null),
    () => null
  )
