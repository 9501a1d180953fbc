import { FileSystem, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Fiber, Layer, Ref, Stream, TestClock } from "effect"
import { AgentHostError, TestHost } from "../../src/review/program/AgentHost.ts"
import { ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import { DecisionRecord } from "../../src/review/records/DecisionLog.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { ReviewStates, ReviewStatesError } from "../../src/review/machine/ReviewStates.ts"
import * as TurnReview from "../../src/review/program/TurnReview.ts"
import { agent, edit, mode, run, transcript, user } from "../support/events.ts"
import { injections, log, notices, play, nudges, services, started } from "../support/turns.ts"

const task = "Fix the bug in the parser and run the tests."

const claims = () => [edit("/repo/src/parser.ts"), agent("Done.")]

const green = () => [run("npm test", 0, "Tests: 5 passed, 5 total"), agent("All 5 tests pass.")]

/** A judge that always says the same, although the evidence moves. */
const repeating = JudgeService.Test(Arr.replicate(Judgment.judge(transcript([user(task), ...claims()])), 3))

/** A session in which the agent was given the task, calls it done and stops. */
const stopped = Effect.gen(function* () {
  yield* started
  const session = yield* play("s1")
  yield* session.asks(task)
  yield* session.does(...claims())
  yield* session.stops
  return session
})

describe("TurnReview.run", () => {
  it.scoped("nudges until the tests ran, then tells the user that it is done", () =>
    Effect.gen(function* () {
      yield* started
      const host = yield* TestHost
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      const [injection] = yield* injections("s1")
      assert.match(injection?.text ?? "", /^\[reflexion 1\/3\] The task is not done yet\.[^]*Run the tests/)
      assert.strictEqual(injection?.userMessageId, "s1-u1")
      assert.strictEqual(injection?.reviewId, "s1/1")
      assert.strictEqual(
        injection?.notice,
        'reflexion asked the agent to go on (1 of 3): the tests were not run. [gates/not-run; "rules": {"gates/not-run": "off"} turns it off]'
      )
      yield* session.does(...green())
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [1])
      const told = (yield* host.notices).map(({ text }) => text)
      assert.deepStrictEqual(told, ["reflexion: done, after reminding the agent once: the tests pass."])
    }).pipe(Effect.provide(services()))
  )

  it.scoped(
    "keeps 512 sessions open, and lets go those at rest that were heard of longest ago, with nothing forgotten",
    () => {
      const loads: Array<string> = []
      const states = Layer.map(ReviewStates.Test, (context) => {
        const known = Context.get(context, ReviewStates)
        const load = (id: string) =>
          Effect.zipRight(
            Effect.sync(() => loads.push(id)),
            known.load(id)
          )
        return Context.add(context, ReviewStates, { ...known, load })
      })
      return Effect.gen(function* () {
        yield* started
        const host = yield* TestHost
        const [nudged, asking, busy, off] = yield* Effect.all([
          play("nudged"),
          play("asking"),
          play("busy"),
          play("off")
        ])
        yield* nudged.asks(task)
        yield* nudged.does(...claims())
        yield* nudged.stops
        yield* nudged.does(agent("Done."))
        yield* nudged.stops
        assert.deepStrictEqual([yield* nudges("nudged"), yield* notices("nudged")], [[1], ["unmoved"]])
        yield* asking.emit({ _tag: "Asked", id: "q1", at: 0 })
        yield* off.emit({ _tag: "Command", command: "stop", at: 0 })
        yield* busy.asks(task)
        yield* busy.does(edit("/repo/src/parser.ts"))
        yield* TestClock.adjust(0)
        const build = { _tag: "ModeChanged", mode: "build", at: 0 } as const
        for (const sessionId of Arr.makeBy(600, (number) => `other${number}`)) {
          yield* host.emit({ sessionId, event: build })
          yield* TestClock.adjust(0)
        }
        loads.length = 0
        for (const sessionId of ["nudged", "asking", "busy", "off", "other0", "other599"])
          yield* host.emit({ sessionId, event: build })
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(loads, ["nudged", "off", "other0"])
        yield* nudged.does(agent("As I said: done."))
        yield* nudged.stops
        yield* off.asks(task)
        yield* off.does(...claims())
        yield* off.stops
        yield* busy.does(...claims())
        yield* busy.stops
        assert.deepStrictEqual([yield* nudges("nudged"), yield* notices("nudged")], [[1], ["unmoved"]])
        assert.deepStrictEqual([yield* nudges("off"), yield* nudges("busy")], [[], [1]])
      }).pipe(Effect.provide(services({ states })))
    }
  )

  it.scoped("says what was decided in the log and in the workspace", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
      yield* stopped
      const decisions = yield* Effect.flatMap(DecisionRecord, (record) => record.decisions)
      assert.lengthOf(decisions, 1)
      const { durationMs, reason, ...decision } = decisions[0]!
      assert.deepStrictEqual(decision, {
        at: "2026-03-02T09:00:01.500Z",
        host: "test",
        sessionId: "s1",
        directory: "/repo",
        event: "review",
        decision: "nudge",
        status: "incomplete",
        severity: "LOW",
        attempt: 1,
        maxAttempts: 3,
        rules: ["gates/not-run"]
      })
      assert.match(reason, /tests/)
      assert.isAtLeast(durationMs ?? -1, 0)
      const written = yield* Effect.flatMap(ArtifactsRecord, (record) => record.written)
      assert.lengthOf(written, 1)
      assert.strictEqual(written[0]?.directory, "/repo")
      assert.strictEqual(written[0]?.review.timestamp, Date.parse("2026-03-02T09:00:01.500Z"))
      assert.deepStrictEqual(written[0]?.review.decision, {
        kind: "nudge",
        reason,
        attempt: 1,
        maxAttempts: 3,
        notice: null
      })
    }).pipe(Effect.provide(services()))
  )

  it.scoped("takes up a session that it did not see begin", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.add(user(task, { id: "u1" }), ...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("finishes what is under way when the events end, then ends", () =>
    Effect.gen(function* () {
      const host = yield* TestHost
      const program = yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* host.emit({ sessionId: "s1", event: { _tag: "Idle", at: 0 } })
      yield* host.end
      yield* TestClock.adjust("1500 millis")
      yield* program.await
      assert.deepStrictEqual(yield* nudges("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.effect("fails with the events, not before", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(TurnReview.run())
      assert.strictEqual(error.reason, "unreachable")
    }).pipe(
      Effect.provide(
        services({
          host: () => ({ events: Stream.fail(new AgentHostError({ reason: "unreachable", sessionId: null })) })
        })
      )
    )
  )
})

describe("TurnReview.run, when something fails", () => {
  it.scoped("has saved the state by the time the feedback is sent", () =>
    Effect.gen(function* () {
      const states = yield* ReviewStates
      const host = yield* TestHost
      yield* started
      const session = yield* play("s1")
      yield* host.refuse("unreachable")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.strictEqual((yield* states.load("s1"))?.attempts, 1)
    }).pipe(Effect.provide(services()))
  )

  it.scoped("stops the judge when its answer is no longer wanted", () =>
    Effect.gen(function* () {
      const stopped = yield* Ref.make(0)
      const judging = Effect.onInterrupt(Effect.never, () => Ref.update(stopped, (count) => count + 1))
      const judge = Layer.succeed(JudgeService, { judge: () => judging, review: () => judging })
      yield* Effect.gen(function* () {
        yield* started
        const session = yield* play("s1")
        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.stops
        assert.strictEqual(yield* Ref.get(stopped), 0)
        yield* session.asks("Never mind.")
        yield* TestClock.adjust(0)
        assert.strictEqual(yield* Ref.get(stopped), 1)
      }).pipe(Effect.provide(services({ judge })))
    })
  )

  it.scoped("never sends feedback that was sent before, whatever the judge gives", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      for (let stop = 0; stop < 3; stop++) {
        yield* session.does(...claims())
        yield* session.stops
      }
      assert.deepStrictEqual(yield* nudges("s1"), [1])
      assert.include(
        (yield* log("s1")).join(),
        "failure: the feedback could not be sent: there is no feedback for attempt 2"
      )
    }).pipe(Effect.provide(services({ judge: repeating })))
  )

  for (const [what, fault] of [
    ["cannot be read", new ReviewStatesError({ reason: "unreadable", sessionId: "s1", cause: "EIO" })],
    ["makes the store crash", Effect.die("a fault of the store")]
  ] as const) {
    it.scoped(`nudges nothing while the state ${what}, and goes on once it can be read`, () =>
      Effect.gen(function* () {
        const broken = yield* Ref.make(true)
        const load = Effect.zipRight(Effect.whenEffect(fault, Ref.get(broken)), Effect.succeed(null))
        const states = Layer.succeed(ReviewStates, {
          load: () => load,
          save: () => Effect.void,
          isStopped: () => Effect.succeed(false),
          setStopped: () => Effect.void
        })
        yield* Effect.gen(function* () {
          yield* started
          const session = yield* play("s1")
          yield* session.asks(task)
          yield* session.does(...claims())
          yield* session.stops
          assert.deepStrictEqual(yield* nudges("s1"), [])
          assert.match((yield* log("s1")).join(), /^failure: .*(?:EIO|a fault of the store)/)
          yield* Ref.set(broken, false)
          yield* session.stops
          assert.deepStrictEqual(yield* nudges("s1"), [1])
        }).pipe(Effect.provide(services({ states })))
      })
    )
  }

  it.scoped("sends nothing where the user said stop to another process while the stop was judged", () => {
    let meanwhile = Effect.void
    const judge = Layer.map(JudgeService.Evidence, (context) => {
      const known = Context.get(context, JudgeService)
      const review: typeof known.review = (...given) =>
        Effect.zipLeft(
          known.review(...given),
          Effect.suspend(() => meanwhile)
        )
      return Context.make(JudgeService, { ...known, review })
    }).pipe(Layer.provide(Layer.merge(FileSystem.layerNoop({}), Path.layer)))
    return Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      const elsewhere = yield* ReviewStates
      meanwhile = Effect.orDie(elsewhere.setStopped("s1", true))
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [])
      assert.include((yield* log("s1")).join(), "the user stopped reflexion in this session")
    }).pipe(Effect.provide(services({ judge })))
  })

  it.scoped("reviews the next stop though the store crashed when a nudge was to be saved", () => {
    let isBroken = true
    const states = Layer.map(ReviewStates.Test, (context) => {
      const known = Context.get(context, ReviewStates)
      const save: typeof known.save = (id, state) =>
        isBroken && state.attempts > 0 ? Effect.die("a fault of the store") : known.save(id, state)
      return Context.add(context, ReviewStates, { ...known, save })
    })
    return Effect.gen(function* () {
      const session = yield* stopped
      assert.deepStrictEqual(yield* nudges("s1"), [])
      isBroken = false
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [1])
    }).pipe(Effect.provide(services({ states })))
  })

  it.scoped("keeps secrets out of what it sends, tells, logs and writes", () =>
    Effect.gen(function* () {
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      yield* started
      const host = yield* TestHost
      const session = yield* play("s1")
      yield* session.asks(`${task} The token is ${token}.`)
      yield* session.does(
        edit("/repo/src/parser.ts"),
        run(`TOKEN=${token} npm test`, 1, `FAIL a.test.ts\n  ● uses ${token}\n\nTests: 1 failed, 1 total`),
        agent(`Done, all tests pass with ${token}.`)
      )
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [1])
      const written = yield* Effect.flatMap(ArtifactsRecord, (record) => record.written)
      const files = written.flatMap(({ review }) => ArtifactFiles.files(review))
      assert.isNotEmpty(files)
      const said = [yield* host.injections, yield* host.notices, yield* log("s1"), files]
      assert.notInclude(JSON.stringify(said), token)
    }).pipe(Effect.provide(services()))
  )
})

