import { assert, describe, it } from "@effect/vitest"
import { FindingLog, FindingRecord, type Service } from "@reflexion/core/FindingLog"
import type { StorageError } from "@reflexion/core/StorageError"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { folder, light } from "../support/stores.ts"

const finding = (given: Partial<ReflectionFinding> & { readonly id: string }): ReflectionFinding => ({
  at: "2026-03-01T10:00:00.000Z",
  action: "reflection_rule",
  sessionId: "system:reflection",
  rule: "consecutive_failures",
  severity: "warning",
  subjectType: "task",
  subjectId: "nightly",
  detail: "Task nightly failed 3 times in a row.",
  actionTaken: null,
  ...given
})

/** Later than all that is found here: what lies in the future is not believed. */
const now = TestClock.setTime(Date.parse("2026-03-02T00:00:00Z"))

type Opened = Effect.Effect<Service, StorageError, Scope.Scope>

const built = <E>(layer: Layer.Layer<FindingLog, E>): Effect.Effect<Service, E, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, FindingLog))

const live = (path: string): Opened => built(Layer.provide(FindingLog.Live({ path }), NodeContext.layer))

interface Backend {
  readonly name: string
  /** `again` gives the same log once more: another handle on the file, where there is one. */
  readonly open: Effect.Effect<{ readonly log: Service; readonly again: Opened }, StorageError, Scope.Scope>
}

const same = (log: Service) => ({ log, again: Effect.succeed(log) })

const backends: ReadonlyArray<Backend> = [
  {
    name: "Live",
    open: Effect.gen(function* () {
      const path = join(yield* light, ".reflection", "findings.jsonl")
      return { log: yield* live(path), again: live(path) }
    })
  },
  { name: "Memory", open: Effect.map(built(FindingLog.Memory), same) },
  { name: "Test", open: Effect.map(built(FindingLog.Test), same) }
]

const anyFinding = FastCheck.record({
  id: FastCheck.constantFrom("a", "b", "c", "d", 'e"f', "ä"),
  at: FastCheck.integer({ min: 0, max: 5 }).map((hour) => `2026-03-01T0${hour}:00:00.000Z`),
  rule: FastCheck.constantFrom("consecutive_failures" as const, "stale_task" as const),
  severity: FastCheck.constantFrom("warning" as const, "action_taken" as const),
  subjectId: FastCheck.constantFrom("nightly", "weekly\n"),
  detail: FastCheck.string({ maxLength: 20 }),
  actionTaken: FastCheck.constantFrom(null, "paused the task")
}).map(finding)

/** What a log has to do, said as plainly as can be. */
const model = (lines: ReadonlyArray<ReflectionFinding>) => {
  const held: Array<ReflectionFinding> = []
  for (const one of lines) {
    const index = held.findIndex(({ id }) => id === one.id)
    if (index < 0) held.push(one)
    else held[index] = one
  }
  return held
}

