import { assert, describe, it } from "@effect/vitest"
import type { Verdict } from "@reflexion/core/Verdict"
import { differences } from "../src/case/Check.ts"

const verdict: Verdict = {
  version: 1,
  host: "transcript",
  sessionId: "s",
  turn: { index: 0, userMessageId: null, userMessageAt: null, stoppedAt: null },
  status: "incomplete",
  complete: false,
  shouldContinue: true,
  requiresHumanAction: false,
  severity: "HIGH",
  reason: "The tests fail.",
  feedback: "Run `npm test`.",
  findings: [],
  missing: ["tests"],
  nextActions: ["npm test"],
  confidence: 0.9,
  source: "evidence",
  task: { type: "coding", summary: "Fix it", requirements: ["tests"] },
  stop: { kind: "premature", pattern: "false_complete" },
  gates: [{ gate: "tests", required: true, result: "failed", detail: "", evidence: [] }],
  contradictions: [{ claim: "all pass", fact: "one fails", callId: "1" }],
  cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 0 }
}

describe("differences", () => {
  it("finds none where the verdict is as expected", () => {
    const expected = {
      status: ["incomplete", "stuck"],
      push: true,
      human: false,
      severity: "HIGH",
      kind: "premature",
      pattern: "false_complete",
      gates: { tests: "failed" },
      contradicted: true,
      feedback: ["NPM test"],
      confidenceAtMost: 0.9
    } as const
    assert.deepStrictEqual(differences(expected, verdict), [])
  })

  it("names every point that differs", () => {
    const expected = {
      status: "complete",
      push: false,
      human: true,
      severity: "NONE",
      kind: ["complete"],
      pattern: "unverified",
      gates: { tests: "passed", build: "passed" },
      contradicted: false,
      feedback: ["cargo"],
      confidenceAtMost: 0.5
    } as const
    assert.strictEqual(differences(expected, verdict).length, 11)
  })

  it("takes a gate that is not there for missing", () => {
    assert.deepStrictEqual(differences({ status: "incomplete", gates: { pr: "missing" } }, verdict), [])
  })
})
