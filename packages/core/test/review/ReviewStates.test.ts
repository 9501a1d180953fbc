import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"
import { ReviewStates } from "../../src/review/machine/ReviewStates.ts"
import { type Work, worksWith } from "../support/works.ts"

const begun: ReviewState.ReviewState = { ...ReviewState.initial, root: "u1", attempts: 2, mark: "m", told: ["unmoved"] }

const off = { ...ReviewState.initial, enabled: false }

class Folder extends Effect.Tag("test/Folder")<Folder, { readonly path: string }>() {}

/** The states in a folder that is removed when the test ends; `at` is a path below it. */
const onDisk = (at = "") =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* fs.makeTempDirectoryScoped()
      return Layer.merge(ReviewStates.Live({ directory: `${path}${at}` }), Layer.succeed(Folder, Folder.of({ path })))
    })
  ).pipe(Layer.provideMerge(NodeContext.layer))

describe.each([
  ["Live", onDisk("/codex/sessions")],
  ["Memory", ReviewStates.Memory]
] as const)("ReviewStates.%s", (_, layer) => {
  worksWith(layer)("returns the last saved state, and keeps sessions of any name apart", function* () {
    const states = yield* ReviewStates
    const ids = ["a", "a/b", "a-b", "../a", "..", "", "A".repeat(300), `${"A".repeat(299)}B`, "verdict_a", "é"]
    for (const id of ids) {
      assert.isNull(yield* states.load(id))
      yield* states.save(id, ReviewState.initial)
    }
    for (const [reviews, id] of ids.entries()) yield* states.save(id, { ...begun, reviews })
    for (const [reviews, id] of ids.entries()) assert.deepStrictEqual(yield* states.load(id), { ...begun, reviews })
  })

  worksWith(layer)("a session is off from the user's stop to their start, whatever is saved meanwhile", function* () {
    const states = yield* ReviewStates
    assert.isFalse(yield* states.isStopped("s1"))
    yield* states.setStopped("s1", true)
    assert.deepStrictEqual(yield* states.load("s1"), off)
    yield* states.save("s1", begun)
    assert.isTrue(yield* states.isStopped("s1"))
    assert.deepStrictEqual(yield* states.load("s1"), { ...begun, enabled: false })
    assert.isNull(yield* states.load("s2"))
    yield* states.setStopped("s1", false)
    yield* states.save("s1", { ...begun, enabled: false })
    assert.isFalse(yield* states.isStopped("s1"))
    assert.deepStrictEqual(yield* states.load("s1"), begun)
  })
})

const place = Effect.all({ fs: FileSystem.FileSystem, path: Folder.path, states: ReviewStates })

type Needs = FileSystem.FileSystem | Folder | ReviewStates

type Place = Effect.Effect.Success<typeof place>

const live = (title: string, work: Work<Needs, [Place]>) =>
  it.scoped(title, () => Effect.flatMap(place, (given) => Effect.gen(() => work(given))).pipe(Effect.provide(onDisk())))

describe("ReviewStates.Live", () => {
  live("a damaged state, or another session's, loads as none", function* ({ fs, path, states }) {
    yield* states.save("s1", begun)
    const text = yield* fs.readFileString(`${path}/s1.json`)
    for (const damaged of ["", "{", "null", text.slice(0, 40), text.replace('"attempts": 2', '"attempts": "2"')]) {
      yield* fs.writeFileString(`${path}/s1.json`, damaged)
      assert.isNull(yield* states.load("s1"))
    }
    yield* fs.writeFileString(`${path}/s2.json`, text)
    assert.isNull(yield* states.load("s2"))
  })

  live("the user's stop holds even if the state is damaged or deleted", function* ({ fs, path, states }) {
    yield* states.save("s1", begun)
    yield* states.setStopped("s1", true)
    for (const damage of [fs.writeFileString(`${path}/s1.json`, "damaged"), fs.remove(`${path}/s1.json`)]) {
      yield* damage
      assert.deepStrictEqual(yield* states.load("s1"), off)
    }
    yield* states.setStopped("s1", false)
    assert.isNull(yield* states.load("s1"))
  })

  live("leaves only the state's file, readable only by the user", function* ({ fs, path, states }) {
    for (const attempts of [2, 3]) yield* states.save("s1", { ...begun, attempts })
    assert.deepStrictEqual(yield* fs.readDirectory(path), ["s1.json"])
    assert.strictEqual((yield* fs.stat(`${path}/s1.json`)).mode & 0o777, 0o600)
  })

  live("says that a state cannot be saved or read, and follows no link", function* ({ fs, path, states }) {
    yield* fs.makeDirectory(`${path}/s1.json`)
    const { message, reason } = yield* Effect.flip(states.save("s1", begun))
    assert.strictEqual(reason, "unwritable")
    assert.match(message, /^the review state of session s1 cannot be saved, so no nudge is sent: ./)
    yield* fs.writeFileString(`${path}/target`, "kept")
    yield* fs.symlink(`${path}/target`, `${path}/s2.json`)
    const unreadable = yield* Effect.flip(states.load("s2"))
    assert.strictEqual(unreadable.reason, "unreadable")
    assert.match(unreadable.message, /symbolic link/)
    yield* states.save("s2", begun)
    assert.deepStrictEqual(yield* states.load("s2"), begun)
    assert.strictEqual(yield* fs.readFileString(`${path}/target`), "kept")
  })

  live("moves a folder away from a state's path, so that the session goes on", function* ({ fs, path, states }) {
    yield* fs.makeDirectory(`${path}/s1.json/kept`, { recursive: true })
    assert.isNull(yield* states.load("s1"))
    yield* states.save("s1", begun)
    assert.deepStrictEqual(yield* states.load("s1"), begun)
    const [aside = ""] = (yield* fs.readDirectory(path)).filter((name) => name.startsWith("s1.json.folder-"))
    assert.deepStrictEqual(yield* fs.readDirectory(`${path}/${aside}`), ["kept"])
  })

  worksWith(ReviewStates.Live({ directory: "/dev/null/states" }))("fails to save without its folder", function* () {
    const states = yield* ReviewStates
    assert.isNull(yield* Effect.orElseSucceed(states.load("s1"), () => null))
    for (const work of [states.save("s1", begun), states.setStopped("s1", true)])
      assert.strictEqual((yield* Effect.flip(work)).reason, "unwritable")
  })
})
