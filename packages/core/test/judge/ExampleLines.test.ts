/** Examples as a person reads them, on a rule's page and in the terminal. */
import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "../../src/judge/rules/ExampleLines.ts"
import { agent, edited, ran, read, user } from "../../src/judge/rules/example.ts"
import * as RuleBook from "../../src/judge/rules/RuleBook.ts"

const times = <A>(count: number, of: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => of(index))

const looks = (count: number) => times(count, (index) => read(`src/part-${index}.ts`))

describe("an example's lines", () => {
  it("break where the text does, with what is below the first set in", () => {
    assert.deepStrictEqual(
      linesOf([
        user('Fix "it".\n\n    at src/a.ts:3'),
        agent("Plan:\n1. A\n2. B", false),
        ran("npm test", 1, "red\n1 failed\n")
      ]),
      [
        'user: Fix "it".',
        "",
        "      at src/a.ts:3",
        "agent: Plan:",
        "  1. A",
        "  2. B …",
        "$ npm test (exit 1): red",
        "  1 failed"
      ]
    )
  })

  it("fold a long run of calls that differ in a number alone, and show a handful", () => {
    assert.deepStrictEqual(linesOf([user("Go."), ...looks(12), edited("src/part-3.ts")]), [
      "user: Go.",
      "Read src/part-0.ts",
      "Read src/part-1.ts",
      "… and ten more like it",
      "Edit src/part-3.ts"
    ])
    assert.strictEqual(linesOf(looks(6)).at(-1), "… and four more like it")
    assert.strictEqual(linesOf(looks(40)).at(-1), "… and 38 more like it")
    assert.strictEqual(linesOf(looks(5)).length, 5)
  })

  it("fold no commands that end differently, nor what is said", () => {
    const runs = times(8, (index) => ran("npm test", 1, `${8 - index} failed`))
    assert.strictEqual(linesOf(runs).length, 8)
    assert.strictEqual(linesOf(times(8, (index) => agent(`Part ${index}.`))).length, 8)
    assert.strictEqual(linesOf(times(8, () => ran("npm test", 1, "1 failed"))).length, 3)
  })

  it("are one line each on every page", () => {
    for (const page of RuleBook.rules.map(RuleBook.pageOf))
      for (const { events } of [...page.fires, ...page.spares])
        for (const line of linesOf(events)) assert.notInclude(line, "\n")
  })
})
