import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, TestClock } from "effect"
import { type Activity, type AgentHost, AgentHostError, TestHost } from "../../src/review/program/AgentHost.ts"
import { ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import { agent, call, edit, mode, run } from "../support/events.ts"
import { injections, log, notices, play, pushes, services, started } from "../support/turns.ts"

const task = "Fix the bug in the parser and run the tests."

const begin = Effect.fnUntraced(function* (state: Activity["state"] | null, rest: Parameters<typeof play>[1] = {}) {
  yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
  yield* started
  const host = yield* TestHost
  const session = yield* play("s1", rest)
  /** What the host says of the agent: at it, and silent from now on. */
  const appears = Effect.fnUntraced(function* (now: Activity["state"]) {
    const lastSign = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    yield* host.appear("s1", { state: now, lastSign })
  })
  if (state !== null) yield* appears(state)
  yield* session.asks(task)
  yield* TestClock.adjust(0)
  return { host, session, appears }
})

describe("TurnReview.run, of an agent at work that gives no sign of life", () => {
  it.scoped("asks an agent that hangs to go on, once", () =>
    Effect.gen(function* () {
      const { session } = yield* begin("working")
      yield* TestClock.adjust("179 seconds")
      assert.deepStrictEqual(yield* pushes("s1"), [])
      yield* TestClock.adjust("1 seconds")
      const [injection] = yield* injections("s1")
      assert.strictEqual(injection?.attempt, 1)
      assert.strictEqual(injection?.silentSince, Date.parse("2026-03-02T09:00:00Z"))
      assert.match(injection?.text ?? "", /^\[reflexion 1\/3\] The task is not done yet\./)
      yield* session.hears
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      assert.deepStrictEqual(yield* notices("s1"), ["unmoved"])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("assesses thirty seconds of silence after a push once within that attempt", () =>
    Effect.gen(function* () {
      const { session } = yield* begin("working")
      yield* session.does(edit("/repo/src/parser.ts"), agent("Done."))
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(yield* notices("s1"), [])
      yield* TestClock.adjust("1 seconds")
      const [, looked] = yield* log("s1")
      assert.match(looked ?? "", /^abstain: no word of the agent for 3\d s since the reminder/)
      yield* TestClock.adjust("140 seconds")
      assert.lengthOf(yield* log("s1"), 2)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* notices("s1"), ["unmoved"])
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("says nothing after a push that the agent has answered", () =>
    Effect.gen(function* () {
      const { appears, session } = yield* begin("working")
      yield* session.does(edit("/repo/src/parser.ts"), agent("Done."))
      yield* session.stops
      yield* TestClock.adjust("20 seconds")
      yield* appears("working")
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* notices("s1"), [])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("looks again where the host did not answer", () => {
    let asked = 0
    const host = (given: Context.Tag.Service<AgentHost>) => ({
      activity: (id: string) =>
        Effect.suspend(() =>
          ++asked === 1 ? new AgentHostError({ reason: "unreachable", sessionId: id }) : given.activity(id)
        )
    })
    return Effect.gen(function* () {
      yield* begin("working")
      yield* TestClock.adjust("6 minutes")
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services({ host })))
  })

  it.scoped("names the rule of the loop that it asks an agent to leave", () =>
    Effect.gen(function* () {
      const { session } = yield* begin("working")
      yield* session.does(...Array.from({ length: 3 }, () => run("cat src/parser.ts", 0, "const parser = 1")))
      yield* TestClock.adjust("3 minutes")
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      const { written } = yield* ArtifactsRecord
      const [found] = (yield* written).at(-1)?.review.verdict.findings ?? []
      assert.deepInclude(found, { rule: "loops/repeat", level: "push" })
    }).pipe(Effect.provide(services()))
  )

  it.scoped("leaves a tool that takes long alone", () =>
    Effect.gen(function* () {
      const { session } = yield* begin("working")
      yield* session.does(call("Bash", { command: "npm install" }, { status: "running", output: null }))
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.deepStrictEqual(yield* notices("s1"), [])
      assert.isAtMost((yield* log("s1")).length, 7)
    }).pipe(Effect.provide(services()))
  )

  it.scoped("counts every half word as a sign of life", () =>
    Effect.gen(function* () {
      const { appears } = yield* begin("working")
      for (let minute = 0; minute < 30; minute++) {
        yield* TestClock.adjust("1 minute")
        yield* appears("working")
      }
      assert.deepStrictEqual(yield* log("s1"), [])
      yield* TestClock.adjust("3 minutes")
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("reviews a stop that comes after a silence like every other", () =>
    Effect.gen(function* () {
      const { session } = yield* begin("working")
      yield* session.does(call("Bash", { command: "npm install" }, { status: "running", output: null, id: "c1" }))
      yield* TestClock.adjust("4 minutes")
      yield* session.does(call("Bash", { command: "npm install" }, { id: "c1", exitCode: 0 }))
      yield* session.does(edit("/repo/src/parser.ts"), agent("Done."))
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      assert.isNull((yield* injections("s1"))[0]?.silentSince)
    }).pipe(Effect.provide(services()))
  )

  const quiet = [
    ["whose host cannot tell", null, []],
    ["that waits for the model's service", "waiting", []],
    ["that is at rest", "idle", []],
    ["in plan mode", "working", [{ _tag: "ModeChanged", mode: "plan", at: 0 }]],
    ["that has asked something", "working", [{ _tag: "Asked", id: "q1", at: 0 }]],
    ["that was interrupted", "working", [{ _tag: "Abort", at: 0 }]],
    ["whose user said stop", "working", [{ _tag: "Command", command: "stop", at: 0 }]],
    ["with input waiting", "working", [{ _tag: "Queued", waiting: 1, at: 0 }]],
    ["with work in the background", "working", [{ _tag: "Background", running: 1, at: 0 }]]
  ] as const
  for (const [what, state, events] of quiet) {
    it.scoped(`pushes no agent ${what}`, () =>
      Effect.gen(function* () {
        const { session } = yield* begin(state)
        for (const event of events) yield* session.emit(event)
        yield* TestClock.adjust("2 hours")
        assert.deepStrictEqual(yield* pushes("s1"), [])
      }).pipe(Effect.provide(services()))
    )
  }

  it.scoped("pushes no subagent, and none in plan mode by its record", () =>
    Effect.gen(function* () {
      const { session } = yield* begin("working", { parentSessionId: "s0" })
      yield* session.add(mode("plan"))
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* pushes("s1"), [])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("pushes nobody where no push may be", () =>
    Effect.gen(function* () {
      yield* begin("working")
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* pushes("s1"), [])
    }).pipe(Effect.provide(services({ config: { profile: "advisory" } })))
  )
})
