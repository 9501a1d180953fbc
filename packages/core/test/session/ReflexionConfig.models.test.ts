import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"

const parse = (value: unknown) => ReflexionConfig.parse(JSON.stringify(value), { file: "f" })

const read = (value: unknown): ReflexionConfig.PartialConfig => Either.getOrThrow(parse(value))

const told = (value: unknown) =>
  Either.match(parse(value), {
    onLeft: ({ problems }) => problems.map(({ key, problem }) => `${key}: ${problem}`),
    onRight: () => []
  })

const { defaults } = ReflexionConfig

const everything: ReflexionConfig.PartialConfig = {
  model: "local/coder",
  models: {
    fallback: ["openai/gpt-5", "openrouter/qwen/qwen3-coder:free"],
    fast: { anthropic: ["claude-haiku-4-5"], local: [] },
    weak: ["mini", "*/gemma*"],
    providers: {
      local: { api: "chat-completions", url: "http://localhost:8000/v1" },
      openai: { api: "openai", keyEnv: "WORK_KEY" }
    },
    timeout: 90,
    tokensPerReview: 1000,
    tokensPerDay: 50_000
  },
  crossReview: { reviewer: "openai/gpt-5", auditor: "anthropic/claude-opus-4-5" },
  routing: { frontend: "google/gemini-3-pro", default: "openai/gpt-5" },
  checks: [{ name: "tests", command: "npm test", timeout: 300 }]
}

