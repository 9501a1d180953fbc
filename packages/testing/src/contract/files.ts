/** Files that the cases of the host contract write, read and wait for. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { eventually, type Host, orFault } from "./HostContract.ts"
import type * as Sandbox from "../sandbox/Sandbox.ts"

export interface World {
  readonly host: Host
  readonly sandbox: Sandbox.Sandbox
  readonly state: string
  readonly cache: string
  readonly config: string
  readonly data: string
}

/** Paths are absolute. */
export const write = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    for (const [file, content] of Object.entries(files)) {
      yield* fs.makeDirectory(path.dirname(file), { recursive: true })
      yield* fs.writeFileString(file, content)
    }
  }).pipe(orFault("a file could not be written"))

/** Null if the file does not exist. */
export const textOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.flatMap(fs.exists(file), (there) => (there ? fs.readFileString(file) : Effect.succeed(null)))
  ).pipe(orFault(`${file} could not be read`))

/** Empty if the folder does not exist. */
export const filesBelow = (folder: string, ending = "") =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (!(yield* fs.exists(folder))) return []
    const all = yield* fs.readDirectory(folder, { recursive: true })
    const names = all
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => path.join(folder, name))
    return yield* Effect.filter(names, (name) => Effect.map(fs.stat(name), ({ type }) => type === "File"))
  }).pipe(orFault(`${folder} could not be listed`))

/** The file is next to the home directory. */
export const touch = ({ sandbox }: World, name: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.writeFileString(`${sandbox.root}/${name}`, "")).pipe(
    orFault(`${name} could not be written`)
  )

export const appears = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    eventually(
      file,
      Effect.map(fs.exists(file), (there) => (there ? true : null))
    )
  ).pipe(orFault(`${file} did not appear`))

/** The other files are by file name. */
export const records = (own: string | null, others: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const texts = yield* Effect.forEach(others, textOf)
    const named = others.map((file, index) => [file.replace(/.*\//, ""), texts[index] ?? ""])
    return { main: (yield* textOf(own ?? "no record")) ?? "", agents: Object.fromEntries(named) }
  })
