/** An agent that a usage limit stopped goes on when the limit ends, if nobody is there and the user switched it on. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, TestClock } from "effect"
import { TestHost } from "../../src/review/program/AgentHost.ts"
import { notice } from "../support/events.ts"
import { session as events } from "../support/sessions.ts"
import { injections, log, notices, nudges, play, services, started } from "../support/turns.ts"

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

describe("a stop by a usage limit", () => {
  it.scoped("with a stated end → the agent goes on then, once, with a visible message of ours", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(services({ config: on })))
  )

  it.scoped("while the agent answers a nudge → the agent goes on all the same, and the nudge counts", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(services({ config: on })))
  )

  it.scoped("the program ends meanwhile → it does not wait for the limit", () =>
    Effect.gen(function* () {
      const { program } = yield* stopped
      yield* (yield* TestHost).end
      yield* program.await
      assert.deepStrictEqual(yield* nudges("s1"), [])
    }).pipe(Effect.provide(services({ config: on })))
  )

  type World = Effect.Effect.Success<typeof stopped>
  const ends = {
    "a message of the user": ({ session }: World) => session.asks("Go on now."),
    "work of the agent": ({ session }: World) => session.does(...events("edit /repo/src/lexer.ts")),
    "an abort": ({ session }: World) => session.emit({ _tag: "Abort", at: 0 }),
    "the user's stop command": ({ session }: World) => session.emit({ _tag: "Command", command: "stop", at: 0 }),
    "a restart of the host": ({ program }: World) => program.restart
  }
  it.scoped.each(Object.entries(ends))("%s meanwhile → it does not go on by itself", ([, happens]) =>
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
