/** What a project's memory and outcome log keep of a session with hooks, where no row of stops.rows.txt can say it. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { Reflection } from "@reflexion/core/Reflection"
import { defaults } from "@reflexion/core/ReflexionConfig"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer } from "effect"
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bare } from "../../core/test/support/bare.ts"
import { works } from "../../core/test/support/works.ts"
import * as LessonTrust from "../src/memory/LessonTrust.ts"
import * as Outcomes from "../src/memory/Outcomes.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"
import { edited, failures, inScratch, scratch, type Scratch, type Session, task } from "./support/session.ts"

const words = "I changed how the total is rounded."

const fileOf = ({ root }: Scratch, name: string): string => join(root, ".reflection", name)

const linesOf = <A>(scratched: Scratch, name: string): ReadonlyArray<A> => {
  const file = fileOf(scratched, name)
  return existsSync(file) ? JSON.parse(`[${readFileSync(file, "utf8").trim().replaceAll("\n", ",")}]`) : []
}

const put = (scratched: Scratch, text: string, name = "outcomes.jsonl"): void =>
  scratched.put(`.reflection/${name}`, text)

/** An agent whose tests fail: nudged. */
const fails = (agent: Session, name = "rounds half up") => {
  agent.runs("npm test", SampleFailure.output(name, "45", "44.9"), true).says(words)
  const answer = agent.stop(words)
  assert.strictEqual(answer._tag, "nudge")
  // A second hook at the same stop.
  assert.strictEqual(agent.stop(words)._tag, "nothing")
  return agent.told(answer)
}

const starts = (scratched: Scratch, ...ids: ReadonlyArray<string>): void =>
  ids.forEach((id) => fails(edited(scratched, id)))

const day = 86_400_000

const ago = (days: number) => new Date(Date.now() - days * day).toISOString()

