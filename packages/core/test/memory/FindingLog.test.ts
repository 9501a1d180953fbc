/** What the log of findings adds to what all logs do. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { FindingLog } from "@reflexion/core/FindingLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { Effect, TestClock } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folder, handle, onDisk, opened, type Place, table } from "../support/stores.ts"
import { works } from "../support/works.ts"

/** Later than all that is found here: what lies in the future is not believed. */
const now = TestClock.setTime(Date.parse("2026-03-02T00:00:00Z"))

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

const said = (findings: ReadonlyArray<ReflectionFinding>) => findings.map(({ id, severity }) => `${id} ${severity}`)

const contract = <E>(name: string, place: Place<FindingLog, E>): void => {
  describe(`FindingLog.${name}`, () => {
    const open = Effect.map(opened(place, FindingLog), ({ again, first: log }) => ({ again, log }))

    works("keeps an id's last line where its first was, without secrets, in bounds, and forgets both", function* () {
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

    works("adds what nobody knows yet, and says to one of sixteen that it is new", function* () {
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

contract("Live", onDisk(FindingLog.Live))
contract(
  "Over",
  Effect.sync(() => FindingLog.Over(table()))
)

describe("a file of findings", () => {
  works("is written when something is found, with lines that are no finding left where they are", function* () {
    const path = join(yield* folder, "findings.jsonl")
    const log = yield* handle(FindingLog, FindingLog.Live({ path }))
    yield* log.append([])
    assert.deepStrictEqual([yield* log.findings(), existsSync(path)], [[], false])
    yield* log.append(finding({ id: "a" }))
    appendFileSync(path, `nonsense\n\n${JSON.stringify({ ...finding({ id: "b" }), severity: "loud" })}\n`)
    yield* log.append(finding({ id: "c" }))
    assert.deepStrictEqual(said(yield* log.findings()), ["a warning", "c warning"])
    assert.strictEqual(yield* log.unreadable, 2)
    assert.include(readFileSync(path, "utf8"), "nonsense")
  })

  works("is held back where git tracks it and nobody said that it is trusted", function* () {
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
    for (const part of [`git tracks ${path}`, "trusted: true"]) assert.include(yield* heldBack(false), part)
    assert.isNull(yield* heldBack(true))
  })
})