/** One stop in a process of its own. */
const stop = (events: Parameters<typeof transcript>[0], rest: Parameters<typeof transcript>[1] = {}) =>
  Effect.gen(function* () {
    const host = yield* TestHost
    yield* host.put("s1", transcript(events, rest))
    const fiber = yield* Effect.fork(TurnReview.onIdle("s1"))
    yield* TestClock.adjust("1500 millis")
    yield* Fiber.join(fiber)
  })

describe("TurnReview.onIdle", () => {
  it.effect("reviews one stop, with what earlier processes left behind", () =>
    Effect.gen(function* () {
      const first = [user(task, { id: "u1" }), ...claims()]
      yield* stop(first)
      yield* stop(first)
      assert.deepStrictEqual(yield* nudges("s1"), [1])
      assert.deepStrictEqual(yield* notices("s1"), ["unmoved"])
      yield* stop([...first, ...claims()])
      assert.deepStrictEqual(yield* nudges("s1"), [1, 2])
      yield* stop([...first, ...claims(), user(task, { id: "u2" }), ...claims()])
      assert.deepStrictEqual(yield* nudges("s1"), [1, 2, 1])
    }).pipe(Effect.provide(services()))
  )

  it.effect("leaves subagents and plans alone", () =>
    Effect.gen(function* () {
      yield* stop([user(task, { id: "u1" }), ...claims()], { parentSessionId: "s0" })
      assert.deepStrictEqual(yield* log("s1"), ["abstain: it is a subagent's session"])
      assert.deepStrictEqual(yield* nudges("s1"), [])
    }).pipe(Effect.provide(services()))
  )

  it.effect("knows the mode that the transcript ends in", () =>
    Effect.gen(function* () {
      yield* stop([user(task, { id: "u1" }), mode("plan"), ...claims()])
      assert.deepStrictEqual(yield* log("s1"), ["abstain: the agent is in plan mode"])
    }).pipe(Effect.provide(services()))
  )

  it.effect("abstains where the session cannot be read", () =>
    Effect.gen(function* () {
      yield* TurnReview.onIdle("unknown")
      assert.deepStrictEqual(yield* log("unknown"), ["abstain: no message of the user began this turn"])
    }).pipe(Effect.provide(services()))
  )
})
