import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, TestClock } from "effect"
import * as Waiting from "../src/terminal/Waiting.ts"

const erase = "\r\u001b[2K"

const made = (over: { readonly isTerminal?: boolean; readonly columns?: number; readonly term?: string } = {}) => {
  const written: Array<string> = []
  const { columns = 80, isTerminal = true, term = "xterm" } = over
  const stderr = { isTerminal, columns, write: (text: string) => void written.push(text) }
  return { written, waiting: Waiting.make({ env: { TERM: term }, stderr }) }
}

describe("Waiting", () => {
  it.effect("says on a terminal what lasts longer than a second, and takes that away again", () =>
    Effect.gen(function* () {
      const { waiting, written } = made()
      const work = yield* Effect.fork(
        waiting.shown("cart.json: waiting for a model", Effect.delay(Effect.succeed(7), 2500))
      )
      yield* TestClock.adjust("900 millis")
      assert.deepStrictEqual(written, [])
      yield* TestClock.adjust("1200 millis")
      assert.deepStrictEqual(written, [
        `${erase}reflexion: cart.json: waiting for a model: 1 s`,
        `${erase}reflexion: cart.json: waiting for a model: 2 s`
      ])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(work), 7)
      assert.strictEqual(written.at(-1), erase)
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(written, 3)
    })
  )

  it.effect("prints nothing for what is over at once", () =>
    Effect.gen(function* () {
      const { waiting, written } = made()
      assert.strictEqual(yield* waiting.shown("it", Effect.succeed(1)), 1)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(written, [])
    })
  )

  it.effect("prints nothing into a pipe, nor to a terminal that obeys nothing", () =>
    Effect.gen(function* () {
      for (const over of [{ isTerminal: false }, { term: "dumb" }]) {
        const { waiting, written } = made(over)
        const work = yield* Effect.fork(waiting.shown("it", Effect.sleep("5 seconds")))
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(work)
        yield* waiting.clear
        assert.deepStrictEqual(written, [])
      }
    })
  )

  it.effect("keeps to one line of the terminal, and makes room for another", () =>
    Effect.gen(function* () {
      const { waiting, written } = made({ columns: 30 })
      const work = yield* Effect.fork(waiting.shown("x".repeat(100), Effect.sleep("5 seconds")))
      yield* TestClock.adjust("1 second")
      assert.isAtMost((written[0] ?? "").length - erase.length, 29)
      yield* waiting.clear
      assert.deepStrictEqual(written.slice(1), [erase])
      yield* Fiber.interrupt(work)
      assert.lengthOf(written, 2)
    })
  )

  it.effect("ends with what fails", () =>
    Effect.gen(function* () {
      const { waiting, written } = made()
      const failing = Effect.delay(Effect.fail("no"), "3 seconds")
      const work = yield* Effect.fork(Effect.exit(waiting.shown("it", failing)))
      yield* TestClock.adjust("3 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(work)))
      assert.strictEqual(written.at(-1), erase)
    })
  )
})
