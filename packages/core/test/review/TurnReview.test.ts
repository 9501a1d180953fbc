import { FileSystem, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, FastCheck as fc, Fiber, Layer, Ref, Stream, TestClock } from "effect"
import { AgentHostError, TestHost } from "../../src/review/program/AgentHost.ts"
import { Artifacts, ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import { DecisionRecord } from "../../src/review/records/DecisionLog.ts"
import { JudgeError, JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { ReviewStates, ReviewStatesError, TestReviewStates } from "../../src/review/machine/ReviewStates.ts"
import * as TurnReview from "../../src/review/program/TurnReview.ts"
import { agent, edit, mode, run, transcript, user } from "../support/events.ts"
import { injections, log, notices, play, pushes, services, started } from "../support/turns.ts"

const task = "Fix the bug in the parser and run the tests."

const claims = () => [edit("/repo/src/parser.ts"), agent("Done.")]

const green = () => [run("npm test", 0, "Tests: 5 passed, 5 total"), agent("All 5 tests pass.")]

/** A judge that always says the same, although the evidence moves. */
const repeating = JudgeService.Test(Arr.replicate(Judgment.judge(transcript([user(task), ...claims()])), 3))

const hanging = Layer.succeed(JudgeService, { judge: () => Effect.never, review: () => Effect.never })

describe("TurnReview.run", () => {
  it.scoped("pushes until the tests ran, then tells the user that it is done", () =>
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
      assert.deepStrictEqual(yield* pushes("s1"), [1])
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
        const [pushed, asking, busy, off] = yield* Effect.all([
          play("pushed"),
          play("asking"),
          play("busy"),
          play("off")
        ])
        yield* pushed.asks(task)
        yield* pushed.does(...claims())
        yield* pushed.stops
        yield* pushed.does(agent("Done."))
        yield* pushed.stops
        assert.deepStrictEqual([yield* pushes("pushed"), yield* notices("pushed")], [[1], ["unmoved"]])
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
        for (const sessionId of ["pushed", "asking", "busy", "off", "other0", "other599"])
          yield* host.emit({ sessionId, event: build })
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(loads, ["pushed", "off", "other0"])
        yield* pushed.does(agent("As I said: done."))
        yield* pushed.stops
        yield* off.asks(task)
        yield* off.does(...claims())
        yield* off.stops
        yield* busy.does(...claims())
        yield* busy.stops
        assert.deepStrictEqual([yield* pushes("pushed"), yield* notices("pushed")], [[1], ["unmoved"]])
        assert.deepStrictEqual([yield* pushes("off"), yield* pushes("busy")], [[], [1]])
      }).pipe(Effect.provide(services({ states })))
    }
  )

  it.scoped("says what was decided in the log and in the workspace", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      const decisions = yield* Effect.flatMap(DecisionRecord, (record) => record.decisions)
      assert.lengthOf(decisions, 1)
      const { durationMs, reason, ...decision } = decisions[0]!
      assert.deepStrictEqual(decision, {
        at: "2026-03-02T09:00:01.500Z",
        host: "test",
        sessionId: "s1",
        directory: "/repo",
        event: "review",
        decision: "push",
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
        kind: "push",
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
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  for (const [why, setting] of [
    ["the profile is advisory", { config: { profile: "advisory" } }],
    ["the host cannot push", { capabilities: { push: false } }]
  ] as const) {
    it.scoped(`tells the user instead of pushing where ${why}`, () =>
      Effect.gen(function* () {
        yield* started
        const session = yield* play("s1")
        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.stops
        assert.deepStrictEqual(yield* pushes("s1"), [])
        assert.deepStrictEqual(yield* notices("s1"), ["incomplete"])
      }).pipe(Effect.provide(services(setting)))
    )
  }

  for (const [what, event, lines] of [
    [
      "a shell command",
      { _tag: "UserMessage", id: "u9", genuine: false, at: 0 },
      ["none: the stop was not reviewed: the agent goes on"]
    ],
    [
      "a compaction",
      { _tag: "Compaction", running: true, at: 0 },
      ["none: the stop was not reviewed: the context is compacted"]
    ],
    [
      "a message",
      { _tag: "UserMessage", id: "u9", genuine: true, at: 0 },
      ["none: the stop was not reviewed: a new message of the user", "rearm: a new message of the user"]
    ],
    ["an abort", { _tag: "Abort", at: 0 }, ["abstain: the user interrupted the agent"]],
    ["a question", { _tag: "Asked", id: "q1", at: 0 }, ["abstain: a question is open"]]
  ] as const) {
    it.scoped(`says in the log that a stop comes to nothing by ${what} before its review`, () =>
      Effect.gen(function* () {
        yield* started
        const session = yield* play("s1")
        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.emit({ _tag: "Idle", at: 0 })
        yield* TestClock.adjust("1 second")
        yield* session.emit(event)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* log("s1"), [...lines])
        assert.deepStrictEqual(yield* pushes("s1"), [])
      }).pipe(Effect.provide(services()))
    )
  }

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
      assert.deepStrictEqual(yield* pushes("s1"), [1])
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
  it.scoped("abstains where the judge fails, and judges the next stop", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.match((yield* log("s1")).join(), /^failure: abstained, the judge failed: session s1 has no events/)
      yield* session.stops
      assert.lengthOf(yield* log("s1"), 2)
      assert.deepStrictEqual(yield* pushes("s1"), [])
    }).pipe(
      Effect.provide(
        services({
          judge: Layer.succeed(JudgeService, {
            judge: () => new JudgeError({ reason: "empty_transcript", sessionId: "s1" }),
            review: () => new JudgeError({ reason: "empty_transcript", sessionId: "s1" })
          })
        })
      )
    )
  )

  it.scoped("gives up a judge that hangs after the timeout", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      yield* TestClock.adjust("119 seconds")
      assert.deepStrictEqual(yield* log("s1"), [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* log("s1"), ["failure: abstained, the judge failed: no answer within 2m"])
    }).pipe(Effect.provide(services({ judge: hanging })))
  )

  it.scoped("pushes nothing that it could not remember, and tries again at the next stop", () =>
    Effect.gen(function* () {
      yield* started
      const states = yield* TestReviewStates
      const session = yield* play("s1")
      yield* states.fail(true)
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.match((yield* log("s1")).join(), /^failure: not pushed, for the state cannot be saved/)
      yield* states.fail(false)
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

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

  it.scoped("logs a rejected injection, says nothing, and counts it", () =>
    Effect.gen(function* () {
      yield* started
      const host = yield* TestHost
      const session = yield* play("s1")
      yield* host.refuse("rejected")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.match(
        (yield* log("s1")).at(-1) ?? "",
        /^failure: the feedback could not be sent: session s1 did not take it/
      )
      assert.deepStrictEqual(yield* host.notices, [])
      yield* host.refuse(null)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [2])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("does nothing for a session that is deleted while it is reviewed", () =>
    Effect.gen(function* () {
      yield* started
      const host = yield* TestHost
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      yield* host.remove("s1")
      yield* session.emit({ _tag: "Deleted", at: 0 })
      yield* session.emit({ _tag: "Idle", at: 0 })
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.deepStrictEqual(yield* notices("s1"), [])
      assert.deepStrictEqual(yield* log("s1"), ["none: review dropped: the session was deleted"])
    }).pipe(Effect.provide(services({ judge: hanging })))
  )

  it.scoped("drops the review of an agent that is interrupted, and the feedback that is not sent yet", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      yield* session.emit({ _tag: "Abort", at: 0 })
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.include((yield* log("s1")).join(), "abstain: the user interrupted the agent")
    }).pipe(
      Effect.provide(
        services({
          host: (host) => ({ inject: (id, given) => Effect.delay(host.inject(id, given), "1 second") })
        })
      )
    )
  )

  it.scoped("lets no disk break a turn", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      yield* session.does(...green())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      assert.deepStrictEqual(yield* notices("s1"), ["complete"])
    }).pipe(Effect.provide(services({ artifacts: Artifacts.Live })))
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
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      assert.include(
        (yield* log("s1")).join(),
        "failure: the feedback could not be sent: there is no feedback for attempt 2"
      )
    }).pipe(Effect.provide(services({ judge: repeating })))
  )

  it.scoped("goes on with the other sessions when one cannot be read, and when a notice cannot be shown", () =>
    Effect.gen(function* () {
      yield* started
      const bad = yield* play("bad")
      const good = yield* play("good")
      for (const session of [bad, good]) {
        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.stops
      }
      assert.match((yield* log("bad")).join(), /failure: .*a fault of the adapter/)
      yield* good.does(...green())
      yield* good.stops
      assert.match((yield* log("good")).join(), /,notice: /)
      yield* good.asks(task)
      yield* good.does(...claims())
      yield* good.stops
      assert.deepStrictEqual(yield* pushes("good"), [1, 1])
    }).pipe(
      Effect.provide(
        services({
          host: (host) => ({
            transcript: (id) => (id === "bad" ? Effect.die("a fault of the adapter") : host.transcript(id)),
            notify: () => Effect.die("a fault of the adapter")
          })
        })
      )
    )
  )

  for (const [what, fault] of [
    ["cannot be read", new ReviewStatesError({ reason: "unreadable", sessionId: "s1", cause: "EIO" })],
    ["makes the store crash", Effect.die("a fault of the store")]
  ] as const) {
    it.scoped(`pushes nothing while the state ${what}, and goes on once it can be read`, () =>
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
          assert.deepStrictEqual(yield* pushes("s1"), [])
          assert.match((yield* log("s1")).join(), /^failure: .*(?:EIO|a fault of the store)/)
          yield* Ref.set(broken, false)
          yield* session.stops
          assert.deepStrictEqual(yield* pushes("s1"), [1])
        }).pipe(Effect.provide(services({ states })))
      })
    )
  }

  it.scoped("hears at the user's next message that they said start to another process, and takes nothing back", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      const elsewhere = yield* ReviewStates
      yield* session.emit({ _tag: "Command", command: "stop", at: 0 })
      yield* TestClock.adjust(0)
      yield* elsewhere.setStopped("s1", false)
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* TestClock.adjust(0)
      assert.isFalse(yield* elsewhere.isStopped("s1"))
      yield* session.stops
      assert.isFalse(yield* elsewhere.isStopped("s1"))
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("answers how it stands after what the user said to another process", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      const elsewhere = yield* ReviewStates
      const ask = Effect.zipRight(session.emit({ _tag: "Command", command: "status", at: 0 }), TestClock.adjust(0))
      yield* ask
      yield* elsewhere.setStopped("s1", true)
      yield* ask
      assert.strictEqual((yield* notices("s1")).at(-1), "off")
      yield* elsewhere.setStopped("s1", false)
      yield* ask
      assert.strictEqual((yield* notices("s1")).at(-1), "on")
    }).pipe(Effect.provide(services()))
  )

  it.scoped("writes down who turned it off and on", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      const elsewhere = yield* ReviewStates
      yield* session.emit({ _tag: "Command", command: "stop", at: 0 })
      yield* session.emit({ _tag: "Command", command: "start", by: "agent", at: 0 })
      yield* TestClock.adjust(0)
      yield* elsewhere.setStopped("s1", true)
      yield* session.asks(task)
      yield* TestClock.adjust(0)
      const expected = ["stop: by the user", "start: by the agent", "stop: in another process"]
      assert.deepStrictEqual(yield* log("s1"), expected)
    }).pipe(Effect.provide(services()))
  )

  it.scoped("stays off where the user's word to stop could not be kept, and keeps it as soon as it can", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      const states = yield* ReviewStates
      const test = yield* TestReviewStates
      yield* session.asks(task)
      yield* test.fail(true)
      yield* session.emit({ _tag: "Command", command: "stop", at: 0 })
      yield* session.does(...claims())
      yield* session.stops
      assert.isFalse(yield* states.isStopped("s1"))
      yield* test.fail(false)
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.isTrue(yield* states.isStopped("s1"))
    }).pipe(Effect.provide(services()))
  )

  it.scoped("stays off where the user's word to start could not be kept", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      const test = yield* TestReviewStates
      yield* session.asks(task)
      yield* session.emit({ _tag: "Command", command: "stop", at: 0 })
      yield* TestClock.adjust(0)
      yield* test.fail(true)
      yield* session.emit({ _tag: "Command", command: "start", at: 0 })
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(yield* notices("s1"), ["off"])
      yield* test.fail(false)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
    }).pipe(Effect.provide(services()))
  )

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
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.include((yield* log("s1")).join(), "the user stopped reflexion in this session")
    }).pipe(Effect.provide(services({ judge })))
  })

  it.scoped("reviews the next stop though the store crashed when a push was to be saved", () => {
    let isBroken = true
    const states = Layer.map(ReviewStates.Test, (context) => {
      const known = Context.get(context, ReviewStates)
      const save: typeof known.save = (id, state) =>
        isBroken && state.attempts > 0 ? Effect.die("a fault of the store") : known.save(id, state)
      return Context.add(context, ReviewStates, { ...known, save })
    })
    return Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      isBroken = false
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
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
      assert.deepStrictEqual(yield* pushes("s1"), [1])
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
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      assert.deepStrictEqual(yield* notices("s1"), ["unmoved"])
      yield* stop([...first, ...claims()])
      assert.deepStrictEqual(yield* pushes("s1"), [1, 2])
      yield* stop([...first, ...claims(), user(task, { id: "u2" }), ...claims()])
      assert.deepStrictEqual(yield* pushes("s1"), [1, 2, 1])
    }).pipe(Effect.provide(services()))
  )

  it.effect("leaves subagents and plans alone", () =>
    Effect.gen(function* () {
      yield* stop([user(task, { id: "u1" }), ...claims()], { parentSessionId: "s0" })
      assert.deepStrictEqual(yield* log("s1"), ["abstain: it is a subagent's session"])
      assert.deepStrictEqual(yield* pushes("s1"), [])
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

type Session = Effect.Effect.Success<ReturnType<typeof play>>

const deeds: Readonly<Record<string, (session: Session) => Effect.Effect<void>>> = {
  asks: (session) => session.asks(task),
  claims: (session) => session.does(...claims()),
  green: (session) => session.does(...green()),
  question: (session) => session.does(agent("Which of the two parsers do you mean?")),
  stops: (session) => Effect.asVoid(session.emit({ _tag: "Idle", at: 0 })),
  abort: (session) => session.emit({ _tag: "Abort", at: 0 }),
  command: (session) => session.emit({ _tag: "Command", command: "stop", at: 0 }),
  start: (session) => session.emit({ _tag: "Command", command: "start", at: 0 })
}

interface Deed {
  readonly session: "a" | "b"
  readonly what: string
}

const deed: fc.Arbitrary<ReadonlyArray<Deed>> = fc
  .tuple(
    fc.constantFrom("a" as const, "b" as const),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(["claims", "stops"]) },
      { weight: 2, arbitrary: fc.constant(["green", "stops"]) },
      { weight: 3, arbitrary: fc.constantFrom(...Object.keys(deeds)).map((what) => [what]) }
    )
  )
  .map(([session, whats]) => whats.map((what) => ({ session, what })))

const gotBy = (id: string) => Effect.all([injections(id), notices(id), log(id)])

/** What a session got of it all, when only some of the sessions take part. */
const playedBy = (schedule: ReadonlyArray<Deed>, taking: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* started
    const sessions = { a: yield* play("a"), b: yield* play("b") }
    for (const { session, what } of schedule) {
      if (taking.includes(session)) yield* deeds[what]?.(sessions[session]) ?? Effect.void
      yield* TestClock.adjust("2 seconds")
      if (taking.includes(session)) yield* sessions[session].hears
    }
    return { a: yield* gotBy("a"), b: yield* gotBy("b") }
  }).pipe(Effect.scoped, Effect.provide(services()))

