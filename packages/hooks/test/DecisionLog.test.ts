import { assert, describe, it } from "@effect/vitest"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as DecisionLog from "../src/session/DecisionLog.ts"

const decision: Decision = {
  at: "2026-03-02T09:00:00.000Z",
  host: "claude-code",
  sessionId: "s1",
  directory: "/shop",
  event: "Stop",
  decision: "push",
  reason: `the token ghp_${"aB3".repeat(12)} is refused`,
  status: "incomplete",
  severity: "LOW",
  attempt: 1,
  maxAttempts: 3,
  durationMs: 12
}

describe("REFLECTION_DEBUG", () => {
  it("says each decision as it is made, on one line and without a secret", () => {
    const said = DecisionLog.told({ REFLECTION_DEBUG: "1" }, decision) ?? ""
    assert.match(said, /^reflexion: \{.*"decision":"push".*\}\n$/u)
    assert.notInclude(said, "ghp_")
  })

  it("says nothing unless it is 1", () => {
    for (const env of [{}, { REFLECTION_DEBUG: "" }, { REFLECTION_DEBUG: "0" }, { REFLECTION_DEBUG: undefined }])
      assert.isNull(DecisionLog.told(env, decision))
  })
})
