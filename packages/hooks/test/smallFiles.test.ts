import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as SmallFiles from "../src/places/SmallFiles.ts"

const both = ["small", "whole"] as const

const layers = {
  small: Layer.provide(SmallFiles.layer, NodeFileSystem.layer),
  whole: NodeFileSystem.layer
}

type Work = (files: FileSystem.FileSystem, folder: string) => Effect.Effect<unknown, unknown>

/** What it gives in one file system and in the other, or how it fails. */
const inBoth = (work: Work) =>
  Effect.forEach(both, (name) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      yield* files.writeFileString(`${folder}/there`, "one\n")
      yield* files.symlink(`${folder}/there`, `${folder}/link`)
      const result = yield* Effect.either(work(files, folder))
      const said = Either.mapLeft(result, (error) => {
        const { description: _, cause: __, ...rest } = error as Record<string, unknown>
        return JSON.stringify(rest).replaceAll(folder, "")
      })
      return [
        Either.map(said, (value) => JSON.stringify(value ?? null).replaceAll(folder, "")),
        yield* left(files, folder)
      ]
    }).pipe(Effect.scoped, Effect.provide(layers[name]))
  )

const left = (files: FileSystem.FileSystem, folder: string) =>
  Effect.flatMap(files.readDirectory(folder), (names) =>
    Effect.forEach(names.toSorted(), (name) =>
      Effect.map(
        Effect.orElseSucceed(files.readFileString(`${folder}/${name}`), () => "leads nowhere"),
        (text) => `${name}: ${text}`
      )
    )
  )

const works: Readonly<Record<string, Work>> = {
  "a file that is there exists": (files, folder) => files.exists(`${folder}/there`),
  "one that is not does not": (files, folder) => files.exists(`${folder}/absent`),
  "below a file nothing can be looked for": (files, folder) => files.exists(`${folder}/there/absent`),
  "a link says where it leads": (files, folder) => files.readLink(`${folder}/link`),
  "a file is no link": (files, folder) => files.readLink(`${folder}/there`),
  "what is absent is no link": (files, folder) => files.readLink(`${folder}/absent`),
  "a file takes another's place": (files, folder) => files.rename(`${folder}/there`, `${folder}/next`),
  "one that is absent does not": (files, folder) => files.rename(`${folder}/absent`, `${folder}/next`),
  "a text is added": (files, folder) => files.writeFileString(`${folder}/there`, "two\n", { flag: "a" }),
  "a text is put in a new file": (files, folder) =>
    files.writeFileString(`${folder}/next`, "two\n", { flag: "wx", mode: 0o600 }),
  "which must not be there": (files, folder) => files.writeFileString(`${folder}/there`, "two\n", { flag: "wx" }),
  "nor without a folder": (files, folder) => files.writeFileString(`${folder}/absent/next`, "two\n", { flag: "wx" }),
  "a text takes the place of what was there": (files, folder) => files.writeFileString(`${folder}/there`, "two\n"),
  "a long text is added": (files, folder) =>
    files.writeFileString(`${folder}/there`, "x".repeat(100_000), { flag: "a" })
}

describe("the file system of a plugin", () => {
  it.effect.each(Object.entries(works))("as any other: %s", ([, work]) =>
    Effect.map(inBoth(work), ([small, whole]) => assert.deepStrictEqual(small, whole))
  )

  it.effect("makes nobody else wait, and waits for nobody", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const state = Effect.zipRight(
        files.writeFileString(`${folder}/part`, "state", { flag: "wx", mode: 0o600 }),
        Effect.zipRight(files.rename(`${folder}/part`, `${folder}/state`), files.exists(`${folder}/stopped`))
      )
      assert.isFalse(Effect.runSync(state))
    }).pipe(Effect.scoped, Effect.provide(layers.small))
  )
})