describe("the memory of a session with hooks", () => {
  inScratch("gets one lesson from a failed stop, made from the tests' output", (scratched) => {
    fails(edited(scratched))
    const [lesson, ...more] = linesOf<Reflection>(scratched, "reflections.jsonl").filter((line) => "analysis" in line)
    assert.deepStrictEqual(more, [])
    assert.match(lesson?.analysis ?? "", /rounds half up[^]*44\.9/)
    assert.deepInclude(lesson, { sessionId: "s1", attemptNumber: 1, source: "heuristic", model: null })
    assert.match(lesson?.taskId ?? "", /^shop-/)
    assert.include(lesson?.tags ?? [], "test_failure")
    assert.deepStrictEqual(failures(scratched), [])
  })

  inScratch("deletes lessons past their retention, and nothing else", (scratched) => {
    const agent = fails(edited(scratched))
    const name = "reflections.jsonl"
    const [, line] = linesOf<object>(scratched, name)
    const before = readFileSync(fileOf(scratched, name))
    const event = { event: "outcome", success: true, taskId: null, subtaskId: null, attemptNumber: null }
    const old = [
      { ...line, createdAt: ago(40), id: "old" },
      { ...line, createdAt: ago(40), id: "again" },
      { ...line, createdAt: ago(20), id: "again" },
      { ...event, at: ago(0), reflectionIds: ["old"] },
      { ...event, at: ago(0), reflectionIds: ["old", "again"] },
      { ...event, at: ago(20_000), reflectionIds: ["again"] }
    ].map((one) => `${JSON.stringify(one)}\n`)
    const odd = "no line of ours, in no writing: \xff"
    writeFileSync(fileOf(scratched, name), Buffer.concat([Buffer.from(`${old.join("")}${odd}\n`, "latin1"), before]))
    fails(agent.edits("src/total.ts"), "keeps the currency")
    const kept = readFileSync(fileOf(scratched, name), "latin1").split("\n").slice(0, -1)
    const ids = kept.flatMap((text) => /^\{"id":"(\w+)"/.exec(text)?.[1] ?? [])
    assert.deepStrictEqual([ids[0], ids.length, kept.includes(odd)], ["again", 3, true])
    const [settled, ...others] = kept.filter((text) => text.startsWith('{"event"') && text.includes("again"))
    assert.include(settled, '"old"')
    assert.deepStrictEqual(others, [])
    for (const end of ["lock", "next"]) assert.isFalse(existsSync(`${fileOf(scratched, name)}.${end}`))
    assert.deepStrictEqual(failures(scratched), [])
  })
})

const lesson = bare({ id: "mine", suggestion: "Guard it.", actionItems: ["Look."] })

describe("a lesson", () => {
  inScratch("is known, unchanged, in every project if learned here, or in one that trusts it", ({ home }) => {
    const at = UserDirectories.make({ HOME: home })
    const theirs = { ...lesson, id: "theirs" }
    const known = (root = "/repo/shop", all: ReadonlyArray<Reflection> = [lesson, theirs]) =>
      LessonTrust.known(at, root, all).map(({ id }) => id)
    assert.deepStrictEqual(known(), [])
    LessonTrust.own(at, [lesson])
    assert.deepStrictEqual(known(), ["mine"])
    LessonTrust.trust(at, "/repo/shop", [theirs])
    assert.deepStrictEqual([known(), known("/moved")], [["mine", "theirs"], ["mine"]])
    const areTrusted = ["/repo/shop", "/moved"].map((root) => LessonTrust.isTrusted(at, root))
    assert.deepStrictEqual(areTrusted, [true, false])
    LessonTrust.trust(at, "/repo/shop", [])
    assert.deepStrictEqual([known(), LessonTrust.isTrusted(at, "/repo/shop")], [["mine"], true])
    const removed = [LessonTrust.untrust(at, "/repo/shop"), LessonTrust.untrust(at, "/repo/shop")]
    assert.deepStrictEqual(removed, [true, false])
    assert.strictEqual(statSync(LessonTrust.files(at, "/repo/shop").own).mode & 0o777, 0o600)
    const others: Partial<Reflection> = {
      id: "other",
      taskId: "t",
      subtaskId: "t",
      attemptNumber: 2,
      category: "edge_case",
      analysis: "The cart was full.",
      suggestion: "Guard it. ",
      actionItems: ["Look", "."],
      confidence: 1,
      createdAt: ago(0),
      tags: []
    }
    for (const [name, value] of Object.entries(others))
      assert.deepStrictEqual(known("/r", [{ ...lesson, [name]: value }]), [], name)
    assert.deepStrictEqual(known("/r", [{ ...lesson, sessionId: "s2" }]), ["mine"])
  })

  inScratch("is not known if the state cannot be read", ({ home }) => {
    const at = UserDirectories.make({ HOME: home })
    mkdirSync(LessonTrust.files(at, "/repo/shop").own, { recursive: true })
    assert.deepStrictEqual(LessonTrust.known(at, "/repo/shop", [lesson]), [])
    assert.throws(() => LessonTrust.own(at, [lesson]), /EISDIR/)
  })
})

const old = (at: string): string => {
  const told = { sessionId: "s0", objective: task, status: "failed", durationMs: 1, resultLength: 2, backend: "codex" }
  return `${JSON.stringify({ id: at, ...told, at })}\n`
}

describe("the outcome log of a session with hooks", () => {
  works("gets one outcome per attempt that a stop ends, readable by programs too", function* () {
    const scratched = yield* scratch
    const done = "The tests pass."
    fails(edited(scratched)).edits("src/total.ts").runs("npm test", "Tests  3 passed (3)").says(done).stop(done)
    const path = fileOf(scratched, "outcomes.jsonl")
    const log = Layer.provide(OutcomeLog.Live({ path }), NodeContext.layer)
    const all = Effect.flatMap(OutcomeLog, ({ outcomesSince }) => outcomesSince(Number.NEGATIVE_INFINITY))
    const kept = yield* Effect.provide(all, log)
    assert.deepStrictEqual(kept, linesOf(scratched, "outcomes.jsonl"))
    const [first, second, ...more] = kept
    assert.deepStrictEqual([second?.status, second?.resultLength, more], ["completed", done.length, []])
    const told = { taskId: null, sessionId: "s1", objective: task, backend: scratched.hook.host }
    assert.deepInclude(first, { ...told, status: "failed", resultLength: words.length })
    assert.include(first?.tools ?? [], "Bash")
    // The hook's clock stands still, and the second attempt began at the nudge.
    assert.isBelow(second?.durationMs ?? 0, first?.durationMs ?? 0)
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
  })

  inScratch("moves a torn line away, deletes old outcomes, and keeps unreadable lines", (scratched) => {
    put(scratched, `${old("2020-01-01T00:00:00.000Z")}no JSON\n{"id":"to`)
    starts(scratched, "s1")
    const lines = readFileSync(fileOf(scratched, "outcomes.jsonl"), "utf8").split("\n")
    assert.deepStrictEqual([lines[0], lines[1]?.includes('"status":"failed"'), lines.length], ["no JSON", true, 3])
    assert.include(readFileSync(fileOf(scratched, "outcomes.jsonl.torn"), "utf8"), '{"id":"to')
  })

  inScratch("is left alone if its end has no line break, and the log says so", (scratched) => {
    put(scratched, "x".repeat(3 * 1024 * 1024))
    starts(scratched, "s1")
    const [failure = ""] = failures(scratched)
    assert.match(failure, /^nothing was added to the outcome log: .* has no line break in its last 1 MiB, .*: move it/)
    assert.isFalse(existsSync(fileOf(scratched, "outcomes.jsonl.torn")))
  })

  inScratch("if old outcomes cannot be deleted, the rules still work, and the log says so", (scratched) => {
    starts(scratched, "s1", "s2")
    put(scratched, old("2020-01-01T00:00:00.000Z") + readFileSync(fileOf(scratched, "outcomes.jsonl"), "utf8"))
    mkdirSync(fileOf(scratched, "outcomes.jsonl.next"))
    starts(scratched, "s3")
    assert.lengthOf(linesOf(scratched, "findings.jsonl"), 1)
    assert.match(failures(scratched).join("\n"), /^old outcomes were not deleted: .*outcomes\.jsonl\.next/)
    assert.include(readFileSync(fileOf(scratched, "outcomes.jsonl"), "utf8"), '"2020-01-01')
  })

  inScratch("several processes find the same at once → one finding", (scratched) => {
    starts(scratched, "s1", "s2")
    const asked = { root: scratched.root, now: scratched.hook.now(), settings: defaults.cycle }
    const [one] = linesOf<AttemptOutcome>(scratched, "outcomes.jsonl")
    appendFileSync(fileOf(scratched, "outcomes.jsonl"), `${JSON.stringify({ ...one, id: "other", sessionId: "s3" })}\n`)
    const found = [1, 2, 3].map(() => Outcomes.look(asked)).filter((line) => line !== "")
    assert.deepStrictEqual([found.length, linesOf(scratched, "findings.jsonl").length], [1, 1])
  })
})
