/** What users complain about in tools of this kind; each must be impossible here. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { TestHost } from "../../src/review/program/AgentHost.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Notice from "../../src/review/records/Notice.ts"
import { ReviewStates } from "../../src/review/machine/ReviewStates.ts"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"
import { agent, edit, run } from "../support/events.ts"
import { injections, log, notices, play, pushes, services, started } from "../support/turns.ts"

const task = "Fix the bug in the parser and run the tests."

/** Edits, and never runs the tests that were asked for. */
const claims = () => [edit("/repo/src/parser.ts"), agent("Done.")]

const green = () => [run("npm test", 0, "Tests: 5 passed, 5 total"), agent("All 5 tests pass.")]

const failing = (judge: Effect.Effect<never, never>): Layer.Layer<JudgeService> =>
  Layer.succeed(JudgeService, { judge: () => judge, review: () => judge })

describe("what users complain about", () => {
  it.scoped(
    "1. unbounded loops and burnt quota: a moving agent gets three pushes, one that stands still gets one",
    () =>
      Effect.gen(function* () {
        yield* started
        const moving = yield* play("moving")
        const still = yield* play("still")
        yield* moving.asks(task)
        yield* still.asks(task)
        yield* still.does(...claims())
        for (let stop = 0; stop < 6; stop++) {
          yield* moving.does(...claims())
          yield* moving.stops
          yield* still.does(agent("Done."))
          yield* still.stops
        }
        assert.deepStrictEqual(yield* pushes("moving"), [1, 2, 3])
        assert.deepStrictEqual(yield* notices("moving"), ["exhausted"])
        assert.deepStrictEqual(yield* pushes("still"), [1])
        assert.deepStrictEqual(yield* notices("still"), ["unmoved"])
        const texts = (yield* injections("moving")).map(({ text }) => text)
        assert.strictEqual(new Set(texts).size, 3)
        assert.match(texts[2] ?? "", /Last reminder/)
      }).pipe(Effect.provide(services()))
  )

  it.scoped(
    "2. nudged while the agent waits for an answer: no push on a question, asked by the host or in the text",
    () =>
      Effect.gen(function* () {
        yield* started
        const session = yield* play("s1")
        yield* session.asks("Fix the login and run the tests.")
        yield* session.does(agent("Which of the two login forms do you mean, the old or the new one?"))
        yield* session.stops
        assert.deepStrictEqual(yield* notices("s1"), ["waiting_for_user"])

        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.emit({ _tag: "Asked", id: "q1", at: 0 })
        yield* session.stops
        assert.deepStrictEqual(yield* pushes("s1"), [])
        yield* session.emit({ _tag: "Answered", id: "q1", at: 0 })
        yield* session.stops
        assert.deepStrictEqual(yield* pushes("s1"), [1])
      }).pipe(Effect.provide(services()))
  )

  it.scoped("3. nudged while background work runs: no push until it has ended", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.emit({ _tag: "Background", running: 2, at: 0 })
      yield* session.stops
      yield* session.emit({ _tag: "Background", running: 1, at: 0 })
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      yield* session.emit({ _tag: "Background", running: 0, at: 0 })
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  for (const [what, event] of [
    ["work in the background", { _tag: "Background", running: 1, at: 0 }],
    ["a question", { _tag: "Asked", id: "q1", at: 0 }],
    ["the user's next message", { _tag: "Queued", waiting: 1, at: 0 }]
  ] as const) {
    it.scoped(`3. ${what} that is reported only after the stop: no push, and the log says why`, () =>
      Effect.gen(function* () {
        yield* started
        const session = yield* play("s1")
        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.emit({ _tag: "Idle", at: 0 })
        yield* TestClock.adjust("500 millis")
        yield* session.emit(event)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* pushes("s1"), [])
        assert.match((yield* log("s1")).join("\n"), /^abstain: (?:work goes on|a question is open|the next message)/)
      }).pipe(Effect.provide(services()))
    )
  }

  it.scoped("4. Esc revives the agent, or disables reflexion for ever: neither", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.emit({ _tag: "Idle", at: 0 })
      yield* TestClock.adjust("500 millis")
      yield* session.emit({ _tag: "Abort", at: 0 })
      for (let stop = 0; stop < 3; stop++) yield* session.stops
      yield* TestClock.adjust("1 minute")
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.deepStrictEqual(yield* notices("s1"), [])

      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("5. nudged while blocked on something external: the user is told, the agent is not pushed", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks("Publish the package to npm.")
      yield* session.does(
        run("npm publish", 1, "npm error code ENEEDAUTH"),
        agent("I can't publish: you need to run `npm login` with your account first.")
      )
      for (let stop = 0; stop < 3; stop++) yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.deepStrictEqual(yield* notices("s1"), ["needs_human"])
    }).pipe(Effect.provide(services()))
  )

  for (const [how, judge] of [
    ["dies", Effect.die(new Error("503"))],
    ["hangs", Effect.never]
  ] as const) {
    it.scoped(`6. a verifier's failure treated as incomplete: a judge that ${how} abstains`, () =>
      Effect.gen(function* () {
        yield* started
        const session = yield* play("s1")
        yield* session.asks(task)
        yield* session.does(...claims())
        yield* session.stops
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(yield* pushes("s1"), [])
        assert.deepStrictEqual(yield* notices("s1"), [])
        assert.match((yield* log("s1")).join("\n"), /^failure: abstained, the judge failed/)
      }).pipe(Effect.provide(services({ judge: failing(judge) })))
    )
  }

  it.scoped("7. one session's state bleeds into another: a used up, a stopped and a fresh one side by side", () =>
    Effect.gen(function* () {
      yield* started
      const used = yield* play("used")
      const stopped = yield* play("stopped")
      const fresh = yield* play("fresh")
      yield* used.asks(task)
      yield* stopped.asks(task)
      yield* stopped.emit({ _tag: "Command", command: "stop", at: 0 })
      for (let stop = 0; stop < 4; stop++) {
        yield* used.does(...claims())
        yield* used.stops
      }
      yield* fresh.asks(task)
      yield* fresh.does(...claims())
      yield* stopped.does(...claims())
      yield* fresh.emit({ _tag: "Idle", at: 0 })
      yield* stopped.stops
      yield* fresh.hears
      assert.deepStrictEqual(yield* pushes("used"), [1, 2, 3])
      assert.deepStrictEqual(yield* pushes("stopped"), [])
      assert.deepStrictEqual(yield* pushes("fresh"), [1])
      assert.deepStrictEqual(yield* notices("fresh"), [])
    }).pipe(Effect.provide(services()))
  )

  it.scoped(
    "8. trusting the host's own loop guard: our count outlasts restarts, although the transcript shows no push",
    () =>
      Effect.gen(function* () {
        const program = yield* started
        const session = yield* play("s1")
        yield* session.asks(task)
        for (let stop = 0; stop < 8; stop++) {
          yield* session.does(...claims())
          yield* session.emit({ _tag: "Idle", at: 0 })
          yield* TestClock.adjust("1500 millis")
          yield* program.restart
        }
        assert.deepStrictEqual(yield* pushes("s1"), [1, 2, 3])
      }).pipe(Effect.provide(services()))
  )

  it.scoped("8. trusting the host's own loop guard: the transcript's count outlasts the loss of our state", () =>
    Effect.gen(function* () {
      const program = yield* started
      const states = yield* ReviewStates
      const session = yield* play("s1")
      yield* session.asks(task)
      for (let stop = 0; stop < 8; stop++) {
        yield* session.does(...claims())
        yield* session.stops
        yield* states.save("s1", ReviewState.initial)
        yield* program.restart
      }
      assert.deepStrictEqual(yield* pushes("s1"), [1, 2, 3])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("9. compaction mistaken for a stop, or for a new task: neither, and the count goes on", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      yield* session.does(...claims())
      yield* session.emit({ _tag: "Compaction", running: true, at: 0 })
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
      yield* session.compacted("This session is being continued from a previous one.")
      yield* session.does(edit("/repo/src/tokens.ts"), ...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1, 2])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("10. context and screen pollution: silent where nothing is wrong, short and once where something is", () =>
    Effect.gen(function* () {
      yield* started
      const host = yield* TestHost
      const session = yield* play("s1")
      yield* session.asks("What does the parser do?")
      yield* session.does(agent("It turns text into events."))
      yield* session.stops
      assert.deepStrictEqual(yield* host.notices, [])

      yield* session.asks(task)
      yield* session.does(...claims())
      yield* session.stops
      yield* session.does(...green())
      for (let stop = 0; stop < 3; stop++) yield* session.stops
      assert.deepStrictEqual(yield* notices("s1"), ["complete"])
      const [told] = yield* host.notices
      assert.isAtMost(told?.text.length ?? 0, Notice.maxLength)
      assert.notInclude(told?.text, "\n")
      const [injection] = yield* host.injections
      assert.isAtMost(injection?.text.length ?? 0, 2000)
      assert.lengthOf(yield* host.injections, 1)
    }).pipe(Effect.provide(services()))
  )

  it.scoped("11. stop commands ignored: stop holds over stops, tasks and restarts, until start", () =>
    Effect.gen(function* () {
      const program = yield* started
      const session = yield* play("s1")
      yield* session.asks(task)
      yield* session.emit({ _tag: "Command", command: "stop", at: 0 })
      for (let round = 0; round < 3; round++) {
        yield* session.does(...claims())
        yield* session.stops
        yield* program.restart
        yield* session.asks(task)
      }
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.deepStrictEqual(yield* notices("s1"), ["off"])
      yield* session.emit({ _tag: "Command", command: "start", at: 0 })
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("11. stop commands ignored: what the user said to another process of the host holds in this one", () =>
    Effect.gen(function* () {
      yield* started
      const session = yield* play("s1")
      yield* session.asks("What does the parser do?")
      yield* session.does(agent("It reads the configuration."))
      yield* session.stops
      const elsewhere = yield* ReviewStates
      yield* elsewhere.setStopped("s1", true)
      yield* session.asks(`${task} Really.`)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [])
      assert.isTrue(yield* elsewhere.isStopped("s1"))
      yield* elsewhere.setStopped("s1", false)
      yield* session.does(...claims())
      yield* session.stops
      assert.deepStrictEqual(yield* pushes("s1"), [1])
    }).pipe(Effect.provide(services()))
  )
})
