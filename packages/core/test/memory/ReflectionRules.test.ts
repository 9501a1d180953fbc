import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import type { AttemptOutcome, Loaded } from "../../src/memory/outcomes/AttemptOutcome.ts"
import * as Effectiveness from "../../src/memory/store/Effectiveness.ts"
import { ReflectionFinding } from "../../src/memory/rules/ReflectionFinding.ts"
import * as ReflectionRules from "../../src/memory/rules/ReflectionRules.ts"

const start = Date.parse("2026-03-01T00:00:00Z")
const minute = 60_000
const hour = 60 * minute

interface Told extends Partial<Omit<AttemptOutcome, "at" | "loaded">> {
  readonly minutes?: number
  readonly loaded?: ReadonlyArray<Loaded | string>
  readonly paused?: boolean
}

const outcome = (told: Told, index: number): AttemptOutcome => {
  const { loaded = [], minutes = index, paused: _paused, ...rest } = told
  return {
    id: `o${index}`,
    taskId: "nightly",
    sessionId: `s${index}`,
    objective: "Refresh the price list",
    status: "completed",
    durationMs: 1000,
    tools: [],
    loaded: loaded.map((one) => (typeof one === "string" ? { kind: "skill", name: one } : one)),
    resultLength: 400,
    backend: "codex",
    at: new Date(start + minutes * minute).toISOString(),
    ...rest
  }
}

const one = { C: "completed", F: "failed", T: "timeout" } as const

const isLetter = (letter: string): letter is keyof typeof one => letter in one

/** A letter for each run: completed, failed, timed out. */
const runs = (letters: string, told: Told = {}): ReadonlyArray<Told> =>
  [...letters].filter(isLetter).map((letter) => ({ ...told, status: one[letter] }))

const play = (
  tolds: ReadonlyArray<Told>,
  {
    options = {},
    state = ReflectionRules.initial()
  }: { readonly options?: Partial<ReflectionRules.Options>; readonly state?: ReflectionRules.State } = {}
) =>
  tolds.flatMap((told, index) =>
    ReflectionRules.step({ ...ReflectionRules.defaults, ...options }, state, {
      outcome: outcome(told, index),
      paused: told.paused === true
    }).map((found) => ({ ...found, index }))
  )

/** The rule and which run showed it, as in "consecutive_failures@2". */
const found = (...args: Parameters<typeof play>): ReadonlyArray<string> =>
  play(...args).map(({ finding: { rule }, index }) => `${rule}@${index}`)

const by =
  (rule: string) =>
  (...args: Parameters<typeof found>) =>
    found(...args).filter((each) => each.startsWith(`${rule}@`))

const spread = (tolds: ReadonlyArray<Told>, minutes: number) =>
  tolds.map((told, index) => ({ ...told, minutes: index * minutes }))

const apart = (tolds: ReadonlyArray<Told>, from: number, minutes: number) =>
  tolds.map((told, index) => ({ ...told, minutes: from + index * minutes }))

const events = (letters: string) =>
  [...letters].map((letter, index) => ({
    event: "outcome" as const,
    success: letter === "C",
    at: new Date(start + index * minute).toISOString(),
    reflectionIds: ["r1"],
    taskId: null,
    subtaskId: null,
    attemptNumber: null
  }))

const many = (letters: string, loaded: ReadonlyArray<string>, prefix = loaded.join("-")) =>
  runs(letters, { loaded }).map((told, index) => ({ ...told, taskId: `${prefix}${index}` }))

const unhelpful = (letters: string, state = ReflectionRules.initial(), now = start + hour) => {
  const fold = Effectiveness.initial()
  for (const event of events(letters)) Effectiveness.step(fold, event)
  return ReflectionRules.unhelpful(state, fold.byId, now)
}

const others = (count: number) => many("C".repeat(count), [], "other")

/** A task's run that reads files of its own, and nobody else's. */
const ownFiles = (task: string, letters: string, more: ReadonlyArray<Loaded | string> = []) =>
  runs(letters, {
    taskId: task,
    loaded: [
      ...more,
      ...Array.from({ length: 30 }, (_, at) => ({ kind: "file", name: `src/${task}/${at}.ts` }) as const)
    ]
  })

