/**
 * A project's outcome log has two writers: a program's `OutcomeLog`, and a host's process, which has no time for services.
 * One contract for both, and the same bytes of both.
 */
import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { NodeContext } from "@effect/platform-node"
import { Context, Effect, Exit, FastCheck as fc, Layer, type Scope } from "effect"
import { spawnSync } from "node:child_process"
import fs, {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { inspect } from "node:util"
import * as Outcomes from "../src/memory/Outcomes.ts"

const retentionDays = 30

const outcome = (id: string, over: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  id,
  taskId: "prices",
  sessionId: id,
  objective: "Refresh the shop's price list.",
  status: "failed",
  durationMs: 1500,
  tools: ["bash"],
  loaded: [{ kind: "skill", name: "prices" }],
  resultLength: 0,
  backend: "codex",
  at: new Date().toISOString(),
  ...over
})

const place = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-contract-"))),
  (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

const folderOf = (root: string): string => join(root, ".reflection")
const fileOf = (root: string): string => join(folderOf(root), "outcomes.jsonl")

const opened = (root: string): Effect.Effect<Service, unknown, Scope.Scope> =>
  Layer.build(Layer.provide(OutcomeLog.Live({ path: fileOf(root), trusted: true }), NodeContext.layer)).pipe(
    Effect.map((context) => Context.get(context, OutcomeLog))
  )

interface Writer {
  readonly name: string
  readonly add: (root: string, one: AttemptOutcome) => Effect.Effect<void, unknown>
}

const program: Writer = {
  name: "a program",
  add: (root, one) =>
    Effect.scoped(
      Effect.flatMap(opened(root), ({ append, prune }) =>
        Effect.zipRight(append(one), Effect.ignore(prune({ maxAge: `${retentionDays} days` })))
      )
    )
}

const host: Writer = {
  name: "a host's process",
  add: (root, one) => Effect.try(() => void Outcomes.add({ root, outcome: one, now: Date.now(), retentionDays }))
}

const writers = [program, host]

type Patched = "openSync" | "fsyncSync" | "fdatasyncSync" | "writeSync"

/** Has a call of the system do something else while a test runs. */
const instead = <Name extends Patched>(name: Name, make: (real: (typeof fs)[Name]) => (typeof fs)[Name]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const real = fs[name]
      fs[name] = make(real)
      syncBuiltinESMExports()
      return real
    }),
    (real) =>
      Effect.sync(() => {
        fs[name] = real
        syncBuiltinESMExports()
      })
  )

const isFolder = (descriptor: number): boolean => fs.fstatSync(descriptor).isDirectory()

/** A process that has ended, and its lock with it. */
const killed = (): string => `${spawnSync(process.execPath, ["--eval", ""]).pid}`

