import { assert, describe, it } from "@effect/vitest"
import * as OpenCodeSettings from "../src/config/OpenCodeSettings.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"

const load = (options: unknown) => {
  const env = { HOME: "/nonexistent" }
  const directories = UserDirectories.make(env)
  return OpenCodeSettings.load({ directories, env, root: "/nonexistent", options, build: "test" })
}

/** What a user reads of options that cannot be used. */
const problem = (options: unknown): string | null => load(options).problem

const source = "the plugin's options in OpenCode's configuration: "

describe("OpenCodeSettings.load", () => {
  it.each([[undefined], [{}], [{ model: "off" }], [{ model: "off", maxAttempts: 2, profile: "advisory" }]])(
    "takes %j",
    (options) => {
      assert.isNull(problem(options))
    }
  )

  it("has the small model of the session's provider asked where nobody says a model, by consent alone", () => {
    const small = "opencode/small"
    assert.deepStrictEqual(
      [undefined, {}, { maxAttempts: 2 }, { model: "off" }].map((options) => {
        const { byConsent, config } = load(options)
        return [config.model, byConsent]
      }),
      [
        [small, true],
        [small, true],
        [small, true],
        ["off", false]
      ]
    )
    // Nothing is asked by a configuration that nobody can read.
    assert.deepInclude(load({ modle: "off" }), { byConsent: false })
    assert.strictEqual(load({ modle: "off" }).config.model, "off")
  })

  it("has no model asked that the options choose, which may be a project's", () => {
    for (const model of ["auto", "opencode/p/m", "opencode/small", "p/m"]) {
      const { config, problem: told } = load({ model })
      assert.strictEqual(config.model, "off")
      assert.include(told, `model: "${model}" is taken from your own configuration only`)
    }
  })

  it("names a key that nobody knows, and no place: the options are not in a file of ours", () => {
    assert.strictEqual(problem({ maxAtempts: 2 }), `${source}maxAtempts: unknown key; did you mean "maxAttempts"?`)
    assert.strictEqual(problem({ modle: "off" }), `${source}modle: unknown key; did you mean "model"?`)
  })

  it("says what a value must be", () => {
    assert.strictEqual(problem({ model: "x" }), `${source}model: must be "off", "auto" or "provider/model"`)
    assert.match(problem({ maxAttempts: "2" }) ?? "", /^the plugin's options[^:]*: maxAttempts: must be /)
    assert.match(problem("strict") ?? "", /^the plugin's options[^:]*: [^:]/)
  })

  it("counts what it does not show", () => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`k${index}`, 1]))
    assert.match(problem(many) ?? "", /\n\(and 3 more\)$/)
  })
})
