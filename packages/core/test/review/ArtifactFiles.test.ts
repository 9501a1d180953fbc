import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { checkResult } from "../support/checkResult.ts"
import { transcript } from "../support/events.ts"
import { list } from "../support/rows.ts"
import { session } from "../support/sessions.ts"

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`

const verdict = Judgment.judge(
  transcript(session("> Fix the bug and run the tests. / edit /repo/src/a.ts / $1 npm test / Done."))
)

const id = "4f1c9a2e-1111-4222-8333-444455556666"
const time = 1_700_000_000_000

const review = (over: Partial<ArtifactFiles.Review> = {}): ArtifactFiles.Review => ({
  sessionId: id,
  timestamp: time,
  verdict,
  decision: { kind: "nudge", reason: "tests were not run", attempt: 1, maxAttempts: 3, notice: null },
  ...over
})

const parsed = (file: ArtifactFiles.ArtifactFile | undefined): Record<string, unknown> => JSON.parse(file?.text ?? "")

describe("ArtifactFiles.files", () => {
  it("has the record first, then the signals that announce it to other tools", () => {
    const files = ArtifactFiles.files(review())
    const [record, signal, short] = files
    const names = [`${id}_${time}.json`, `verdict_${id}.json`, "verdict_4f1c9a2e.json"]
    assert.deepStrictEqual(
      files.map(({ name }) => name),
      names
    )
    const said = { sessionId: id, status: "incomplete", complete: false, severity: "HIGH", timestamp: time }
    assert.deepStrictEqual(parsed(signal), said)
    assert.strictEqual(short?.text, signal?.text)
    const { cost, decision, evidence, selfAssessment, ...rest } = parsed(record)
    assert.deepStrictEqual(
      Object.keys(rest),
      list`version ¦ sessionId ¦ host ¦ timestamp ¦ task ¦ acceptance ¦ verdict ¦ progress ¦ crossReview ¦ routing`
    )
    const { contradictions, gates } = verdict
    assert.deepStrictEqual(
      [cost, decision, evidence, selfAssessment],
      [verdict.cost, review().decision, { gates, contradictions, checks: [] }, null]
    )
  })

  it("records what was run, who reviewed and what a model said, without secrets wherever they stand", () => {
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
    const files = ArtifactFiles.files(
      review({
        asked,
        checks: [checkResult({ output: token })],
        crossReview: { consensus: null, problem: `git says ${token}` },
        verdict: { ...verdict, reason: `export TOKEN=${token}`, missing: [`curl -H "Bearer ${token}"`] },
        decision: { ...review().decision, reason: `used ${token}` }
      })
    )
    const record = parsed(files[0])
    assert.deepInclude(record["selfAssessment"], { promptVersion: 1, model: "small-1", by: null })
    assert.deepNestedInclude(record, {
      "evidence.checks[0].failing[0].name": "cart › empties",
      "crossReview.consensus": null
    })
    for (const { text } of files) assert.notInclude(text, token)
  })

  it("shortens texts rather than cut the JSON of a record that would be too long", () => {
    const text = "ü\u0000\ud800 ".repeat(6000)
    const long = { ...verdict, reason: text, missing: Array.from({ length: 500 }, () => text), feedback: text }
    for (const file of ArtifactFiles.files(review({ verdict: long }))) {
      assert.isAtMost(new TextEncoder().encode(file.text).length, ArtifactFiles.maxBytes)
      assert.isObject(parsed(file))
    }
  })

  it("keeps every id inside the folder, two ids apart, and knows its own records again", () => {
    const part = fc.constantFrom(
      ...list`.. ¦ / ¦ \\ ¦ a ¦ A1 ¦ verdict_ ¦ _ ¦ - ¦ . ¦ con ¦ é`,
      "\u0000",
      "x".repeat(90)
    )
    const parts = fc.array(part, { maxLength: 6 }).map((all) => all.join(""))
    const id = fc.oneof(parts, fc.string(), fc.fullUnicodeString({ maxLength: 120 }))
    const namesOf = (sessionId: string) => ArtifactFiles.files(review({ sessionId })).map(({ name }) => name)
    fc.assert(
      fc.property(id, id, (left, right) => {
        const names = namesOf(left)
        for (const name of names) assert.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,120}\.json$/)
        if (left !== right) for (const name of names.slice(0, 2)) assert.notInclude(namesOf(right), name)
      }),
      { numRuns: 100 }
    )
    fc.assert(
      fc.property(fc.fullUnicodeString({ maxLength: 120 }), (sessionId) => {
        const names = namesOf(sessionId)
        assert.sameMembers([...ArtifactFiles.prune(names, { perSession: 0, total: 0 })], names)
      })
    )
  })
})

describe("ArtifactFiles.prune", () => {
  it("keeps the newest twenty of a session and the signals that still have a record", () => {
    const names = Array.from({ length: 23 }, (_, index) => `s1_${time + index}.json`)
    const others = list`verdict_s1.json ¦ config.json ¦ .gitignore ¦ reflections.jsonl ¦ s1.json ¦ notes_2024.json`
    assert.deepStrictEqual(ArtifactFiles.prune([...others, ...names]).toSorted(), names.slice(0, 3))
  })

  it("keeps two hundred in all, and drops a session's signals with its last record", () => {
    const names = Array.from({ length: 201 }, (_, index) => `session-${index}_${time + index}.json`)
    const signals = list`verdict_session-0.json ¦ verdict_session-.json ¦ verdict_session-1.json ¦ verdict_foreign.json`
    assert.deepStrictEqual(ArtifactFiles.prune([...signals, ...names]).toSorted(), [
      `session-0_${time}.json`,
      "verdict_session-0.json"
    ])
  })
})
