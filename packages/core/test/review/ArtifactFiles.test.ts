import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import type { CheckResult } from "../../src/checks/CheckResult.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { list } from "../support/rows.ts"

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`

const verdict = Judgment.judge(
  transcript([user("Fix the bug and run the tests."), edit("/repo/src/a.ts"), run("npm test", 1), agent("Done.")])
)

const review = (over: Partial<ArtifactFiles.Review> = {}): ArtifactFiles.Review => ({
  sessionId: "4f1c9a2e-1111-4222-8333-444455556666",
  timestamp: 1_700_000_000_000,
  verdict,
  decision: { kind: "nudge", reason: "tests were not run", attempt: 1, maxAttempts: 3, notice: null },
  ...over
})

const parsed = (text: string | undefined): Record<string, unknown> => JSON.parse(text ?? "")

const bytes = (text: string): number => new TextEncoder().encode(text).length

describe("ArtifactFiles.files", () => {
  it("writes the record before the signals that announce it", () => {
    assert.deepStrictEqual(
      ArtifactFiles.files(review()).map(({ name }) => name),
      [
        "4f1c9a2e-1111-4222-8333-444455556666_1700000000000.json",
        "verdict_4f1c9a2e-1111-4222-8333-444455556666.json",
        "verdict_4f1c9a2e.json"
      ]
    )
  })

  it("signals what other tools read, and nothing else", () => {
    const [, signal, short] = ArtifactFiles.files(review())
    assert.deepStrictEqual(parsed(signal?.text), {
      sessionId: "4f1c9a2e-1111-4222-8333-444455556666",
      status: "incomplete",
      complete: false,
      severity: "HIGH",
      timestamp: 1_700_000_000_000
    })
    assert.strictEqual(short?.text, signal?.text)
  })

  it("records what was judged, on what evidence, and what was decided", () => {
    const record = parsed(ArtifactFiles.files(review())[0]?.text)
    assert.deepStrictEqual(
      Object.keys(record),
      list`
    version ¦ sessionId ¦ host ¦ timestamp ¦ task ¦ evidence ¦ acceptance ¦ selfAssessment ¦ verdict ¦ progress
    decision ¦ crossReview ¦ routing ¦ cost
  `
    )
    assert.deepStrictEqual(record["decision"], review().decision)
    assert.deepStrictEqual(record["evidence"], {
      gates: verdict.gates,
      contradictions: verdict.contradictions,
      checks: []
    })
    assert.deepStrictEqual(record["cost"], verdict.cost)
  })

  it("records what a model said, without secrets", () => {
    const asked = {
      promptVersion: 1,
      model: "small-1",
      by: null,
      problem: `it said ${token}`,
      answer: null,
      unproved: [],
      contradicted: [],
      shown: 0,
      end: "failed" as const,
      question: null,
      told: null
    }
    const text = ArtifactFiles.files(review({ asked }))[0]?.text ?? ""
    assert.deepInclude(parsed(text)["selfAssessment"], { promptVersion: 1, model: "small-1", by: null })
    assert.notInclude(text, token)
    assert.isNull(parsed(ArtifactFiles.files(review())[0]?.text)["selfAssessment"])
  })

  it("records what was run and who reviewed, without secrets", () => {
    const check: CheckResult = {
      gate: "tests",
      command: "npm test",
      result: "failed",
      exitCode: 1,
      failing: [{ name: "cart › empties", file: null, line: null }],
      detail: "1 failed",
      output: token,
      at: null,
      durationMs: 5,
      cached: false
    }
    const crossReview = { consensus: null, problem: `git says ${token}` }
    const text = ArtifactFiles.files(review({ checks: [check], crossReview }))[0]?.text ?? ""
    assert.deepNestedInclude(parsed(text), { "evidence.checks[0].failing[0].name": "cart › empties" })
    assert.deepNestedInclude(parsed(text), { "crossReview.consensus": null })
    assert.notInclude(text, token)
  })

  it("takes the secrets out of every text", () => {
    const spoken = { ...verdict, reason: `export TOKEN=${token}`, missing: [`curl -H "Bearer ${token}"`] }
    const decision = { ...review().decision, reason: `used ${token}` }
    for (const { text } of ArtifactFiles.files(review({ verdict: spoken, decision }))) assert.notInclude(text, token)
  })

  it("shortens texts rather than cut the JSON of a record that would be too long", () => {
    const text = "ü\u0000\ud800 ".repeat(6000)
    const long = { ...verdict, reason: text, missing: Array.from({ length: 500 }, () => text), feedback: text }
    for (const file of ArtifactFiles.files(review({ verdict: long }))) {
      assert.isAtMost(bytes(file.text), ArtifactFiles.maxBytes)
      assert.isObject(parsed(file.text))
    }
    assert.strictEqual(parsed(ArtifactFiles.files(review({ verdict: long }))[0]?.text)["host"], "transcript")
  })

  it("keeps every id inside the folder, and two ids apart", () => {
    const part = fc.constantFrom(
      "..",
      "/",
      "\\",
      "a",
      "A1",
      "verdict_",
      "_",
      "-",
      ".",
      "con",
      "é",
      "\u0000",
      "x".repeat(90)
    )
    const id = fc.oneof(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")),
      fc.string(),
      fc.fullUnicodeString()
    )
    fc.assert(
      fc.property(id, id, (left, right) => {
        const names = ArtifactFiles.files(review({ sessionId: left })).map(({ name }) => name)
        for (const name of names) assert.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,120}\.json$/)
        const others = new Set(ArtifactFiles.files(review({ sessionId: right })).map(({ name }) => name))
        if (left !== right) for (const name of names.slice(0, 2)) assert.isFalse(others.has(name))
      }),
      { numRuns: 200 }
    )
  })
})

const nameOf = (session: string, timestamp: number): string => `${session}_${timestamp}.json`

describe("ArtifactFiles.prune", () => {
  const time = 1_700_000_000_000

  it("keeps the newest twenty of a session and the signals that still have a record", () => {
    const names = Array.from({ length: 23 }, (_, index) => nameOf("s1", time + index))
    const others = ["verdict_s1.json", "config.json", ".gitignore", "reflections.jsonl", "s1.json", "notes_2024.json"]
    assert.deepStrictEqual(ArtifactFiles.prune([...others, ...names]).toSorted(), names.slice(0, 3))
  })

  it("keeps two hundred in all, and drops a session's signals with its last record", () => {
    const names = Array.from({ length: 201 }, (_, index) => nameOf(`session-${index}`, time + index))
    const signals = [
      "verdict_session-0.json",
      "verdict_session-.json",
      "verdict_session-1.json",
      "verdict_foreign.json"
    ]
    assert.deepStrictEqual(ArtifactFiles.prune([...signals, ...names]).toSorted(), [
      "session-0_1700000000000.json",
      "verdict_session-0.json"
    ])
  })

  it("recognises every record that it names itself", () => {
    fc.assert(
      fc.property(fc.fullUnicodeString({ maxLength: 120 }), (sessionId) => {
        const names = ArtifactFiles.files(review({ sessionId })).map(({ name }) => name)
        assert.sameMembers([...ArtifactFiles.prune(names, { perSession: 0, total: 0 })], names)
      })
    )
  })
})
