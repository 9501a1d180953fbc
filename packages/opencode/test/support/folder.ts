import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"

/** A folder of files that goes away with the test. */
export const folder = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-opencode-" }))
  for (const [name, content] of Object.entries(files)) {
    yield* fs.makeDirectory(path.dirname(path.join(root, name)), { recursive: true })
    yield* fs.writeFileString(path.join(root, name), content)
  }
  return root
})
