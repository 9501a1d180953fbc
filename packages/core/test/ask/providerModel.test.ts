import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { loaded } from "../../src/ask/models/providers/providerModel.ts"

const failing = (error: unknown) => Effect.flip(loaded("@effect/ai-acme", () => Promise.reject(error)))

describe("loaded", () => {
  it.effect("gives what it loads", () =>
    Effect.map(
      loaded("@effect/ai-acme", () => Promise.resolve(7)),
      (given) => assert.strictEqual(given, 7)
    )
  )

  it.effect.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])("names a package that is missing (%s)", (code) =>
    Effect.map(failing(Object.assign(new Error("no such file in /home/dev"), { code })), (failed) => {
      assert.strictEqual(failed.reason, "unavailable")
      assert.include(failed.message, "the package @effect/ai-acme is not installed")
      assert.include(failed.message, "npm install @effect/ai-acme")
      assert.notInclude(failed.message, "/home/dev")
    })
  )

  it.effect("tells a package that does not fit from one that is missing", () =>
    Effect.map(failing(new SyntaxError("no export named make")), (failed) =>
      assert.include(failed.detail, "the package @effect/ai-acme could not be loaded (SyntaxError)")
    )
  )
})
