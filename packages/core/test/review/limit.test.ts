/** An agent that a usage limit stopped goes on when the limit ends, if nobody is there and the user switched it on. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, TestClock } from "effect"
import { notice } from "../support/events.ts"
import { session as events } from "../support/sessions.ts"
import { injections, log, nudges, play, services, started } from "../support/turns.ts"

const begin = Date.parse("2026-03-02T09:00:00Z")

const on = { continueAfterLimit: true, attended: false } as const

const hour = 60 * 60_000

/** The task, and a stop by a limit that ends two hours later. */
const stopped = Effect.gen(function* () {
  yield* TestClock.setTime(begin)
  const program = yield* started
  const session = yield* play("s1")
  yield* session.asks("Fix the bug in the parser and run the tests.")
  yield* session.does(...events("edit /repo/src/parser.ts"))
  const limited = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now).toISOString()
    yield* session.add({ ...notice("rate_limited", "limit reached, try again in 119 minutes"), at })
    yield* session.emit({ _tag: "Error", limitEnd: now + 2 * hour, at: 0 })
    yield* TestClock.adjust(0)
  })
  yield* limited
  return { program, session, limited }
})

describe("a stop by a usage limit", () => {
  it.scoped("with a stated end → the agent goes on then, once, with a visible message of ours", () =>
    Effect.gen(function* () {
      const { limited, session } = yield* stopped
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
      yield* limited
      yield* TestClock.adjust(9 * hour)
      assert.deepStrictEqual(yield* nudges("s1"), [1])
      const [waits] = yield* log("s1")
      assert.strictEqual(waits, "none: the stop is reviewed when the usage limit ends, at 2026-03-02T11:00:00.000Z")
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
      assert.deepStrictEqual(yield* nudges("s1"), [])
    }).pipe(Effect.provide(services({ config })))
  )
})