const begun: ReadonlyArray<Deed> = [
  { session: "a", what: "asks" },
  { session: "b", what: "asks" }
]

const schedules = fc.array(deed, { minLength: 4, maxLength: 9 }).map((parts) => [...begun, ...parts.flat()])

describe("TurnReview.run, on two sessions", () => {
  it.effect.prop(
    "does for each what it would do for it alone",
    [schedules],
    ([schedule]) =>
      Effect.gen(function* () {
        const together = yield* playedBy(schedule, ["a", "b"])
        assert.deepStrictEqual(together.a, (yield* playedBy(schedule, ["a"])).a)
        assert.deepStrictEqual(together.b, (yield* playedBy(schedule, ["b"])).b)
      }),
    { fastCheck: { numRuns: 3 } }
  )
})

const faults: Readonly<Record<string, Effect.Effect<void, never, TestHost | TestReviewStates>>> = {
  refuses: Effect.flatMap(TestHost, (host) => host.refuse("rejected")),
  takes: Effect.flatMap(TestHost, (host) => host.refuse(null)),
  full: Effect.flatMap(TestReviewStates, (states) => states.fail(true)),
  free: Effect.flatMap(TestReviewStates, (states) => states.fail(false))
}

const trouble = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(["claims", "stops"]) },
      { weight: 1, arbitrary: fc.constant(["asks"]) },
      { weight: 2, arbitrary: fc.constant(["restart"]) },
      { weight: 2, arbitrary: fc.constantFrom(...Object.keys(faults)).map((fault) => [fault]) }
    ),
    { minLength: 6, maxLength: 14 }
  )
  .map((parts) => ["asks", ...parts.flat()])

describe("TurnReview.run, whatever fails when", () => {
  it.effect.prop(
    "pushes at most three times for a message, each time in other words",
    [trouble],
    ([history]) =>
      Effect.gen(function* () {
        const program = yield* started
        const session = yield* play("s1")
        for (const what of history) {
          yield* faults[what] ?? (what === "restart" ? program.restart : (deeds[what]?.(session) ?? Effect.void))
          yield* TestClock.adjust("2 seconds")
          yield* session.hears
        }
        const sent = yield* injections("s1")
        for (const pushed of Object.values(Arr.groupBy(sent, ({ userMessageId }) => userMessageId ?? ""))) {
          assert.isAtMost(pushed.length, 3)
          assert.strictEqual(new Set(pushed.map(({ text }) => text)).size, pushed.length)
        }
      }).pipe(Effect.scoped, Effect.provide(services())),
    { fastCheck: { numRuns: 3 } }
  )
})
