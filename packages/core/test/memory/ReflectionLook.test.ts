import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { type AttemptOutcome, encode, isFailure } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { decode, ReflectionFinding } from "../../src/memory/rules/ReflectionFinding.ts"
import * as ReflectionLook from "../../src/memory/cycle/ReflectionLook.ts"
import { defaults } from "../../src/session/config/Defaults.ts"

const start = Date.parse("2026-03-01T00:00:00Z")
const hour = 3_600_000

const objective = "Round the total of the cart once."

const outcome = (index: number, over: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  id: `o${index}`,
  taskId: null,
  sessionId: `s${index}`,
  objective,
  status: "failed",
  durationMs: 1000,
  tools: [],
  loaded: [],
  resultLength: 400,
  backend: "codex",
  at: new Date(start + index * hour).toISOString(),
  ...over
})

/** A log that is looked at whenever an attempt fails, as far as its last `most` lines go; what each look told. */
const host = (
  outcomes: ReadonlyArray<AttemptOutcome>,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {}
) => {
  const log: Array<string> = []
  const findings: Array<string> = []
  const told = outcomes.map((one) => {
    log.push(encode(one).trimEnd())
    if (!isFailure(one)) return []
    const lines = { outcomes: log.slice(Math.max(0, log.length - most)), known: findings }
    const fresh = ReflectionLook.fresh(defaults.cycle, lines, Date.parse(one.at))
    findings.push(...ReflectionLook.encode(fresh).split("\n").slice(0, -1))
    return fresh
  })
  return { told, findings }
}

const rules = (told: ReadonlyArray<ReadonlyArray<ReflectionFinding>>) =>
  told.map((found) => found.map(({ rule }) => rule))

const look = (outcomes: ReadonlyArray<AttemptOutcome>, known: ReadonlyArray<ReflectionFinding> = []) =>
  ReflectionLook.fresh(
    defaults.cycle,
    { outcomes: outcomes.map((one) => encode(one).trimEnd()), known: ReflectionLook.encode(known).split("\n") },
    start + 30 * hour
  )

