import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Corpus from "../src/sessions/Corpus.ts"
import * as LoopEval from "../src/loops/LoopEval.ts"
import * as LoopSuite from "../src/loops/LoopSuite.ts"
import { table } from "../src/loops/table.ts"
import * as PairSuite from "../src/stops/PairSuite.ts"

const inFolder = <A>(files: Readonly<Record<string, string>>, use: (root: string) => A): A => {
  const root = mkdtempSync(join(tmpdir(), "reflexion-evals-"))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, name, ".."), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    return use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const step = { type: "call", tool: "terminal", args: { command: "make" }, output: "no rule", failed: true }

const peer = (id: string, expected: unknown, times: number) => ({
  "loops/some_cases.json": JSON.stringify({
    peer: "Some",
    cases: [{ id, sequence_rle: [{ event: step, times }], expected }]
  })
})

describe("the sequences of other agents", () => {
  it("are unrolled, and found as they are", () => {
    const [row] = inFolder(peer("some/red", { halt: true }, 3), LoopSuite.run)
    assert.deepStrictEqual([row?.peerFlags, row?.found], [true, ["failing_call", "action"]])
  })

  it("begin anew where the peer does", () => {
    const cases = [{ id: "x", sequence: [step, step, { type: "control", op: "reset" }, step], expected: ["ok"] }]
    const [row] = inFolder({ "loops/x_cases.json": JSON.stringify({ peer: "X", cases }) }, LoopSuite.run)
    assert.deepStrictEqual([row?.peerFlags, row?.found], [false, []])
  })

  it("need a reason where ours differs", () => {
    const rows = inFolder(peer("some/red", { halt: false }, 3), LoopSuite.run)
    assert.deepStrictEqual(LoopSuite.summary(rows), { cases: 1, asExpected: 0, agree: 0, unexplained: ["some/red"] })
  })

  it("that are work have no loop in the table", () => {
    const legitimate = Object.entries(table).filter(([id]) => id.includes("LEGIT") || id.includes("legit"))
    assert.isAbove(legitimate.length, 3)
    for (const [, { loops }] of legitimate) assert.deepStrictEqual(loops, [])
  })
})

const pair = (rest: object) =>
  JSON.stringify({ agent: "a", instance: "i", pair: 1, label: "Follow-up", exact_prev: false, ...rest })

const bash = (command: string) => `{'arguments': '{"command": "${command}"}', 'name': 'execute_bash'}`

describe("pairs of actions", () => {
  it("are read as calls in Python's notation, in JSON or in words", () => {
    const call = PairSuite.callOf(bash("grep \\'x\\' a"))
    assert.deepStrictEqual([call.tool, call.input], ["execute_bash", { command: "grep 'x' a" }])
    const json = PairSuite.callOf('{"name": "view", "args": {"path": "a"}}')
    assert.deepStrictEqual([json.tool, json.input], ["view", { path: "a" }])
    const words = PairSuite.callOf("search_method('a')")
    assert.deepStrictEqual([words.tool, words.input], ["action", "search_method('a')"])
  })

  it("are counted beside plain equality", () => {
    const lines = [
      pair({ a: bash("ls"), b: bash("ls"), exact_prev: true, label: "Repetition" }),
      pair({ a: bash("ls"), b: bash("cd /repo && ls"), label: "Repetition" }),
      pair({ a: bash("ls"), b: bash("ls src"), label: "Refinement" }),
      pair({ a: "cut off", b: "cut off", label: "Follow-up" })
    ]
    const rows = inFolder({ "pairs/a.jsonl": lines.join("\n") }, PairSuite.run)
    const { exact, near, repetitions, rule } = PairSuite.summary(rows)
    assert.strictEqual(repetitions, 2)
    assert.deepStrictEqual([rule.found, rule.right, rule.recall], [2, 2, 1])
    assert.deepStrictEqual([exact.found, exact.right, exact.recall], [1, 1, 0.5])
    assert.deepStrictEqual(near, { Repetition: 1 })
  })
})

const options = {
  isWanted: () => true,
  floor: { minPairPrecision: 0.9, maxFlaggedSessions: 0.01, maxFlaggedRuns: 0.01 },
  misses: false
}

describe("without a corpus", () => {
  it("every suite of loops is skipped, and said to be", () => {
    const said: Array<string> = []
    const { failures, results } = LoopEval.evaluate(null, { ...options, print: (text) => said.push(text) })
    assert.deepStrictEqual(failures, [])
    assert.deepStrictEqual(Object.values(results), [null, null, null, null, null])
    assert.include(said.join("\n"), "skipped: no corpus")
  })
})

const corpus = Corpus.directory()

describe.skipIf(corpus === null)("the corpus' sequences", () => {
  it("are as the table expects, each difference from the peer with its reason", () => {
    const rows = corpus === null ? [] : LoopSuite.run(corpus)
    assert.deepStrictEqual(
      rows.filter((row) => !row.asExpected).map(({ found, id }) => `${id}: ${found.join(", ")}`),
      []
    )
    assert.deepStrictEqual(LoopSuite.summary(rows).unexplained, [])
  })
})
