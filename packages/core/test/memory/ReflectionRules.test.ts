/** Four rules over many runs, as rows: a letter for each run, and the run at which a rule finds something. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type AttemptOutcome, encode, isFailure, type LoadedContext } from "../../src/memory/outcomes/AttemptOutcome.ts"
import * as ReflectionLook from "../../src/memory/cycle/ReflectionLook.ts"
import { decode, type ReflectionFinding } from "../../src/memory/rules/ReflectionFinding.ts"
import * as ReflectionRules from "../../src/memory/rules/ReflectionRules.ts"
import { defaults } from "../../src/session/config/Defaults.ts"
import { outcome } from "../support/outcomes.ts"

const start = Date.parse("2026-03-01T00:00:00Z")
const minute = 60_000
const day = 24 * 60

interface Told extends Partial<Omit<AttemptOutcome, "at" | "loaded">> {
  readonly minutes?: number
  readonly loaded?: ReadonlyArray<LoadedContext | string>
}

/** The run with this number, in a session of its own. By default, it is a minute after the last one. */
const ofTold = ({ loaded = [], minutes, ...rest }: Told, index: number): AttemptOutcome =>
  outcome({
    id: `o${index}`,
    sessionId: `s${index}`,
    status: "completed",
    loaded: loaded.map((one) => (typeof one === "string" ? { kind: "skill", name: one } : one)),
    at: new Date(start + (minutes ?? index) * minute).toISOString(),
    ...rest
  })

const letters = { C: "completed", F: "failed", T: "timeout" } as const

const isLetter = (letter: string): letter is keyof typeof letters => letter in letters

const runs = (text: string, told: Told = {}): ReadonlyArray<Told> =>
  [...text].filter(isLetter).map((letter) => ({ ...told, status: letters[letter] }))

const tasks = (text: string, loaded: ReadonlyArray<string> = [], prefix = loaded.join("-")) =>
  runs(text, { loaded }).map((told, index) => ({ ...told, taskId: `${prefix}${index}` }))

const apart = (tolds: ReadonlyArray<Told>, minutes: number, from = 0) =>
  tolds.map((told, index) => ({ ...told, minutes: from + index * minutes }))

interface Given {
  readonly known?: ReadonlyArray<ReflectionFinding>
  readonly options?: Partial<ReflectionRules.Options>
}

/** What is found when the rules look at each run as it ends. */
const play = (tolds: ReadonlyArray<Told>, { known = [], options = {} }: Given = {}) => {
  const outcomes = tolds.map(ofTold)
  const all = [...known]
  return outcomes.flatMap((_, index) => {
    const given = outcomes.slice(0, index + 1)
    const now = Math.max(...given.map(({ at }) => Date.parse(at)))
    const fresh = ReflectionRules.look({ ...defaults.cycle, ...options }, { outcomes: given, known: all, now })
      .filter((seen) => seen.known.length === 0)
      .map(({ finding }) => ({ finding, index }))
    all.push(...fresh.map(({ finding }) => finding))
    return fresh
  })
}

type Row = [name: string, tolds: ReadonlyArray<Told>, at: ReadonlyArray<number>, given?: Given]

const table = (rule: ReflectionFinding["rule"], rows: ReadonlyArray<Row>): void =>
  it.each(rows)(`${rule}: %s`, (_, tolds, at, given) => {
    const found = play(tolds, given).filter(({ finding }) => finding.rule === rule)
    const indices = found.map(({ index }) => index)
    assert.deepStrictEqual(indices, at)
  })

const pausedAfterThree = (): Given => {
  const [{ finding } = assert.fail("nothing found")] = play(runs("FFF"))
  return { known: [{ ...finding, severity: "action_taken", actionTaken: "paused the task" }] }
}

const nameless = { taskId: null, objective: "Refresh  the price\nlist of the shop" }

table("consecutive_failures", [
  ["6 failures, found once", runs("FFFFFF"), [2]],
  ["failures and timeouts", runs("FTF"), [2]],
  ["a streak broken by a success", runs("FFCFF"), []],
  ["two streaks", runs("FFFCFFF"), [2, 6]],
  ["a limit of 5", runs("FFFFF"), [4], { options: { consecutive_failure_limit: 5 } }],
  ["3 failures, days apart", apart(runs("FFF"), 3 * day), [2]],
  ["2 of each of two tasks", [...runs("FF"), ...runs("FF", { taskId: "b" })], []],
  ["a task by its words", [...runs("FFF", nameless)], [2]],
  ["words that say nothing", runs("FFFFF", { taskId: null, objective: "go on" }), []],
  ["2 more once what was paused runs again", runs("FFFFF"), [], pausedAfterThree()],
  ["3 more once what was paused runs again", runs("FFFFFF"), [5], pausedAfterThree()]
])