describe("a look at the outcomes of a host", () => {
  it("finds a task that fails each time once, and again when it has completed in between", () => {
    const statuses = ["failed", "timeout", "failed", "failed", "completed", "failed", "failed", "failed"] as const
    const { told } = host(statuses.map((status, index) => outcome(index, { status })))
    const streak = ["consecutive_failures"]
    assert.deepStrictEqual(rules(told), [[], [], streak, [], [], [], [], streak])
    const [first] = told[2] ?? []
    assert.deepInclude(first, { subjectType: "sub_session", subjectId: "s2", severity: "warning", actionTaken: null })
    assert.match(first?.id ?? "", /^consecutive_failures-/)
    assert.strictEqual(
      ReflectionLook.notice(told[2] ?? []),
      'reflexion: The task "Round the total of the cart once." failed 3 times in a row since 2026-03-01T00:00Z, 1 of them by a timeout. See `reflexion cycle`.'
    )
  })

  it("tells nothing of what is over, of what ended before the window, or of what others have found", () => {
    const streak = [0, 1, 2].map((index) => outcome(index + 20))
    const [found, ...more] = look(streak)
    assert.deepStrictEqual([found?.rule, more], ["consecutive_failures", []])
    assert.deepStrictEqual(look([...streak, outcome(23, { status: "completed" })]), [])
    assert.deepStrictEqual(look([0, 1, 2].map((index) => outcome(index))), [])
    assert.lengthOf(look([...streak, ...streak.slice(1)]), 1)
    if (found === undefined) return assert.fail("nothing was found")
    assert.deepStrictEqual(look(streak, [found]), [])
  })

  it("counts what one session fails at a task in a row once, and what is between other sessions' attempts again", () => {
    const of = (...sessions: ReadonlyArray<string>) =>
      rules(host(sessions.map((sessionId, index) => outcome(index, { sessionId }))).told)
    const streak = ["consecutive_failures"]
    assert.deepStrictEqual(of("a", "a", "a", "a"), [[], [], [], []])
    assert.deepStrictEqual(of("a", "a", "b", "b", "c", "c"), [[], [], [], [], streak, []])
    assert.deepStrictEqual(of("a", "b", "a"), [[], [], streak])
    const again = ["failed", "completed", "failed", "completed"] as const
    const mixed = again.map((status, index) => outcome(index, { status, sessionId: "a" }))
    assert.deepStrictEqual(rules(host(mixed).told), [[], [], [], []])
    // Nobody said whose attempts they are.
    assert.deepStrictEqual(of("", "", ""), [[], [], streak])
    const named = [0, 1, 2].map((index) => outcome(index, { sessionId: "a", taskId: "nightly" }))
    assert.deepStrictEqual(rules(host(named).told), [[], [], streak])
  })

  it("finds a nightly task, in one line", () => {
    const nights = [..."cccfff"].map((letter, index) =>
      outcome(24 * index, { status: letter === "c" ? "completed" : "failed", taskId: "nightly" })
    )
    const last = host(nights).told.at(-1) ?? []
    assert.deepStrictEqual(
      last.map(({ rule, subjectId }) => [rule, subjectId]),
      [["consecutive_failures", "nightly"]]
    )
    const line = ReflectionLook.notice([...last, ...last])
    assert.isAtMost(line.length, 200)
    assert.match(line, /^reflexion: Task nightly .* See `reflexion cycle` \(1 more\)\.$/)
    const wordy = host([0, 1, 2].map((index) => outcome(index, { objective: "Round the total. ".repeat(100) }))).told[2]
    assert.match(
      ReflectionLook.notice(wordy ?? []),
      /^reflexion: The task "Round the total\. .*…" failed 3 times in a row since 2026-03-01T00:00Z\. See `reflexion cycle`\.$/
    )
    assert.isAtMost(ReflectionLook.notice(wordy ?? []).length, 200)
    const long = last.map((one) => ({ ...one, detail: "x\n".repeat(500) }))
    assert.isAtMost(ReflectionLook.notice(long).length, 200)
    assert.strictEqual(ReflectionLook.notice([]), "")
  })

  it("finds a skill that attempts of several tasks fail with, once", () => {
    const loaded = [{ kind: "skill", name: "rounding" }] as const
    const attempts = Array.from({ length: 60 }, (_, index) => {
      const [taskId, at] = [`task${index}`, new Date(start + index * 60_000).toISOString()]
      return index % 3 === 0
        ? outcome(index, { taskId, at, loaded })
        : outcome(index, { taskId, at, status: "completed" })
    })
    const found = host(attempts).told.flat()
    assert.deepStrictEqual(
      found.map(({ rule, subjectId, subjectType }) => [rule, subjectType, subjectId]),
      [["skill_failure_correlation", "skill", "rounding"]]
    )
  })

  it("is silent about no task until a time of which a clock once said that it was now", () => {
    const ahead = { at: new Date(start + 9000 * hour).toISOString() }
    const found = look([0, 1, 2].map((index) => outcome(index, { taskId: "nightly", ...ahead })))
    assert.lengthOf(found, 1)
    const known = found.map((one) => ({ ...one, ...ahead }))
    const since = [outcome(20, { taskId: "nightly", status: "completed" })]
    const again = [21, 22, 23].map((index) => outcome(index, { taskId: "nightly" }))
    assert.lengthOf(look([...since, ...again], known), 1)
  })

  it("tells later what nobody could tell when it was found, of a task without an id as well", () => {
    const failing = [0, 1, 2].map((index) => outcome(index))
    const [late, later] = [outcome(29), outcome(3)]
    const found = look([...failing, late])
    assert.lengthOf(found, 1)
    const long = "You are the night's editor. ".repeat(10)
    const [other, same] = ["Tidy the docs.", "Tidy the tests."].map((words) =>
      [...failing, late].map((one) => ({ ...one, objective: `${long}${words}` }))
    )
    if (other === undefined || same === undefined) return assert.fail("no attempts")
    const told = look(other)
    assert.strictEqual(told[0]?.detail, look(same)[0]?.detail)
    assert.lengthOf(look([...failing, late], told), 1)
    assert.lengthOf(look(same, told), 1)
    assert.lengthOf(look(other, told), 0)
    assert.lengthOf(look([...failing.slice(1), later, late]), 1)
    assert.lengthOf(look([...failing.slice(1), later, late], found), 0)
  })

  const runs = fc.array(
    fc.record({
      letter: fc.constantFrom(..."cfftt"),
      task: fc.nat(2),
      named: fc.boolean(),
      gap: fc.constantFrom(1, 5, 30),
      length: fc.constantFrom(1, 400),
      skill: fc.boolean()
    }),
    { minLength: 1, maxLength: 40 }
  )

  const outcomesOf = (given: ReadonlyArray<typeof runs extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never>) => {
    let hours = 0
    return given.map(({ gap, length, letter, named, skill, task }, index) => {
      hours += gap
      return outcome(index, {
        status: letter === "c" ? "completed" : letter === "t" ? "timeout" : "failed",
        taskId: named ? `task${task}` : null,
        objective: `${objective} ${task}`,
        resultLength: length,
        loaded: skill ? [{ kind: "skill", name: "rounding" }] : [],
        at: new Date(start + hours * hour).toISOString()
      })
    })
  }

  it("tells nothing twice", () => {
    fc.assert(
      fc.property(runs, (given) => {
        const ids = host(outcomesOf(given)).told.flatMap((found) => found.map(({ id }) => id))
        assert.strictEqual(new Set(ids).size, ids.length)
      }),
      { numRuns: 30 }
    )
  })
})

describe("the quick reading of a finding", () => {
  const sample: ReflectionFinding = {
    id: "look-1",
    at: "2026-03-01T00:00:00.000Z",
    action: "reflection_rule",
    sessionId: "system:reflection",
    rule: "regression",
    severity: "warning",
    subjectType: "task",
    subjectId: "t1",
    detail: "It used to pass.",
    actionTaken: null
  }

  it("says what the schema says", () => {
    const odd = fc.constantFrom<unknown>(undefined, null, "", "x", 3, [], "warning", "task", "2026-03-01", "regression")
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(sample)), odd, (key, value) => {
        const line = JSON.stringify({ ...sample, [key]: value })
        const decoded = Schema.decodeUnknownEither(ReflectionFinding)(JSON.parse(line))
        assert.deepStrictEqual(decode(line), Either.isRight(decoded) ? decoded.right : null)
      }),
      { numRuns: 60 }
    )
    assert.deepStrictEqual(["", "no JSON", "[]", "null"].map(decode), [null, null, null, null])
  })
})
