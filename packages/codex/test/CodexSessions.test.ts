import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Stream } from "effect"
import { worksWith } from "../../core/test/support/works.ts"
import * as CodexSessions from "../src/CodexSessions.ts"
import { meta } from "./support/lines.ts"

const works = worksWith(NodeContext.layer)

const rollout = (day: string, id: string): string =>
  `sessions/${day}/rollout-${day.replaceAll("/", "-")}T10-00-00-${id}.jsonl`

/** A home with these rollouts, the last one written last. */
const home = (files: ReadonlyArray<readonly [string | undefined, string]>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = yield* fs.makeTempDirectoryScoped()
    for (const [index, [name, text]] of files.entries()) {
      const file = path.join(root, name ?? "")
      yield* fs.makeDirectory(path.dirname(file), { recursive: true })
      yield* fs.writeFileString(file, text)
      yield* fs.utimes(file, 1_000 + index, 1_000 + index)
    }
    return root
  })

const text = (cwd: string, over: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify(meta({ cwd, ...over }))}\n{"type":"event_msg"}\n`

const where = (env: Readonly<Record<string, string>>) =>
  CodexSessions.codexHome.pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env)))),
    Effect.provide(NodeContext.layer)
  )

const turned = (given: string) => Buffer.from(given).map((byte) => byte ^ 1)

const unpack = <E>(bytes: Stream.Stream<Uint8Array, E>) => Stream.map(bytes, (one) => one.map((byte) => byte ^ 1))

const broken = () => Stream.fail("damaged")

describe("CodexSessions", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => rollout("2026/01/31", id))

  it.effect.each<readonly [string, string, ReadonlyArray<readonly [string | undefined, string]>, string | null]>([
    [
      "the directory's last written session, whenever it began",
      "/repo",
      [
        [a, text("/repo")],
        [rollout("2025/12/01", "b"), text("/repo")],
        [rollout("2026/02/01", "c"), text("/other")]
      ],
      rollout("2025/12/01", "b")
    ],
    [
      "the user's session, no agent's, no broken one and no other file",
      "/repo/./",
      [
        [a, text("file:///repo")],
        [b, text("/repo", { source: { subagent: "review" } })],
        [c, "{broken"],
        [d, ""],
        ["sessions/2026/01/31/notes.txt", text("/repo")],
        ["sessions/2026/index.jsonl", text("/repo")]
      ],
      a ?? null
    ],
    ["no session in an empty home", "/repo", [], null],
    ["no session of another directory", "/repo", [[a, text("/repository")]], null]
  ])("finds %s", ([, cwd, files, expected]) =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const codexHome = yield* home(files)
      const [found] = yield* CodexSessions.recent({ cwd, codexHome, limit: 1 })
      assert.strictEqual(found === undefined ? null : path.relative(codexHome, found), expected)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  works("finds sessions that Codex compressed, if the caller can unpack them", function* () {
    const path = yield* Path.Path
    const codexHome = yield* home([
      [`${a}.zst`, turned(text("/repo")).toString()],
      [`${b}.zst`, turned(text("/other")).toString()]
    ])
    const options = { cwd: "/repo", codexHome, limit: 5 }
    assert.deepStrictEqual(yield* CodexSessions.recent(options), [])
    assert.deepStrictEqual(yield* CodexSessions.recent({ ...options, unpack }), [path.join(codexHome, `${a}.zst`)])
    assert.deepStrictEqual(yield* CodexSessions.recent({ ...options, unpack: broken }), [])
  })

  works("Codex's home is CODEX_HOME, else .codex in the home directory", function* () {
    assert.strictEqual(yield* where({ HOME: "/h", CODEX_HOME: "/c" }), "/c")
    assert.strictEqual(yield* where({ HOME: "/h", CODEX_HOME: "" }), "/h/.codex")
    assert.strictEqual(yield* where({ USERPROFILE: "/u" }), "/u/.codex")
  })
})
