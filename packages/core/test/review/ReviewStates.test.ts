import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"
import { ReviewStates } from "../../src/review/machine/ReviewStates.ts"

const begun: ReviewState.ReviewState = { ...ReviewState.initial, root: "u1", attempts: 2, mark: "m", told: ["unmoved"] }

/** In a folder that goes when the test ends; `at` gives it a place below. */
const onDisk = (at = "") =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()),
      (folder) =>
        Layer.merge(
          ReviewStates.Live({ directory: `${folder}${at}` }),
          Layer.succeed(Folder, Folder.of({ path: folder }))
        )
    )
  ).pipe(Layer.provideMerge(NodeContext.layer))

class Folder extends Effect.Tag("test/Folder")<Folder, { readonly path: string }>() {}

for (const [name, layer] of [
  ["Live", onDisk("/codex/sessions")],
  ["Memory", ReviewStates.Memory]
] as const) {
  describe(`ReviewStates.${name}`, () => {
    it.effect("has nothing of a session before it is saved, then what was saved last", () =>
      Effect.gen(function* () {
        const states = yield* ReviewStates
        assert.isNull(yield* states.load("s1"))
        yield* states.save("s1", ReviewState.initial)
        yield* states.save("s1", begun)
        assert.deepStrictEqual(yield* states.load("s1"), begun)
      }).pipe(Effect.provide(layer))
    )

    it.effect(
      "is off from the user's word to stop to their word to start, whatever a process saves that heard neither",
      () =>
        Effect.gen(function* () {
          const states = yield* ReviewStates
          const off = { ...begun, enabled: false }
          assert.isFalse(yield* states.isStopped("s1"))
          yield* states.setStopped("s1", true)
          assert.deepStrictEqual(yield* states.load("s1"), { ...ReviewState.initial, enabled: false })
          yield* states.save("s1", begun)
          assert.isTrue(yield* states.isStopped("s1"))
          assert.deepStrictEqual(yield* states.load("s1"), off)
          assert.isNull(yield* states.load("s2"))
          yield* states.setStopped("s1", false)
          yield* states.save("s1", off)
          assert.isFalse(yield* states.isStopped("s1"))
          assert.deepStrictEqual(yield* states.load("s1"), begun)
        }).pipe(Effect.provide(layer))
    )

    it.effect("keeps sessions apart, whatever they are called", () =>
      Effect.gen(function* () {
        const states = yield* ReviewStates
        const ids = ["a", "a/b", "a-b", "../a", "..", "", "A".repeat(300), `${"A".repeat(299)}B`, "verdict_a", "é"]
        for (const [index, id] of ids.entries()) yield* states.save(id, { ...begun, reviews: index })
        for (const [index, id] of ids.entries()) assert.strictEqual((yield* states.load(id))?.reviews, index)
      }).pipe(Effect.provide(layer))
    )
  })
}

describe("ReviewStates.Live", () => {
  it.effect("begins again where what was saved is damaged, or another session's", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const states = yield* ReviewStates
      const { path } = yield* Folder
      yield* states.save("s1", begun)
      const text = yield* fs.readFileString(`${path}/s1.json`)
      for (const damaged of ["", "{", "null", text.slice(0, 40), text.replace('"attempts": 2', '"attempts": "2"')]) {
        yield* fs.writeFileString(`${path}/s1.json`, damaged)
        assert.isNull(yield* states.load("s1"))
      }
      yield* fs.writeFileString(`${path}/s2.json`, text)
      assert.isNull(yield* states.load("s2"))
      yield* states.save("s1", begun)
      assert.deepStrictEqual(yield* states.load("s1"), begun)
    }).pipe(Effect.provide(onDisk()))
  )

  it.effect("is off from the user's word to stop until they take it back, whatever becomes of the state", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const states = yield* ReviewStates
      const { path } = yield* Folder
      yield* states.save("s1", begun)
      yield* states.setStopped("s1", true)
      for (const damage of [fs.writeFileString(`${path}/s1.json`, "damaged"), fs.remove(`${path}/s1.json`)]) {
        yield* damage
        assert.deepStrictEqual(yield* states.load("s1"), { ...ReviewState.initial, enabled: false })
      }
      yield* states.setStopped("s1", false)
      assert.isNull(yield* states.load("s1"))
    }).pipe(Effect.provide(onDisk()))
  )

  it.effect("leaves nothing but the state itself, readable by the user alone", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const states = yield* ReviewStates
      const { path } = yield* Folder
      yield* states.save("s1", begun)
      yield* states.save("s1", { ...begun, attempts: 3 })
      assert.deepStrictEqual(yield* fs.readDirectory(path), ["s1.json"])
      assert.strictEqual((yield* fs.stat(`${path}/s1.json`)).mode & 0o777, 0o600)
    }).pipe(Effect.provide(onDisk()))
  )

  it.effect("says that a state cannot be saved or read, and follows no link", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const states = yield* ReviewStates
      const { path } = yield* Folder
      yield* fs.makeDirectory(`${path}/s1.json`)
      const unwritable = yield* Effect.flip(states.save("s1", begun))
      assert.strictEqual(unwritable.reason, "unwritable")
      assert.match(unwritable.message, /^the review state of session s1 cannot be saved, so nothing is nudged: ./)

      yield* fs.writeFileString(`${path}/target`, "kept")
      yield* fs.symlink(`${path}/target`, `${path}/s2.json`)
      const unreadable = yield* Effect.flip(states.load("s2"))
      assert.strictEqual(unreadable.reason, "unreadable")
      assert.match(unreadable.message, /symbolic link/)
      yield* states.save("s2", begun)
      assert.deepStrictEqual(yield* states.load("s2"), begun)
      assert.strictEqual(yield* fs.readFileString(`${path}/target`), "kept")
    }).pipe(Effect.provide(onDisk()))
  )

  it.effect("moves a folder out of a state's place, so that the session goes on", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const states = yield* ReviewStates
      const { path } = yield* Folder
      yield* fs.makeDirectory(`${path}/s1.json/kept`, { recursive: true })
      assert.isNull(yield* states.load("s1"))
      yield* states.save("s1", begun)
      assert.deepStrictEqual(yield* states.load("s1"), begun)
      const [aside = ""] = (yield* fs.readDirectory(path)).filter((name) => name.startsWith("s1.json.folder-"))
      assert.deepStrictEqual(yield* fs.readDirectory(`${path}/${aside}`), ["kept"])
    }).pipe(Effect.provide(onDisk()))
  )

  it.effect("cannot save where its folder cannot be", () =>
    Effect.gen(function* () {
      const states = yield* ReviewStates
      assert.isNull(yield* Effect.orElseSucceed(states.load("s1"), () => null))
      assert.strictEqual((yield* Effect.flip(states.save("s1", begun))).reason, "unwritable")
      assert.strictEqual((yield* Effect.flip(states.setStopped("s1", true))).reason, "unwritable")
    }).pipe(Effect.provide(ReviewStates.Live({ directory: "/dev/null/states" })))
  )
})