table("timeout_pattern", [
  ["3 among successes", runs("TCTCT"), [4]],
  ["3 in 10 runs", runs("TCCCTCCCCT"), [9]],
  ["3 in 11 runs", runs("TCCCTCCCCCT"), []],
  ["failures", runs("FFF"), []],
  ["6 timeouts, found once", runs("TTTTTT"), [2]],
  ["3 in the window", apart(runs("TCTCT"), 5 * 60), [4]],
  ["3 beyond the window", apart(runs("TCTCT"), 7 * 60), []],
  ["3 in a longer window", apart(runs("TCTCT"), 7 * 60), [4], { options: { lookback_seconds: 7 * 86_400 } }],
  ["once a window", apart(runs("T".repeat(30)), 60), [2, 27]]
])

const lengths = (...all: ReadonlyArray<number>) => all.map((resultLength) => ({ resultLength }))
const short = runs("C", { resultLength: 3 })
const asked = { taskId: null, objective: "Commit everything and push it.", resultLength: 21 }

table("stale_task", [
  ["a result that is just long enough", lengths(0, 50, 12), []],
  ["short results after a long one of the window", lengths(400, 1, 1, 1, 1), []],
  ["one finding a window", lengths(1, 1, 1, 1, 1, 90, 1, 1, 1, 1), [2]],
  ["results whose length nobody knows", runs("CCCC", { resultLength: null }), []],
  ["attempts that fail", runs("CFCF", { resultLength: 0 }), []],
  ["a failure of unknown yield between", [...short, ...runs("F", { resultLength: null }), ...short, ...short], [3]],
  ["a failure that yielded something between", [...short, ...runs("F", { resultLength: 90 }), ...short, ...short], []],
  ["a person's task done with tools", runs("CCC", { ...asked, tools: ["bash"] }), []],
  ["a person's task done with none", runs("CCC", asked), [2]],
  ["no length asked for", runs("CCCC", { resultLength: 0 }), [], { options: { min_result_length: 0 } }]
])

const deploy = (text: string, more: Told) => runs(text, { loaded: ["deploy"], ...more })
const file = { kind: "file", name: "deploy" } as const

table("skill_failure_correlation", [
  ["3 failures of 3 tasks with it and no success", [...tasks("CCC"), ...tasks("FFF", ["deploy"])], [5]],
  ["3 failures of 2 tasks", [...deploy("FF", { taskId: "a" }), ...deploy("F", { taskId: "b" })], [2]],
  ["2 failures and a success", [...tasks("CCC"), ...tasks("FFC", ["deploy"])], []],
  ["one task that fails by itself", [...tasks("C".repeat(20)), ...deploy("FFFFF", { taskId: "broken" })], []],
  ["one session's orders", [...tasks("CCCC"), ...deploy("FFFF", { ...nameless, sessionId: "stubborn" })], []],
  ["a popular one", [...tasks("C".repeat(40), ["style"], "fine"), ...tasks("FFFF", ["style"])], []],
  ["one that all load while all fails", [...tasks("CCCCC", ["style"], "fine"), ...tasks("FFFFFFFF", ["style"])], []],
  ["one that fails as all else", [...tasks("CCC"), ...tasks("F".repeat(9), [], "x"), ...tasks("FFF", ["deploy"])], []],
  ["beyond the window", [...tasks("CCC"), ...apart(tasks("FFF", ["deploy"]), 13 * 60, 60)], []],
  ["a file's name", [...tasks("CCC"), ...tasks("FF", ["deploy"]), ...runs("FF", { loaded: [file], taskId: "x" })], []],
  [
    "again when the window is over",
    [
      ...tasks("CCC"),
      ...apart(tasks("FFFFF", ["deploy"]), 1, 60),
      ...apart(tasks("CCC", [], "later"), 1, 3 * day),
      ...apart(tasks("FFF", ["deploy"], "again"), 1, 3 * day + 10)
    ],
    [5, 13]
  ]
])

