import { assert, describe, it } from "@effect/vitest"
import { apply, baselines } from "../src/measure/Baselines.ts"
import { confusion, generator, interval, metrics, type Row, wilson } from "../src/measure/Metrics.ts"

const row = (over: Partial<Row>): Row => ({
  session: "a",
  turn: 0,
  sample: "random",
  kinds: ["complete"],
  push: false,
  pushed: false,
  kind: "complete",
  abstained: false,
  ...over
})

const rows: ReadonlyArray<Row> = [
  row({ push: true, pushed: true, kinds: ["premature"], kind: "premature" }),
  row({ push: true, kinds: ["premature"] }),
  row({ session: "b", pushed: true, kind: "premature" }),
  row({ session: "b" }),
  row({ session: "c", kinds: ["complete", "waiting_for_user"], kind: "waiting_for_user" }),
  row({ session: "c", push: null, pushed: true, kinds: ["complete", "premature"], kind: "premature", abstained: true })
]

describe("metrics", () => {
  it("counts found and false pushes and leaves open labels out", () => {
    const value = metrics(rows)
    assert.strictEqual(value.labelledPush, 2)
    assert.strictEqual(value.labelledNoPush, 3)
    assert.strictEqual(value.foundPushes, 1)
    assert.strictEqual(value.falsePushes, 1)
    assert.strictEqual(value.openPushes, 1)
    assert.strictEqual(value.precision, 1 / 2)
    assert.strictEqual(value.recall, 1 / 2)
    assert.strictEqual(value.falsePushesPer100, (1 / 3) * 100)
  })

  it("counts a kind as agreeing when it is among the labelled ones", () => {
    const value = metrics(rows)
    assert.strictEqual(value.kindAgreement, 4 / 6)
    assert.strictEqual(value.kindAgreementSingle, 2 / 4)
    assert.strictEqual(value.abstentionRate, 1 / 6)
  })

  it("has no rate of nothing", () => {
    const value = metrics([])
    assert.isNull(value.precision)
    assert.isNull(value.recall)
    assert.isNull(value.kindAgreement)
  })
})

describe("confusion", () => {
  it("counts answers by label", () => {
    const table = confusion(
      rows,
      (one) => one.kind,
      (one) => one.kinds.join("|")
    )
    assert.strictEqual(table.get("premature")?.get("complete"), 1)
    assert.strictEqual(table.get("complete")?.get("complete"), 1)
    assert.isUndefined(table.get("complete")?.get("complete|premature"))
  })
})

const agreement = (sample: ReadonlyArray<Row>) => ({
  hits: sample.filter((one) => one.kinds.includes(one.kind)).length,
  trials: sample.length
})

const none = (sample: ReadonlyArray<Row>) => ({ hits: 0, trials: sample.length })

const all = (sample: ReadonlyArray<Row>) => ({ hits: sample.length, trials: sample.length })

const allWanted = (sample: ReadonlyArray<Row>) => all(sample.filter(({ push }) => push === true))

describe("interval", () => {
  it("encloses the rate and repeats itself", () => {
    const first = interval(rows, agreement)
    assert.deepStrictEqual(first, interval(rows, agreement))
    assert.isNotNull(first)
    const [low, high] = first ?? [1, 0]
    assert.isAtMost(low, 4 / 6)
    assert.isAtLeast(high, 4 / 6)
    assert.isBelow(low, high)
  })

  it("is null where there is nothing to count", () => {
    assert.isNull(interval([], agreement))
  })

  it("is not of width zero where nothing was hit", () => {
    const [low, high] = interval(rows, none) ?? [1, 1]
    assert.closeTo(low, 0, 1e-9)
    assert.closeTo(high, 0.5615, 0.0005)
  })

  it("takes sessions for trials where all or none hit, however many stops they have", () => {
    const often = Array.from({ length: 100 }, () => rows).flat()
    assert.deepStrictEqual(interval(often, none), interval(rows, none))
    assert.deepStrictEqual(interval(often, all), wilson({ hits: 3, trials: 3 }))
  })

  it("takes only sessions for trials that have any", () => {
    assert.deepStrictEqual(interval(rows, allWanted), wilson({ hits: 1, trials: 1 }))
  })
})

const draw = (seed: number) => {
  const next = generator(seed)
  return Array.from({ length: 1000 }, () => next())
}

describe("generator", () => {
  it("spreads over 0 to 1 and depends on its seed", () => {
    const values = draw(1)
    assert.deepStrictEqual(values, draw(1))
    assert.notDeepEqual(values, draw(2))
    assert.isTrue(values.every((value) => value >= 0 && value < 1))
    assert.closeTo(values.reduce((a, b) => a + b, 0) / 1000, 0.5, 0.05)
  })
})

describe("baselines", () => {
  const texts = rows.map((one, index) => ({
    ...one,
    finalText: index === 0 ? "Shall I go on?**" : "Done.",
    repeatedCalls: index
  }))
  const named = (name: string) => {
    const baseline = baselines.find((one) => one.name.startsWith(name))
    return baseline === undefined ? [] : apply(baseline, texts)
  }

  it("always pushes", () => {
    assert.strictEqual(metrics(named("always push")).falsePushes, 3)
  })

  it("never pushes", () => {
    assert.strictEqual(metrics(named("never push")).foundPushes, 0)
  })

  it("waits at a final question mark", () => {
    assert.deepStrictEqual(
      named("a final question mark").map((one) => one.kind),
      ["waiting_for_user", ...Array.from({ length: 5 }, () => "complete")]
    )
  })
})
