import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Stream } from "effect"
import * as CodexSessions from "../src/CodexSessions.ts"
import { meta, oldRollout } from "./support/lines.ts"

const rollout = (day: string, id: string): string =>
  `sessions/${day}/rollout-${day.replaceAll("/", "-")}T10-00-00-${id}.jsonl`

/** A home with these rollouts, the last one written last. */
const home = (files: ReadonlyArray<readonly [string, string]>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = yield* fs.makeTempDirectoryScoped()
    for (const [index, [name, text]] of files.entries()) {
      const file = path.join(root, name)
      yield* fs.makeDirectory(path.dirname(file), { recursive: true })
      yield* fs.writeFileString(file, text)
      yield* fs.utimes(file, 1_000 + index, 1_000 + index)
    }
    return root
  })

const text = (cwd: string, over: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify(meta({ cwd, ...over }))}\n{"type":"event_msg"}\n`

const old = (cwd: string): string =>
  oldRollout(cwd)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("")

const newest = (cwd: string, files: ReadonlyArray<readonly [string, string]>) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const codexHome = yield* home(files)
    const [found] = yield* CodexSessions.recent({ cwd, codexHome, limit: 1 })
    return found === undefined ? null : path.relative(codexHome, found)
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

const where = (env: Readonly<Record<string, string>>) =>
  CodexSessions.codexHome.pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env)))),
    Effect.provide(NodeContext.layer)
  )

const turned = (given: string) => Buffer.from(given).map((byte) => byte ^ 1)

const unpack = <E>(bytes: Stream.Stream<Uint8Array, E>) => Stream.map(bytes, (one) => one.map((byte) => byte ^ 1))

const broken = () => Stream.fail("damaged")

describe("CodexSessions", () => {
  it.effect("finds the directory's session that was written last, whenever it began", () =>
    Effect.gen(function* () {
      const found = yield* newest("/repo", [
        [rollout("2026/01/31", "a"), text("/repo")],
        [rollout("2025/12/01", "b"), text("/repo")],
        [rollout("2026/02/01", "c"), text("/other")]
      ])
      assert.strictEqual(found, rollout("2025/12/01", "b"))
    })
  )

  it.effect("takes no agent's session, no broken one and no other file", () =>
    Effect.gen(function* () {
      const found = yield* newest("/repo/./", [
        [rollout("2026/01/31", "a"), text("file:///repo")],
        [rollout("2026/01/31", "b"), text("/repo", { source: { subagent: "review" } })],
        [rollout("2026/01/31", "c"), "{broken"],
        [rollout("2026/01/31", "d"), ""],
        ["sessions/2026/01/31/notes.txt", text("/repo")],
        ["sessions/2026/index.jsonl", text("/repo")]
      ])
      assert.strictEqual(found, rollout("2026/01/31", "a"))
    })
  )

  it.effect("finds one of before October 2025, which names its directory in a later line", () =>
    Effect.gen(function* () {
      const found = yield* newest("/repo", [
        [rollout("2025/08/20", "a"), old("/repo")],
        [rollout("2025/08/20", "b"), old("/other")],
        [rollout("2025/08/20", "c"), old("/repo").slice(0, 60)]
      ])
      assert.strictEqual(found, rollout("2025/08/20", "a"))
    })
  )

  it.effect("finds what Codex has put away, where it is said how that is read", () =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const names = ["a", "b"].map((id) => `${rollout("2026/01/31", id)}.zst`)
      const codexHome = yield* home([
        [names[0] ?? "", turned(text("/repo")).toString()],
        [names[1] ?? "", turned(text("/other")).toString()]
      ])
      const options = { cwd: "/repo", codexHome, limit: 5 }
      assert.deepStrictEqual(yield* CodexSessions.recent(options), [])
      const found = yield* CodexSessions.recent({ ...options, unpack })
      assert.deepStrictEqual(found, [path.join(codexHome, names[0] ?? "")])
      assert.deepStrictEqual(yield* CodexSessions.recent({ ...options, unpack: broken }), [])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("finds none where there are none", () =>
    Effect.gen(function* () {
      assert.isNull(yield* newest("/repo", []))
      assert.isNull(yield* newest("/repo", [[rollout("2026/01/31", "a"), text("/repository")]]))
    })
  )

  it.effect("knows where Codex keeps its things", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* where({ HOME: "/h", CODEX_HOME: "/c" }), "/c")
      assert.strictEqual(yield* where({ HOME: "/h", CODEX_HOME: "" }), "/h/.codex")
      assert.strictEqual(yield* where({ USERPROFILE: "/u" }), "/u/.codex")
    })
  )
})
