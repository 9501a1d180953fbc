import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fill } from "../../../scripts/configuration.mjs"
import { type Home, hooksHome } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const show = (home: Home, what: string, env: Readonly<Record<string, string>> = {}) =>
  home.run(`doctor --show ${what}`, { env })

/** A table without what a formatter puts into it. */
const cells = (text: string) => text.replaceAll(/ +/gu, " ").replaceAll(/-+/gu, "-")

const config = ".config/reflexion/config.json"
const projects = "project/.reflection/config.json"

interface Shown {
  readonly keys: ReadonlyArray<{ readonly key: string; readonly description: string | null; readonly here: unknown }>
  readonly rules: ReadonlyArray<{ readonly id: string; readonly attended: string; readonly unattended: string }>
  readonly judging: ReadonlyArray<{ readonly name: string; readonly excluded: string | null }>
  readonly limits: Readonly<Record<string, number>>
}

const json = (home: Home, what: string, env = {}) =>
  Effect.map(show(home, `${what} --format json`, env), ({ out }): Shown => JSON.parse(out))

describe("reflexion doctor --show", () => {
  it.scopedLive("configuration: every key says what it does, and is on the page", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { keys } = yield* json(home, "configuration")
      assert.deepStrictEqual(
        keys.filter(({ description }) => description === null),
        []
      )
      const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
      assert.strictEqual(cells(fill(page, keys)), cells(page))
    })
  )

  it.scopedLive("configuration: what holds here, with the default where that is another", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "profile": "strict", "memory": { "retentionDays": 7 } }')
      home.put(projects, '{ "maxAttempts": 1, "model": "auto" }')
      const { code, out } = yield* show(home, "configuration")
      assert.strictEqual(code, 0)
      for (const part of [
        'profile "strict" (default "balanced")',
        "memory.retentionDays 7 (default 30)",
        "maxAttempts 1 (default 3)",
        'model "off" models.'
      ])
        assert.include(bare(out), part)
    })
  )

  it.scopedLive("rules: each with its level here", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "rules": { "loops/planning": "nudge" } }')
      home.put(projects, '{ "rules": { "gates/failing": "tell", "claims/unfounded": "nudge" } }')
      const { rules } = yield* json(home, "rules")
      const level = (id: string) =>
        rules.filter((rule) => rule.id === id).map((rule) => `${rule.attended} ${rule.unattended}`)[0]
      assert.deepStrictEqual(
        [level("loops/planning"), level("gates/failing"), level("claims/unfounded")],
        ["nudge nudge", "tell tell", "tell nudge"]
      )
      assert.match(bare((yield* show(home, "rules")).out), /gates\/failing tell, tell\. A check that the user ordered/u)
      home.put(config, '{ "profile": "advisory" }')
      assert.include(bare((yield* show(home, "rules")).out), "no rule sends the agent on, whatever its level")
    })
  )

  it.scopedLive("models: which can be asked, in which order, and why not; no key is shown", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const key = "sk-ant-0123456789abcdef"
      const models = { fallback: ["openai/gpt-5", "anthropic/claude-haiku-4-5"] }
      home.put(
        config,
        JSON.stringify({ model: "anthropic/claude-sonnet-4-5", models, crossReview: { auditor: "openai/gpt-5" } })
      )
      const env = { ANTHROPIC_API_KEY: key }
      const { code, out } = yield* show(home, "models", env)
      assert.strictEqual(code, 0)
      assert.match(bare(out), /anthropic\/claude-sonnet-4-5 is asked first openai\/gpt-5 .*OPENAI_API_KEY is not set/u)
      assert.include(bare(out), "auditor: ")
      assert.notInclude(out, key)
      const { judging, limits } = yield* json(home, "models", env)
      assert.deepStrictEqual(
        judging.map(({ excluded }) => excluded === null),
        [true, false, false]
      )
      assert.strictEqual(limits["tokensPerDay"], 2_000_000)
      assert.include(
        bare((yield* home.run("doctor", { env })).out),
        "models anthropic/claude-sonnet-4-5 is asked first"
      )
      assert.strictEqual((yield* show(home, "models")).code, 1)
      assert.match(
        bare((yield* home.run("doctor")).out),
        /✗ models anthropic\/claude-sonnet-4-5, and none can be asked/u
      )
    })
  )

  it.scopedLive("models: none of a project that is not trusted, and what auto would ask where they are off", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(
        projects,
        '{ "model": "evil/one", "models": { "providers": { "evil": { "api": "openai", "url": "http://x" } } } }'
      )
      const { code, out } = yield* show(home, "models", { OPENAI_API_KEY: "sk" })
      assert.strictEqual(code, 0)
      assert.notInclude(out, "evil")
      assert.match(out, /Models that auto would ask \(models are off\)\n +openai\//u)
    })
  )
})
