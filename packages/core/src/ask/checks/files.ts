/** The tree of a folder that no repository holds, within bounds. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { digest } from "../../base/system/KeyHash.ts"
import type { Tree } from "./model.ts"

const maxFiles = 5000
const maxBytes = 64 * 1024 * 1024
const maxDepth = 24

/** What tools put there, not people. */
const left: ReadonlySet<string> = new Set(
  ".git .hg .svn .jj .reflection node_modules .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .cache .gradle".split(
    " "
  )
)

/** What was read so far; `over` where a bound was reached. */
interface Walk {
  readonly files: Map<string, string>
  bytes: number
  over: boolean
}

const entryOf = Effect.fnUntraced(function* (file: string, info: FileSystem.File.Info, walk: Walk) {
  const fs = yield* FileSystem.FileSystem
  walk.bytes += Number(info.size)
  walk.over ||= walk.bytes > maxBytes || walk.files.size >= maxFiles
  if (walk.over) return ""
  return `${(info.mode & 0o111) === 0 ? "-" : "x"} ${yield* digest(yield* fs.readFile(file))}`
})

const visit: (
  place: string,
  name: string,
  depth: number,
  walk: Walk
) => Effect.Effect<void, unknown, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (place, name, depth, walk) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const file = path.join(place, name)
    const link = yield* Effect.orElseSucceed(fs.readLink(file), () => null)
    if (link !== null) {
      walk.files.set(name, `l ${link}`)
      return
    }
    const info = yield* fs.stat(file)
    if (info.type === "Directory") yield* visitAll(place, name, depth, walk)
    else if (info.type === "File") walk.files.set(name, yield* entryOf(file, info, walk))
  }
)

const visitAll = Effect.fnUntraced(function* (place: string, name: string, depth: number, walk: Walk) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  walk.over ||= depth > maxDepth
  const names = (yield* fs.readDirectory(path.join(place, name))).filter((inner) => !left.has(inner)).toSorted()
  for (const inner of names) {
    if (walk.over) return
    yield* visit(place, name === "" ? inner : `${name}/${inner}`, depth + 1, walk)
  }
})

export const plainFiles = Effect.fnUntraced(function* (directory: string) {
  const walk: Walk = { files: new Map(), bytes: 0, over: false }
  yield* visitAll(directory, "", 0, walk)
  if (walk.over) return null
  const listing = JSON.stringify([...walk.files])
  const tree: Tree = { key: yield* digest(new TextEncoder().encode(listing)), files: walk.files }
  return tree
})
