import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import { Artifacts } from "../../src/review/records/Artifacts.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { transcript } from "../support/events.ts"
import { session } from "../support/sessions.ts"

const verdict = Judgment.judge(transcript(session("> What is this? / A parser.")))

const review = (sessionId = "s1", timestamp = 1_700_000_000_000): ArtifactFiles.Review => ({
  sessionId,
  timestamp,
  verdict,
  decision: { kind: "none", reason: verdict.reason, attempt: null, maxAttempts: 3, notice: null }
})

/** A workspace, and what is warned of when a review is written there. */
const workspace = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const artifacts = yield* Artifacts
  const root = yield* fs.makeTempDirectoryScoped()
  const write = Effect.fnUntraced(function* (given = review(), place = root) {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => said.push(String(message)))
    yield* Effect.provide(artifacts.write(place, given), Logger.replace(Logger.defaultLogger, logger))
    return said
  })
  return { fs, root, folder: `${root}/.reflection`, write }
})

const onDisk = Artifacts.Live.pipe(Layer.provideMerge(NodeContext.layer))

type Place = Effect.Effect.Success<typeof workspace>

const inPlace = (
  title: string,
  work: (place: Place) => Effect.Effect<void, unknown, Effect.Effect.Context<typeof workspace>>
) => it.scoped(title, () => Effect.flatMap(workspace, work).pipe(Effect.provide(onDisk)))

describe("Artifacts.Live", () => {
  inPlace(
    "puts a review's files in the workspace, for the user alone and out of git's sight",
    ({ folder, fs, write }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* write(review("session-one")), [])
        const files = ArtifactFiles.files(review("session-one"))
        assert.sameMembers(yield* fs.readDirectory(folder), [".gitignore", ...files.map(({ name }) => name)])
        for (const { name, text } of files) {
          assert.strictEqual(yield* fs.readFileString(`${folder}/${name}`), text)
          assert.strictEqual((yield* fs.stat(`${folder}/${name}`)).mode & 0o777, 0o600)
        }
        assert.strictEqual(yield* fs.readFileString(`${folder}/.gitignore`), ArtifactFiles.gitignore)
        yield* fs.writeFileString(`${folder}/.gitignore`, "mine\n")
        yield* write()
        assert.strictEqual(yield* fs.readFileString(`${folder}/.gitignore`), "mine\n", "what the user has stays")
      })
  )

  inPlace("replaces the signal, keeps the records, and prunes the oldest", ({ folder, fs, write }) =>
    Effect.gen(function* () {
      for (let index = 0; index < 22; index++) yield* write(review("s1", 1_700_000_000_000 + index))
      const names = (yield* fs.readDirectory(folder)).filter((name) => name.startsWith("s1_"))
      assert.lengthOf(names, 20)
      assert.notInclude(names, "s1_1700000000001.json")
      assert.include(yield* fs.readFileString(`${folder}/verdict_s1.json`), "1700000000021")
    })
  )

  inPlace("follows no symbolic link in the folder's or a file's place", ({ folder, fs, root, write }) =>
    Effect.gen(function* () {
      const elsewhere = yield* fs.makeTempDirectoryScoped()
      yield* fs.symlink(elsewhere, folder)
      assert.match((yield* write()).join(), /symbolic link/)
      assert.deepStrictEqual(yield* fs.readDirectory(elsewhere), [])
      const other = `${root}/other`
      yield* fs.makeDirectory(`${other}/.reflection`, { recursive: true })
      yield* fs.writeFileString(`${elsewhere}/target`, "kept")
      yield* fs.symlink(`${elsewhere}/target`, `${other}/.reflection/verdict_s1.json`)
      assert.deepStrictEqual(yield* write(review(), other), [])
      assert.strictEqual(yield* fs.readFileString(`${elsewhere}/target`), "kept")
      assert.include(yield* fs.readFileString(`${other}/.reflection/verdict_s1.json`), "s1")
    })
  )

  inPlace("warns of what cannot be written and goes on, leaving no half file", ({ folder, fs, root, write }) =>
    Effect.gen(function* () {
      assert.lengthOf(yield* write(review(), `${root}/gone`), 1)
      assert.isFalse(yield* fs.exists(`${root}/gone`), "a workspace that is gone does not come back")
      yield* fs.writeFileString(folder, "a file")
      assert.lengthOf(yield* write(), 1)
      assert.strictEqual(yield* fs.readFileString(folder), "a file")
      yield* fs.remove(folder)
      yield* fs.makeDirectory(`${folder}/verdict_s1.json/mine`, { recursive: true })
      assert.match((yield* write()).join(), /EISDIR|EPERM/)
      assert.sameMembers(yield* fs.readDirectory(folder), [".gitignore", "s1_1700000000000.json", "verdict_s1.json"])
      assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/verdict_s1.json`), ["mine"])
    })
  )
})