describe("what the configuration says about models and checks", () => {
  it("reads every key", () => {
    assert.deepStrictEqual(read(everything), everything)
  })

  it("asks no model and runs nothing unless it is told to", () => {
    assert.strictEqual(defaults.model, "off")
    assert.deepStrictEqual(defaults.checks, [])
    assert.deepStrictEqual([defaults.routing, defaults.crossReview], [{}, {}])
  })

  it.each([["off"], ["auto"], ["anthropic/claude-sonnet-4-5"], ["openrouter/meta/llama:free"]])(
    "takes the model %j",
    (model) => {
      assert.deepStrictEqual(read({ model }), { model })
    }
  )

  it.each([["on"], ["gpt-5"], ["openai/"], ["/gpt-5"], ["open ai/gpt"], ["a/b\nc"], [1], [null]])(
    "refuses the model %j",
    (model) => {
      assert.deepStrictEqual(told({ model }), [`model: must be "off", "auto" or "provider/model"`])
    }
  )

  it.each([
    [120, 120],
    ["5 minutes", 300],
    ["90 seconds", 90],
    ["1 hour", 3600],
    ["1.5 minutes", 90]
  ])("takes the time %j for %d seconds", (timeout, seconds) => {
    const check = { name: "tests", command: "npm test" }
    assert.strictEqual(read({ checks: [{ ...check, timeout }] }).checks?.[0]?.timeout, seconds)
  })

  it.each([["5m"], ["-1 minutes"], ["2 hours"], [0], [Number.MAX_VALUE], [true], [`1${"0".repeat(5000)} minutes`]])(
    "refuses the time %j",
    (timeout) => {
      assert.deepStrictEqual(told({ checks: [{ name: "tests", command: "npm test", timeout }] }), [
        `checks[0].timeout: must be a number of seconds from 1 to 3600, or a text such as "5 minutes"`
      ])
    }
  )

  it("takes the checks as a list", () => {
    const checks = [
      { name: "tests", command: "npm test" },
      { name: "lint", command: "npm run lint", timeout: 60, paths: ["docs/**"], when: "claim" as const }
    ]
    assert.deepStrictEqual(read({ checks }).checks, checks)
    assert.deepStrictEqual(told({ checks: [{ name: "tests", command: "x", when: "never" }] }), [
      'checks[0].when: must be "stop", "claim" or "ask"'
    ])
  })

  it("names the key that is wrong, once, however deep it is", () => {
    assert.deepStrictEqual(told({ checks: "npm test" }), ["checks: must be a list of checks"])
    assert.deepStrictEqual(told({ checks: [{ name: "tests", comand: "x", command: "x" }] }), [
      'checks[0].comand: unknown key; did you mean "command"?'
    ])
    assert.deepStrictEqual(told({ checks: [{ name: "tests", command: " " }] }), [
      "checks[0].command: must be a command of 1 to 500 characters"
    ])
    assert.deepStrictEqual(told({ models: { fallbak: [] } }), ['models.fallbak: unknown key; did you mean "fallback"?'])
    assert.deepStrictEqual(told({ models: { providers: { x: { api: "openai", urll: "y" } } } }), [
      'models.providers.x.urll: unknown key; did you mean "url"?'
    ])
    assert.deepStrictEqual(told({ models: { providers: { "Not This": { api: "openai" } } } }), [
      "models.providers.Not This: not a name that is allowed here"
    ])
    assert.deepStrictEqual(told({ routing: { backnd: "a/b" } }), [
      'routing.backnd: unknown key; did you mean "backend"?'
    ])
  })

  it("says what a value must be", () => {
    const provider = (over: object) => told({ models: { providers: { x: { api: "openai", ...over } } } })
    const address = "must be an http or https address without a user, a password, `?` or `#`"
    for (const url of ["localhost:11434", "file:///etc/passwd", "https://me:secret@host/v1", "http://h/v1?key=x", 1])
      assert.deepStrictEqual(provider({ url }), [`models.providers.x.url: ${address}`])
    assert.match(provider({ api: "gemini" })[0] ?? "", /api: must be "anthropic", "openai" or "chat-completions"$/)
    assert.match(
      told({ models: { timeout: 0 } })[0] ?? "",
      /^models.timeout: must be a number of seconds from 1 to 600/
    )
    assert.match(told({ models: { tokensPerDay: 1.5 } })[0] ?? "", /must be a whole number of tokens, at least 1$/)
    assert.match(told({ models: { fallback: ["gpt"] } })[0] ?? "", /^models.fallback\[0\]: must be a name such as /)
    assert.match(told({ crossReview: { reviewer: "auto" } })[0] ?? "", /^crossReview.reviewer: must be a name such as /)
    assert.match(told({ crossReview: true })[0] ?? "", /^crossReview: must be an object with reviewer or auditor$/)
  })

  it("shows no key that stands where its variable's name should", () => {
    const key = "sk-ant-api03-0123456789abcdefghij"
    const [problem = ""] = told({ models: { providers: { x: { api: "anthropic", keyEnv: key } } } })
    assert.match(problem, /keyEnv: must be the name of an environment variable that has the key, never the key itself$/)
    assert.notInclude(problem, key)
  })

  describe("merge", () => {
    it("lays each provider, each list and each check over the earlier ones", () => {
      const first = ReflexionConfig.merge(defaults, everything)
      const { checks, models, routing } = ReflexionConfig.merge(first, {
        models: { fast: { openai: ["gpt-6-mini"] }, providers: { other: { api: "openai" } } },
        routing: { backend: "openai/gpt-6" },
        checks: [{ name: "build", command: "make", timeout: 60 }]
      })
      assert.deepStrictEqual(Object.keys(models.providers), ["local", "openai", "other"])
      assert.deepStrictEqual(models.fast["openai"], ["gpt-6-mini"])
      assert.deepStrictEqual(models.fast["anthropic"], ["claude-haiku-4-5"])
      assert.strictEqual(models.timeout, 90)
      assert.deepStrictEqual(routing, { ...everything.routing, backend: "openai/gpt-6" })
      assert.deepStrictEqual(
        checks.map(({ name }) => name),
        ["tests", "build"]
      )
    })

    it("takes none of it from a workspace that is not trusted", () => {
      assert.deepStrictEqual(ReflexionConfig.mergeWorkspace(defaults, everything), defaults)
      const own = ReflexionConfig.merge(defaults, { ...everything, model: "auto" })
      assert.deepStrictEqual(ReflexionConfig.mergeWorkspace(own, { model: "off", checks: [] }), own)
    })

    it("takes all of it from a trusted one", () => {
      const trusted = ReflexionConfig.mergeTrusted(defaults, everything)
      assert.deepStrictEqual(trusted, ReflexionConfig.merge(defaults, everything))
    })
  })
})