describe("what a finding says", () => {
  it("streak: when it began, and how many failures were timeouts", () => {
    const [{ finding } = assert.fail("nothing found")] = play(runs("CFTF"))
    const { actionTaken, at, detail, severity, subjectId, subjectType } = finding
    assert.strictEqual(
      detail,
      "Task nightly (Refresh the price list of the shop) failed 3 times in a row since 2026-03-01T00:01Z, 1 of them by a timeout."
    )
    assert.deepStrictEqual([subjectType, subjectId, severity, actionTaken], ["task", "nightly", "warning", null])
    assert.strictEqual(at, "2026-03-01T00:03:00.000Z")
    const [{ finding: ofWords } = assert.fail("nothing found")] = play(runs("FFF", nameless))
    assert.deepStrictEqual([ofWords.subjectType, ofWords.subjectId], ["sub_session", "s2"])
  })

  it("skills: the one that makes the difference; skills always loaded together share a finding", () => {
    const fine = [...tasks("C".repeat(20), ["style"], "fine"), ...tasks("C".repeat(5), ["deploy"], "few")]
    const details = (tolds: ReadonlyArray<Told>, given?: Given) =>
      play(tolds, given).map(({ finding: { detail } }) => detail)
    assert.deepStrictEqual(details([...fine, ...tasks("FFFFF", ["style", "deploy"], "bad")]), [
      "Skill deploy was loaded in 3 attempts that failed and 5 that completed; without it 0 of 20 failed."
    ])
    const all = [...tasks("C".repeat(50)), ...tasks("FFFFF", ["a", "b", "c"])]
    const [{ finding } = assert.fail("nothing found")] = play(all)
    assert.deepStrictEqual(details(all), [
      "Skill a was loaded in 3 attempts that failed and 0 that completed; without it 0 of 50 failed. The same attempts loaded b, c."
    ])
    assert.deepStrictEqual(details(all, { known: [finding] }), [], "who knows of one knows of all")
    const alone = play([...deploy("FF", { taskId: "a" }), ...deploy("F", { taskId: "b" })])
    assert.match(alone.at(-1)?.finding.detail ?? "", /; every attempt loaded it\.$/)
  })

  it("never a secret, or a part of one, that another program wrote", () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
    const objective = `${"Refresh the price list, and say what changed. ".repeat(3).slice(0, 110)}${token}`
    const tolds = runs("FFF", { objective, loaded: [`${"src/".repeat(48)}${token}`] })
    const details = play([...tolds, ...tolds.map((told, at) => ({ ...told, taskId: `other${at}` }))])
    assert.lengthOf(details, 2)
    for (const { finding } of details) assert.notInclude(finding.detail, "ghp_a1")
  })

  it("findings fit the log, never repeat, ignore healthy runs, and do not trust future times", () => {
    const told = fc.record({
      taskId: fc.constantFrom("a", "b", null),
      status: fc.constantFrom("completed" as const, "failed" as const, "timeout" as const),
      resultLength: fc.constantFrom(0, 100),
      loaded: fc.subarray(["x", "y"]),
      minutes: fc.integer({ min: 0, max: 4000 })
    })
    fc.assert(
      fc.property(fc.array(told, { maxLength: 30 }), (tolds) => {
        const all = play(tolds).map(({ finding }) => finding)
        assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
        const found = all.map((one) => decode(JSON.stringify(one)))
        assert.deepStrictEqual(found, all)
        const healthy = tolds.map((each) => ({ ...each, status: "completed" as const, resultLength: 100 }))
        assert.deepStrictEqual(play(healthy), [])
      })
    )
    const later = ofTold({ status: "timeout", minutes: 10_000_000 }, 0)
    const outcomes = [later, ...runs("TT").map((each, index) => ofTold(each, index + 1))]
    const seen = ReflectionRules.look(defaults.cycle, { outcomes, known: [], now: start + 60 * minute })
    assert.include(seen.map(({ finding }) => finding.rule).join(), "timeout_pattern")
  })
})

describe("a host's look at its log whenever an attempt fails", () => {
  const person = { taskId: null, objective: "Round the total of the cart once." }

  const host = (tolds: ReadonlyArray<Told>) => {
    const log: Array<string> = []
    const known: Array<string> = []
    return tolds.map(ofTold).map((one) => {
      log.push(encode(one).trimEnd())
      if (!isFailure(one)) return []
      const fresh = ReflectionLook.fresh(defaults.cycle, { outcomes: log, known }, Date.parse(one.at))
      known.push(...ReflectionLook.encode(fresh).split("\n").slice(0, -1))
      return fresh
    })
  }

  it.each<readonly [string, ReadonlyArray<Told>, ReadonlyArray<number>]>([
    ["a streak once, and the next one", runs("FTFFCFFF", person), [2, 7]],
    ["one session's attempts at its own task once", runs("FFFF", { ...person, sessionId: "a" }), []],
    ["each of several sessions once", [..."aabbcc"].flatMap((sessionId) => runs("F", { ...person, sessionId })), [4]],
    ["sessions of no name apart", runs("FFF", { ...person, sessionId: "" }), [2]],
    ["a task with an id in one session", runs("FFF", { sessionId: "a" }), [2]],
    ["nothing of what is over", runs("FFC", person), []],
    ["a nightly task", apart(runs("CCCFFF"), day), [5]]
  ])("reports %s", (_, tolds, at) => {
    const told = host(tolds).flatMap((found, index) => found.map(() => index))
    assert.deepStrictEqual(told, at)
  })

  it("the message is one line of at most 200 characters", () => {
    const found = host(runs("FTF", person))[2] ?? []
    assert.strictEqual(
      ReflectionLook.notice(found),
      'reflexion: The task "Round the total of the cart once." failed 3 times in a row since 2026-03-01T00:00Z, 1 of them by a timeout. See `reflexion cycle`.'
    )
    assert.match(ReflectionLook.notice([...found, ...found]), / See `reflexion cycle` \(1 more\)\.$/)
    const wordy = host(runs("FFF", { taskId: null, objective: "Round the total. ".repeat(100) }))[2] ?? []
    assert.match(ReflectionLook.notice(wordy), /^reflexion: The task "Round .*…" failed 3 times in a row since .*\.$/)
    assert.isAtMost(ReflectionLook.notice(wordy).length, 200)
    assert.strictEqual(ReflectionLook.notice([]), "")
  })
})
