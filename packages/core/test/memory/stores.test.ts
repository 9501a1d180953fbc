import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Effect, Queue, Stream, TestClock } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bare as reflection } from "../support/bare.ts"
import * as findings from "../support/findingContract.ts"
import * as lessons from "../support/lessonContract.ts"
import { all, contract, ids, now } from "../support/outcomeContract.ts"
import { outcome } from "../support/outcomes.ts"
import { folder, handle, inMemory, onDisk, table } from "../support/stores.ts"
import { live, works } from "../support/works.ts"

contract("Live", onDisk(OutcomeLog.Live))
contract("Memory", inMemory(OutcomeLog, OutcomeLog.Memory))
const outcomesOver = Effect.sync(() => OutcomeLog.Over(table()))
contract("Over", outcomesOver)

findings.contract("Live", onDisk(FindingLog.Live))
findings.contract("Memory", inMemory(FindingLog, FindingLog.Memory))
const findingsOver = Effect.sync(() => FindingLog.Over(table()))
findings.contract("Over", findingsOver)

lessons.contract("Live", onDisk(ReflexionStore.Live))
lessons.contract("Memory", inMemory(ReflexionStore, ReflexionStore.Memory))
const lessonsOver = Effect.sync(() => ReflexionStore.Over(table()))
lessons.contract("Over", lessonsOver)

const logAt = (path: string) => handle(OutcomeLog, OutcomeLog.Live({ path }))

/** The ids that a log tells its followers from now on, without those that it has already. */
const heard = Effect.fnUntraced(function* (log: Service) {
  const told = yield* Queue.unbounded<string>()
  yield* Effect.forkScoped(Stream.runForEach(log.follow(all), ({ id }) => Queue.offer(told, id)))
  return Queue.take(told)
})

describe("a shared file of outcomes", () => {
  live("a follower hears of new outcomes: without a folder, after a rewrite, after recreation", function* () {
    const path = join(yield* folder, "a", "outcomes.jsonl")
    const [one, other] = [yield* logAt(path), yield* logAt(path)]
    const next = yield* heard(one)
    yield* other.append([outcome({ id: "o1" }), outcome({ id: "o2" })])
    assert.deepStrictEqual([yield* next, yield* next], ["o1", "o2"])
    assert.strictEqual(yield* other.prune({ maxAge: "1 day" }), 1)
    appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o3" })))
    assert.strictEqual(yield* next, "o3")
    rmSync(dirname(path), { recursive: true })
    mkdirSync(dirname(path))
    appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o4" })))
    assert.strictEqual(yield* next, "o4")
  })

  works("of two lines with one id the first counts, and pruning deletes both", function* () {
    yield* TestClock.setTime(now)
    const path = join(yield* folder, "outcomes.jsonl")
    const log = yield* logAt(path)
    yield* log.append(outcome({ id: "o1" }))
    for (const one of [outcome({ id: "o1", status: "completed" }), outcome({ id: "o2" })])
      appendFileSync(path, AttemptOutcome.encode(one))
    assert.strictEqual(yield* log.failureStreak("nightly"), 2)
    yield* log.prune({ maxAge: "1 day" })
    assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o2"])
  })

  works("unreadable lines stay and are counted; a torn last line moves to another file", function* () {
    const path = join(yield* folder, "outcomes.jsonl")
    const [first, last] = [outcome({ id: "o1" }), outcome({ id: "o2" })].map(AttemptOutcome.encode)
    const bad = [{ at: "yesterday" }, { status: "lost" }].map(
      (wrong) => `${JSON.stringify({ ...outcome({ id: "bad" }), ...wrong })}\n`
    )
    const lines = [first, bad[0], "\n", "no JSON\n", bad[1], last].join("")
    writeFileSync(path, `${lines}{"id":"to`)
    const log = yield* logAt(path)
    assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o1", "o2"])
    assert.strictEqual(yield* log.unreadable, 3)
    yield* log.append(outcome({ id: "o3" }))
    assert.strictEqual(readFileSync(`${path}.torn`, "utf8"), '{"id":"to\n')
    assert.strictEqual(readFileSync(path, "utf8"), `${lines}${AttemptOutcome.encode(outcome({ id: "o3" }))}`)
  })

  works("git ignores it in a project, an own .gitignore stays, an error names its path", function* () {
    const place = yield* folder
    const add = (path: string) => Effect.flatMap(logAt(path), ({ append }) => append(outcome({ id: "o1" })))
    const ignored = join(place, ".reflection", ".gitignore")
    yield* logAt(join(place, ".reflection", "outcomes.jsonl"))
    assert.isFalse(existsSync(dirname(ignored)))
    yield* add(join(place, ".reflection", "outcomes.jsonl"))
    assert.match(readFileSync(ignored, "utf8"), /^\*$/mu)
    writeFileSync(ignored, "mine")
    yield* add(join(place, ".reflection", "others.jsonl"))
    assert.strictEqual(readFileSync(ignored, "utf8"), "mine")
    yield* add(join(place, "logs", "outcomes.jsonl"))
    assert.isFalse(existsSync(join(place, "logs", ".gitignore")))
    const path = join(ignored, "outcomes.jsonl")
    const refused = yield* Effect.flip(add(path))
    assert.deepStrictEqual([refused.reason, refused.message.includes(path)], ["failed", true])
  })
})

