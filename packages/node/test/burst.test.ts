import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../scripts/bundler.mjs"
import { reflection } from "./support/reflections.ts"
import { folder, live } from "./support/stores.ts"

const entry = join(dirname(fileURLToPath(import.meta.url)), "support", "burst.ts")

const place = Effect.gen(function* () {
  const program = join(yield* folder, "burst.mjs")
  yield* Effect.promise(() => bundle({ entry, outfile: program, minify: true }))
  return { program, path: join(yield* folder, "reflections.jsonl") }
})

/** Runs a program, and reads what it says once it is told to. */
const late = `exec 3<&0; "$@" </dev/null | { read -r _ <&3; cat; }`

/** A process that runs: `begun` once it has added some, `said` its lines once it has ended, read from `heard` on. */
const begin = (program: string, args: ReadonlyArray<string>, heard?: Promise<void>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const words = [process.execPath, program, ...args]
      const [command = "", ...rest] = heard === undefined ? words : ["sh", "-c", late, "sh", ...words]
      const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"], env: {} })
      void heard?.then(() => child.stdin.end("\n"))
      let text = ""
      const ended = new Promise<void>((resume) => child.on("close", () => resume()))
      const begun = new Promise<void>((resume) => {
        child.stdout.setEncoding("utf8").on("data", (more: string) => {
          text += more
          if (text.split("\n").length > 400) resume()
        })
        void ended.then(resume)
      })
      return {
        child,
        begun: Effect.promise(() => begun),
        // Of a line that a kill cut short nobody knows whether it was acknowledged.
        said: Effect.promise(() => ended.then((): ReadonlyArray<string> => text.split("\n").slice(0, -1)))
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

const ids = (path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* live(path)
      assert.strictEqual((yield* store.verify()).invalidCount, 0)
      return [...(yield* Stream.runCollect(Stream.map(store.stream, ({ id }) => id)))]
    })
  )

/** The lock that is there now, and what else of it. */
const locks = (path: string): ReadonlyArray<string> =>
  readdirSync(dirname(path)).filter((name) => name.includes(".lock"))

/** Once the memory's file, or the journal of it, has it. */
const isAdded = (path: string, id: string): Promise<void> =>
  Effect.sync(() => [path, `${path}.journal`].filter((file) => existsSync(file))).pipe(
    Effect.map((files) => files.some((file) => readFileSync(file, "utf8").includes(`"${id}"`))),
    Effect.repeat({ until: (isThere) => isThere, schedule: Schedule.spaced("5 millis") }),
    Effect.asVoid,
    Effect.runPromise
  )

const numbered = (name: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, number) => `${name}-${number}`)

describe("a burst of appends in one turn", () => {
  it.scopedLive("lets another process in between", () =>
    Effect.gen(function* () {
      const { path, program } = yield* place
      const { begun, said } = yield* begin(program, [path, "burst", "1000000", "other"])
      yield* begun
      const store = yield* live(path)
      yield* store.append(reflection({ id: "other" }))
      assert.strictEqual((yield* said).at(-1), "seen")
      assert.include(yield* ids(path), "other")
      assert.deepStrictEqual(locks(path), [])
    })
  )

  it.scopedLive("and another one in another process lose nothing, and leave no lock", () =>
    Effect.gen(function* () {
      const { path, program } = yield* place
      const names = ["one", "two"]
      const bursts = yield* Effect.forEach(names, (name) => begin(program, [path, name, "1000"]))
      for (const { said } of bursts) assert.lengthOf(yield* said, 1000)
      assert.sameMembers(
        yield* ids(path),
        names.flatMap((name) => numbered(name, 1000))
      )
      assert.deepStrictEqual(locks(path), [])
    })
  )

  it.scopedLive("is no burden to a child that the program waits for in the same turn", () =>
    Effect.gen(function* () {
      const { path, program } = yield* place
      const { said } = yield* begin(program, [path, "burst", "1000", "child"])
      assert.deepStrictEqual(yield* said, [...numbered("burst", 1000), "child-0"])
      assert.include(yield* ids(path), "child-0")
      assert.deepStrictEqual(locks(path), [])
    })
  )

  it.scopedLive("is not lost on a reader that begins late", () =>
    Effect.gen(function* () {
      const { path, program } = yield* place
      const { said } = yield* begin(program, [path, "burst", "1000", "full"], isAdded(path, "burst-0"))
      assert.deepStrictEqual(
        (yield* said).filter((line) => line !== ""),
        numbered("burst", 1000)
      )
      assert.deepStrictEqual(locks(path), [])
    })
  )

  it.scopedLive("whose process exits in the middle of it leaves no lock", () =>
    Effect.gen(function* () {
      const { path, program } = yield* place
      const { said } = yield* begin(program, [path, "burst", "1000", "exit"])
      assert.deepStrictEqual(yield* said, numbered("burst", 1000))
      assert.notInclude(locks(path), "reflections.jsonl.lock")
    })
  )

  const kills = 25

  it.scopedLive.runIf(process.env["REFLEXION_TESTS"] === "night" && process.platform === "linux")(
    "that is killed in the middle of it keeps nobody waiting",
    () =>
      Effect.gen(function* () {
        const { path, program } = yield* place
        const store = yield* live(path)
        const expected: Array<string> = []
        let held = 0
        for (let kill = 0; kill < kills; kill += 1) {
          const { begun, child, said } = yield* begin(program, [path, `burst${kill}`, "1000000"])
          yield* begun
          yield* Effect.sleep(Math.random() * 5)
          child.kill("SIGKILL")
          expected.push(...(yield* said), `after-${kill}`)
          if (locks(path).includes("reflections.jsonl.lock")) {
            assert.match(readlinkSync(`${path}.lock`), new RegExp(`^${child.pid} .* heeds$`))
            held += 1
          }
          yield* store.append(reflection({ id: `after-${kill}` }))
        }
        assert.isAbove(held, kills / 5)
        assert.includeMembers(yield* ids(path), expected)
        assert.notInclude(locks(path), "reflections.jsonl.lock")
      })
  )
})
