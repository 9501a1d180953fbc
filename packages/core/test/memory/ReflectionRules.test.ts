import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import type { AttemptOutcome, Loaded } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { ReflectionFinding } from "../../src/memory/rules/ReflectionFinding.ts"
import * as ReflectionRules from "../../src/memory/rules/ReflectionRules.ts"
import { defaults } from "../../src/session/config/Defaults.ts"

const start = Date.parse("2026-03-01T00:00:00Z")
const minute = 60_000
const hour = 60 * minute

interface Told extends Partial<Omit<AttemptOutcome, "at" | "loaded">> {
  readonly minutes?: number
  readonly loaded?: ReadonlyArray<Loaded | string>
}

const outcome = (told: Told, index: number): AttemptOutcome => {
  const { loaded = [], minutes = index, ...rest } = told
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

type Known = ReadonlyArray<ReflectionFinding>

/** What is found when the rules look at each run as it ends. */
const play = (
  tolds: ReadonlyArray<Told>,
  { known = [], options = {} }: { readonly options?: Partial<ReflectionRules.Options>; readonly known?: Known } = {}
) => {
  const outcomes = tolds.map(outcome)
  const all = [...known]
  return outcomes.flatMap((_, index) => {
    const given = outcomes.slice(0, index + 1)
    const now = Math.max(...given.map(({ at }) => Date.parse(at)))
    const fresh = ReflectionRules.look({ ...defaults.cycle, ...options }, { outcomes: given, known: all, now })
      .filter((seen) => seen.known.length === 0)
      .map(({ finding }) => ({ finding, count: finding.count, index }))
    all.push(...fresh.map(({ finding }) => finding))
    return fresh
  })
}

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

const many = (letters: string, loaded: ReadonlyArray<string>, prefix = loaded.join("-")) =>
  runs(letters, { loaded }).map((told, index) => ({ ...told, taskId: `${prefix}${index}` }))

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

/** A look at the end of each day. */
const daily = (tolds: ReadonlyArray<Told>, days: number) =>
  Array.from({ length: days }, (_, day) => {
    const now = start + (day + 1) * 24 * hour
    const outcomes = tolds.slice(0, 400 * (day + 1)).map(outcome)
    return ReflectionRules.look(defaults.cycle, { outcomes, known: [], now })
      .filter(({ finding }) => finding.rule === "skill_failure_correlation")
      .map(({ finding }) => finding.subjectId)
  })

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
      const tolds = runs("FFF", { objective, loaded: [{ kind: "skill", name: `${"src/".repeat(48)}${token}` }] })
      const apiece = [...tolds, ...tolds.map((told, at) => ({ ...told, taskId: `other${at}` }))]
      const details = play(apiece).map(({ finding: { detail } }) => detail)
      assert.lengthOf(details, 2)
      for (const detail of details) assert.notInclude(detail, "ghp_a1")
    })

    it("makes no task of words that say nothing", () => {
      assert.deepStrictEqual(found(runs("FFFFF", { taskId: null, objective: "go on" })), [])
    })

    it("counts anew once a task runs again that was paused for it", () => {
      const [{ finding } = assert.fail("nothing found")] = play(runs("FFF"))
      const known: Known = [{ ...finding, severity: "action_taken", actionTaken: "paused the task" }]
      const after = (letters: string) => rule(runs(`FFF${letters}`), { known })
      assert.deepStrictEqual(after("FF"), [])
      assert.deepStrictEqual(after("FFF"), ["consecutive_failures@5"])
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

    it("is told once a window", () => {
      assert.deepStrictEqual(rule(spread(runs("T".repeat(30)), 60)), ["timeout_pattern@2", "timeout_pattern@27"])
      assert.deepStrictEqual(rule(runs(`TTT${"C".repeat(10)}TTT`)), ["timeout_pattern@2"])
    })
  })

  describe("stale_task", () => {
    const rule = by("stale_task")

    it.each([
      ["two short results", [49, 49], []],
      ["three short results", [0, 12, 49], [2]],
      ["a result that is just long enough", [0, 50, 12], []],
      ["short results after a long one of the window", [400, 1, 1, 1, 1], []],
      ["one finding a window", [1, 1, 1, 1, 1, 90, ...Array<number>(10).fill(1)], [2]]
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
      const loaded = ["a", "b"]
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

    it("blames no file", () => {
      const file = { kind: "file", name: "docs/deploy.md" } as const
      const bad = many("FFFFF", []).map((told) => ({ ...told, loaded: [file] }))
      assert.deepStrictEqual(rule([...others(50), ...bad]), [])
    })

    it("says once of what is always loaded together, and remembers each of it", () => {
      const all = [...others(50), ...many("FFFFF", ["a", "b", "c"])]
      const [{ finding } = assert.fail("nothing found"), ...more] = play(all)
      assert.deepStrictEqual(more, [])
      assert.strictEqual(finding.subjectId, "a")
      assert.strictEqual(
        finding.detail,
        "Skill a was loaded in 3 attempts that failed and 0 that completed; without it 0 of 50 failed. The same attempts loaded b, c."
      )
      assert.deepStrictEqual(rule(all, { known: [finding] }), [], "whoever knows of one knows of all")
    })

    it.each([0.02, 0.1])("blames a bad skill where %d of the other runs fail, on the first day", (rate) => {
      assert.deepStrictEqual(daily(reading(1, rate, { kind: "skill", name: "bad" }), 1).flat(), ["bad"])
    })

    it("tells a file from a skill of its name", () => {
      const file = { kind: "file", name: "deploy" } as const
      const tolds = [...others(3), ...many("FF", ["deploy"]), ...runs("FF", { loaded: [file], taskId: "x" })]
      assert.deepStrictEqual(rule(tolds), [])
    })
  })

  describe("as a function", () => {
    const told = fc.record({
      taskId: fc.constantFrom("a", "b", null),
      status: fc.constantFrom("completed" as const, "failed" as const, "timeout" as const),
      resultLength: fc.constantFrom(0, 100),
      loaded: fc.subarray(["x", "y", "z"]),
      minutes: fc.integer({ min: 0, max: 4000 })
    })
    const history = fc.array(told, { maxLength: 40 })

    it("finds nothing of healthy runs, nothing twice, and findings that the schema knows", () => {
      fc.assert(
        fc.property(history, (tolds) => {
          const all = play(tolds)
          assert.strictEqual(new Set(all.map(({ finding }) => finding.id)).size, all.length)
          for (const { count = 0, finding } of all) {
            assert.isTrue(Schema.is(ReflectionFinding)(finding))
            assert.isAtLeast(count, 3)
          }
          const healthy = tolds.map((each) => ({ ...each, status: "completed" as const, resultLength: 100 }))
          assert.deepStrictEqual(found(healthy), [])
        }),
        { numRuns: 50 }
      )
    })

    it("does not believe a time to come", () => {
      const later = outcome({ status: "timeout", minutes: 10_000_000 }, 0)
      const rest = runs("TT").map((each, index) => outcome(each, index + 1))
      const seen = ReflectionRules.look(defaults.cycle, {
        outcomes: [later, ...rest],
        known: [],
        now: start + hour
      })
      assert.include(
        seen.map(({ finding }) => finding.rule),
        "timeout_pattern"
      )
    })
  })
})
