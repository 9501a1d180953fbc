import { assert, describe, it } from "@effect/vitest"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Effect } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import { guidance } from "./support/guidance.ts"
import * as Tools from "../src/plugin/Tools.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const list = "Ship it.\n\n- [x] read\n- [ ] write"

const kept = Guidance.get("s1")

const set = (args: Record<string, unknown>) => Tools.setReflection.run(args, "s1")

const refused = (args: Record<string, unknown>) => Effect.map(Effect.flip(set(args)), ({ message }) => message)

describe("the tool set_reflection", () => {
  it.effect("keeps a text, and `clear: true` removes it whatever comes with it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* set({ guidance: list }), "The guidance is set.")
      assert.strictEqual(yield* kept, list)
      yield* set({ guidance: "Ship it.", clear: false })
      assert.strictEqual(yield* kept, "Ship it.")
      for (const guidance of [undefined, "", list, "x".repeat(4001)]) {
        yield* set({ guidance: "Ship it." })
        assert.strictEqual(yield* set({ guidance, clear: true }), "The guidance is removed.")
        assert.isNull(yield* kept)
      }
      assert.strictEqual(yield* set({ clear: true }), "The guidance is removed.")
    }).pipe(Effect.provide(guidance))
  )

  it.effect("refuses more than 4,000 characters, and keeps what was set before", () =>
    Effect.gen(function* () {
      yield* set({ guidance: list })
      assert.match(yield* refused({ guidance: "x".repeat(4001) }), /has 4001 characters; at most 4000 are kept/)
      assert.strictEqual(yield* kept, list)
      yield* set({ guidance: "x".repeat(4000) })
      assert.strictEqual((yield* kept)?.length, 4000)
    }).pipe(Effect.provide(guidance))
  )

  it.effect("refuses an empty text, and anything that is none, and keeps what was set before", () =>
    Effect.gen(function* () {
      yield* set({ guidance: list })
      for (const args of [
        {},
        { guidance: "" },
        { guidance: " \n" },
        { guidance: 3 },
        { guidance: null, clear: "true" }
      ]) {
        assert.match(yield* refused(args), /is empty.*`clear: true`/)
        assert.strictEqual(yield* kept, list)
      }
    }).pipe(Effect.provide(guidance))
  )
})

const reflection = (action: unknown, sessionId = "s1") => Tools.reflection.run({ action }, sessionId)

const isStopped = Effect.flatMap(ReviewStates, (states) => states.isStopped("s1"))

describe("the tool reflection", () => {
  it.effect("tells how reflexion stands, turns it off, and on again", () => {
    const { heard, layer } = obeyingPlugin()
    return Effect.gen(function* () {
      assert.match(yield* reflection("status"), /is on in this session/)
      assert.match(yield* reflection("stop"), /is off in this session/)
      assert.match(yield* reflection("status"), /is off in this session/)
      assert.isTrue(yield* isStopped)
      assert.match(yield* reflection("start"), /is on in this session/)
      assert.isFalse(yield* isStopped)
      assert.deepStrictEqual(
        heard,
        ["stop", "start"].map((word) => `s1 ${word} by agent`)
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("answers with the guidance as well, where the session has one", () => {
    const { layer } = obeyingPlugin()
    return Effect.gen(function* () {
      assert.notInclude(yield* reflection("status"), "Guidance")
      yield* set({ guidance: list })
      for (const action of ["status", "start"]) {
        const answer = yield* reflection(action)
        assert.match(answer, /is on in this session/)
        assert.isTrue(answer.endsWith(`\n\nGuidance:\n\n${list}`))
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect("does nothing at another word", () => {
    const { heard, layer } = obeyingPlugin()
    return Effect.gen(function* () {
      for (const action of [undefined, "", "Stop", 3]) {
        assert.strictEqual(yield* reflection(action), "`action` must be status, model, stop, start or model off.")
      }
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.provide(layer))
  })
})
