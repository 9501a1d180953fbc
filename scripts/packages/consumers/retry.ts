/** Fails once. The second attempt gets the lesson of the first. */
import { ReflectionService, ReflexionStore } from "@reflexion/core"
import { Reflexion } from "@reflexion/retry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as assert from "node:assert/strict"

const prompts: Array<string> = []

const program = Reflexion.retry({
  taskId: "shop",
  subtaskId: "shop/cart",
  description: "Make the tests of the cart pass.",
  maxAttempts: 2,
  attempt: ({ attempt, promptSection }) => {
    prompts.push(promptSection)
    return attempt === 1 ? Effect.fail("AssertionError: expected 100 to be 90\n    at cart.test.mjs:5:52") : Effect.void
  },
  toFailure: (output) => ({ failureType: "test_failure", errorOutput: output })
})

const memory = ReflectionService.ReflectionService.Heuristic.pipe(Layer.provide(ReflexionStore.ReflexionStore.Memory))

await Effect.runPromise(Effect.provide(program, memory))
assert.equal(prompts.length, 2)
assert.match(prompts[1] ?? "", /expected 100 to be 90/)
