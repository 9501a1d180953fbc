import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../../scripts/bundler.mjs"
import { folder, live } from "../support/stores.ts"

const entry = join(dirname(fileURLToPath(import.meta.url)), "..", "support", "writer.ts")

/** The writer as one file, in a folder of its own. */
const writer = Effect.gen(function* () {
  const outfile = join(yield* folder, "writer.mjs")
  yield* Effect.promise(() => bundle({ entry, outfile, minify: true }))
  return outfile
})

/** Runs a writer until `delay` ms after its first word, and kills it; gives the lines that it said. */
const killed = (program: string, args: ReadonlyArray<string>, delay: number) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    // Of the environment a writer needs nothing, and what it says costs its start time.
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"], env: {} })
    let said = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text: string) => {
      if (said === "") setTimeout(() => child.kill("SIGKILL"), delay)
      said += text
    })
    // Of a line that the kill cut short nobody knows whether it was acknowledged.
    child.on("close", () => resume(Effect.succeed(said.split("\n").slice(0, -1))))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const isNight = process.env["REFLEXION_TESTS"] === "night"
const [writers, rounds] = isNight ? [27, 20] : [4, 3]
const kills = writers * rounds

describe("writers that are killed at any moment", () => {
  it.scopedLive(
    `lose nothing that was acknowledged, spoil no line and leave no lock: ${kills} kills of ${writers} processes`,
    () =>
      Effect.gen(function* () {
        const program = yield* writer
        const path = join(yield* folder, "reflections.jsonl")
        const killedBy = (process: number) =>
          Effect.forEach(
            Array.from({ length: rounds }, (_, round) => round),
            (round) => killed(program, [path, `${process}-${round}`, "100000"], Math.random() * (isNight ? 400 : 40))
          )
        const said = yield* Effect.all(
          Array.from({ length: writers }, (_, process) => killedBy(process)),
          { concurrency: "unbounded" }
        )
        const all = said.flat(2)
        assert.deepStrictEqual(
          all.filter((line) => line.startsWith("failed")),
          []
        )
        const acknowledged = all.flatMap((line) => line.split(" "))
        assert.isAbove(acknowledged.length, kills)
        const store = yield* live(path)
        const kept = new Set(yield* Stream.runCollect(Stream.map(store.stream, ({ id }) => id)))
        assert.deepStrictEqual(
          acknowledged.filter((id) => !kept.has(id)),
          []
        )
        yield* store.prune({ where: ({ tags }) => tags.includes("doomed") })
        assert.strictEqual(yield* store.unreadable, 0)
        const left = new Set(yield* Stream.runCollect(Stream.map(store.stream, ({ id }) => id)))
        assert.isTrue(acknowledged.every((id) => left.has(id)))
        assert.isUndefined(lstatSync(`${path}.lock`, { throwIfNoEntry: false }))
      }),
    600_000
  )
})

describe("a disk that is full", () => {
  it.scopedLive("fails the append, keeps the file whole, and takes it once there is room", () =>
    Effect.gen(function* () {
      const program = yield* writer
      const path = join(yield* folder, "reflections.jsonl")
      // A limit on the size of files ends a write in its middle, as a full disk does, and nobody has to be root for it.
      const limited = `ulimit -f 24; exec "$0" "$@"`
      const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, program, path, "limited", "200"], {
        encoding: "utf8"
      })
      const said = stdout.trim().split("\n")
      assert.match(said.at(-1) ?? "", /^failed storage_error .*(?:no room|EFBIG)/)
      const text = readFileSync(path, "utf8")
      assert.isTrue(text.endsWith("}\n"))
      const store = yield* live(path)
      assert.strictEqual(yield* store.unreadable, 0)
      const acknowledged = said.slice(0, -1).flatMap((line) => line.split(" "))
      assert.isAbove(acknowledged.length, 2)
      for (const id of acknowledged) assert.strictEqual((yield* store.get(id)).id, id)
      yield* store.append({ ...(yield* store.get(acknowledged[0] ?? "")), id: "room" })
      assert.strictEqual((yield* store.get("room")).id, "room")
      assert.isFalse(existsSync(`${path}.next`))
    })
  )
})

const ran = (...[program, ...words]: readonly [string, ...ReadonlyArray<string>]): boolean =>
  spawnSync(program, words, { stdio: "ignore" }).status === 0

const tmpfs = (path: string): boolean => ran("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path)

/** Root in a container may be refused it. */
const mayMount = (): boolean => {
  const place = mkdtempSync(join(tmpdir(), "mount-"))
  try {
    return tmpfs(place) && ran("umount", place)
  } finally {
    rmdirSync(place)
  }
}

describe("a small file system", () => {
  it.scopedLive.runIf(process.getuid?.() === 0 && process.platform === "linux" && mayMount())(
    "that is full, refuses and stays whole",
    () =>
      Effect.gen(function* () {
        const place = yield* folder
        assert.isTrue(tmpfs(place))
        yield* Effect.addFinalizer(() => Effect.sync(() => spawnSync("umount", [place])))
        const path = join(place, "reflections.jsonl")
        const program = yield* writer
        const { stdout } = spawnSync(process.execPath, [program, path, "small", "2000"], { encoding: "utf8" })
        assert.match(stdout, /failed storage_error .*(?:no room|ENOSPC)/)
        const store = yield* live(path)
        assert.strictEqual(yield* store.unreadable, 0)
        yield* store.prune({ where: () => true }).pipe(Effect.ignore)
      })
  )
})