describe.each(writers)("a log that $name adds to", ({ add }) => {
  it.scopedLive("is readable by the user alone, and passed over by git", () =>
    Effect.gen(function* () {
      const root = yield* place
      yield* add(root, outcome("a"))
      assert.strictEqual(statSync(fileOf(root)).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(folderOf(root)).toSorted(), [".gitignore", "outcomes.jsonl"])
    })
  )

  it.scopedLive("outlasts a power cut with its name, whoever began it", () =>
    Effect.gen(function* () {
      const root = yield* place
      const synced: Array<string> = []
      const noting = (real: typeof fs.fsyncSync) => (descriptor: number) => {
        synced.push(isFolder(descriptor) ? "folder" : "file")
        real(descriptor)
      }
      yield* instead("fsyncSync", noting)
      yield* instead("fdatasyncSync", noting)
      yield* add(root, outcome("a"))
      assert.includeMembers(synced, ["folder", "file"])
      synced.length = 0
      // What was killed may have put another file in the log's place, and its folder does not have that for good.
      symlinkSync(killed(), `${fileOf(root)}.lock`)
      yield* add(root, outcome("b"))
      assert.strictEqual(synced[0], "folder")
      assert.include(synced, "file")
      assert.isFalse(existsSync(`${fileOf(root)}.lock`))
    })
  )

  it.scopedLive("is as before where the disk takes a part of a line", () =>
    Effect.gen(function* () {
      const root = yield* place
      yield* add(root, outcome("a"))
      const before = readFileSync(fileOf(root), "utf8")
      const exit = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* instead(
            "writeSync",
            (real) => (descriptor: number, bytes: NodeJS.ArrayBufferView | string) =>
              typeof bytes === "string" ? real(descriptor, bytes) : real(descriptor, bytes, 0, bytes.byteLength >> 1)
          )
          return yield* Effect.exit(add(root, outcome("b")))
        })
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(readFileSync(fileOf(root), "utf8"), before)
    })
  )

  it.scopedLive("is written through no link, and is no pipe", () =>
    Effect.gen(function* () {
      const root = yield* place
      const other = join(root, "other")
      writeFileSync(other, "mine\n")
      mkdirSync(folderOf(root))
      symlinkSync(other, fileOf(root))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(add(root, outcome("a")))))
      assert.strictEqual(readFileSync(other, "utf8"), "mine\n")
      rmSync(fileOf(root))
      assert.strictEqual(spawnSync("mkfifo", [fileOf(root)]).status, 0)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(add(root, outcome("a")))))
      assert.isTrue(lstatSync(fileOf(root)).isFIFO())
    })
  )

  it.scopedLive("says so where it may only be read, and keeps nothing of it aside", () =>
    Effect.gen(function* () {
      const root = yield* place
      yield* add(root, outcome("a"))
      appendFileSync(fileOf(root), '{"id":"torn')
      const before = readFileSync(fileOf(root), "utf8")
      yield* instead("openSync", (real) => (path, flags, mode) => {
        if (path === fileOf(root) && flags !== undefined && (Number(flags) & fs.constants.O_RDWR) !== 0)
          throw Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES" })
        return real(path, flags, mode)
      })
      const refused = yield* Effect.flip(add(root, outcome("b")))
      assert.include(inspect(refused), "permission denied")
      assert.strictEqual(readFileSync(fileOf(root), "utf8"), before)
      assert.isFalse(existsSync(`${fileOf(root)}.torn`))
    })
  )

  it.scopedLive("loses nothing of a program that knows of no lock, where what is old goes meanwhile", () =>
    Effect.gen(function* () {
      const root = yield* place
      yield* add(root, outcome("young"))
      const young = readFileSync(fileOf(root), "utf8")
      const old = young.replaceAll("young", "old").replace(/"at":"[^"]+"/, '"at":"2020-01-01T00:00:00.000Z"')
      writeFileSync(fileOf(root), old + young)
      chmodSync(fileOf(root), 0o660)
      const between = young.replaceAll("young", "between")
      let isAdded = false
      yield* instead("fsyncSync", (real) => (descriptor) => {
        // It is synchronised before it takes the place of the other.
        if (!isAdded && !isFolder(descriptor) && existsSync(`${fileOf(root)}.next`)) {
          isAdded = true
          appendFileSync(fileOf(root), between)
        }
        real(descriptor)
      })
      yield* add(root, outcome("last"))
      assert.isTrue(isAdded)
      for (const line of [old, between, '"last"']) assert.include(readFileSync(fileOf(root), "utf8"), line)
      assert.isFalse(existsSync(`${fileOf(root)}.next`))
      yield* add(root, outcome("next"))
      const kept = readFileSync(fileOf(root), "utf8")
      assert.include(kept, between)
      assert.notInclude(kept, old)
      assert.strictEqual(statSync(fileOf(root)).mode & 0o777, 0o660)
    })
  )
})

const anyTail = fc.oneof(
  fc.constantFrom("", "\n", '{"id":"torn","ta', "1", "{}", '{"a":1}', "null\n{", "\u00e9", "x".repeat(3000)),
  fc.string({ maxLength: 40 })
)

const anyStatus = fc.constantFrom("completed" as const, "failed" as const, "timeout" as const)

describe("a log that both add to", () => {
  it.live("has the same bytes, whatever it ended in, and has the same aside", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(anyTail, anyStatus), { minLength: 1, maxLength: 4 }), async (steps) => {
          const now = Date.now()
          const left = await Effect.runPromise(
            Effect.scoped(
              Effect.forEach(writers, ({ add }) =>
                Effect.gen(function* () {
                  const root = yield* place
                  for (const [index, [tail, status]] of steps.entries()) {
                    mkdirSync(dirname(fileOf(root)), { recursive: true })
                    appendFileSync(fileOf(root), tail)
                    yield* add(root, outcome(`${index}`, { status, at: new Date(now + index).toISOString() }))
                  }
                  const torn = `${fileOf(root)}.torn`
                  return [
                    readFileSync(fileOf(root), "latin1"),
                    existsSync(torn) ? readFileSync(torn, "latin1") : "",
                    readdirSync(folderOf(root))
                      .filter((name) => name !== ".gitignore")
                      .toSorted()
                  ]
                })
              )
            )
          )
          assert.deepStrictEqual(left[0], left[1])
        }),
        { numRuns: 12 }
      )
    )
  )

  it.scopedLive("is followed by a program through all that the other does to it", () =>
    Effect.gen(function* () {
      const root = yield* place
      const log = yield* opened(root)
      const ids = Effect.map(log.outcomesSince(0), (all) => all.map(({ id }) => id))
      yield* log.append(outcome("a"))
      yield* host.add(root, outcome("b"))
      appendFileSync(fileOf(root), '{"id":"torn"')
      yield* host.add(root, outcome("c"))
      yield* log.append(outcome("d"))
      // Of an id the first counts.
      yield* host.add(root, outcome("a", { status: "completed" }))
      assert.deepStrictEqual(yield* ids, ["a", "b", "c", "d"])
      assert.strictEqual(yield* log.failureStreak("prices"), 4)
    })
  )
})
