/** What every log of findings does, whatever keeps them. */
import { assert, describe, it } from "@effect/vitest"
import { FindingLog } from "@reflexion/core/FindingLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import { finding } from "../../support/findings.ts"
import { type Backend, opened } from "./Backend.ts"

/** Later than all that is found here: what lies in the future is not believed. */
const now = TestClock.setTime(Date.parse("2026-03-02T00:00:00Z"))

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

export const contract = <E>(backend: Backend<FindingLog, E>): void => {
  describe(`the log of findings: ${backend.name}`, () => {
    const open = Effect.map(opened(backend, FindingLog), ({ again, first: log }) => ({ again, log }))

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

    it.effect("does what a plain list does, for each who reads it", () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            FastCheck.array(FastCheck.array(anyFinding, { maxLength: 4 }), { maxLength: 8 }),
            (batches) =>
              Effect.runPromise(
                Effect.scoped(
                  Effect.gen(function* () {
                    const { again, log } = yield* open
                    for (const batch of batches) yield* log.append(batch)
                    const held = model(batches.flat())
                    for (const one of [log, yield* again]) {
                      assert.deepStrictEqual(yield* one.findings(), held)
                      for (const { id } of held)
                        assert.deepStrictEqual(
                          yield* one.get(id),
                          held.find((h) => h.id === id)
                        )
                      assert.isNull(yield* one.get("nobody"))
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

    it.scoped("has each once of what sixteen find at once, and says to one of them that it is new", () =>
      Effect.gen(function* () {
        yield* now
        const { again, log } = yield* open
        const given = ["a", "b", "c", "d", "e"].map((id) => finding({ id }))
        const added = yield* Effect.forEach(
          yield* Effect.replicateEffect(again, 16),
          ({ append, appendNew }, writer) =>
            Effect.zipLeft(
              Effect.forEach(given, (one) => appendNew([one])),
              append(finding({ id: `of ${writer}` }))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          added.flatMap((each) => each.flatMap((ids) => [...ids])).toSorted(),
          given.map(({ id }) => id)
        )
        assert.lengthOf(yield* log.findings(), 5 + 16)
      })
    )
  })
}
