import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Fiber, Layer, Ref, Stream, TestClock, Clock } from "effect"
import { AgentHostError, Reason, TestHost } from "../../src/review/program/AgentHost.ts"
import { ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import { DecisionRecord } from "../../src/review/records/DecisionLog.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import { ReviewStates, ReviewStatesError } from "../../src/review/machine/ReviewStates.ts"
import type { PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import * as TurnReview from "../../src/review/program/TurnReview.ts"
import { transcript, notice } from "../support/events.ts"
import { session as events } from "../support/sessions.ts"
import { injections, log, notices, play, nudges, services, started } from "../support/turns.ts"
import { works, worksWith } from "../support/works.ts"

const task = "Fix the bug in the parser and run the tests."

const words = {
  task: `#u1 > ${task}`,
  claims: "edit /repo/src/parser.ts / Done.",
  green: "$ npm test => Tests: 5 passed, 5 total / All 5 tests pass."
}

const does = (line: string) => events(line, words)

/** A session in which the agent was given the task and calls it done. */
const worked = Effect.fnUntraced(function* (id = "s1") {
  const session = yield* play(id)
  yield* session.asks(task)
  yield* session.does(...does("claims"))
  return session
})

const reviews = worksWith(services())

const written = Effect.flatMap(ArtifactsRecord, (record) => record.written)

const statesWith = (over: (known: Context.Tag.Service<ReviewStates>) => Partial<typeof known>) =>
  Layer.map(ReviewStates.Test, (context) => {
    const known = Context.get(context, ReviewStates)
    return Context.add(context, ReviewStates, { ...known, ...over(known) })
  })

describe("TurnReview.run", () => {
  reviews("nudges until the tests ran, and informs the user, the log and the workspace", function* () {
    yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
    yield* started
    const host = yield* TestHost
    const session = yield* worked()
    yield* session.stops
    const [{ text = "", ...injection } = {}] = yield* injections("s1")
    assert.match(text, /^\[reflexion 1\/3\] The task is not done yet\.[^]*Run the tests/)
    assert.deepInclude(injection, {
      userMessageId: "s1-u1",
      reviewId: "s1/1",
      notice:
        'reflexion nudged the agent to continue (1 of 3): the tests were not run. [gates/not-run; "rules": {"gates/not-run": "off"} turns it off]'
    })
    const decisions = yield* (yield* DecisionRecord).decisions
    const [{ durationMs = null, reason = "", ...decision } = {}] = decisions
    assert.deepStrictEqual<unknown>(decision, {
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
    const [record] = yield* written
    assert.strictEqual(record?.directory, "/repo")
    assert.strictEqual(record?.review.timestamp, Date.parse("2026-03-02T09:00:01.500Z"))
    const decided = { kind: "nudge", reason, attempt: 1, maxAttempts: 3, notice: null }
    assert.deepStrictEqual<unknown>(record?.review.decision, decided)
    yield* session.does(...does("green"))
    yield* session.stops
    assert.deepStrictEqual(yield* nudges("s1"), [1])
    const told = (yield* host.notices).map(({ text }) => text)
    assert.deepStrictEqual(told, ["reflexion: done, after nudging the agent once: the tests pass."])
  })

  it.scoped("keeps 512 sessions in memory, drops those idle the longest, and forgets nothing", () => {
    const loads: Array<string> = []
    const states = statesWith(({ load }) => ({
      load: (id) =>
        Effect.suspend(() => {
          loads.push(id)
          return load(id)
        })
    }))
    return Effect.gen(function* () {
      yield* started
      const host = yield* TestHost
      const nudged = yield* worked("nudged")
      yield* nudged.stops
      yield* nudged.does(...does("Done."))
      yield* nudged.stops
      const asking = yield* play("asking")
      yield* asking.emit({ _tag: "Asked", id: "q1", at: 0 })
      const build = { _tag: "ModeChanged", mode: "build", at: 0 } as const
      for (const sessionId of Arr.makeBy(600, (number) => `other${number}`)) {
        yield* host.emit({ sessionId, event: build })
        yield* TestClock.adjust(0)
      }
      loads.length = 0
      for (const sessionId of ["nudged", "asking", "other0", "other599"]) yield* host.emit({ sessionId, event: build })
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(loads, ["nudged", "other0"])
      yield* nudged.does(...does("As I said: done."))
      yield* nudged.stops
      assert.deepStrictEqual([yield* nudges("nudged"), yield* notices("nudged")], [[1], ["unmoved"]])
    }).pipe(Effect.provide(services({ states })))
  })

  reviews("reviews a session whose beginning it missed, and finishes its work after the last event", function* () {
    const host = yield* TestHost
    const program = yield* started
    const [seen, unseen] = [yield* worked(), yield* play("s2")]
    yield* unseen.add(...does("task / claims"))
    yield* unseen.stops
    assert.deepStrictEqual(yield* nudges("s2"), [1])
    yield* seen.emit({ _tag: "Idle", at: 0 })
    yield* host.end
    yield* TestClock.adjust("1500 millis")
    yield* program.await
    assert.deepStrictEqual(yield* nudges("s1"), [1])
  })

  it.effect("fails with the error of the events", () => {
    const error = new AgentHostError({ reason: "unreachable", sessionId: null })
    const broken = services({ host: () => ({ events: Stream.fail(error) }) })
    return Effect.map(Effect.flip(Effect.provide(TurnReview.run(), broken)), (found) =>
      assert.strictEqual(found, error)
    )
  })
})

describe("TurnReview.run, when something fails", () => {
  works("stops the judge when its answer is no longer wanted", function* () {
    const stopped = yield* Ref.make(0)
    const judging = Effect.onInterrupt(Effect.never, () => Ref.update(stopped, (count) => count + 1))
    const judge = Layer.succeed(JudgeService, { judge: () => judging, review: () => judging })
    yield* Effect.gen(function* () {
      yield* started
      const session = yield* worked()
      yield* session.stops
      assert.strictEqual(yield* Ref.get(stopped), 0)
      yield* session.asks("Never mind.")
      yield* TestClock.adjust(0)
      assert.strictEqual(yield* Ref.get(stopped), 1)
    }).pipe(Effect.provide(services({ judge })))
  })

  const unreadable = new ReviewStatesError({ reason: "unreadable", sessionId: "s1", cause: "EIO" })
  const crash = Effect.die("a fault of the store")

  it.scoped.each<readonly [string, "load" | "save", Effect.Effect<never, ReviewStatesError>, RegExp]>([
    ["cannot be read", "load", unreadable, /EIO/],
    ["makes the store crash", "load", crash, /a fault/],
    ["makes it crash when a nudge is saved", "save", crash, /a fault/]
  ])("no nudge while the state %s; afterwards it nudges again", ([, where, fault, said]) => {
    let isBroken = true
    const states = statesWith(({ load, save }) => ({
      load: (id) => (isBroken && where === "load" ? fault : load(id)),
      save: (id, state) => (isBroken && where === "save" && state.attempts > 0 ? fault : save(id, state))
    }))
    return Effect.gen(function* () {
      yield* started
      const session = yield* worked()
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [])
      assert.match((yield* log("s1")).join(), said)
      isBroken = false
      yield* session.stops
      assert.deepStrictEqual(yield* nudges("s1"), [1])
    }).pipe(Effect.provide(services({ states })))
  })

  reviews("keeps secrets out of feedback, notices, log and files", function* () {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
    yield* started
    const host = yield* TestHost
    const session = yield* play("s1")
    yield* session.asks(`${task} The token is ${token}.`)
    const red = `$1 TOKEN=${token} npm test => FAIL a.test.ts\\n  ● uses ${token}\\n\\nTests: 1 failed, 1 total`
    yield* session.does(...does(`edit /repo/src/parser.ts / ${red} / Done, all tests pass with ${token}.`))
    yield* session.stops
    assert.deepStrictEqual(yield* nudges("s1"), [1])
    const files = (yield* written).flatMap(({ review }) => ArtifactFiles.files(review))
    assert.isNotEmpty(files)
    const said = [yield* host.injections, yield* host.notices, yield* log("s1"), files]
    assert.notInclude(JSON.stringify(said), token)
  })
})

const stop = (line: string, rest: Parameters<typeof transcript>[1] = {}) =>
  Effect.gen(function* () {
    const host = yield* TestHost
    yield* host.put("s1", transcript(does(line), rest))
    const fiber = yield* Effect.fork(TurnReview.onIdle("s1"))
    yield* TestClock.adjust("1500 millis")
    yield* Fiber.join(fiber)
  })

describe("TurnReview.onIdle", () => {
  reviews("reviews one stop, with the state that earlier processes left", function* () {
    for (const [line, expected] of [
      ["task / claims", [1]],
      ["task / claims", [1]],
      ["task / claims / claims", [1, 2]],
      [`task / claims / claims / #u2 > ${task} / claims`, [1, 2, 1]]
    ] as const) {
      yield* stop(line)
      assert.deepStrictEqual<unknown>(yield* nudges("s1"), expected)
    }
    assert.deepStrictEqual(yield* notices("s1"), ["unmoved"])
  })

  it.effect.each<readonly [string, string, Parameters<typeof transcript>[1]]>([
    ["it is a subagent's session", "task / claims", { parentSessionId: "s0" }],
    ["the agent is in plan mode", "task / mode plan / claims", {}]
  ])("abstains if %s", ([why, line, rest]) =>
    Effect.gen(function* () {
      yield* stop(line, rest)
      assert.deepStrictEqual([yield* log("s1"), yield* nudges("s1")], [[`abstain: ${why}`], []])
      yield* TurnReview.onIdle("unknown")
      assert.deepStrictEqual(yield* log("unknown"), ["abstain: no message of the user began this turn"])
    }).pipe(Effect.provide(services()))
  )
})

/** The model that should go on after a turn without tests, and what the record says of it. */
const routed = (config: PartialConfig, file: string) =>
  Effect.gen(function* () {
    yield* started
    const session = yield* play("s1")
    yield* session.asks("Fix the parser and run the tests.")
    yield* session.does(...does(`edit ${file} / Done.`))
    yield* session.stops
    const [injection] = yield* injections("s1")
    assert.isDefined(injection)
    const [record] = yield* written
    assert.isDefined(record)
    const [saved] = ArtifactFiles.files(record.review)
    return [injection.model ?? null, JSON.parse(saved?.text ?? "{}").routing]
  }).pipe(Effect.provide(services({ config })))

const routing = { frontend: "google/gemini-3-pro", default: "openai/gpt-5" }

it.scoped.each<readonly [PartialConfig, string, string | null, string | null]>([
  [{}, "/repo/src/App.tsx", null, null],
  [{ routing }, "/repo/src/App.tsx", "frontend", "google/gemini-3-pro"]
])("the session's model goes on, or the one configured for the edited files: %j, %s", (row) => {
  const [config, file, category, model] = row
  const expected = category === null ? null : { category, model }
  return Effect.map(routed(config, file), (found) => assert.deepStrictEqual(found, [model, expected]))
})

it("AgentHostError says what happened, to which session, and what follows", () => {
  for (const reason of Reason.literals) {
    const error = new AgentHostError({ reason, sessionId: "s1", detail: "404" })
    assert.match(error.message, /^session s1 .{10,80} \(404\)$/)
  }
  assert.match(new AgentHostError({ reason: "unreachable", sessionId: null }).message, /^the host cannot be reached/)
})

const begin = Date.parse("2026-03-02T09:00:00Z")

const on = { continueAfterLimit: true, attended: false } as const

const hour = 60 * 60_000

type Session = Effect.Effect.Success<ReturnType<typeof play>>

const limited = Effect.fnUntraced(function* (session: Session) {
  const now = yield* Clock.currentTimeMillis
  const at = new Date(now).toISOString()
  yield* session.add({ ...notice("rate_limited", "limit reached, try again in 119 minutes"), at })
  yield* session.emit({ _tag: "Error", limitEnd: now + 2 * hour, at: 0 })
  yield* TestClock.adjust(0)
})

/** The task, and a stop by a limit that ends two hours later. */
const stopped = Effect.gen(function* () {
  yield* TestClock.setTime(begin)
  const program = yield* started
  const session = yield* play("s1")
  yield* session.asks("Fix the bug in the parser and run the tests.")
  yield* session.does(...events("edit /repo/src/parser.ts"))
  yield* limited(session)
  return { program, session }
})

const limits = worksWith(services({ config: on }))

describe("a stop by a usage limit", () => {
  limits("with a stated end → the agent goes on then, once, with a visible message of ours", function* () {
    const { session } = yield* stopped
    yield* TestClock.adjust(2 * hour - 1)
    assert.deepStrictEqual(yield* nudges("s1"), [])
    yield* TestClock.adjust(1)
    const [{ text = "", notice: line = "" } = {}] = yield* injections("s1")
    assert.match(
      text,
      /^\[reflexion 1\/3\] The task is not done yet\.[^]*The limit is over now\.[^]*continue where you stopped/
    )
    assert.match(line, /^reflexion nudged the agent to continue \(1 of 3\): A usage limit stopped the agent/)
    yield* session.hears
    yield* session.does(...events("edit /repo/src/lexer.ts"))
    yield* limited(session)
    yield* TestClock.adjust(9 * hour)
    assert.deepStrictEqual(yield* nudges("s1"), [1])
    const [limit] = yield* notices("s1")
    assert.strictEqual(limit, "limit")
    const [waits] = yield* log("s1")
    assert.strictEqual(waits, "notice: the stop is reviewed when the usage limit ends, at 2026-03-02T11:00:00.000Z")
  })

  limits("while the agent answers a nudge → the agent goes on all the same, and the nudge counts", function* () {
    yield* TestClock.setTime(begin)
    yield* started
    const session = yield* play("s1")
    yield* session.asks("Fix the bug in the parser and run the tests.")
    yield* session.does(...events("edit /repo/src/parser.ts / The bug is fixed."))
    yield* session.stops
    assert.deepStrictEqual(yield* nudges("s1"), [1])
    yield* limited(session)
    yield* TestClock.adjust(2 * hour)
    assert.deepStrictEqual(yield* nudges("s1"), [1, 2])
    yield* session.hears
    yield* session.stops
    assert.deepStrictEqual([yield* nudges("s1"), (yield* notices("s1")).at(-1)], [[1, 2], "unmoved"])
  })

  limits("the program ends meanwhile → it does not wait for the limit", function* () {
    const { program } = yield* stopped
    yield* (yield* TestHost).end
    yield* program.await
    assert.deepStrictEqual(yield* nudges("s1"), [])
  })

  type World = Effect.Effect.Success<typeof stopped>
  const ends = {
    "a message of the user": ({ session }: World) => session.asks("Go on now."),
    "work of the agent": ({ session }: World) => session.does(...events("edit /repo/src/lexer.ts")),
    "an abort": ({ session }: World) => session.emit({ _tag: "Abort", at: 0 }),
    "the user's stop command": ({ session }: World) => session.emit({ _tag: "Command", command: "stop", at: 0 }),
    "a restart of the host": ({ program }: World) => program.restart
  }
  it.scoped.each(Object.entries(ends))("%s meanwhile → the agent does not go on by itself", ([, happens]) =>
    Effect.gen(function* () {
      const world = yield* stopped
      yield* happens(world)
      yield* TestClock.adjust(9 * hour)
      assert.deepStrictEqual(yield* nudges("s1"), [])
    }).pipe(Effect.provide(services({ config: on })))
  )

  it.scoped.each([
    { continueAfterLimit: true },
    { attended: false },
    { ...on, profile: "advisory" },
    { ...on, rules: { "host/limit": "tell" } }
  ] as const)("with %j → the agent is not woken", (config) =>
    Effect.gen(function* () {
      yield* stopped
      yield* TestClock.adjust(9 * hour)
      assert.deepStrictEqual([yield* nudges("s1"), yield* notices("s1")], [[], []])
    }).pipe(Effect.provide(services({ config })))
  )
})
