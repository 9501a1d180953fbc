import { assert, describe, it } from "@effect/vitest"
import * as Missing from "../../src/judge/verdict/Missing.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"

const red = run("npm test", 1, "FAIL test/a.test.ts\n  ● adds numbers\n\nTests: 1 failed, 5 total", { id: "c1" })

describe("Missing", () => {
  it("name a check that failed, what failed in it and the call that shows it, and `missing` says the same", () => {
    const { findings, missing } = Judgment.judge(
      transcript([user("Fix the bug and run the tests."), edit("src/a.ts"), red, agent("Done. All tests pass.")])
    )
    assert.deepStrictEqual(
      findings.map(({ evidence, failing, gate, rule }) => ({ rule, gate, failing, evidence })),
      [
        {
          rule: "gates/failing",
          gate: "tests",
          failing: ["adds numbers (test/a.test.ts)"],
          evidence: ["c1"]
        },
        { rule: "claims/contradicted", gate: null, failing: undefined, evidence: ["c1"] }
      ]
    )
    assert.deepStrictEqual(missing, [findings[0]?.message ?? ""], "the claim about the same run is not said twice")
  })

  it("are as many as a verdict holds, and never more or less in words", () => {
    const found = Array.from({ length: 30 }, (_, at) => Missing.ofOther("model/unfinished", `part ${at}`))
    const { findings, missing } = Missing.worded(found)
    assert.deepStrictEqual([findings.length, missing.length], [20, 20])
  })

  it("change in every text that they hold", () => {
    const comment = { file: "a", line: "a", said: "a", answer: "a" }
    const found = { ...Missing.ofOther("review/comment", "a", { comment }), failing: ["a"] }
    assert.notInclude(
      JSON.stringify(Missing.mapTexts(found, () => "b")).replaceAll(/"\w+":|review\/comment|tell|LOW|null/g, ""),
      "a"
    )
  })
})