describe.each(backends)("FindingLog.$name", ({ open }) => {
  it.scoped("forgets what was found longer ago, and says how much", () =>
    Effect.gen(function* () {
      yield* now
      const { again, log } = yield* open
      yield* log.append([
        finding({ id: "a", at: "2026-03-01T08:00:00.000Z" }),
        finding({ id: "b", at: "2026-03-01T13:00:00.000Z" }),
        finding({ id: "a", at: "2026-03-01T08:00:00.000Z", severity: "action_taken" })
      ])
      assert.strictEqual(yield* log.prune({ maxAge: "12 hours" }), 1)
      assert.strictEqual(yield* log.prune({ maxAge: "12 hours" }), 0)
      const other = yield* again
      assert.deepStrictEqual(
        (yield* other.findings()).map(({ id }) => id),
        ["b"]
      )
    })
  )

  it.scoped("adds what nobody knows yet, and says which that is, though several would at once", () =>
    Effect.gen(function* () {
      yield* now
      const { again, log } = yield* open
      const logs = [log, yield* again, yield* again]
      yield* log.append(finding({ id: "a", severity: "action_taken" }))
      const given = ["a", "b", "c"].map((id) => finding({ id }))
      const added = yield* Effect.forEach(logs, ({ appendNew }) => appendNew(given), { concurrency: "unbounded" })
      assert.deepStrictEqual(added.flatMap((ids) => [...ids]).toSorted(), ["b", "c"])
      for (const one of logs) {
        assert.deepStrictEqual([...(yield* one.appendNew(given)), ...(yield* one.appendNew([]))], [])
        assert.deepStrictEqual(
          (yield* one.findings()).map(({ id, severity }) => [id, severity]),
          [
            ["a", "action_taken"],
            ["b", "warning"],
            ["c", "warning"]
          ]
        )
      }
    })
  )

  it.effect("does what a plain list does, whoever reads it", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(FastCheck.array(anyFinding, { maxLength: 4 }), { maxLength: 8 }),
          FastCheck.integer({ min: 0, max: 6 }),
          (batches, limit) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const { again, log } = yield* open
                  for (const batch of batches) yield* log.append(batch)
                  const held = model(batches.flat())
                  for (const one of [log, yield* again]) {
                    assert.deepStrictEqual(yield* one.findings(), held)
                    const since = Date.parse("2026-03-01T02:00:00Z")
                    const wanted = held.filter(({ at, rule }) => rule === "stale_task" && Date.parse(at) >= since)
                    assert.deepStrictEqual(
                      yield* one.findings({ rule: "stale_task", since, limit }),
                      wanted.slice(Math.max(0, wanted.length - limit))
                    )
                    for (const { id } of held)
                      assert.deepStrictEqual(
                        yield* one.get(id),
                        held.find((h) => h.id === id)
                      )
                    assert.isNull(yield* one.get("nobody"))
                    const verified = yield* one.verify()
                    assert.strictEqual(verified.findings, held.length)
                    assert.strictEqual(verified.replaced, batches.flat().length - held.length)
                    assert.strictEqual(verified.invalidCount, 0)
                  }
                })
              )
            )
        ),
        { numRuns: 20 }
      )
    )
  )

  it.scoped("takes secrets out of what is said, and keeps the ids", () =>
    Effect.gen(function* () {
      const { log } = yield* open
      const secret = `ghp_${"a1B2".repeat(9)}`
      yield* log.append(finding({ id: "a", detail: `It printed ${secret}.`, actionTaken: `sent ${secret}` }))
      const kept = yield* log.get("a")
      assert.notInclude(JSON.stringify(kept), secret)
      assert.include(kept?.detail, "It printed ")
      assert.strictEqual(kept?.subjectId, "nightly")
    })
  )

  it.scoped("bounds what a finding says", () =>
    Effect.gen(function* () {
      const { log } = yield* open
      yield* log.append(finding({ id: "a", detail: "word ".repeat(10_000), subjectId: "x".repeat(5000) }))
      const kept = yield* log.get("a")
      assert.strictEqual(kept?.detail.length, 4000)
      assert.strictEqual(kept?.subjectId.length, 300)
    })
  )

  it.scoped("knows the newest 5,000", () =>
    Effect.gen(function* () {
      yield* now
      const { log } = yield* open
      const all = Array.from({ length: 5003 }, (_, index) => finding({ id: `f${index}`, subjectId: `t${index}` }))
      yield* log.append(all)
      assert.isNull(yield* log.get("f2"))
      assert.isNotNull(yield* log.get("f3"))
      assert.lengthOf(yield* log.findings(), 5000)
      assert.deepStrictEqual(yield* log.findings({ limit: 2 }), all.slice(-2))
    })
  )
})

