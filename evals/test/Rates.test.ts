import { assert, describe, it } from "@effect/vitest"
import { always, type Baseline, baselines, loopingFrom, repeatedCalls } from "../src/measure/Baselines.ts"
import { agent, run, user } from "../src/case/Case.ts"
import { judge } from "../src/case/CaseSuite.ts"
import * as CompactionSuite from "../src/watch/CompactionSuite.ts"
import * as MeasuredStops from "../src/stops/MeasuredStops.ts"
import { type Measured, rates, suiteRates } from "../src/measure/Rates.ts"

const stop = (over: Partial<Measured>): Measured => ({
  session: "a",
  push: false,
  pushed: false,
  right: true,
  single: true,
  abstained: false,
  modelCalls: 0,
  tokens: 0,
  finalText: "Done.",
  repeatedCalls: 0,
  isRight: ({ kind }) => kind === "complete",
  ...over
})

const stops: ReadonlyArray<Measured> = [
  stop({ push: true, pushed: true, modelCalls: 2, tokens: 900 }),
  stop({ session: "b", push: true, right: false, abstained: true }),
  stop({ session: "c", pushed: true, right: false }),
  stop({ session: "d", push: null, pushed: true, right: null }),
  stop({ session: "e", finalText: "Shall I?", repeatedCalls: loopingFrom })
]

const counts = ({ hits, trials }: { readonly hits: number; readonly trials: number }) => [hits, trials]

describe("the measures of every suite", () => {
  it("count pushes by their label, and leave open labels out", () => {
    const measured = rates(stops)
    assert.deepStrictEqual(counts(measured.precision), [1, 2])
    assert.deepStrictEqual(counts(measured.recall), [1, 2])
    assert.deepStrictEqual(counts(measured.falsePushes), [1, 2])
    assert.deepStrictEqual(counts(measured.abstained ?? { hits: 0, trials: 0 }), [1, 5])
    assert.deepStrictEqual(counts(measured.accuracy), [2, 4])
  })

  it("count calls and tokens over all stops", () => {
    const { modelCalls, tokens } = rates(stops)
    assert.deepStrictEqual(modelCalls === null ? null : counts(modelCalls), [2, 5])
    assert.deepStrictEqual(tokens === null ? null : counts(tokens), [900, 5])
    const [low, high] = tokens?.interval ?? [1, 0]
    assert.isTrue(low < 180 && 180 < high)
  })

  it("have no costs where there is no model to call", () => {
    assert.isNull(rates([stop({ modelCalls: null, tokens: null })]).modelCalls)
  })

  it("enclose every rate in its interval", () => {
    const { abstained, accuracy, falsePushes, precision, recall } = rates(stops)
    for (const { hits, interval, trials } of [abstained ?? accuracy, accuracy, falsePushes, precision, recall]) {
      const [low, high] = interval ?? [1, 0]
      assert.isTrue(low <= hits / trials && hits / trials <= high)
    }
  })
})

const named = (part: string): Baseline => baselines.find(({ name }) => name.includes(part)) ?? always("missing")

describe("the baselines", () => {
  it("answer the same stops", () => {
    const { baselines: answered } = suiteRates(stops, [named("always push"), named("never push"), named("three times")])
    const [always = null, never = null, counting = null] = Object.values(answered).map(({ recall, falsePushes }) => [
      ...counts(recall),
      ...counts(falsePushes)
    ])
    assert.deepStrictEqual(always, [2, 2, 2, 2])
    assert.deepStrictEqual(never, [0, 2, 0, 2])
    assert.deepStrictEqual(counting, [0, 2, 1, 2])
  })

  it("count equal calls, whatever came of them, within a turn", () => {
    const calls = [run("npm test", 1), run("ls", 0), run("npm test", 0)]
    assert.strictEqual(repeatedCalls(calls), 2)
    assert.strictEqual(repeatedCalls([]), 0)
  })
})

describe("a hand-written case", () => {
  it("is measured by its status, its push and what the verdict cost", () => {
    const events = [user("Where is the parser?"), agent("In `src/parser.ts`.")]
    const written = { id: "x", why: "A question.", events, expect: { status: "complete", push: false } } as const
    const measured = MeasuredStops.ofCase(judge("suite", written))
    assert.deepStrictEqual(
      [measured.push, measured.pushed, measured.right, measured.modelCalls],
      [false, false, true, 0]
    )
    assert.isTrue(measured.isRight({ pushed: false, kind: "complete" }))
    assert.isFalse(measured.isRight({ pushed: true, kind: "premature" }))
  })
})

describe("what a suite says of abstaining and of its labels", () => {
  it("is measured of compactions by what nothing on record decided", () => {
    const written = { id: "x", why: "", expect: { action: ["continue_task", "task_complete"] } } as const
    const nothing = CompactionSuite.assess("suite", { ...written, events: [] })
    const asked = CompactionSuite.assess("suite", {
      ...written,
      events: [user("Fix the parser in src/parser.ts."), agent("Which of the two do you mean, A or B?")]
    })
    assert.deepStrictEqual(
      [nothing, asked].map((result) => MeasuredStops.ofCompaction(result).abstained),
      [true, false]
    )
    assert.isFalse(MeasuredStops.ofCompaction(nothing).single)
  })

  it("keeps labels that are a choice apart", () => {
    const { accuracy, accuracySingle } = rates([stop({}), stop({ single: false }), stop({ right: false })])
    assert.deepStrictEqual(
      [counts(accuracy), counts(accuracySingle)],
      [
        [2, 3],
        [1, 2]
      ]
    )
  })
})
