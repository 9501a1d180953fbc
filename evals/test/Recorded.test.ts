import { assert, describe, it } from "@effect/vitest"
import * as Recorded from "../src/report/Recorded.ts"
import * as Report from "../src/report/Report.ts"

describe("the recorded run", () => {
  it("is what the tables of docs/evaluation.md are made of", () => {
    assert.isNull(Recorded.staleTable())
  })

  const results = Recorded.load()
  const page = `# Page\n\n<!-- eval:begin -->\n\n${Report.documentation(results)}\n\n<!-- eval:end -->\n`

  it("fits a page whose columns are aligned otherwise", () => {
    assert.isNull(Recorded.staleLine(page.replaceAll("| ", "|    ").replaceAll("---", "-------"), results))
  })

  it("does not fit a page with another figure, or with a line less", () => {
    const [figure] = /\d+ of \d+/u.exec(page) ?? [""]
    assert.include(Recorded.staleLine(page.replace(figure, "1 of 1000"), results), "1 of 1000")
    const lines = page.split("\n")
    const last = lines.findLastIndex((line) => line.startsWith("|"))
    assert.include(Recorded.staleLine(lines.toSpliced(last, 1).join("\n"), results), "the end")
  })

  it("is compared with another run figure by figure", () => {
    const before = { a: { b: 1, c: [1, 2] }, gone: true }
    assert.deepStrictEqual(Recorded.changes(before, before), [])
    assert.deepStrictEqual(Recorded.changes(before, { a: { b: 2, c: [1, 3] }, come: null }), [
      "a.b: 1 → 2",
      "a.c.1: 2 → 3",
      "gone: true → –",
      "come: – → –"
    ])
  })

  it("is compared by no time", () => {
    const other = { ...results, times: { cases: { hits: 1, trials: 1, interval: null } } }
    assert.deepStrictEqual(Recorded.differences(results, other, { isPart: false }), { left: [], changed: [] })
  })

  it("is compared with a part of the suites in what was run", () => {
    const before = { rates: { a: { hits: 1 }, b: { hits: 2 } }, loops: { peers: { cases: 3 } }, replay: { same: 4 } }
    const after = { rates: { a: { hits: 2 } }, loops: { peers: null }, replay: null }
    assert.deepStrictEqual(Recorded.differences(before, after, { isPart: true }), {
      left: ["rates.b", "loops.peers", "replay"],
      changed: ["rates.a.hits: 1 → 2"]
    })
    assert.lengthOf(Recorded.differences(before, after, { isPart: false }).changed, 6)
  })
})
