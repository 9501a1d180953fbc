/** The files that the host contract's cases write, look at and wait for. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { eventually, orFault } from "./HostContract.ts"
import type { World } from "./model.ts"

/**
 * Writes files, by absolute path.
 *
 * @category combinators
 */
export const write = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    for (const [file, content] of Object.entries(files)) {
      yield* fs.makeDirectory(path.dirname(file), { recursive: true })
      yield* fs.writeFileString(file, content)
    }
  }).pipe(orFault("a file could not be written"))

/**
 * The file's text, null where there is none.
 *
 * @category accessors
 */
export const textOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.flatMap(fs.exists(file), (there) => (there ? fs.readFileString(file) : Effect.succeed(null)))
  ).pipe(orFault(`${file} could not be read`))

/**
 * The plain files below a folder; none where there is no folder.
 *
 * @category accessors
 */
export const filesBelow = (folder: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (!(yield* fs.exists(folder))) return []
    const names = (yield* fs.readDirectory(folder, { recursive: true })).map((name) => path.join(folder, name))
    return yield* Effect.filter(names, (name) => Effect.map(fs.stat(name), ({ type }) => type === "File"))
  }).pipe(orFault(`${folder} could not be listed`))

/**
 * Makes an empty file in the sandbox, next to the home directory.
 *
 * @category combinators
 */
export const touch = ({ sandbox }: World, name: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.writeFileString(`${sandbox.root}/${name}`, "")).pipe(
    orFault(`${name} could not be written`)
  )

/**
 * Waits until a file is there.
 *
 * @category waiting
 */
export const appears = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    eventually(
      file,
      Effect.map(fs.exists(file), (there) => (there ? true : null))
    )
  ).pipe(orFault(`${file} did not appear`))
