import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { AgentHost, AgentHostError, type Injection, Reason, TestHost } from "../../src/review/program/AgentHost.ts"
import { agent, transcript, user } from "../support/events.ts"

const injection: Injection = {
  text: "[reflexion 1/3] The task is not done yet.",
  attempt: 1,
  maxAttempts: 3,
  reviewId: "s1/1",
  userMessageId: "u1",
  silentSince: null,
  notice: "reflexion asked the agent to go on (1 of 3)"
}

const session = transcript([user("What is this?"), agent("A parser.")])

describe("AgentHostError", () => {
  it("says what happened, to which session, and what follows", () => {
    for (const reason of Reason.literals) {
      const error = new AgentHostError({ reason, sessionId: "s1", detail: "404" })
      assert.match(error.message, /^session s1 .{10,80} \(404\)$/)
    }
    assert.match(new AgentHostError({ reason: "unreachable", sessionId: null }).message, /^the host cannot be reached/)
  })
})

describe("AgentHost.Test", () => {
  it.effect("ends its events when all that was emitted is taken", () =>
    Effect.gen(function* () {
      const host = yield* AgentHost
      const test = yield* TestHost
      for (const sessionId of ["a", "b", "a"]) yield* test.emit({ sessionId, event: { _tag: "Idle", at: 0 } })
      yield* test.end
      const taken = yield* Stream.runCollect(host.events)
      assert.deepStrictEqual(
        [...taken].map((event) => event.sessionId),
        ["a", "b", "a"]
      )
    }).pipe(Effect.provide(AgentHost.Test()))
  )

  it.effect("records what it was given for sessions that it has, and refuses when told to", () =>
    Effect.gen(function* () {
      const host = yield* AgentHost
      const test = yield* TestHost
      assert.strictEqual((yield* Effect.flip(host.inject("s1", injection))).reason, "session_gone")
      yield* test.put("s1", session)
      assert.deepStrictEqual(yield* host.transcript("s1"), session)
      assert.strictEqual(yield* host.directory("s1"), "/repo")
      yield* host.inject("s1", injection)
      yield* host.notify("s1", { kind: "complete", text: "reflexion: done." })
      yield* test.refuse("rejected")
      assert.strictEqual((yield* Effect.flip(host.inject("s1", injection))).reason, "rejected")
      assert.strictEqual((yield* Effect.flip(host.notify("s1", { kind: "on", text: "on" }))).reason, "rejected")
      assert.deepStrictEqual(yield* test.injections, [{ sessionId: "s1", ...injection }])
      assert.deepStrictEqual(yield* test.notices, [{ sessionId: "s1", kind: "complete", text: "reflexion: done." }])
      yield* test.remove("s1")
      assert.strictEqual((yield* Effect.flip(host.directory("s1"))).reason, "session_gone")
    }).pipe(Effect.provide(AgentHost.Test()))
  )
})
