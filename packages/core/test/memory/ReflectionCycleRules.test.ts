import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, TestClock } from "effect"
import type { AttemptOutcome, Loaded } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { FindingLog } from "../../src/memory/rules/FindingLog.ts"
import { OutcomeLog } from "../../src/memory/outcomes/OutcomeLog.ts"
import { ReflectionCycle } from "../../src/memory/cycle/ReflectionCycle.ts"
import { TaskControl, TestTaskControl } from "../../src/memory/rules/TaskControl.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

type Step = Effect.Effect<void, unknown, OutcomeLog | TaskControl | TestTaskControl>

const ends = {
  C: { status: "completed", resultLength: 400 },
  F: { status: "failed", resultLength: 400 },
  T: { status: "timeout", resultLength: 400 },
  // Completed, with a result of 12 characters, and with one of which nobody knows the length.
  S: { status: "completed", resultLength: 12 },
  U: { status: "completed", resultLength: null }
} as const

const isLetter = (letter: string): letter is keyof typeof ends => letter in ends

let count = 0

const attempt = (letter: string, task: string, loaded: ReadonlyArray<Loaded>): Step =>
  Effect.gen(function* () {
    const { append } = yield* OutcomeLog
    const one: AttemptOutcome = {
      id: `o${(count += 1)}`,
      taskId: task,
      sessionId: `s${count}`,
      objective: `Do what ${task} is for`,
      durationMs: 1000,
      tools: [],
      loaded,
      backend: "codex",
      at: new Date(yield* TestClock.currentTimeMillis).toISOString(),
      ...(isLetter(letter) ? ends[letter] : assert.fail(letter))
    }
    yield* append(one)
    // The cycle waits for half a second, and looks then.
    yield* TestClock.adjust("1 minute")
  })

/** A letter for each attempt of a task, a minute apart. */
const runs = (letters: string, task = "nightly", loaded: ReadonlyArray<Loaded> = []): Step =>
  Effect.forEach([...letters], (letter) => attempt(letter, task, loaded), { discard: true })

const skill = (name: string): ReadonlyArray<Loaded> => [{ kind: "skill", name }]

/** A letter for each task. */
const tasks = (letters: string, loaded: ReadonlyArray<Loaded> = []): Step =>
  Effect.forEach(
    [...letters],
    (letter, at) => attempt(letter, `${loaded[0]?.name ?? "other"}-${letter}${at}`, loaded),
    {
      discard: true
    }
  )

const later = (time: Duration.DurationInput): Step => TestClock.adjust(time)

const nights = (letters: string): Step =>
  Effect.forEach([...letters], (letter) => Effect.zipRight(runs(letter), later("1 day")), { discard: true })

/** A person does. */
const pause: Step = Effect.asVoid(Effect.flatMap(TaskControl, (control) => control.pause("nightly", "by hand")))
const resume: Step = Effect.flatMap(TestTaskControl, (control) => control.resume("nightly"))

/** What the rule finds, each as its subject and what was done; the failure of another task has the cycle look at the end. */
const found = (rule: string, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const work = Effect.gen(function* () {
      yield* Effect.all(steps, { discard: true })
      yield* runs("F", "looked-at-last")
      const { findings } = yield* FindingLog
      const { pauses } = yield* TestTaskControl
      const all = yield* findings()
      return {
        found: all.filter((one) => one.rule === rule).map((one) => `${one.subjectId} ${one.severity}`),
        paused: (yield* pauses).filter(({ reason }) => reason !== "by hand").map(({ taskId }) => taskId)
      }
    })
    return yield* Effect.provide(work, ReflectionCycle.Test())
  })

type Row = readonly [name: string, steps: ReadonlyArray<Step>, found: ReadonlyArray<string>]

const table = (rule: string, rows: ReadonlyArray<Row>) =>
  describe(`${rule}`, () => {
    for (const [name, steps, expected] of rows)
      it.effect(`${name}: ${expected.length === 0 ? "nothing" : expected.join(", ")}`, () =>
        Effect.map(found(rule, steps), (seen) => {
          assert.deepStrictEqual(seen.found, expected)
          if (rule === "consecutive_failures") assert.lengthOf(seen.paused, expected.length)
        })
      )
  })

