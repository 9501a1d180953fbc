import type { RetryFloor } from "../src/report/model.ts"
import { assert, describe, it } from "@effect/vitest"
import * as CaseSuite from "../src/case/CaseSuite.ts"
import * as Floors from "../src/report/Floors.ts"
import * as RetryEval from "../src/retry/RetryEval.ts"
import { factsIn, wrongIn } from "../src/retry/facts.ts"
import * as RetryOutputs from "../src/retry/RetryOutputs.ts"
import * as RetrySuite from "../src/retry/RetrySuite.ts"
import * as RetryTasks from "../src/retry/RetryTasks.ts"

const { known } = Floors.load().retry

describe.each(Object.entries(RetryTasks.suites))("failed attempts: %s", (suite, tasks) => {
  it.each(tasks.filter(({ id }) => !known.includes(id)))("$id", (task) => {
    assert.deepStrictEqual(RetrySuite.assess(suite, task).differences, [], task.why)
  })
})

describe("the failing tasks", () => {
  it("have what both attempts printed, and nothing is kept of others", () => {
    const ids = RetryTasks.all.map(({ id }) => id)
    assert.deepStrictEqual(RetryOutputs.recorded(), ids.toSorted())
    for (const id of ids)
      assert.isAbove(Math.min(...([1, 2] as const).map((n) => RetryOutputs.read(id, n).length)), 50, id)
  })

  it("name no folder of the machine that they were recorded on", () => {
    for (const { id } of RetryTasks.all)
      for (const attempt of [1, 2] as const)
        assert.notMatch(RetryOutputs.read(id, attempt), /reflexion-retry-|\/work\/|\/root\/|\/lib\/python/u, id)
  })

  it("each have a label that the whole output bears out, but for what it shows no value of", () => {
    const unsaid = RetryTasks.all.flatMap((task) =>
      factsIn(RetryOutputs.read(task.id, 1), task.failures)
        .filter(({ named }) => !named)
        .map(({ kind }) => `${task.id} ${kind}`)
    )
    assert.deepStrictEqual(unsaid, [])
  })

  it("know no miss that has been mended", () => {
    assert.deepStrictEqual(Floors.caseGains(known, CaseSuite.summary(RetrySuite.assessAll())), [])
  })
})

const failure = { test: "adds up", places: ["test/cart.test.mjs:12"], expected: "45", received: "40" }

const namedIn = (text: string): ReadonlyArray<string> =>
  factsIn(text, [failure])
    .filter(({ named }) => named)
    .map(({ kind }) => kind)

describe("the facts of a failure", () => {
  it("are found however a tool writes places", () => {
    for (const place of ["cart.test.mjs:12:3", "test/cart.test.mjs(12,3)", '"/repo/test/cart.test.mjs", line 12, in x'])
      assert.deepStrictEqual(namedIn(`✖ adds up at ${place}: 40 !== 45`), [
        "test",
        "file",
        "line",
        "expected",
        "received"
      ])
  })

  it("are not found in longer words, numbers and lines", () => {
    assert.deepStrictEqual(namedIn("cart.test.mjs:120 adds upper 450 1.40"), ["file"])
  })

  it("are those of the failure of which the text says most", () => {
    const other = { test: "takes off", places: ["a.mjs:1"] }
    assert.isTrue(factsIn("takes off, a.mjs:1", [failure, other]).every(({ named }) => named))
    assert.isTrue(factsIn("nothing", [failure, other]).every(({ named }) => !named))
  })

  it("are told from names that are not so", () => {
    assert.deepStrictEqual(wrongIn('The test "adds up" (cart.test.mjs:12) failed.', [failure]), [])
    assert.deepStrictEqual(wrongIn('The test "takes off" (cart.mjs:3) failed.', [failure]), [
      "it names the test takes off"
    ])
  })
})

const evaluated = (floor: RetryFloor) => RetryEval.evaluate({ isWanted: () => true, print: () => undefined, floor })

/** The same of a prompt that names nothing. */
const missing = (result: RetrySuite.RetryResult): RetrySuite.RetryResult => {
  const { characters, facts } = result.carried[RetrySuite.own.prompt] ?? { characters: 0, facts: [] }
  const unnamed = facts.map((fact) => ({ ...fact, named: false }))
  return {
    ...result,
    carried: { ...result.carried, [RetrySuite.own.prompt]: { characters, facts: unnamed } },
    differences: ["the prompt names nothing"]
  }
}

describe("the floor of the failing tasks", () => {
  it("holds as it stands", () => {
    assert.deepStrictEqual(evaluated(Floors.load().retry).failures, [])
  })

  it("fails for a task that is not known, and for too few facts", () => {
    const [first, ...rest] = RetrySuite.assessAll()
    assert.isDefined(first)
    const results = RetryEval.summarize([missing(first), ...rest])
    const failures = RetryEval.failuresOf({ known: [], minNamed: 0.99 }, results)
    assert.lengthOf(failures, 2)
    assert.include(failures[0], first.case.id)
    assert.match(failures[1] ?? "", /at least 0.99 needed/u)
    assert.deepStrictEqual(RetryEval.failuresOf({ known: [first.case.id], minNamed: 0.9 }, results), [])
  })
})