/** Skills each of which is loaded in three runs that complete. */
const skills = (count: number) =>
  Array.from({ length: 3 * count }, (_, at) =>
    runs("C", { taskId: `fine${at}`, loaded: [`skill ${at % count}`] })
  ).flat()

const stepsFrom = (from: number, tolds: ReadonlyArray<Told>, state: ReflectionRules.State) =>
  tolds.flatMap((told, at) =>
    ReflectionRules.step(ReflectionRules.defaults, state, { outcome: outcome(told, from + at) })
  )

/** Days of 400 tasks that run once a day and read 20 of 1,500 files each, whichever; `bad` of ten of them fails in 80 %. */
const reading = (days: number, rate: number, bad: Loaded | null = null): ReadonlyArray<Told> => {
  // A linear congruential generator, so that each run sees the same.
  let seed = 1
  const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296
  return Array.from({ length: 400 * days }, (_, at) => {
    const loaded = Array.from(
      { length: 20 },
      () => ({ kind: "file", name: `src/${Math.floor(random() * 1500)}.ts` }) as const
    )
    const own = bad !== null && at % 40 === 3 ? [bad] : []
    return {
      taskId: `task-${at % 400}`,
      minutes: Math.floor(at / 400) * 24 * 60 + (at % 400) * 3,
      status: random() < (own.length > 0 ? 0.8 : rate) ? ("failed" as const) : ("completed" as const),
      loaded: [...own, ...loaded]
    }
  })
}

