import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import { Artifacts } from "../../src/review/records/Artifacts.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { agent, transcript, user } from "../support/events.ts"

const verdict = Judgment.judge(transcript([user("What is this?"), agent("A parser.")]))

const review = (sessionId: string, timestamp = 1_700_000_000_000): ArtifactFiles.Review => ({
  sessionId,
  timestamp,
  verdict,
  decision: { kind: "none", reason: verdict.reason, attempt: null, maxAttempts: 3, notice: null }
})

const workspace = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** The warnings that an effect logs. */
const warnings = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => said.push(String(message)))
    yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    return said
  })

const onDisk = Artifacts.Live.pipe(Layer.provideMerge(NodeContext.layer))

describe("Artifacts.Live", () => {
  it.scoped("puts a review's files in the workspace, for the user alone and out of git's sight", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const artifacts = yield* Artifacts
      const root = yield* workspace
      assert.deepStrictEqual(yield* warnings(artifacts.write(root, review("session-one"))), [])
      const folder = `${root}/.reflection`
      assert.sameMembers(yield* fs.readDirectory(folder), [
        ".gitignore",
        "session-one_1700000000000.json",
        "verdict_session-.json",
        "verdict_session-one.json"
      ])
      for (const { name, text } of ArtifactFiles.files(review("session-one"))) {
        assert.strictEqual(yield* fs.readFileString(`${folder}/${name}`), text)
        assert.strictEqual((yield* fs.stat(`${folder}/${name}`)).mode & 0o777, 0o600)
      }
      assert.strictEqual(yield* fs.readFileString(`${folder}/.gitignore`), ArtifactFiles.gitignore)
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("leaves what the user has in the folder as it is", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const artifacts = yield* Artifacts
      const root = yield* workspace
      yield* fs.makeDirectory(`${root}/.reflection`)
      yield* fs.writeFileString(`${root}/.reflection/.gitignore`, "mine\n")
      yield* artifacts.write(root, review("s1"))
      assert.strictEqual(yield* fs.readFileString(`${root}/.reflection/.gitignore`), "mine\n")
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("replaces the signal, keeps the records, and prunes the oldest", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const artifacts = yield* Artifacts
      const root = yield* workspace
      for (let index = 0; index < 22; index++) yield* artifacts.write(root, review("s1", 1_700_000_000_000 + index))
      const names = yield* fs.readDirectory(`${root}/.reflection`)
      assert.lengthOf(
        names.filter((name) => name.startsWith("s1_")),
        20
      )
      assert.notInclude(names, "s1_1700000000001.json")
      assert.include(names, "s1_1700000000021.json")
      assert.include(yield* fs.readFileString(`${root}/.reflection/verdict_s1.json`), "1700000000021")
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("follows no symbolic link in the folder's or a file's place", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const artifacts = yield* Artifacts
      const root = yield* workspace
      const elsewhere = yield* workspace
      yield* fs.symlink(elsewhere, `${root}/.reflection`)
      assert.match((yield* warnings(artifacts.write(root, review("s1")))).join(), /symbolic link/)
      assert.deepStrictEqual(yield* fs.readDirectory(elsewhere), [])

      const other = yield* workspace
      yield* fs.makeDirectory(`${other}/.reflection`)
      yield* fs.writeFileString(`${elsewhere}/target`, "kept")
      yield* fs.symlink(`${elsewhere}/target`, `${other}/.reflection/verdict_s1.json`)
      assert.deepStrictEqual(yield* warnings(artifacts.write(other, review("s1"))), [])
      assert.strictEqual(yield* fs.readFileString(`${elsewhere}/target`), "kept")
      assert.include(yield* fs.readFileString(`${other}/.reflection/verdict_s1.json`), "s1")
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("does not bring back a workspace that is gone, nor mind a file in the folder's place", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const artifacts = yield* Artifacts
      const root = yield* workspace
      assert.lengthOf(yield* warnings(artifacts.write(`${root}/gone`, review("s1"))), 1)
      assert.isFalse(yield* fs.exists(`${root}/gone`))
      yield* fs.writeFileString(`${root}/.reflection`, "a file")
      assert.lengthOf(yield* warnings(artifacts.write(root, review("s1"))), 1)
      assert.strictEqual(yield* fs.readFileString(`${root}/.reflection`), "a file")
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("warns of what cannot be written and goes on, leaving no half file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const artifacts = yield* Artifacts
      const root = yield* workspace
      const folder = `${root}/.reflection`
      yield* fs.makeDirectory(`${folder}/verdict_s1.json/mine`, { recursive: true })
      assert.match((yield* warnings(artifacts.write(root, review("s1")))).join(), /EISDIR|EPERM/)
      assert.sameMembers(yield* fs.readDirectory(folder), [".gitignore", "s1_1700000000000.json", "verdict_s1.json"])
      assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/verdict_s1.json`), ["mine"])
    }).pipe(Effect.provide(onDisk))
  )
})
