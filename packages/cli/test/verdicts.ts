import type { Gate, Verdict } from "@reflexion/core/Verdict"

const none = (gate: string): Gate => ({ gate, required: false, result: "not_required", detail: "", evidence: [] })

/** A turn whose tests fail and whose final text says that they pass. */
export const failing: Verdict = {
  version: 1,
  host: "claude-code",
  sessionId: "0f3c1d52-9f0e-4c55-8a31-0123456789ab",
  turn: {
    index: 2,
    userMessageId: "u3",
    userMessageAt: "2026-01-31T10:12:01.000Z",
    stoppedAt: "2026-01-31T10:31:05.000Z"
  },
  status: "incomplete",
  complete: false,
  shouldContinue: true,
  requiresHumanAction: false,
  severity: "HIGH",
  reason: "The tests fail after the last edit.",
  feedback: "The tests fail: uploads retries twice.\n\n- Run npm test again.\n- Correct src/upload.ts first.",
  findings: [],
  missing: ["tests: 1 of 42 fails, uploads retries twice"],
  nextActions: ["Correct src/upload.ts, then run npm test"],
  confidence: 0.92,
  source: "evidence",
  task: { type: "coding", summary: "Add a retry to the uploader and run the tests", requirements: ["tests", "build"] },
  stop: { kind: "premature", pattern: "false_complete" },
  gates: [
    {
      gate: "tests",
      required: true,
      result: "failed",
      detail: "41 passed, 1 failed",
      evidence: [
        { callId: "t0", command: "npm test -- --run", exitCode: 0, at: "2026-01-31T10:15:00.000Z" },
        { callId: "t1", command: "npm test", exitCode: 1, at: "2026-01-31T10:30:00.000Z" }
      ]
    },
    {
      gate: "build",
      required: true,
      result: "stale",
      detail: "ran before the last edit of src/upload.ts",
      evidence: [{ callId: "t2", command: "npm run build", exitCode: 0, at: "2026-01-31T10:20:00.000Z" }]
    },
    {
      gate: "lint",
      required: false,
      result: "passed",
      detail: "",
      evidence: [{ callId: "t3", command: "npm run lint | tail", exitCode: null, at: null }]
    },
    none("typecheck"),
    none("pr"),
    none("ci"),
    none("push")
  ],
  contradictions: [{ claim: "All tests pass now.", fact: "npm test exited 1", callId: "t1" }],
  cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 3 }
}

/** A turn that needed no gate and is done. */
export const done: Verdict = {
  ...failing,
  turn: { ...failing.turn, index: 0 },
  status: "complete",
  complete: true,
  shouldContinue: false,
  severity: "NONE",
  reason: "The question was answered.",
  feedback: null,
  missing: [],
  nextActions: [],
  confidence: 0.8,
  task: { type: "research", summary: "Where is the uploader?", requirements: [] },
  stop: { kind: "complete", pattern: null },
  gates: [none("tests"), none("build")],
  contradictions: []
}