describe("ReflectionRules", () => {
  describe("consecutive_failures", () => {
    const rule = by("consecutive_failures")

    it.each([
      ["FF", []],
      ["FFF", [2]],
      ["FFFFFF", [2]],
      ["FTF", [2]],
      ["TTT", [2]],
      ["FFCFF", []],
      ["FFCFFF", [5]],
      ["FFFCFFF", [2, 6]],
      ["CCC", []]
    ])("%s: %j", (letters, at) => {
      assert.deepStrictEqual(
        rule(runs(letters)),
        at.map((index) => `consecutive_failures@${index}`)
      )
    })

    it("says when the streak began, and how many were timeouts", () => {
      const [{ count, finding } = assert.fail("nothing found")] = play(runs("CFTF"))
      assert.strictEqual(count, 3)
      assert.strictEqual(
        finding.detail,
        "Task nightly (Refresh the price list) failed 3 times in a row since 2026-03-01T00:01Z, 1 of them by a timeout."
      )
      assert.deepStrictEqual(
        [finding.subjectType, finding.subjectId, finding.severity, finding.actionTaken],
        ["task", "nightly", "warning", null]
      )
      assert.strictEqual(finding.at, "2026-03-01T00:03:00.000Z")
    })

    it("takes the limit that is configured", () => {
      assert.deepStrictEqual(rule(runs("FFFFF"), { options: { consecutive_failure_limit: 5 } }), [
        "consecutive_failures@4"
      ])
      assert.deepStrictEqual(rule(runs("F"), { options: { consecutive_failure_limit: 1 } }), ["consecutive_failures@0"])
    })

    it("counts however far the runs are apart", () => {
      assert.lengthOf(rule(spread(runs("FFF"), 3 * 24 * 60)), 1)
    })

    it("counts each task for itself", () => {
      const tasks = ["a", "b"].flatMap((taskId) => runs("FF", { taskId }))
      assert.deepStrictEqual(rule(tasks), [])
      assert.deepStrictEqual(rule([...tasks, ...runs("F", { taskId: "b" })]), ["consecutive_failures@4"])
    })

    it("knows a task without an id by what is to be done, and its finding by the session", () => {
      const nameless = { taskId: null, objective: "Refresh  the price\nlist of the shop" }
      const same = { taskId: null, objective: "Refresh the price list of the shop" }
      const all = play([...runs("FF", nameless), ...runs("F", same)])
      assert.deepStrictEqual(
        all.map(({ finding }) => [finding.rule, finding.subjectType, finding.subjectId]),
        [["consecutive_failures", "sub_session", "s2"]]
      )
    })

    it("says nothing of a secret that another program wrote, nor a part of one", () => {
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const objective = `${"Refresh the price list, and say what changed. ".repeat(3).slice(0, 110)}${token}`
      const tolds = runs("FFF", { objective, loaded: [{ kind: "file", name: `${"src/".repeat(48)}${token}` }] })
      const apiece = [...tolds, ...tolds.map((told, at) => ({ ...told, taskId: `other${at}` }))]
      const details = play(apiece).map(({ finding: { detail } }) => detail)
      assert.lengthOf(details, 2)
      for (const detail of details) assert.notInclude(detail, "ghp_a1")
    })

    it("makes no task of words that say nothing", () => {
      assert.deepStrictEqual(found(runs("FFFFF", { taskId: null, objective: "go on" })), [])
    })

    it("does not count what a paused task still ends", () => {
      assert.deepStrictEqual(found(runs("FFFFFF", { paused: true })), [])
      assert.deepStrictEqual(found([...runs("FF"), ...runs("FFF", { paused: true })]), [])
    })

    it("counts anew once a task runs again that was paused for it", () => {
      const state = ReflectionRules.initial()
      assert.lengthOf(rule(runs("FFF"), { state }), 1)
      ReflectionRules.paused(state, "nightly")
      const after = (letters: string, from: number, told: Told = {}) =>
        rule(
          runs(letters, told).map((each, index) => ({ ...each, id: `after${from + index}`, minutes: from + index })),
          { state }
        )
      assert.deepStrictEqual(after("FF", 3, { paused: true }), [])
      assert.deepStrictEqual(after("F", 1), [], "it ended before the pause, and is told of late")
      assert.deepStrictEqual(after("FF", 5), [])
      assert.deepStrictEqual(after("F", 7), ["consecutive_failures@0"])
    })
  })

  describe("timeout_pattern", () => {
    const rule = by("timeout_pattern")

    it.each([
      ["TT", []],
      ["TTT", [2]],
      ["TCTCT", [4]],
      ["TCCCTCCCCT", [9]],
      ["TCCCTCCCCCT", []],
      ["FFF", []],
      ["TTTTTT", [2]]
    ])("%s: %j", (letters, at) => {
      assert.deepStrictEqual(
        rule(runs(letters)),
        at.map((index) => `timeout_pattern@${index}`)
      )
    })

    it("takes three of the window alone", () => {
      assert.lengthOf(rule(spread(runs("TCTCT"), 5 * 60)), 1)
      assert.lengthOf(rule(spread(runs("TCTCT"), 7 * 60)), 0)
      assert.lengthOf(rule(spread(runs("TCTCT"), 7 * 60), { options: { lookback_seconds: 7 * 86_400 } }), 1)
    })

    it("finds the next once there was none for as long as it remembers", () => {
      assert.deepStrictEqual(rule(runs(`TTT${"C".repeat(10)}TTT`)), ["timeout_pattern@2", "timeout_pattern@15"])
      assert.deepStrictEqual(rule(runs(`TTT${"C".repeat(5)}TTT`)), ["timeout_pattern@2"])
    })
  })

  describe("stale_task", () => {
    const rule = by("stale_task")

    it.each([
      ["two short results", [49, 49], []],
      ["three short results", [0, 12, 49], [2]],
      ["a result that is just long enough", [0, 50, 12], []],
      ["short results after a long one of the window", [400, 1, 1, 1, 1], []],
      ["one finding until a longer result", [1, 1, 1, 1, 1, 90, ...Array<number>(10).fill(1)], [2, 15]]
    ])("%s: %j", (_, lengths, at) => {
      assert.deepStrictEqual(
        rule(lengths.map((resultLength) => ({ resultLength }))),
        at.map((index) => `stale_task@${index}`)
      )
    })

    it("is not about results of which nobody knows the length", () => {
      assert.deepStrictEqual(rule(runs("CCCC", { resultLength: null })), [])
    })

    it("is not about attempts that fail", () => {
      assert.deepStrictEqual(rule(runs("FFFF", { resultLength: 0 })), [])
      assert.deepStrictEqual(rule(runs("CFCF", { resultLength: 0 })), [])
    })

    it("is not put off by a failure of which nobody knows what it yielded, but by one that yielded something", () => {
      const [short, failed] = [runs("C", { resultLength: 3 }), runs("F", { resultLength: null })]
      assert.deepStrictEqual(rule([...short, ...failed, ...short, ...short]), ["stale_task@3"])
      assert.deepStrictEqual(rule([...short, ...runs("F", { resultLength: 90 }), ...short, ...short]), [])
    })

    it("is not about a person's task that was done with tools, whose answer may be as short as it likes", () => {
      const asked = { taskId: null, objective: "Commit everything and push it.", resultLength: 21 }
      assert.deepStrictEqual(rule(runs("CCC", { ...asked, tools: ["bash"] })), [])
      assert.deepStrictEqual(rule(runs("CCC", asked)), ["stale_task@2"])
      assert.deepStrictEqual(rule(runs("CCC", { resultLength: 21, tools: ["bash"] })), ["stale_task@2"])
    })

    it("finds nothing short where no length is asked for", () => {
      assert.deepStrictEqual(rule(runs("CCCC", { resultLength: 0 }), { options: { min_result_length: 0 } }), [])
    })
  })

  describe("skill_failure_correlation", () => {
    const rule = by("skill_failure_correlation")

    it("blames one that is loaded in three failures and in no success", () => {
      assert.deepStrictEqual(rule([...others(3), ...many("FFF", ["deploy"])]), ["skill_failure_correlation@5"])
      const [, , , , , { count, finding } = assert.fail("nothing found")] = [
        ...Array<undefined>(5),
        ...play([...others(3), ...many("FFF", ["deploy"])])
      ]
      assert.strictEqual(count, 3)
      assert.strictEqual(finding.subjectType, "skill")
      assert.strictEqual(finding.subjectId, "deploy")
      assert.strictEqual(
        finding.detail,
        "Skill deploy was loaded in 3 attempts that failed and 0 that completed; without it 0 of 3 failed."
      )
    })

    it.each([
      [1, 1],
      [2, 1],
      [3, 20],
      [10, 20],
      [40, 200]
    ])(
      "blames one for exactly three failures and no success, beside %d runs without it and %d skills",
      (count, known) => {
        const fine = skills(known)
          .slice(0, count)
          .map((told, at) => ({ ...told, taskId: `without${at}` }))
        assert.deepStrictEqual(rule([...fine, ...many("FFF", ["deploy"])]), [`skill_failure_correlation@${count + 2}`])
        assert.deepStrictEqual(rule([...fine, ...many("FFC", ["deploy"])]), [])
      }
    )

    it("blames one for three failures of two tasks and no success", () => {
      const bad = [
        ...runs("FF", { taskId: "a", loaded: ["deploy"] }),
        ...runs("F", { taskId: "b", loaded: ["deploy"] })
      ]
      for (const count of [0, 1, 4, 20])
        assert.deepStrictEqual(rule([...skills(20).slice(0, count), ...bad]), [
          `skill_failure_correlation@${count + 2}`
        ])
    })

    it.each([
      [2, 0, 0],
      [3, 0, 1],
      [40, 0, 1],
      [6, 2, 0],
      [7, 2, 1]
    ])(
      "blames a file for them beside %d runs that complete and %d that fail without it: %d",
      (count, failed, times) => {
        const file = { kind: "file", name: "docs/deploy.md" } as const
        const bad = many("FFF", []).map((told) => ({ ...told, loaded: [file] }))
        assert.lengthOf(rule([...others(count), ...many("F".repeat(failed), [], "noise"), ...bad]), times)
      }
    )

    it("does not blame one for three failures that a popular one has beside a success", () => {
      assert.deepStrictEqual(rule([...others(3), ...many("C", ["style"], "fine"), ...many("FFF", ["style"])]), [])
    })

    it("blames nothing for two", () => {
      assert.deepStrictEqual(rule([...others(50), ...many("FF", ["deploy"])]), [])
    })

    it("does not blame a popular one", () => {
      assert.deepStrictEqual(rule([...many("C".repeat(40), ["style"]), ...others(10), ...many("FFFF", ["style"])]), [])
    })

    it("does not blame what everything loads while everything fails for another reason", () => {
      assert.deepStrictEqual(rule([...many("CCCCC", ["style"]), ...many("FFFFFFFFF", ["style"])]), [])
    })

    it("does not blame what fails as often as everything else", () => {
      const bad = [...many("C".repeat(10), [], "other"), ...many("F".repeat(30), [], "broken")]
      assert.deepStrictEqual(rule([...bad, ...many("FFF", ["deploy"])]), [])
    })

    it("blames the one of two that makes the difference", () => {
      const all = [
        ...many("C".repeat(20), ["style"], "fine"),
        ...many("C".repeat(5), ["deploy"], "few"),
        ...many("FFFFF", ["style", "deploy"], "bad")
      ]
      assert.deepStrictEqual(
        play(all)
          .filter(({ finding }) => finding.rule === "skill_failure_correlation")
          .map(({ finding }) => finding.subjectId),
        ["deploy"]
      )
    })

    it("counts the window alone, and finds the next when that is over", () => {
      assert.deepStrictEqual(rule([...others(3), ...apart(many("FFF", ["deploy"]), 60, 13 * 60)]), [])
      const twice = [
        ...others(3),
        ...apart(many("FFFFF", ["deploy"]), 60, 1),
        ...apart(many("CCC", [], "later"), 3 * 24 * 60, 1),
        ...apart(many("FFF", ["deploy"], "again"), 3 * 24 * 60 + 10, 1)
      ]
      assert.deepStrictEqual(rule(twice), ["skill_failure_correlation@5", "skill_failure_correlation@13"])
    })

    it("blames nothing for a task that fails by itself, and reads its own files", () => {
      for (const letters of ["FFF", "FFFFFFFFF", "CCCCCCFFF", "FCFCFCFFF"])
        assert.deepStrictEqual(rule([...others(100), ...ownFiles("broken", letters, ["its-skill"])]), [], letters)
    })

    it("blames nothing for a session that fails each time that it is asked", () => {
      const loaded = ["a", "b"].map((name) => ({ kind: "file", name: `docs/${name}.md` }) as const)
      const pushes = runs("FFFFFF", { taskId: null, objective: "Have the whole shop speak Latin", loaded })
      const sameSession = pushes.map((told) => ({ ...told, sessionId: "stubborn" }))
      const otherWords = sameSession.map((told, at) => ({
        ...told,
        objective: `Have the shop speak Latin, number ${at}`
      }))
      for (const all of [pushes, sameSession, otherWords]) assert.deepStrictEqual(rule([...others(100), ...all]), [])
    })

    it("blames what several tasks load that fail, whether each fails once or one of them more often", () => {
      const two = [
        ...runs("FF", { taskId: "a", loaded: ["deploy"] }),
        ...runs("F", { taskId: "b", loaded: ["deploy"] })
      ]
      assert.deepStrictEqual(rule([...others(50), ...two]), ["skill_failure_correlation@52"])
      const sessions = runs("FFF", { taskId: null, loaded: ["deploy"] }).map((told, at) => ({
        ...told,
        objective: `Something else than before, number ${at}`
      }))
      assert.deepStrictEqual(rule([...others(50), ...sessions]), ["skill_failure_correlation@52"])
    })

    it("blames a file for failures of three tasks, for there are many more files than skills", () => {
      const file = { kind: "file", name: "docs/deploy.md" } as const
      const of = (taskId: string) => runs("FF", { taskId, loaded: [file] })
      assert.deepStrictEqual(rule([...others(50), ...of("a"), ...of("b")]), [])
      assert.deepStrictEqual(rule([...others(50), ...of("a"), ...of("b"), ...of("c")]), [
        "skill_failure_correlation@54"
      ])
    })

    it("says once of what is always loaded together, and remembers each of it", () => {
      const loaded = [
        ...Array.from({ length: 6 }, (_, at) => ({ kind: "file", name: `docs/${at}.md` }) as const),
        "deploy"
      ]
      const all = [...others(50), ...many("FFFFF", []).map((told) => ({ ...told, loaded }))]
      const state = ReflectionRules.initial()
      const [{ finding } = assert.fail("nothing found"), ...more] = play(all, { state })
      assert.deepStrictEqual(more, [])
      assert.strictEqual(finding.subjectId, "deploy")
      assert.strictEqual(
        finding.detail,
        "Skill deploy was loaded in 3 attempts that failed and 0 that completed; without it 0 of 50 failed. The same attempts loaded docs/0.md, docs/1.md, docs/2.md and 3 others."
      )
      const again = ReflectionRules.initial()
      ReflectionRules.recall(again, [finding])
      assert.deepStrictEqual(rule(all, { state: again }), [], "whoever knows of one knows of all")
    })

    it("takes more to blame one of many than one of few", () => {
      const noise = many("F".repeat(6), [], "noise")
      const bad = many("FFF", ["deploy"])
      assert.lengthOf(rule([...skills(5), ...others(45), ...noise, ...bad]), 1)
      assert.lengthOf(
        rule([
          ...skills(400),
          ...noise.flatMap((one) => Array.from({ length: 24 }, (_, at) => ({ ...one, taskId: `${one.taskId}${at}` }))),
          ...bad
        ]),
        0
      )
    })

    it.each([0.1, 0.2])("blames none of 1,500 files that are read at random where %d of all runs fail", (rate) => {
      assert.deepStrictEqual(rule(reading(5, rate)), [])
    })

    it.each([
      ["skill", 0.02, 1],
      ["skill", 0.1, 1],
      ["skill", 0.2, 2],
      ["file", 0.02, 1],
      ["file", 0.1, 2]
    ] as const)("blames a bad %s among them where %d of the other runs fail, within %d days", (kind, rate, days) => {
      const blamed = play(reading(days, rate, { kind, name: "bad" }))
        .filter(({ finding }) => finding.rule === "skill_failure_correlation")
        .map(({ finding }) => finding.subjectId)
      assert.deepStrictEqual(blamed, ["bad"])
    })

    it("tells a file from a skill of its name", () => {
      const file = { kind: "file", name: "deploy" } as const
      const tolds = [...others(3), ...many("FF", ["deploy"]), ...runs("FF", { loaded: [file], taskId: "x" })]
      assert.deepStrictEqual(rule(tolds), [])
    })
  })

  describe("regression", () => {
    const rule = by("regression")

    it.each([
      ["CCCFFF", [5]],
      ["CCCFF", []],
      ["CCFFF", []],
      ["FFFFF", []],
      ["CCCFCFFF", [7]],
      ["CCCFFFFFF", [5]],
      ["CCCFFFCFFF", [5]],
      ["CCCFFFCCCFFF", [5, 11]]
    ])("%s: %j", (letters, at) => {
      assert.deepStrictEqual(
        rule(runs(letters)),
        at.map((index) => `regression@${index}`)
      )
    })

    it("is found before a task is paused for fewer failures", () => {
      assert.deepStrictEqual(rule(runs("CCCFF"), { options: { consecutive_failure_limit: 2 } }), ["regression@4"])
    })

    it("remembers beyond the window that a task passed", () => {
      assert.lengthOf(rule(spread(runs("CCCFFF"), 2 * 24 * 60)), 1)
    })

    it("is not about a paused task", () => {
      assert.deepStrictEqual(rule([...runs("CCC"), ...runs("FFFF", { paused: true })]), [])
    })

    it.each([
      ["FFF", []],
      ["CCFFF", []],
      ["CCCFFF", [5]]
    ])(
      "is found again of a task that was paused for it and runs again only if it passed since, %s: %j",
      (after, at) => {
        const state = ReflectionRules.initial()
        assert.lengthOf(rule(runs("CCCFFF"), { state }), 1)
        ReflectionRules.paused(state, "nightly")
        assert.deepStrictEqual(
          rule(
            runs(after).map((told, index) => ({ ...told, id: `after${index}`, minutes: 10 + index })),
            { state }
          ),
          at.map((index) => `regression@${index}`)
        )
      }
    )
  })

  describe("unhelpful_advice", () => {
    it.each([
      ["FF", false],
      ["FFF", true],
      ["FFFC", false],
      ["FFFFFFFC", true],
      ["CCCCCCFFF", false],
      ["CCC", false],
      ["", false]
    ])("%s: %s", (letters, is) => {
      assert.strictEqual(unhelpful(letters).length === 1, is)
    })

    it("names the advice, and finds it once", () => {
      const state = ReflectionRules.initial()
      const [{ count, finding } = assert.fail("nothing found")] = unhelpful("FFF", state)
      assert.deepStrictEqual([count, finding.subjectType, finding.subjectId], [3, "skill", "r1"])
      assert.include(finding.detail, "3 failed and 0 succeeded")
      assert.deepStrictEqual(unhelpful("FFFF", state), [])
    })

    it("lets what is long ago fade", () => {
      assert.deepStrictEqual(unhelpful("FFF", ReflectionRules.initial(), start + 365 * 24 * hour), [])
    })
  })

  describe("as a fold", () => {
    const told = fc.record({
      taskId: fc.constantFrom("a", "b", null),
      status: fc.constantFrom("completed" as const, "failed" as const, "timeout" as const),
      resultLength: fc.constantFrom(0, 100),
      loaded: fc.subarray(["x", "y", "z"]),
      paused: fc.boolean(),
      minutes: fc.integer({ min: 0, max: 4000 })
    })
    const history = fc.array(told, { maxLength: 80 })

    it("takes a snapshot in which nothing is said of who failed", () => {
      const first = ReflectionRules.initial()
      stepsFrom(0, [...others(20), ...many("FF", ["deploy"])], first)
      const { skills, ...rest } = ReflectionRules.snapshotOf(first)
      const before = { ...rest, skills: skills.map(([key, { flag, parts }]) => [key, { flag, parts }]) }
      const next = ReflectionRules.ofSnapshot(
        Schema.decodeUnknownSync(ReflectionRules.Snapshot)(JSON.parse(JSON.stringify(before)))
      )
      assert.deepStrictEqual(
        stepsFrom(22, many("FF", ["deploy"], "more"), next).map(({ finding }) => finding.rule),
        ["skill_failure_correlation"]
      )
    })

    it("goes on from a snapshot as if it had never stopped", () => {
      fc.assert(
        fc.property(history, fc.nat(80), (tolds, cut) => {
          const options = ReflectionRules.defaults
          const run = (state: ReflectionRules.State, from: number, to: number) =>
            tolds
              .slice(from, to)
              .flatMap((each, index) =>
                ReflectionRules.step(options, state, { outcome: outcome(each, from + index), paused: each.paused })
              )
          const whole = run(ReflectionRules.initial(), 0, tolds.length)
          const first = ReflectionRules.initial()
          const before = run(first, 0, cut)
          const text = JSON.stringify(Schema.encodeSync(ReflectionRules.Snapshot)(ReflectionRules.snapshotOf(first)))
          const next = ReflectionRules.ofSnapshot(Schema.decodeUnknownSync(ReflectionRules.Snapshot)(JSON.parse(text)))
          assert.deepStrictEqual([...before, ...run(next, cut, tolds.length)], whole)
        })
      )
    })

    it("finds nothing of healthy runs, nothing twice, and findings that the schema knows", () => {
      fc.assert(
        fc.property(history, (tolds) => {
          const all = play(tolds)
          assert.strictEqual(new Set(all.map(({ finding }) => finding.id)).size, all.length)
          for (const { count, finding } of all) {
            assert.isTrue(Schema.is(ReflectionFinding)(finding))
            assert.isAtLeast(count, 3)
          }
          const healthy = tolds.map((each) => ({ ...each, status: "completed" as const, resultLength: 100 }))
          assert.deepStrictEqual(found(healthy), [])
        })
      )
    })

    it("finds nothing again when it lost its state and is told what was found", () => {
      fc.assert(
        fc.property(
          fc.array(
            fc.record({
              status: told.map(({ status }) => status),
              resultLength: fc.constantFrom(0, 100),
              loaded: fc.subarray(["x", "y"])
            }),
            { maxLength: 60 }
          ),
          (tolds) => {
            const before = play(tolds).map(({ finding }) => finding)
            const state = ReflectionRules.initial()
            ReflectionRules.recall(state, before)
            assert.deepStrictEqual(
              play(tolds, { state })
                .map(({ finding }) => finding)
                .filter(({ id }) => !before.some((known) => known.id === id)),
              []
            )
          }
        )
      )
    })

    it("takes timeouts that were found before for over once it knows enough of the task to say so", () => {
      const known = play(runs("TCTCT")).flatMap(({ finding }) => (finding.rule === "timeout_pattern" ? [finding] : []))
      assert.lengthOf(known, 1)
      const after = (letters: string, minutes = 10) => {
        const state = ReflectionRules.initial()
        ReflectionRules.recall(state, known)
        return by("timeout_pattern")(apart(runs(letters), 60, minutes), { state })
      }
      assert.deepStrictEqual(after("CCTCCTCCTCCTCCT"), [], "it goes on")
      assert.deepStrictEqual(after("CCCCCCCCCCTTT"), ["timeout_pattern@12"], "ten runs")
      assert.deepStrictEqual(after("CCCCTTTT", 7 * 60), [], "less than a window")
      assert.deepStrictEqual(after("CCCCCTTT", 7 * 60), ["timeout_pattern@7"], "a window and more")
    })

    it("takes a skill's failures that were found before for over once it knows a whole window", () => {
      const all = [...others(50), ...many("FFF", ["deploy"])]
      const rule = by("skill_failure_correlation")
      const [known = assert.fail("nothing found")] = play(all)
      const state = ReflectionRules.initial()
      ReflectionRules.recall(state, [known.finding])
      assert.deepStrictEqual(rule(apart(all, 60, 1), { state }), [], "it goes on")
      const saved = ReflectionRules.ofSnapshot(JSON.parse(JSON.stringify(ReflectionRules.snapshotOf(state))))
      const after = (minutes: number, of = state) => rule(apart(all, minutes, 1), { state: of })
      assert.deepStrictEqual(after(60 + 26 * 60), ["skill_failure_correlation@52"], "a day in which nothing failed")
      assert.deepStrictEqual(after(60 + 26 * 60, saved), ["skill_failure_correlation@52"], "after a restart as well")
    })

    it("keeps no more than its limits, whatever comes", () => {
      const state = ReflectionRules.initial()
      const options = ReflectionRules.defaults
      for (let index = 0; index < 12_000; index += 1) {
        const loaded = [{ kind: "skill", name: `skill ${index}` } as const]
        const status = index % 3 === 0 ? "failed" : "completed"
        ReflectionRules.step(options, state, {
          outcome: { ...outcome({ taskId: `t${index}`, status }, index), loaded }
        })
      }
      assert.deepStrictEqual(ReflectionRules.size(state), { tasks: 10_000, runs: 10_000, skills: 2000, parts: 2024 })
    })

    it("does not believe a time to come", () => {
      const state = ReflectionRules.initial()
      const options = ReflectionRules.defaults
      const later = outcome({ status: "timeout", minutes: 10_000_000 }, 0)
      ReflectionRules.step(options, state, { outcome: later, now: start })
      const rest = runs("TT").flatMap((each, index) =>
        ReflectionRules.step(options, state, { outcome: outcome(each, index + 1), now: start + hour })
      )
      assert.include(
        rest.map(({ finding }) => finding.rule),
        "timeout_pattern"
      )
    })
  })
})
