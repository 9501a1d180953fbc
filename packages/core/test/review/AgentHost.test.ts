import { assert, it } from "@effect/vitest"
import { AgentHostError, Reason } from "../../src/review/program/AgentHost.ts"

it("AgentHostError says what happened, to which session, and what follows", () => {
  for (const reason of Reason.literals) {
    const error = new AgentHostError({ reason, sessionId: "s1", detail: "404" })
    assert.match(error.message, /^session s1 .{10,80} \(404\)$/)
  }
  assert.match(new AgentHostError({ reason: "unreachable", sessionId: null }).message, /^the host cannot be reached/)
})