describe("FindingLog.Live", () => {
  const opened = Effect.gen(function* () {
    const path = join(yield* folder, "findings.jsonl")
    return { path, log: yield* live(path) }
  })

  it.scoped("takes a finding of the future to be of the time at which it was read", () =>
    Effect.gen(function* () {
      yield* now
      const { log, path } = yield* opened
      const forged = finding({ id: "a", at: "2099-01-01T00:00:00.000Z", severity: "action_taken" })
      appendFileSync(path, `${JSON.stringify(forged)}\n`)
      assert.strictEqual((yield* log.get("a"))?.at, "2026-03-02T00:00:00.000Z")
    })
  )

  it.scoped("forgets by itself what was found longer ago than it was told to keep, with every line of it", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "findings.jsonl")
      const kept = (retention: "2 hours" | "1 day") =>
        Effect.flatMap(FindingLog, (log) => log.findings()).pipe(
          Effect.provide(FindingLog.Live({ path, retention })),
          Effect.provide(NodeContext.layer),
          Effect.map((all) => all.map(({ id }) => id))
        )
      const lines = [
        finding({ id: "a", at: "2026-03-01T08:00:00.000Z" }),
        finding({ id: "b" }),
        finding({ id: "a", at: "2026-03-01T08:00:00.000Z", severity: "action_taken" })
      ]
      writeFileSync(path, `no JSON\n${lines.map((one) => `${JSON.stringify(one)}\n`).join("")}`)
      yield* TestClock.setTime(Date.parse("2026-03-01T11:00:00Z"))
      assert.deepStrictEqual(yield* kept("1 day"), ["a", "b"])
      assert.deepStrictEqual(yield* kept("2 hours"), ["b"])
      assert.strictEqual(readFileSync(path, "utf8"), `no JSON\n${JSON.stringify(finding({ id: "b" }))}\n`)
    })
  )

  it.scoped("says whether anybody who may push can write it", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const path = join(place, "findings.jsonl")
      const git = (...words: ReadonlyArray<string>) => execFileSync("git", words, { cwd: place, stdio: "pipe" })
      const heldBack = (trusted: boolean) =>
        Effect.flatMap(FindingLog, (log) => log.heldBack).pipe(
          Effect.provide(FindingLog.Live({ path, trusted })),
          Effect.provide(NodeContext.layer)
        )
      git("init", "--quiet")
      writeFileSync(path, "")
      assert.isNull(yield* heldBack(false))
      git("add", "findings.jsonl")
      assert.include(yield* heldBack(false), `git tracks ${path}`)
      assert.isNull(yield* heldBack(true))
    })
  )

  it.scoped("sees what another process adds", () =>
    Effect.gen(function* () {
      const { log, path } = yield* opened
      const other = yield* live(path)
      yield* log.append(finding({ id: "a" }))
      yield* other.append(finding({ id: "b" }))
      yield* log.append(finding({ id: "a", severity: "action_taken", actionTaken: "paused the task" }))
      for (const one of [log, other])
        assert.deepStrictEqual(
          (yield* one.findings()).map(({ id, severity }) => [id, severity]),
          [
            ["a", "action_taken"],
            ["b", "warning"]
          ]
        )
    })
  )

  it.scoped("writes nothing until something is found", () =>
    Effect.gen(function* () {
      const { log, path } = yield* opened
      yield* log.append([])
      assert.deepStrictEqual(yield* log.findings(), [])
      assert.isFalse(existsSync(path))
    })
  )

  it.scoped("leaves lines that are no finding where they are, and names them", () =>
    Effect.gen(function* () {
      const { log, path } = yield* opened
      yield* log.append(finding({ id: "a" }))
      appendFileSync(path, `nonsense\n\n${JSON.stringify({ ...finding({ id: "b" }), severity: "loud" })}\n`)
      yield* log.append(finding({ id: "c" }))
      assert.deepStrictEqual(
        (yield* log.findings()).map(({ id }) => id),
        ["a", "c"]
      )
      const { blank, findings, invalid, invalidCount } = yield* log.verify()
      assert.deepStrictEqual([findings, blank, invalidCount], [2, 1, 2])
      assert.deepStrictEqual(
        invalid.map(({ line }) => line),
        [2, 4]
      )
      assert.match(invalid[1]?.problem ?? "", /^severity: /)
      assert.include(readFileSync(path, "utf8"), "nonsense")
      yield* log.verify({ repair: true })
      assert.notInclude(readFileSync(path, "utf8"), "nonsense")
      assert.include(readFileSync(`${path}.rejected`, "utf8"), "nonsense\n")
      assert.strictEqual((yield* log.verify()).invalidCount, 0)
    })
  )

  it.scoped("puts the torn end of a line aside", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "findings.jsonl")
      writeFileSync(path, `${JSON.stringify(finding({ id: "a" }))}\n{"id":"b","at`)
      const log = yield* live(path)
      yield* log.append(finding({ id: "c" }))
      assert.deepStrictEqual(
        (yield* log.findings()).map(({ id }) => id),
        ["a", "c"]
      )
    })
  )
})

it.effect("FindingLog.Test shows what it was told, and fails when it is told to", () =>
  Effect.gen(function* () {
    const log = yield* FindingLog
    const record = yield* FindingRecord
    yield* log.append(finding({ id: "a" }))
    yield* record.fail(true)
    const error = yield* Effect.flip(log.append(finding({ id: "b" })))
    assert.strictEqual(error.code, "ENOSPC")
    yield* record.fail(false)
    yield* log.append([finding({ id: "c" })])
    assert.deepStrictEqual(
      (yield* record.appended).map(({ id }) => id),
      ["a", "c"]
    )
  }).pipe(Effect.provide(FindingLog.Test))
)
