import { assert, describe } from "@effect/vitest"
import { FindingLog } from "@reflexion/core/FindingLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { Effect, TestClock } from "effect"
import { opened, type Place } from "./stores.ts"
import { works } from "./works.ts"

/** Later than all findings here, because findings from the future are not believed. */
const now = TestClock.setTime(Date.parse("2026-03-02T00:00:00Z"))

export const finding = (given: Partial<ReflectionFinding> & { readonly id: string }): ReflectionFinding => ({
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

export const said = (findings: ReadonlyArray<ReflectionFinding>) =>
  findings.map(({ id, severity }) => `${id} ${severity}`)

export const contract = <E>(name: string, place: Place<FindingLog, E>): void => {
  describe(`FindingLog.${name}`, () => {
    const open = Effect.map(opened(place, FindingLog), ({ again, first: log }) => ({ again, log }))

    works("an id's last line takes the first one's place, without secrets, in bounds; both are pruned", function* () {
      yield* now
      const { again, log } = yield* open
      const secret = `ghp_${"a1B2".repeat(9)}`
      yield* log.append([
        finding({ id: "a", at: "2026-03-01T08:00:00.000Z" }),
        finding({ id: "b", at: "2026-03-01T13:00:00.000Z", detail: "word ".repeat(9000), subjectId: "x".repeat(500) })
      ])
      yield* log.append(finding({ id: "a", severity: "action_taken", actionTaken: `sent ${secret}`, detail: secret }))
      for (const one of [log, yield* again])
        assert.deepStrictEqual(said(yield* one.findings()), ["a action_taken", "b warning"])
      const [kept, long] = [yield* log.get("a"), yield* log.get("b")]
      assert.notInclude(JSON.stringify(kept), secret)
      assert.match(kept?.actionTaken ?? "", /^sent /)
      assert.deepStrictEqual([long?.detail.length, long?.subjectId.length], [4000, 300])
      assert.strictEqual(long?.actionTaken, null)
      assert.isNull(yield* log.get("nobody"))
      assert.strictEqual(yield* log.prune({ maxAge: "12 hours" }), 1)
      assert.strictEqual(yield* log.prune({ maxAge: "12 hours" }), 0)
      assert.deepStrictEqual(said(yield* (yield* again).findings()), ["b warning"])
    })

    works("keeps text that is not valid Unicode", function* () {
      yield* now
      const { again, log } = yield* open
      const text = "nul \0, half \ud83d, \u001a0000"
      const strange = finding({ id: text, subjectId: text, detail: text, count: 2.5 })
      assert.deepStrictEqual([...(yield* log.appendNew([strange, strange]))], [text])
      yield* log.append(strange)
      assert.deepStrictEqual([yield* (yield* again).findings(), yield* log.get(text)], [[strange], strange])
    })

    works("adds only unknown findings; of sixteen writers at once, one gets each as new", function* () {
      yield* now
      const { again, log } = yield* open
      yield* log.append(finding({ id: "a", severity: "action_taken" }))
      const given = ["a", "b", "c"].map((id) => finding({ id }))
      const logs = yield* Effect.replicateEffect(again, 16)
      const added = yield* Effect.forEach(logs, ({ appendNew }) => appendNew(given), { concurrency: "unbounded" })
      assert.deepStrictEqual(added.flatMap((ids) => [...ids]).toSorted(), ["b", "c"])
      assert.deepStrictEqual([...(yield* log.appendNew(given)), ...(yield* log.appendNew([]))], [])
      assert.deepStrictEqual(said(yield* log.findings()), ["a action_taken", "b warning", "c warning"])
    })
  })
}
