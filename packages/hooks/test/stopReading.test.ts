import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as StopReading from "../src/stop/StopReading.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as Hooks from "../src/session/Hook.ts"
import { scratch, session } from "./support/session.ts"

/** What the judge is given of it, and what it makes of it. */
const judged = (message: string) =>
  Effect.map(scratch, (given) => {
    const { hook } = given
    const event = session(given, "s").user("Add a cart.").event({ message })
    const saved = SessionFile.load(Hooks.keyOf(hook, event)).session
    const found = StopReading.read(hook, event, saved)
    if (found === null) return assert.fail("there is no record")
    const { events, judgment } = StopReading.ended(hook, event, found.reading)
    const texts = events.flatMap((one) => (one.type === "assistant_message" ? [one.text] : []))
    return { texts, stop: judgment.stop }
  })

describe("the final message that a host tells of", () => {
  it.scoped("is judged by its end where it is very long", () =>
    Effect.gen(function* () {
      for (const long of [
        "x".repeat(3_000_000),
        "word ".repeat(600_000),
        `${"x".repeat(3_000_000)} \n All tests pass.`
      ]) {
        const { stop, texts } = yield* judged(long)
        assert.lengthOf(texts, 1)
        assert.isAtMost(texts[0]?.length ?? 0, 100_000)
        assert.isTrue(long.trim().endsWith(texts[0] ?? "?"))
        assert.strictEqual(stop.text.slice(-15), long.trim().slice(-15))
      }
    })
  )

  it.scoped("is judged whole where it is not, and a token is not cut", () =>
    Effect.gen(function* () {
      const short = "Which of both? ".repeat(500).trim()
      assert.deepStrictEqual((yield* judged(short)).texts, [short])
      const { texts } = yield* judged(`${"a ".repeat(10_000)}${"key".repeat(2000)} ${"b".repeat(97_000)}`)
      assert.deepStrictEqual(texts, [` ${"b".repeat(97_000)}`])
    })
  )
})