describe("what the cycle finds as a fleet runs", () => {
  const paused = "nightly action_taken"
  table("consecutive_failures", [
    ["2 failures", [runs("FF")], []],
    ["3 failures", [runs("FFF")], [paused]],
    ["3 timeouts and failures", [runs("TFT")], [paused]],
    ["3 failures, each on a day of its own", [nights("FFF")], [paused]],
    ["a streak broken by a success", [runs("FFCFF")], []],
    ["a streak after a success", [runs("FFCFFF")], [paused]],
    ["2 failures of each of 2 tasks", [runs("FF"), runs("FF", "weekly")], []],
    ["what a paused task still ends", [pause, runs("FFFFF")], []],
    ["2 failures, and more while a person has paused it", [runs("FF"), pause, runs("FFF")], []],
    ["more failures of what the cycle paused", [runs("FFFFFFF")], [paused]],
    ["2 more once it runs again", [runs("FFF"), resume, runs("FF")], [paused]],
    ["3 more once it runs again", [runs("FFF"), resume, runs("FFF")], [paused, paused]]
  ])

  const slow = "nightly warning"
  table("timeout_pattern", [
    ["2 timeouts", [runs("TT")], []],
    ["2 timeouts among failures", [runs("TFCTF")], []],
    ["3 timeouts among successes", [runs("TCTCT")], [slow]],
    ["3 timeouts in 11 runs", [runs("TCCCTCCCCCT")], []],
    ["3 timeouts further apart than the window", [nights("TCTCT")], []],
    ["3 timeouts of different tasks", [runs("T"), runs("T", "a"), runs("T", "b")], []],
    ["what a paused task still ends", [pause, runs("TCTCTCT")], []],
    ["5 timeouts, found once", [runs("TCTCTCTCT")], [slow]]
  ])

  const stale = "nightly warning"
  table("stale_task", [
    ["2 short results", [runs("SS")], []],
    ["3 short results", [runs("SSS")], [stale]],
    ["short results, and a long one in the window", [runs("CSSSS")], []],
    ["a long one before the window", [runs("C"), later("25 hours"), runs("SSS")], [stale]],
    ["3 results of which nobody knows the length", [runs("UUU")], []],
    ["3 short results of different tasks", [runs("S"), runs("S", "a"), runs("S", "b")], []],
    [
      "again only after a long one",
      [runs("SSSSS"), runs("F", "looked-at-first"), runs("C"), later("25 hours"), runs("SSS")],
      [stale, stale]
    ]
  ])

  const blamed = "deploy warning"
  const popular = [...skill("style")]
  table("skill_failure_correlation", [
    ["2 failures with it", [tasks("CCCCC"), tasks("FF", skill("deploy"))], []],
    ["3 failures with it and no success", [tasks("CCCCC"), tasks("FFF", skill("deploy"))], [blamed]],
    [
      "3 failures with it, further apart than the window",
      [
        tasks("CCC"),
        tasks("F", skill("deploy")),
        later("1 day"),
        tasks("F", skill("deploy")),
        later("1 day"),
        tasks("F", skill("deploy"))
      ],
      []
    ],
    ["a popular one", [tasks("C".repeat(30), popular), tasks("CCC"), tasks("FFF", popular)], []],
    [
      "a popular one beside what makes the difference",
      [tasks("C".repeat(20), popular), tasks("FFF", [...skill("deploy"), ...popular])],
      [blamed]
    ],
    ["one that all load while all fails", [tasks("CCC", popular), tasks("FFFFF", popular)], []],
    ["one that fails as often as what is without it", [tasks("CCCFFFFFFFFF"), tasks("FFF", skill("deploy"))], []],
    ["one task that fails by itself", [tasks("CCCCCCCCCC"), runs("FFFCFFF", "broken", skill("deploy"))], []],
    ["5 failures, found once", [tasks("CCCCC"), tasks("FFFFF", skill("deploy"))], [blamed]]
  ])
})