describe("a file of findings", () => {
  works("exists only from the first finding on, and its unreadable lines stay", function* () {
    const path = join(yield* folder, "findings.jsonl")
    const log = yield* handle(FindingLog, FindingLog.Live({ path }))
    yield* log.append([])
    assert.deepStrictEqual([yield* log.findings(), existsSync(path)], [[], false])
    yield* log.append(findings.finding({ id: "a" }))
    appendFileSync(path, `nonsense\n\n${JSON.stringify({ ...findings.finding({ id: "b" }), severity: "loud" })}\n`)
    yield* log.append(findings.finding({ id: "c" }))
    assert.deepStrictEqual(findings.said(yield* log.findings()), ["a warning", "c warning"])
    assert.strictEqual(yield* log.unreadable, 2)
    assert.include(readFileSync(path, "utf8"), "nonsense")
  })

  works("is held back if git tracks it and it is not marked as trusted", function* () {
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

works("ReflexionStore.Live: skips lines that do not decode, and keeps them", function* () {
  yield* TestClock.setTime(Date.parse("2026-03-31T10:00:00.000Z"))
  const old = "2020-01-01T00:00:00.000Z"
  const { model: _model, source: _source, tags: _tags, ...eleven } = reflection({ id: "eleven", createdAt: old })
  const [first, sure, wordy, last] = [
    eleven,
    reflection({ id: "sure", createdAt: old, confidence: 7 }),
    { ...reflection({ id: "wordy", createdAt: old }), tags: "many" },
    reflection({ id: "last", createdAt: "2026-03-30T00:00:00.000Z" })
  ].map((one) => `${JSON.stringify(one)}\n`)
  const path = join(yield* folder, "reflections.jsonl")
  writeFileSync(path, [first, sure, wordy, "no JSON\n", last].join(""))
  const store = yield* handle(ReflexionStore, ReflexionStore.Live({ path }))
  assert.deepStrictEqual(yield* store.get("eleven"), { ...eleven, source: null, model: null, tags: [] })
  assert.deepStrictEqual(lessons.ids(yield* store.getRecent("subtask-1")), ["last", "eleven"])
  assert.strictEqual(yield* store.unreadable, 3)
  assert.strictEqual(yield* store.prune({ maxAge: "30 days" }), 1)
  assert.strictEqual(readFileSync(path, "utf8"), [sure, wordy, "no JSON\n", last].join(""))
  assert.strictEqual(yield* store.prune({ where: () => true }), 1)
  assert.strictEqual(readFileSync(path, "utf8"), [sure, wordy, "no JSON\n"].join(""))
})
