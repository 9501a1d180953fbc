import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { trialsIn } from "../src/model/Promptfoo.ts"
import { assertion } from "../src/model/PromptfooProvider.ts"
import type { Trial } from "../src/model/Trial.ts"
import * as TrialJson from "../src/model/TrialJson.ts"
import { summaries, summaryOf } from "../src/model/TrialMetrics.ts"

const plain: Trial = {
  suite: "cases",
  id: "a",
  session: "a",
  repeat: 0,
  label: { statuses: ["complete"], push: false },
  before: { status: "abstained", push: false },
  after: { status: "complete", push: false },
  said: "complete",
  saidRight: true,
  right: true,
  problem: null,
  model: "large",
  calls: 1,
  inputTokens: 100,
  outputTokens: 10,
  ms: 20
}

const wrong: Partial<Trial> = {
  after: { status: "incomplete", push: true },
  said: "incomplete",
  saidRight: false,
  right: false
}
const none: Partial<Trial> = {
  after: plain.before,
  said: null,
  saidRight: null,
  right: null,
  problem: "timed_out",
  calls: 2
}
const pushed: Partial<Trial> = { id: "b", session: "b", label: { statuses: ["incomplete"], push: true } }

const trials: ReadonlyArray<Trial> = [
  plain,
  { ...plain, repeat: 1, ms: 40 },
  { ...plain, ...wrong, repeat: 2, ms: 60 },
  { ...plain, ...none, ...pushed, repeat: 0, ms: 1000, inputTokens: 0, outputTokens: 0 },
  { ...plain, ...wrong, ...pushed, repeat: 1, right: true, saidRight: true, ms: 80 },
  { ...plain, ...pushed, repeat: 2, after: plain.before, said: "complete", right: null, saidRight: false, ms: 90 }
]

describe("what a run with a model comes to", () => {
  const all = summaryOf("cases", trials, { input: 3, output: 15 })

  it("grades answers, and counts what is none for itself", () => {
    assert.deepStrictEqual([all.questions, all.trials, all.answered, all.abstained], [2, 6, 5, 1])
    assert.deepStrictEqual(all.unanswered, { timed_out: 1 })
    assert.closeTo(all.abstentionRate, 2 / 6, 1e-9)
    assert.deepInclude(all.verdicts, { hits: 3, trials: 4, share: 0.75 })
    assert.deepInclude(all.words, { hits: 3, trials: 5 })
    assert.deepStrictEqual([all.foundPushes, all.labelledPush, all.falsePushes, all.labelledNoPush], [1, 2, 1, 3])
  })

  it("compares with evidence alone and with rules that ask nobody", () => {
    assert.deepInclude(all.baselines["evidence alone"], { hits: 0, trials: 0, share: null })
    assert.deepInclude(all.baselines["always complete"], { hits: 1, trials: 2 })
    assert.deepInclude(all.baselines["always push"], { hits: 1, trials: 2 })
  })

  it("compares the answers to one question with each other", () => {
    assert.deepInclude(all.agreement.words, { questions: 2, unanimous: 0, pairs: 4, same: 1, share: 0.25 })
  })

  it("adds up calls, tokens, dollars and times", () => {
    const { calls, callsPer100, dollars, inputTokens, outputTokens, tokensPer100 } = all.cost
    assert.deepStrictEqual([calls, inputTokens, outputTokens], [7, 500, 50])
    assert.closeTo(dollars ?? 0, (500 * 3 + 50 * 15) / 1e6, 1e-12)
    assert.closeTo(callsPer100, 700 / 6, 1e-9)
    assert.closeTo(tokensPer100, 55_000 / 6, 1e-9)
    assert.deepStrictEqual(all.latency, { median: 60, p95: 1000, longest: 1000 })
    assert.isNull(summaryOf("cases", trials, null).cost.dollars)
  })

  it("says which answer met which label", () => {
    assert.deepStrictEqual(all.confusion.words, {
      complete: { complete: 2, incomplete: 1 },
      incomplete: { complete: 1, incomplete: 1, "no answer": 1 }
    })
    assert.deepStrictEqual(all.confusion.verdicts["complete"], { complete: 2, "incomplete, pushed": 1 })
  })

  it("sums up each suite, and all of them where there are several", () => {
    const several = summaries([...trials, { ...plain, suite: "codex" }], null)
    assert.deepStrictEqual(
      several.map(({ suite, trials: count }) => [suite, count]),
      [
        ["cases", 6],
        ["codex", 1],
        ["all", 7]
      ]
    )
    assert.strictEqual(several[2]?.questions, 3)
    assert.strictEqual(summaries(trials, null).length, 1)
  })
})

const results = (...entries: ReadonlyArray<object>) => JSON.stringify({ results: { results: entries } })

const entry = (trial: Trial) => ({
  success: assertion(TrialJson.encode(trial)).pass,
  response: { output: TrialJson.encode(trial) }
})

const problem = (text: string, expected: number) => Either.getOrNull(Either.flip(trialsIn(text, expected)))

describe("promptfoo", () => {
  it("lets only a right answer pass, and says why another does not", () => {
    assert.deepInclude(assertion(TrialJson.encode(plain)), { pass: true, score: 1 })
    assert.deepInclude(assertion(TrialJson.encode({ ...plain, ...wrong })), {
      pass: false,
      reason: "incomplete; the readers say complete"
    })
    assert.include(assertion(TrialJson.encode({ ...plain, ...none })).reason, "no answer: timed_out")
    assert.include(assertion("{}").reason, "no trial")
  })

  it("gives the trials back in the order of their repeats", () => {
    const read = trialsIn(results(...trials.map(entry)), trials.length)
    assert.deepStrictEqual(
      Either.map(read, (found) => found.map(({ repeat }) => repeat)),
      Either.right([0, 0, 1, 1, 2, 2])
    )
    assert.sameDeepMembers([...Either.getOrThrow(read)], [...trials])
  })

  it("is not believed where answers are missing, failed, or graded otherwise", () => {
    assert.include(problem("nonsense", 1), "promptfoo's results")
    assert.strictEqual(problem(results(entry(plain)), 2), "promptfoo gave 1 answers to 2 questions")
    assert.strictEqual(problem(results({ success: false, error: "it broke" }), 1), "promptfoo: it broke")
    assert.include(problem(results({ ...entry(plain), success: false }), 1), "graded a otherwise")
  })
})
